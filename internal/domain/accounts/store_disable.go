package accounts

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/platform/postgres"
)

const sqlSetDisabledAt = `
update users set disabled_at = @at::timestamptz where id = @id and (disabled_at is null) <> (@at::timestamptz is null)`

// setDisabledAt disables a user, or enables the user if at is nil. changed is false if the user
// already is in that state.
func setDisabledAt(ctx context.Context, tx *postgres.Tx, id uuid.UUID, at *time.Time) (changed bool, err error) {
	n, err := postgres.ExecCount(ctx, tx, "accounts.set_disabled_at", sqlSetDisabledAt, pgx.NamedArgs{"id": id, "at": at})
	return n == 1, err
}
