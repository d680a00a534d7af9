package wallet

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

const sqlCircumstances = `
select exists (select from withdrawals w where w.user_id = u.id and w.phone_number = @phone and w.status = 'completed'),
       u.password_reset_at, u.second_factor_reset_at, u.email_changed_at, u.factor_added_at
  from users u where u.id = @user`

// circumstances are what decides whether a withdrawal is held.
type circumstances struct {
	known           bool       // a withdrawal to the number was sent for the user before
	passwordResetAt *time.Time // by an emailed link; nil: never
	factorResetAt   *time.Time // by the operator; nil: never
	emailChangedAt  *time.Time // nil: never
	factorAddedAt   *time.Time // also new backup codes; nil: never
}

func findCircumstances(ctx context.Context, q postgres.Querier, userID uuid.UUID, phone string) (c circumstances, err error) {
	args := pgx.NamedArgs{"user": userID, "phone": phone}
	err = postgres.Scan(ctx, q, "wallet.circumstances", sqlCircumstances, args,
		&c.known, &c.passwordResetAt, &c.factorResetAt, &c.emailChangedAt, &c.factorAddedAt)
	return c, err
}

const sqlCountPending = `select count(*) from withdrawals where user_id = @user and status = 'pending'`

func countPending(ctx context.Context, q postgres.Querier, userID uuid.UUID) (int, error) {
	return postgres.Value[int](ctx, q, "wallet.count_pending_withdrawals", sqlCountPending, pgx.NamedArgs{"user": userID})
}

const sqlCancelWithdrawal = `
update withdrawals set status = 'failed', handled_at = @now, cancelled_at = @now where id = @id and status = 'pending'`

func setWithdrawalCancelled(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) error {
	return postgres.ExecOne(ctx, tx, "wallet.cancel_withdrawal", sqlCancelWithdrawal, pgx.NamedArgs{"id": id, "now": now})
}

const sqlConfirmWithdrawal = `
update withdrawals set confirmed_at = @now where id = @id and status = 'pending' and confirmed_at is null`

func setWithdrawalConfirmed(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) error {
	return postgres.ExecOne(ctx, tx, "wallet.confirm_withdrawal", sqlConfirmWithdrawal, pgx.NamedArgs{"id": id, "now": now})
}

const sqlOnHold = `
select id from withdrawals
 where user_id = @user and status = 'pending' and held_until > @now and confirmed_at is null and disowned_at is null
 order by requested_at, id`

func listOnHold(ctx context.Context, q postgres.Querier, userID uuid.UUID, now time.Time) ([]uuid.UUID, error) {
	return postgres.Values[uuid.UUID](ctx, q, "wallet.list_on_hold", sqlOnHold, pgx.NamedArgs{"user": userID, "now": now})
}

// An advisory lock, since making a withdrawal and disowning existing ones touch different rows.
const sqlLockWithdrawalsOf = `select pg_advisory_xact_lock(hashtextextended('wallet.withdrawals:' || @user::uuid, 0))`

// lockWithdrawalsOf lets no other transaction make or disown withdrawals of the user until this one
// ends. Lock order: before withdrawals and the ledger.
func lockWithdrawalsOf(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error {
	return postgres.Exec(ctx, tx, "wallet.lock_withdrawals_of", sqlLockWithdrawalsOf, pgx.NamedArgs{"user": userID})
}

// Rows are locked in the order of their IDs, to avoid deadlocks.
const sqlDisown = `
update withdrawals set disowned_at = @now
 where id in (select id from withdrawals
               where user_id = @user and status = 'pending' and disowned_at is null order by id for no key update)
returning id`

// setDisowned marks all pending withdrawals of the user as disowned and returns the IDs of those
// newly marked.
func setDisowned(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, now time.Time) ([]uuid.UUID, error) {
	return postgres.Values[uuid.UUID](ctx, tx, "wallet.set_disowned", sqlDisown, pgx.NamedArgs{"user": userID, "now": now})
}
