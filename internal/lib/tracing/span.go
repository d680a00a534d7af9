package tracing

import (
	"context"
	"sync/atomic"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// instrumentation is the name of the scope of all spans.
const instrumentation = "amanat"

// requestIDAttribute finds the spans of a call by its request id.
const requestIDAttribute = attribute.Key("amanat.request_id")

// current makes spans; nil while tracing is off.
var current atomic.Pointer[trace.Tracer]

// Use makes Start record spans with a provider; nil turns that off. Package otlp calls it, and so
// do tests that look at spans.
func Use(provider trace.TracerProvider) {
	if provider == nil {
		current.Store(nil)
		return
	}
	tracer := provider.Tracer(instrumentation)
	current.Store(&tracer)
}

// Start starts a span. While tracing is off, it does nothing. Names and attributes hold no user's
// data: only ids, kinds and counts.
func Start(ctx context.Context, name string, options ...trace.SpanStartOption) (context.Context, trace.Span) {
	tracer := current.Load()
	if tracer == nil {
		return ctx, noop.Span{} // the context may have the span of a proxy, which is passed on
	}
	if id := RequestID(ctx); id != "" {
		options = append(options, trace.WithAttributes(requestIDAttribute.String(id)))
	}
	return (*tracer).Start(ctx, name, options...)
}

// End ends a span. The error only marks it as failed: its text may quote what users wrote.
func End(span trace.Span, err error) {
	if err != nil {
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// propagator writes and reads the W3C trace context: traceparent and tracestate.
var propagator = propagation.TraceContext{}

// Inject writes the context's span to the carrier.
func Inject(ctx context.Context, carrier propagation.TextMapCarrier) { propagator.Inject(ctx, carrier) }

// Extract returns a context whose spans continue the trace of the carrier, if it has one.
func Extract(ctx context.Context, carrier propagation.TextMapCarrier) context.Context {
	return propagator.Extract(ctx, carrier)
}
