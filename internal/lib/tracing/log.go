package tracing

import (
	"context"
	"log/slog"

	"go.opentelemetry.io/otel/trace"
)

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
