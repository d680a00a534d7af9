package tracing_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"amanat/internal/platform/tracing"
)

func TestReference(t *testing.T) {
	t.Parallel()
	const id = "019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"
	reference := tracing.Reference(id)
	require.Regexp(t, `^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$`, reference)
	require.NotEqual(t, reference, tracing.Reference(id[:35]+"0"), "the time alone would be the same")
	require.Empty(t, tracing.Reference(""))

	want, err := tracing.ParseReference(reference)
	require.NoError(t, err)
	require.Len(t, want, 5)
	for _, written := range []string{"7f3k9q2m", " 7F3K 9Q2M", "7f3k-9q2m"} {
		got, err := tracing.ParseReference(written)
		require.NoError(t, err)
		same, err := tracing.ParseReference("7F3K-9Q2M")
		require.NoError(t, err)
		require.Equal(t, same, got)
	}
	zero, err := tracing.ParseReference("OOOO-IL11")
	require.NoError(t, err)
	digits, err := tracing.ParseReference("0000-1111")
	require.NoError(t, err)
	require.Equal(t, digits, zero)
	for _, wrong := range []string{"", "7F3K", "7F3K-9Q2MX", "7F3K-9Q2U", "7F3K_9Q2M"} {
		_, err := tracing.ParseReference(wrong)
		require.Error(t, err, wrong)
	}
}

func TestLogHandler(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(tracing.LogHandler(slog.NewJSONHandler(&out, nil))).With("a", 1)
	ctx := tracing.WithRequestID(t.Context(), "r-1")
	log.InfoContext(ctx, "one")
	log.InfoContext(ctx, "two", "request_id", "given")
	log.Info("three")
	require.Equal(t, 1, bytes.Count(out.Bytes(), []byte(`"request_id":"r-1"`)))
	require.Equal(t, 1, bytes.Count(out.Bytes(), []byte(`"request_id":"given"`)))
}

// A collector that accepts connections and never answers neither slows the process down nor uses
// more and more memory. Spans that are not kept are counted.
func TestRun_collector_hangs(t *testing.T) {
	release := make(chan struct{})
	collector := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer collector.Close()
	defer close(release)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	registry := prometheus.NewRegistry()
	stop, err := tracing.Run(t.Context(), tracing.Options{
		Service: "test", Version: "1", Enabled: true, Log: slog.New(slog.DiscardHandler), Registry: registry,
	})
	require.NoError(t, err)

	const spans = 20_000
	started := time.Now()
	for range spans {
		_, span := tracing.Start(context.Background(), "span")
		tracing.End(span, nil)
	}
	require.Less(t, time.Since(started), 5*time.Second, "an export would take ten seconds")
	require.GreaterOrEqual(t, count(t, registry, "dropped"), float64(spans-4096))

	started = time.Now()
	stop()
	require.Less(t, time.Since(started), 6*time.Second)
	require.Zero(t, count(t, registry, "exported"))
}

//nolint:paralleltest // tracing is on or off for the whole process
func TestRun_off(t *testing.T) {
	registry := prometheus.NewRegistry()
	stop, err := tracing.Run(t.Context(), tracing.Options{Registry: registry})
	require.NoError(t, err)
	defer stop()
	ctx, span := tracing.Start(t.Context(), "span")
	require.False(t, span.IsRecording())
	require.Equal(t, t.Context(), ctx)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		_, span := tracing.Start(ctx, "span")
		tracing.End(span, nil)
	}), "payments pay nothing for traces that nobody wants")
	require.Equal(t, 3, testutil.CollectAndCount(registry, "amanat_trace_spans_total"), "a series from the start")
}

func count(t *testing.T, registry *prometheus.Registry, outcome string) float64 {
	t.Helper()
	families, err := registry.Gather()
	require.NoError(t, err)
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			if len(metric.GetLabel()) == 1 && metric.GetLabel()[0].GetValue() == outcome {
				return metric.GetCounter().GetValue()
			}
		}
	}
	return -1
}
