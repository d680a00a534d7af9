// Package otlp sends the spans of package tracing to a collector over OTLP if the environment names
// one. Only cmd/api and cmd/worker link it, because the exporter brings gRPC along.
package otlp

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"amanat/internal/lib/tracing"
)

const (
	// maxHeld bounds the spans in memory; while the collector does not answer, further ones are
	// dropped.
	maxHeld = 4096
	// exportTimeout bounds an export, with its retries.
	exportTimeout = 10 * time.Second
	stopTimeout   = 3 * time.Second
	// complainEvery is the least time between two log lines about a collector.
	complainEvery = time.Minute
)

// Attributes of the resource, of OpenTelemetry's semantic conventions.
const (
	serviceName    = attribute.Key("service.name")
	serviceVersion = attribute.Key("service.version")
)

// Options configures Run.
type Options struct {
	Service  string // service.name, unless OTEL_SERVICE_NAME is set
	Version  string
	Enabled  bool              // otherwise only the metric exists
	Headers  map[string]string // sent to the collector; without, those of the environment
	Log      *slog.Logger
	Registry prometheus.Registerer
}

// Run sends spans to the collector of the OTEL_* variables until stop is called, which sends what
// is left within three seconds. A collector that does not answer delays nothing: at most 4,096
// spans are kept, and the others are dropped and counted.
func Run(ctx context.Context, o Options) (stop func(), err error) {
	spans := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "amanat_trace_spans_total", Help: "Spans by what became of them.",
	}, []string{"outcome"})
	if err := o.Registry.Register(spans); err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	counts := counters{
		exported: spans.WithLabelValues("exported"), failed: spans.WithLabelValues("failed"), dropped: spans.WithLabelValues("dropped"),
	}
	if !o.Enabled {
		return func() {}, nil
	}
	options := []otlptracehttp.Option{otlptracehttp.WithTimeout(exportTimeout)}
	if len(o.Headers) > 0 {
		options = append(options, otlptracehttp.WithHeaders(o.Headers))
	}
	client, err := otlptracehttp.New(ctx, options...)
	if err != nil {
		return nil, fmt.Errorf("tracing: %w", err)
	}
	about, err := resource.New(ctx, resource.WithAttributes(
		serviceName.String(o.Service), serviceVersion.String(o.Version)), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("tracing: OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	held := &atomic.Int64{}
	out := &exporter{SpanExporter: client, held: held, counts: counts, log: o.Log}
	provider := sdktrace.NewTracerProvider(sdktrace.WithResource(about), sdktrace.WithSpanProcessor(&bounded{
		SpanProcessor: sdktrace.NewBatchSpanProcessor(out,
			sdktrace.WithMaxQueueSize(maxHeld), sdktrace.WithExportTimeout(exportTimeout)),
		held: held, dropped: counts.dropped,
	}))
	tracing.Use(provider)
	return func() {
		tracing.Use(nil)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
		defer cancel()
		_ = provider.Shutdown(ctx) // what could not be sent is counted and logged
	}, nil
}

type counters struct{ exported, failed, dropped prometheus.Counter }

// bounded drops spans while too many are held. The queue of the SDK does the same but does not
// count.
type bounded struct {
	sdktrace.SpanProcessor
	held    *atomic.Int64 // spans in the queue or being exported
	dropped prometheus.Counter
}

// OnEnd implements sdktrace.SpanProcessor.
func (b *bounded) OnEnd(span sdktrace.ReadOnlySpan) {
	if !span.SpanContext().IsSampled() {
		return
	}
	if b.held.Add(1) > maxHeld {
		b.held.Add(-1)
		b.dropped.Inc()
		return
	}
	b.SpanProcessor.OnEnd(span)
}

// exporter counts what is exported and logs failures, at most once a minute.
type exporter struct {
	sdktrace.SpanExporter
	held       *atomic.Int64
	counts     counters
	log        *slog.Logger
	complained time.Time // by the one goroutine that exports
}

// ExportSpans implements sdktrace.SpanExporter.
func (e *exporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	err := e.SpanExporter.ExportSpans(ctx, spans)
	e.held.Add(-int64(len(spans)))
	if err == nil {
		e.counts.exported.Add(float64(len(spans)))
		return nil
	}
	e.counts.failed.Add(float64(len(spans)))
	if now := time.Now(); now.Sub(e.complained) >= complainEvery { //nolint:forbidigo // the machine's time, for the log
		e.complained = now
		e.log.WarnContext(ctx, "tracing: spans not exported", "spans", len(spans), "error", err)
	}
	return nil // logged; the SDK would print it
}
