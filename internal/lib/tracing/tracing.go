// Package tracing follows a call from its request to the transfer it causes: the request id, the
// short reference of it that people see, and OpenTelemetry spans. Without a provider, which package
// otlp has, spans cost nothing.
package tracing

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"log/slog"
	"strings"
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

type requestIDKey struct{}

// WithRequestID returns a context that carries the id of the call that work is done for; "": of
// none.
func WithRequestID(ctx context.Context, id string) context.Context {
	if id == RequestID(ctx) {
		return ctx
	}
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID returns the id of the call that work is done for, "" if there is none.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// referenceEncoding is Crockford's: without I, L, O and U, which are easily misread.
var referenceEncoding = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)

const (
	referenceBytes = 5 // 8 characters
	referenceHalf  = 4
)

// Reference returns the short code of a call that people can read out, such as 7F3K-9Q2M, and ""
// for an empty id. It is made of the hash of the id, because ids begin with the time.
func Reference(requestID string) string {
	if requestID == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(requestID))
	code := referenceEncoding.EncodeToString(sum[:referenceBytes])
	return code[:referenceHalf] + "-" + code[referenceHalf:]
}

var errReference = errors.New("a reference has eight letters and digits, as in 7F3K-9Q2M")

// ParseReference returns the first bytes of the SHA-256 hash of the request id that a reference
// stands for. It accepts what people write: lower case, no dash, O for 0 and I or L for 1.
func ParseReference(text string) ([]byte, error) {
	code := strings.NewReplacer("-", "", " ", "", "O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(text))
	prefix, err := referenceEncoding.DecodeString(code)
	if err != nil || len(code) != 2*referenceHalf {
		return nil, errReference
	}
	return prefix, nil
}

// LogHandler returns a handler that adds request_id and trace_id of the context to each line that
// does not have them.
func LogHandler(inner slog.Handler) slog.Handler { return &logHandler{inner} }

type logHandler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h *logHandler) Handle(ctx context.Context, record slog.Record) error {
	id, span := RequestID(ctx), trace.SpanContextFromContext(ctx)
	if id == "" && !span.IsValid() {
		return h.Handler.Handle(ctx, record)
	}
	record = record.Clone()
	if id != "" && !has(record, "request_id") {
		record.AddAttrs(slog.String("request_id", id))
	}
	if span.IsValid() {
		record.AddAttrs(slog.String("trace_id", span.TraceID().String()))
	}
	return h.Handler.Handle(ctx, record)
}

func has(record slog.Record, key string) (found bool) {
	record.Attrs(func(a slog.Attr) bool {
		found = a.Key == key
		return !found
	})
	return found
}

// WithAttrs implements slog.Handler.
func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &logHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h *logHandler) WithGroup(name string) slog.Handler {
	return &logHandler{h.Handler.WithGroup(name)}
}
