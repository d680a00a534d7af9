package wallet

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/money"
	"amanat/internal/postgres"
)

type withdrawalRow struct {
	queueRow
	ID              uuid.UUID
	PaymentMethod   string
	PhoneNumber     string
	Amount          int64
	Rate            int64
	ConvertedAmount int64
	TransactionID   *string
	Status          WithdrawalStatus
	Reason          *string
	RequestedAt     time.Time
	Held            bool
}

func (r withdrawalRow) withdrawal() QueuedWithdrawal {
	return QueuedWithdrawal{
		Withdrawal: Withdrawal{
			ID:              r.ID,
			User:            r.user(),
			Email:           r.Email,
			Amount:          money.Cents(r.Amount),
			ConvertedAmount: money.Poisha(r.ConvertedAmount),
			Rate:            r.Rate,
			PhoneNumber:     r.PhoneNumber,
			Method:          r.PaymentMethod,
			TransactionID:   r.TransactionID,
			Status:          r.Status,
			Reason:          r.Reason,
			RequestedAt:     r.RequestedAt,
			HandledAt:       r.HandledAt,
		},
		Claim:     r.claim(),
		HandledBy: r.handler(),
		History:   r.history(),
		Held:      r.Held,
	}
}

const sqlSelectWithdrawal = `
select r.id, r.payment_method, r.phone_number, r.amount, r.rate, r.converted_amount, r.transaction_id, r.status, r.reason, r.requested_at,
       u.disabled_at is not null or u.withdrawals_held_at is not null as held,
       (select count(*) from withdrawals o where o.user_id = r.user_id and o.status = 'completed') as user_completed,
       (select count(*) from withdrawals o where o.user_id = r.user_id) as user_total,` + sqlQueueColumns + `
  from withdrawals r` + sqlQueueJoins

const sqlGetWithdrawal = sqlSelectWithdrawal + ` where r.id = @id`

func getWithdrawal(ctx context.Context, q postgres.Querier, id uuid.UUID) (QueuedWithdrawal, error) {
	return first(ctx, q, sqlGetWithdrawal, pgx.NamedArgs{"id": id}, withdrawalRow.withdrawal, errNoWithdrawal())
}

func lockWithdrawal(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (QueuedWithdrawal, error) {
	if err := lockRow(ctx, tx, `select from withdrawals where id = @id for update`, id); err != nil {
		return QueuedWithdrawal{}, err
	}
	return getWithdrawal(ctx, tx, id)
}

// withdrawalFilter chooses withdrawals of one user, of one status, or all.
type withdrawalFilter struct {
	userID uuid.UUID
	status WithdrawalStatus
}

func (f withdrawalFilter) where() (where, order string) {
	switch {
	case f.userID != uuid.Nil:
		return ` where r.user_id = @user`, ` order by r.requested_at desc, r.id desc`
	case f.status == WithdrawalPending:
		return ` where r.status = @status`, ` order by r.requested_at, r.id`
	case f.status != "":
		return ` where r.status = @status`, ` order by r.requested_at desc, r.id desc`
	}
	return ``, ` order by r.requested_at desc, r.id desc`
}

func listWithdrawals(ctx context.Context, q postgres.Querier, f withdrawalFilter, page Page) ([]QueuedWithdrawal, int, error) {
	where, order := f.where()
	args := pgx.NamedArgs{"user": f.userID, "status": string(f.status), "limit": page.Limit, "offset": page.Offset}
	list, err := collect(ctx, q, sqlSelectWithdrawal+where+order+` limit @limit offset @offset`, args, withdrawalRow.withdrawal)
	if err != nil {
		return nil, 0, err
	}
	var total int
	err = q.QueryRow(ctx, `select count(*) from withdrawals r`+where, args).Scan(&total)
	return list, total, err
}

const sqlInsertWithdrawal = `
insert into withdrawals (id, user_id, payment_method, phone_number, amount, rate, converted_amount, requested_at)
values (@id, @user, @method, @phone, @amount, @rate, @converted, @now)`

func insertWithdrawal(
	ctx context.Context, tx *postgres.Tx, id, userID uuid.UUID, p orderParams, converted money.Poisha, now time.Time,
) error {
	_, err := tx.Exec(ctx, sqlInsertWithdrawal, pgx.NamedArgs{
		"id": id, "user": userID, "method": p.Method, "phone": p.PhoneNumber, "amount": int64(p.Amount),
		"rate": p.Rate, "converted": int64(converted), "now": now,
	})
	return err
}

const sqlClaimWithdrawal = `update withdrawals set claimed_by = @admin, claimed_until = @until where id = @id`

func setWithdrawalClaim(ctx context.Context, tx *postgres.Tx, id, admin uuid.UUID, until time.Time) error {
	return exactlyOne(ctx, tx, sqlClaimWithdrawal, pgx.NamedArgs{"id": id, "admin": admin, "until": until})
}

const sqlPayoutTaken = `select exists (select 1 from withdrawals where payment_method = @method and transaction_id = @transaction)`

func payoutTaken(ctx context.Context, q postgres.Querier, method, transaction string) (bool, error) {
	var taken bool
	err := q.QueryRow(ctx, sqlPayoutTaken, pgx.NamedArgs{"method": method, "transaction": transaction}).Scan(&taken)
	return taken, err
}

const sqlHandleWithdrawal = `
update withdrawals
   set status = @status, transaction_id = @transaction, reason = @reason, handled_at = @now, handled_by = @admin
 where id = @id and status = 'pending'`

// setWithdrawalHandled writes the end of a withdrawal as w has it.
func setWithdrawalHandled(ctx context.Context, tx *postgres.Tx, w Withdrawal, admin uuid.UUID) error {
	return exactlyOne(ctx, tx, sqlHandleWithdrawal, pgx.NamedArgs{
		"id": w.ID, "status": string(w.Status), "transaction": w.TransactionID, "reason": w.Reason,
		"now": w.HandledAt, "admin": admin,
	})
}
