package dbtest

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

// Trips counts the round trips of a pool: each statement, batch and COPY is one.
type Trips struct{ sent atomic.Int64 }

// Counted returns a pool like another one, whose round trips are counted from now on. What opens
// its first connection is not.
func Counted(tb testing.TB, pool *pgxpool.Pool) (*pgxpool.Pool, *Trips) {
	tb.Helper()
	trips := &Trips{}
	config := pool.Config()
	config.ConnConfig.Tracer = trips
	counted, err := pgxpool.NewWithConfig(tb.Context(), config)
	require.NoError(tb, err)
	tb.Cleanup(counted.Close)
	require.NoError(tb, counted.Ping(tb.Context()))
	trips.Take()
	return counted, trips
}

// Take returns how many round trips there have been since the last call.
func (t *Trips) Take() int { return int(t.sent.Swap(0)) }

// TraceQueryStart implements pgx.QueryTracer.
func (t *Trips) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	t.sent.Add(1)
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (*Trips) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart implements pgx.BatchTracer.
func (t *Trips) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	t.sent.Add(1)
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer.
func (*Trips) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (*Trips) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// TraceCopyFromStart implements pgx.CopyFromTracer.
func (t *Trips) TraceCopyFromStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceCopyFromStartData) context.Context {
	t.sent.Add(1)
	return ctx
}

// TraceCopyFromEnd implements pgx.CopyFromTracer.
func (*Trips) TraceCopyFromEnd(context.Context, *pgx.Conn, pgx.TraceCopyFromEndData) {}
