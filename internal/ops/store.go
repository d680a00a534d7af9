package ops

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"amanat/internal/postgres"
)

// jobCount is the number of River jobs of a queue in a state.
type jobCount struct {
	Queue string
	State string
	Jobs  int64
}

// Completed jobs are left out: they may be millions, and their number says how long River keeps them, nothing about the queue.
const sqlJobCounts = `
select queue, state::text as state, count(*) as jobs
from river.river_job
where state <> 'completed'
group by queue, state`

// jobAge is how long the job of a queue that is due the longest has been due.
type jobAge struct {
	Queue   string
	Seconds float64
}

// River writes scheduled_at with the database's clock or the machine's, never with the business clock, so now() is the clock to compare with.
const sqlJobAges = `
select queue, greatest(0, extract(epoch from now() - min(scheduled_at)))::float8 as seconds
from river.river_job
where state in ('available', 'running')
   or (state in ('retryable', 'scheduled') and scheduled_at <= now())
group by queue`

// pendingOperations is what waits of one kind of money operation.
type pendingOperations struct {
	Kind    string
	Pending int64
	Oldest  time.Time
}

const sqlPendingOperations = `
select kind, count(*) as pending, min(created_at) as oldest
from operations
where status = 'pending'
group by kind`

// booksCheck is how the latest check of the books ended for one rule.
type booksCheck struct {
	Rule      string
	Broken    int64
	CheckedAt time.Time
}

const sqlBooksChecks = `select rule, broken, checked_at from books_checks`

func queryJobCounts(ctx context.Context, db postgres.Querier) ([]jobCount, error) {
	return query[jobCount](ctx, db, sqlJobCounts)
}

func queryJobAges(ctx context.Context, db postgres.Querier) ([]jobAge, error) {
	return query[jobAge](ctx, db, sqlJobAges)
}

func queryPendingOperations(ctx context.Context, db postgres.Querier) ([]pendingOperations, error) {
	return query[pendingOperations](ctx, db, sqlPendingOperations)
}

func queryBooksChecks(ctx context.Context, db postgres.Querier) ([]booksCheck, error) {
	return query[booksCheck](ctx, db, sqlBooksChecks)
}

func query[T any](ctx context.Context, db postgres.Querier, sql string) ([]T, error) {
	rows, err := db.Query(ctx, sql)
	if err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	result, err := pgx.CollectRows(rows, pgx.RowToStructByName[T])
	if err != nil {
		return nil, fmt.Errorf("collect: %w", err)
	}
	return result, nil
}
