package otlp_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/otlp"
	"amanat/internal/lib/tracing"
)

// A collector that accepts connections and never answers neither slows the process down nor uses
// more and more memory. Spans that are not kept are counted.
func TestRun_collector_hangs(t *testing.T) {
	release := make(chan struct{})
	collector := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer collector.Close()
	defer close(release)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	registry := prometheus.NewRegistry()
	stop, err := otlp.Run(t.Context(), otlp.Options{
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
	stop, err := otlp.Run(t.Context(), otlp.Options{Registry: registry})
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
