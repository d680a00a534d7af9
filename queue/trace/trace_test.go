package trace

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/trace"

	"amanat/internal/lib/tracing"
)

const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

// What the call says is added to the metadata of each job, beside what is there, and found again.
func TestInsert(t *testing.T) {
	t.Parallel()
	ctx := tracing.WithRequestID(t.Context(), "r-1")
	ctx = Context(ctx, &rivertype.JobRow{Metadata: []byte(`{"request_id": "r-2", "traceparent": "` + parent + `"}`)})
	list := []*rivertype.JobInsertParams{{}, {Metadata: []byte(`{"periodic": true}`)}}
	_, err := (&insert{}).InsertMany(ctx, list, func(context.Context) ([]*rivertype.JobInsertResult, error) { return nil, nil })
	require.NoError(t, err)
	require.JSONEq(t, `{"request_id": "r-2", "traceparent": "`+parent+`"}`, string(list[0].Metadata))
	require.JSONEq(t, `{"request_id": "r-2", "traceparent": "`+parent+`", "periodic": true}`, string(list[1].Metadata))

	found := Context(t.Context(), &rivertype.JobRow{Metadata: list[1].Metadata})
	require.Equal(t, "r-2", tracing.RequestID(found))
	require.Equal(t, "0af7651916cd43dd8448eb211c80319c", trace.SpanContextFromContext(found).TraceID().String())
}

// Without a call, jobs are as they were; metadata of others is no obstacle.
func TestInsert_no_call(t *testing.T) {
	t.Parallel()
	list := []*rivertype.JobInsertParams{{Metadata: []byte(`[]`)}}
	none := func(context.Context) ([]*rivertype.JobInsertResult, error) { return nil, nil }
	_, err := (&insert{}).InsertMany(t.Context(), list, none)
	require.NoError(t, err)
	require.Equal(t, `[]`, string(list[0].Metadata))
	_, err = (&insert{}).InsertMany(tracing.WithRequestID(t.Context(), "r-1"), list, none)
	require.Error(t, err, "it would be lost")
	require.Empty(t, tracing.RequestID(Context(t.Context(), &rivertype.JobRow{Metadata: []byte(`[]`)})))
}

func TestWork(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	middleware, err := Work(registry, []string{"mail"})
	require.NoError(t, err)
	require.Equal(t, 2, testutil.CollectAndCount(registry, "amanat_job_seconds"), "series from the start")
	measured, is := middleware.(*work)
	require.True(t, is)
	bad := errors.New("bad")
	for result, err := range map[string]error{
		completed: nil, failed: bad, cancelled: river.JobCancel(bad), snoozed: river.JobSnooze(time.Minute),
	} {
		got := measured.Work(t.Context(), &rivertype.JobRow{Kind: "push"}, func(context.Context) error { return err })
		require.ErrorIs(t, got, err)
		require.Equal(t, uint64(1), count(t, registry, result), result)
	}
	require.Panics(t, func() {
		_ = measured.Work(t.Context(), &rivertype.JobRow{Kind: "push"}, func(context.Context) error { panic("bug") })
	})
	require.Equal(t, uint64(2), count(t, registry, failed))
}

// count returns how many attempts of the kind push had the result.
func count(t *testing.T, registry *prometheus.Registry, result string) (n uint64) {
	t.Helper()
	families, err := registry.Gather()
	require.NoError(t, err)
	for _, metric := range families[0].GetMetric() {
		if metric.GetLabel()[0].GetValue() == "push" && metric.GetLabel()[1].GetValue() == result {
			n += metric.GetHistogram().GetSampleCount()
		}
	}
	return n
}
