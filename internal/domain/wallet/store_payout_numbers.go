package wallet

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

const sqlPayoutNumbers = `
select n.id, n.name, n.payment_method, n.phone_number, n.created_at,
       (select max(w.handled_at) from withdrawals w
         where w.user_id = n.user_id and w.phone_number = n.phone_number and w.status = 'completed'
           and w.payment_method = n.payment_method) as last_sent_at
  from payout_numbers n
 where n.user_id = @user`

func listPayoutNumbers(ctx context.Context, q postgres.Querier, owner uuid.UUID) ([]PayoutNumber, error) {
	sql := sqlPayoutNumbers + ` order by lower(n.name), n.id`
	return postgres.Many[PayoutNumber](ctx, q, "wallet.list_payout_numbers", sql, pgx.NamedArgs{"user": owner})
}

func getPayoutNumber(ctx context.Context, q postgres.Querier, owner, id uuid.UUID) (PayoutNumber, error) {
	sql := sqlPayoutNumbers + ` and n.id = @id`
	number, err := postgres.One[PayoutNumber](ctx, q, "wallet.get_payout_number", sql, pgx.NamedArgs{"user": owner, "id": id})
	return number, postgres.IfNoRows(err, errNoPayoutNumber())
}

// An advisory lock, since a user without numbers has no rows to lock.
const sqlLockPayoutNumbersOf = `select pg_advisory_xact_lock(hashtextextended('wallet.payout_numbers:' || @user::uuid, 0))`

// lockPayoutNumbersOf lets no other transaction save numbers of the user until this one ends. Lock
// order: after the idempotency key, with nothing else.
func lockPayoutNumbersOf(ctx context.Context, tx *postgres.Tx, owner uuid.UUID) error {
	return postgres.Exec(ctx, tx, "wallet.lock_payout_numbers_of", sqlLockPayoutNumbersOf, pgx.NamedArgs{"user": owner})
}

const sqlCountPayoutNumbers = `
select count(*), coalesce(bool_or(payment_method = @method and phone_number = @phone), false)
  from payout_numbers where user_id = @user`

// countPayoutNumbers returns how many numbers the user has saved, and whether this is one of them.
func countPayoutNumbers(
	ctx context.Context, tx *postgres.Tx, owner uuid.UUID, n PayoutNumber,
) (count int, saved bool, err error) {
	args := pgx.NamedArgs{"user": owner, "method": n.PaymentMethod, "phone": n.PhoneNumber}
	err = postgres.Scan(ctx, tx, "wallet.count_payout_numbers", sqlCountPayoutNumbers, args, &count, &saved)
	return count, saved, err
}

const sqlInsertPayoutNumber = `
insert into payout_numbers (id, user_id, name, payment_method, phone_number, created_at)
values (@id, @user, @name, @method, @phone, @now)`

func insertPayoutNumber(ctx context.Context, tx *postgres.Tx, owner uuid.UUID, n PayoutNumber) error {
	return postgres.Exec(ctx, tx, "wallet.insert_payout_number", sqlInsertPayoutNumber, pgx.NamedArgs{
		"id": n.ID, "user": owner, "name": n.Name, "method": n.PaymentMethod, "phone": n.PhoneNumber, "now": n.CreatedAt,
	})
}

const sqlRenamePayoutNumber = `update payout_numbers set name = @name where id = @id and user_id = @user`

func setPayoutNumberName(ctx context.Context, q postgres.Querier, owner, id uuid.UUID, name string) error {
	n, err := postgres.ExecCount(ctx, q, "wallet.rename_payout_number", sqlRenamePayoutNumber,
		pgx.NamedArgs{"id": id, "user": owner, "name": name})
	if err == nil && n == 0 {
		err = errNoPayoutNumber()
	}
	return err
}

const sqlDeletePayoutNumber = `delete from payout_numbers where id = @id and user_id = @user`

func deletePayoutNumber(ctx context.Context, q postgres.Querier, owner, id uuid.UUID) error {
	n, err := postgres.ExecCount(ctx, q, "wallet.delete_payout_number", sqlDeletePayoutNumber, pgx.NamedArgs{"id": id, "user": owner})
	if err == nil && n == 0 {
		err = errNoPayoutNumber()
	}
	return err
}
