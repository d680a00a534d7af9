package postgres

import (
	"context"
	"maps"
	"time"

	"github.com/jackc/pgx/v5"
)

// InBatches repeats a statement that changes up to @limit rows until a batch is not full, and
// returns the total number of rows. On a pool each batch is its own transaction, so locks are held
// briefly and completed batches stay committed after an error. Errors start with the name, see One.
func InBatches(ctx context.Context, q Querier, name, sql string, args pgx.NamedArgs, limit int64) (int64, error) {
	args = maps.Clone(args)
	args["limit"] = limit
	var total int64
	for {
		n, err := ExecCount(ctx, q, name, sql, args)
		total += n
		if err != nil || n < limit {
			return total, err
		}
	}
}

// oldest is the result of a statement of DeleteOldest.
type oldest struct {
	Deleted int64
	Found   int64
	Last    *time.Time
}

// DeleteOldest deletes rows in the order of their time, in batches of limit that are transactions
// of their own, and returns how many. The statement finds at most @limit rows from the time @from
// on, ordered by time, deletes them, and returns how many it has deleted and found, and the time of
// the last one found. Each batch continues there: rows deleted before need not be passed again,
// which they would be as long as an open transaction might see them.
func DeleteOldest(ctx context.Context, q Querier, name, sql string, args pgx.NamedArgs, limit int64) (int64, error) {
	args = maps.Clone(args)
	args["limit"] = limit
	args["from"] = time.Time{}
	var total int64
	for {
		batch, err := One[oldest](ctx, q, name, sql, args)
		total += batch.Deleted
		if err != nil || batch.Found < limit {
			return total, err
		}
		args["from"] = *batch.Last
	}
}
