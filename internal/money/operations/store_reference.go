package operations

import (
	"context"

	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

// maxOfCall bounds the operations of one call and of calls with the same reference.
const maxOfCall = 20

// There is no index: an operator may wait some seconds, and each payment would have to write to it.
const sqlByReference = `
select ` + columns + ` from operations
 where substr(sha256(convert_to(request_id, 'UTF8')), 1, length(@prefix::bytea)) = @prefix
 order by created_at desc limit @most`

func byReference(ctx context.Context, q postgres.Querier, prefix []byte) ([]Operation, error) {
	return postgres.Many[Operation](ctx, q, "operations.by_reference", sqlByReference, pgx.NamedArgs{"prefix": prefix, "most": maxOfCall})
}
