package workers

import (
	"fmt"
	"testing"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"amanat/internal/domain/deals"
	"amanat/internal/lib/tracing"
	"amanat/queue/jobs"
)

// recordSpans records all spans until the test ends.
func recordSpans(t *testing.T) *tracetest.InMemoryExporter {
	t.Helper()
	recorded := tracetest.NewInMemoryExporter()
	tracing.Use(sdktrace.NewTracerProvider(sdktrace.WithSyncer(recorded)))
	t.Cleanup(func() { tracing.Use(nil) })
	return recorded
}

// requested requests a payment in a call of its own and returns it with its job.
func (f *groupFixture) requested(requestID string) (payment, trace.SpanContext) {
	f.t.Helper()
	ctx, call := tracing.Start(tracing.WithRequestID(f.t.Context(), requestID), "call")
	defer call.End()
	op, err := f.deals.RequestPay(ctx, f.buyer, f.deal(f.buyer, f.seller, 1_00).ID, deals.AnyTerms, nil)
	require.NoError(f.t, err)
	var id int64
	require.NoError(f.t, f.db.Owner().QueryRow(f.t.Context(), `
		update river.river_job set state = 'running', attempt = 1, attempted_at = now(), attempted_by = array['test']
		 where kind = 'deal_pay' and args @> jsonb_build_object('operation_id', $1::uuid) returning id`, op.ID).Scan(&id))
	row, err := f.client.JobGet(f.t.Context(), id)
	require.NoError(f.t, err)
	job := &river.Job[jobs.DealPay]{JobRow: row, Args: jobs.DealPay{Money: jobs.Money{OperationID: op.ID}}}
	return payment{op, job}, call.SpanContext()
}

// Operations that are settled in a group are each a part of the trace of their own call; the span
// of the group links to them, and they link to it.
//
//nolint:paralleltest // tracing is on or off for the whole process
func TestTrace_group(t *testing.T) {
	f := newGroupFixture(t)
	spans := recordSpans(t)
	const members = 3
	list, calls := make([]payment, members), make([]trace.SpanContext, members)
	for i := range list {
		list[i], calls[i] = f.requested(fmt.Sprintf("request-%d", i))
	}
	for _, err := range f.workTogether(list) {
		require.NoError(t, err)
	}

	var group tracetest.SpanStub
	settled, posted := map[trace.TraceID]tracetest.SpanStub{}, map[trace.TraceID]tracetest.SpanStub{}
	for _, span := range spans.GetSpans() {
		switch span.Name {
		case "settle group":
			group = span
		case "settle deal_pay":
			settled[span.SpanContext.TraceID()] = span
		case "post deal_pay":
			posted[span.SpanContext.TraceID()] = span
		}
	}
	require.Len(t, group.Links, members)
	require.False(t, group.Parent.IsValid(), "a trace of its own")
	for i, call := range calls {
		id := call.TraceID()
		require.Equal(t, settled[id].SpanContext.SpanID(), posted[id].Parent.SpanID())
		require.Len(t, settled[id].Links, 1)
		require.Equal(t, group.SpanContext.SpanID(), settled[id].Links[0].SpanContext.SpanID())
		linked := map[trace.TraceID]bool{}
		for _, link := range group.Links {
			linked[link.SpanContext.TraceID()] = true
		}
		require.True(t, linked[id])
		op := f.status(list[i].op)
		require.NotNil(t, op.RequestID)
		require.Equal(t, fmt.Sprintf("request-%d", i), *op.RequestID)
	}
}

// An operation whose job is lost gets another one with the same request id.
func TestSweep_keeps_request_id(t *testing.T) {
	t.Parallel()
	f := newGroupFixture(t)
	p, _ := f.requested("request-lost")
	_, err := f.db.Owner().Exec(t.Context(), `delete from river.river_job where id = $1`, p.job.ID)
	require.NoError(t, err)
	require.Equal(t, 1, f.sweep())
	var id string
	require.NoError(t, f.db.Owner().QueryRow(t.Context(), `
		select metadata ->> 'request_id' from river.river_job
		 where kind = 'deal_pay' and args @> jsonb_build_object('operation_id', $1::uuid)`, p.op.ID).Scan(&id))
	require.Equal(t, "request-lost", id)
}
