package postgres

import (
	"context"
	"maps"

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
