package postgres

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"amanat/internal/lib/tracing"
)

type statementNames struct{}

// withName passes the name of a statement to its span. It costs nothing while there is none to
// come.
func withName(ctx context.Context, name string) context.Context {
	if !traced(ctx) {
		return ctx
	}
	return context.WithValue(ctx, statementNames{}, []string{name})
}

// withNames is withName for a batch.
func withNames(ctx context.Context, names []string) context.Context {
	if !traced(ctx) {
		return ctx
	}
	return context.WithValue(ctx, statementNames{}, names)
}

// traced reports whether statements are part of a recorded trace. Statements alone, such as those
// that poll for jobs, make none.
func traced(ctx context.Context) bool { return trace.SpanFromContext(ctx).IsRecording() }

// statementTracer makes a span of each statement and of each batch, with the names of statements:
// never their arguments, and never the text of the SQL.
type statementTracer struct{}

type statementSpan struct{}

// TraceQueryStart implements pgx.QueryTracer.
func (statementTracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if !traced(ctx) {
		return ctx
	}
	name := describe(data.SQL)
	if names, ok := ctx.Value(statementNames{}).([]string); ok && len(names) == 1 {
		name = names[0]
	}
	return startStatement(ctx, name)
}

// TraceQueryEnd implements pgx.QueryTracer.
func (statementTracer) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	endStatement(ctx, data.Err)
}

// TraceBatchStart implements pgx.BatchTracer.
func (statementTracer) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	if !traced(ctx) {
		return ctx
	}
	names, ok := ctx.Value(statementNames{}).([]string)
	if !ok {
		for _, query := range data.Batch.QueuedQueries {
			names = append(names, describe(query.SQL))
		}
	}
	return startStatement(ctx, "batch", attribute.StringSlice("amanat.statements", names))
}

// TraceBatchQuery implements pgx.BatchTracer.
func (statementTracer) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (statementTracer) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchEndData) {
	endStatement(ctx, data.Err)
}

func startStatement(ctx context.Context, name string, attributes ...attribute.KeyValue) context.Context {
	attributes = append(attributes, attribute.String("db.system.name", "postgresql"))
	ctx, span := tracing.Start(ctx, name, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attributes...))
	return context.WithValue(ctx, statementSpan{}, span)
}

// endStatement ends the span that startStatement has started with the context, if any.
func endStatement(ctx context.Context, err error) {
	if span, ok := ctx.Value(statementSpan{}).(trace.Span); ok {
		tracing.End(span, err)
	}
}

// riverName begins the statements of River, which sqlc has generated.
const riverName = "-- name: "

// describe returns a name for a statement that has none of ours: River's own, or the first word,
// as in commit.
func describe(sql string) string {
	rest, river := strings.CutPrefix(sql, riverName)
	words := strings.Fields(rest)
	switch {
	case len(words) == 0:
		return "empty"
	case river:
		return "river." + words[0]
	}
	return strings.ToLower(words[0])
}
