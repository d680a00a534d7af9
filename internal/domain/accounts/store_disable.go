package accounts

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

const sqlSetDisabledAt = `
update users set disabled_at = @at::timestamptz, suspended_by = null where id = @id and (disabled_at is null) <> (@at::timestamptz is null)`

// setDisabledAt disables a user, or enables the user if at is nil. changed is false if the user
// already is in that state.
func setDisabledAt(ctx context.Context, tx *postgres.Tx, id uuid.UUID, at *time.Time) (changed bool, err error) {
	n, err := postgres.ExecCount(ctx, tx, "accounts.set_disabled_at", sqlSetDisabledAt, pgx.NamedArgs{"id": id, "at": at})
	return n == 1, err
}

// endSuspension makes the account of a suspended user one that is disabled for another reason;
// changed is false if it is not suspended.
func endSuspension(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (changed bool, err error) {
	n, err := postgres.ExecCount(ctx, tx, "accounts.end_suspension",
		`update users set suspended_by = null where id = @id and disabled_at is not null and suspended_by is not null`,
		pgx.NamedArgs{"id": id})
	return n == 1, err
}

const sqlSetSuspended = `
update users u
   set suspended_by = @decision, disabled_at = coalesce(u.disabled_at, @at)
  from (select id, disabled_at from users where id = @id for no key update) before
 where u.id = before.id and (u.disabled_at is null or u.suspended_by is not null)
returning before.disabled_at is null as newly`

// setSuspended disables a user for a decision; newly is false if the user was disabled before.
func setSuspended(ctx context.Context, tx *postgres.Tx, id, decision uuid.UUID, at time.Time) (newly bool, err error) {
	newly, _, err = postgres.Optional(postgres.Value[bool](ctx, tx, "accounts.set_suspended", sqlSetSuspended,
		pgx.NamedArgs{"id": id, "decision": decision, "at": at}))
	return newly, err
}

// setResumed enables a user whom a decision has disabled; resumed is false if none has.
func setResumed(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (resumed bool, err error) {
	n, err := postgres.ExecCount(ctx, tx, "accounts.set_resumed",
		`update users set disabled_at = null, suspended_by = null where id = @id and disabled_at is not null and suspended_by is not null`,
		pgx.NamedArgs{"id": id})
	return n == 1, err
}
