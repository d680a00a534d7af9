package wallet

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/worklist"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

var sqlSelectWithdrawal = `
select r.id, r.payment_method as method, r.phone_number, r.amount, r.rate, r.converted_amount, r.transaction_id,
       r.payment_id, r.status, r.reason, r.requested_at, r.cancelled_at, r.held_until, r.held_reasons, r.confirmed_at, r.disowned_at,
       least(u.disabled_at, u.withdrawals_held_at, u.withdrawals_stopped_at) as stopped_at, r.claimed_at,
       (select row(p.state, p.amount, p.party, p.made_at, a.broken_at is not null, false)
          from payments p join receivers a on a.id = p.receiver_id
         where p.id = r.payment_id
            or p.outgoing and p.amount = r.converted_amount and ` + sqlReceiverNumber + ` = r.phone_number and r.status = 'pending'
               and a.payment_method = r.payment_method and p.made_at >= r.requested_at - interval '2 minutes'
               and not exists (select from withdrawals o where o.payment_id = p.id)
         order by p.made_at limit 1) as evidence,
       row(u.is_verified, u.created_at, u.password_reset_at,
           (select count(*) from withdrawals o
             where o.user_id = r.user_id and o.phone_number = r.phone_number and o.status = 'completed'
               and (r.handled_at is null or o.handled_at < r.handled_at))) as facts,
       (select row(count(*) filter (where o.status = 'completed'),
                   count(*) filter (where o.status = 'failed' and o.cancelled_at is null),
                   count(*) filter (where o.status = 'pending'))
          from withdrawals o
         where o.user_id = r.user_id and o.id <> r.id and (o.handled_at < r.handled_at) is not false) as history,` + sqlWorklistColumns + `
  from withdrawals r` + sqlWorklistJoins

var sqlGetWithdrawal = sqlSelectWithdrawal + ` where r.id = @id`

func getWithdrawal(ctx context.Context, q postgres.Querier, id uuid.UUID) (WorklistWithdrawal, error) {
	w, err := postgres.Query[WorklistWithdrawal]("wallet.get_withdrawal", sqlGetWithdrawal).One(ctx, q, postgres.Args{"id": id})
	return w, postgres.IfNoRows(err, errNoWithdrawal())
}

func lockWithdrawal(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (WorklistWithdrawal, error) {
	if err := lockRow(ctx, tx, "wallet.lock_withdrawal", `select from withdrawals where id = @id for update`, id); err != nil {
		return WorklistWithdrawal{}, err
	}
	return getWithdrawal(ctx, tx, id)
}

// withdrawalFilter selects withdrawals. Zero fields select all.
type withdrawalFilter struct {
	userID *uuid.UUID
	status WithdrawalStatus
	hold   Hold
	search *requestSearch
}

// As Withdrawal.onHold, of pending ones.
const sqlOnHold = `coalesce(r.held_until > @now and r.confirmed_at is null and r.disowned_at is null, false)`

var sqlHolds = map[Hold]string{OnHold: ` and ` + sqlOnHold, NotOnHold: ` and not ` + sqlOnHold}

func (f withdrawalFilter) where() (where, order string) {
	where, order = ` where true`, ` order by r.requested_at desc, r.id desc`
	if f.userID != nil {
		where += ` and r.user_id = @user`
	} else if f.status == WithdrawalPending {
		order = ` order by r.requested_at, r.id`
	}
	if f.status != "" {
		where += ` and r.status = @status`
	}
	where += sqlHolds[f.hold]
	if f.search != nil {
		where += f.search.ofWithdrawal()
	}
	return where, order
}

// ofWithdrawal returns a condition. There are no indexes for it: it reads all withdrawals that the
// rest of the filter selects.
func (s requestSearch) ofWithdrawal() string {
	var arms []string
	if s.transaction != "" {
		arms = append(arms, `r.transaction_id like @transaction`)
	}
	if s.phone != "" {
		arms = append(arms, `r.phone_number like @phone`)
	}
	if s.username != "" {
		arms = append(arms, `r.user_id in (select id from users where lower(username) like @username)`)
	}
	if s.dollars > 0 {
		arms = append(arms, `r.amount = @dollars`)
	}
	if s.taka > 0 {
		arms = append(arms, `r.converted_amount = @taka`)
	}
	if len(arms) == 0 {
		return ` and false`
	}
	return ` and (` + strings.Join(arms, ` or `) + `)`
}

func listWithdrawals(
	ctx context.Context, q postgres.Querier, f withdrawalFilter, now time.Time, page postgres.Page,
) ([]WorklistWithdrawal, int, error) {
	where, order := f.where()
	args := postgres.Args{"user": f.userID, "status": string(f.status), "now": now, "limit": page.Limit, "offset": page.Offset}
	f.search.with(args)
	sql := sqlSelectWithdrawal + where + order + ` limit @limit offset @offset`
	list, err := postgres.Query[WorklistWithdrawal]("wallet.list_withdrawals", sql).Many(ctx, q, args)
	if err != nil {
		return nil, 0, err
	}
	total, err := postgres.Query[int]("wallet.count_withdrawals", `select count(*) from withdrawals r`+where).One(ctx, q, args)
	return list, total, err
}

const sqlInsertWithdrawal = `
insert into withdrawals
       (id, user_id, payment_method, phone_number, amount, rate, converted_amount, requested_at, held_until, held_reasons)
values (@id, @user, @method, @phone, @amount, @rate, @converted, @now, @until, @reasons)`

func insertWithdrawal(
	ctx context.Context, tx *postgres.Tx, id, userID uuid.UUID, p orderParams, converted money.Poisha, h hold, now time.Time,
) error {
	return postgres.Command("wallet.insert_withdrawal", sqlInsertWithdrawal).Run(ctx, tx, postgres.Args{
		"id": id, "user": userID, "method": p.Method, "phone": p.PhoneNumber, "amount": int64(p.Amount),
		"rate": p.Rate, "converted": int64(converted), "now": now, "until": h.until, "reasons": h.reasons,
	})
}

const sqlClaimWithdrawal = `
update withdrawals
   set claimed_at = case when claimed_by = @admin then coalesce(claimed_at, @now) else @now end,
       claimed_by = @admin, claimed_until = @until
 where id = @id`

func setWithdrawalClaim(ctx context.Context, tx *postgres.Tx, id, admin uuid.UUID, now time.Time) error {
	return postgres.Command("wallet.claim_withdrawal", sqlClaimWithdrawal).One(ctx, tx,
		postgres.Args{"id": id, "admin": admin, "now": now, "until": now.Add(worklist.ClaimFor)})
}

const sqlHandleWithdrawal = `
update withdrawals
   set status = @status, transaction_id = @transaction, payment_id = @payment, reason = @reason, handled_at = @now, handled_by = @admin
 where id = @id and status = 'pending'`

// setWithdrawalHandled stores the outcome of a withdrawal from w.
func setWithdrawalHandled(ctx context.Context, tx *postgres.Tx, w Withdrawal, admin uuid.UUID) error {
	return postgres.Command("wallet.handle_withdrawal", sqlHandleWithdrawal).One(ctx, tx, postgres.Args{
		"id": w.ID, "status": string(w.Status), "transaction": w.TransactionID, "payment": w.PaymentID, "reason": w.Reason,
		"now": w.HandledAt, "admin": admin,
	})
}
