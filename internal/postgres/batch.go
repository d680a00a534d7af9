package postgres

import (
	"context"
	"maps"

	"github.com/jackc/pgx/v5"
)

// InBatches runs a statement that changes up to @limit rows, until it finds no full batch any more, and returns how many rows that were in
// all. On a pool each batch is a transaction of its own: nobody waits long for its locks, and what was done before an error stays done.
func InBatches(ctx context.Context, q Querier, sql string, args pgx.NamedArgs, limit int64) (int64, error) {
	args = maps.Clone(args)
	args["limit"] = limit
	var total int64
	for {
		tag, err := q.Exec(ctx, sql, args)
		total += tag.RowsAffected()
		if err != nil || tag.RowsAffected() < limit {
			return total, err
		}
	}
}
