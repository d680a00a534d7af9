package wallet

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/money"
	"amanat/internal/postgres"
)

type depositRow struct {
	queueRow
	ID                uuid.UUID
	PaymentMethod     string
	TransactionID     string
	ClaimedAmount     int64
	Amount            int64
	Rate              int64
	ConvertedAmount   int64
	Status            DepositStatus
	Reason            *string
	CreatedAt         time.Time
	SameTransactionID int
}

func (r depositRow) deposit() QueuedDeposit {
	return QueuedDeposit{
		Deposit: Deposit{
			ID:              r.ID,
			User:            r.user(),
			Email:           r.Email,
			ClaimedAmount:   money.Cents(r.ClaimedAmount),
			Amount:          money.Cents(r.Amount),
			ConvertedAmount: money.Poisha(r.ConvertedAmount),
			Rate:            r.Rate,
			TransactionID:   r.TransactionID,
			Method:          r.PaymentMethod,
			Status:          r.Status,
			Reason:          r.Reason,
			CreatedAt:       r.CreatedAt,
			HandledAt:       r.HandledAt,
		},
		Claim:             r.claim(),
		HandledBy:         r.handler(),
		History:           r.history(),
		SameTransactionID: r.SameTransactionID,
	}
}

const sqlSelectDeposit = `
select r.id, r.payment_method, r.transaction_id, r.claimed_amount, r.amount, r.rate, r.converted_amount, r.status, r.reason, r.created_at,
       (select count(*) from deposits o
         where o.payment_method = r.payment_method and o.transaction_id = r.transaction_id and o.id <> r.id) as same_transaction_id,
       (select count(*) from deposits o where o.user_id = r.user_id and o.status = 'completed') as user_completed,
       (select count(*) from deposits o where o.user_id = r.user_id) as user_total,` + sqlQueueColumns + `
  from deposits r` + sqlQueueJoins

const sqlGetDeposit = sqlSelectDeposit + ` where r.id = @id`

func getDeposit(ctx context.Context, q postgres.Querier, id uuid.UUID) (QueuedDeposit, error) {
	return first(ctx, q, sqlGetDeposit, pgx.NamedArgs{"id": id}, depositRow.deposit, errNoDeposit())
}

func lockDeposit(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (QueuedDeposit, error) {
	if err := lockRow(ctx, tx, `select from deposits where id = @id for update`, id); err != nil {
		return QueuedDeposit{}, err
	}
	return getDeposit(ctx, tx, id)
}

// depositFilter chooses deposits of one user, of one status, or all.
type depositFilter struct {
	userID uuid.UUID
	status DepositStatus
}

func (f depositFilter) where() (where, order string) {
	switch {
	case f.userID != uuid.Nil:
		return ` where r.user_id = @user`, ` order by r.created_at desc, r.id desc`
	case f.status == DepositPending:
		return ` where r.status = @status`, ` order by r.created_at, r.id`
	case f.status != "":
		return ` where r.status = @status`, ` order by r.created_at desc, r.id desc`
	}
	return ``, ` order by r.created_at desc, r.id desc`
}

func listDeposits(ctx context.Context, q postgres.Querier, f depositFilter, page Page) ([]QueuedDeposit, int, error) {
	where, order := f.where()
	args := pgx.NamedArgs{"user": f.userID, "status": string(f.status), "limit": page.Limit, "offset": page.Offset}
	list, err := collect(ctx, q, sqlSelectDeposit+where+order+` limit @limit offset @offset`, args, depositRow.deposit)
	if err != nil {
		return nil, 0, err
	}
	var total int
	err = q.QueryRow(ctx, `select count(*) from deposits r`+where, args).Scan(&total)
	return list, total, err
}

const sqlInsertDeposit = `
insert into deposits (id, user_id, payment_method, transaction_id, claimed_amount, amount, rate, converted_amount, created_at)
values (@id, @user, @method, @transaction, @amount, @amount, @rate, @converted, @now)`

func insertDeposit(
	ctx context.Context, tx *postgres.Tx, id, userID uuid.UUID, r Report, rate int64, converted money.Poisha, now time.Time,
) error {
	_, err := tx.Exec(ctx, sqlInsertDeposit, pgx.NamedArgs{
		"id": id, "user": userID, "method": r.Method, "transaction": r.TransactionID, "amount": int64(r.Amount),
		"rate": rate, "converted": int64(converted), "now": now,
	})
	return err
}

const sqlClaimDeposit = `update deposits set claimed_by = @admin, claimed_until = @until where id = @id and status = 'pending'`

func setDepositClaim(ctx context.Context, tx *postgres.Tx, id, admin uuid.UUID, until time.Time) error {
	return exactlyOne(ctx, tx, sqlClaimDeposit, pgx.NamedArgs{"id": id, "admin": admin, "until": until})
}

const sqlHandleDeposit = `
update deposits
   set status = @status, amount = @amount, converted_amount = @converted, reason = @reason, handled_at = @now, handled_by = @admin
 where id = @id and status = 'pending'`

// setDepositHandled writes the end of a deposit as d has it.
func setDepositHandled(ctx context.Context, tx *postgres.Tx, d Deposit, admin uuid.UUID) error {
	return exactlyOne(ctx, tx, sqlHandleDeposit, pgx.NamedArgs{
		"id": d.ID, "status": string(d.Status), "amount": int64(d.Amount), "converted": int64(d.ConvertedAmount),
		"reason": d.Reason, "now": d.HandledAt, "admin": admin,
	})
}
