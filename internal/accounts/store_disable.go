package accounts

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/postgres"
)

const sqlSetDisabledAt = `
update users set disabled_at = @at::timestamptz where id = @id and (disabled_at is null) <> (@at::timestamptz is null)`

// setDisabledAt disables a user, or enables him with nil. It changes nothing when he already is what he should be.
func setDisabledAt(ctx context.Context, tx *postgres.Tx, id uuid.UUID, at *time.Time) (changed bool, err error) {
	tag, err := tx.Exec(ctx, sqlSetDisabledAt, pgx.NamedArgs{"id": id, "at": at})
	if err != nil {
		return false, fmt.Errorf("set disabled: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}
