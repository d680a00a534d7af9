package wallet

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/actor"
	"amanat/internal/app/user"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
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
	ReasonCode        ReasonCode
	CreatedAt         time.Time
	DealID            *uuid.UUID
	IsVerified        bool
	SameTransactionID int
	Disputed          bool

	ProposedAmount       *int64
	ProposedReason       *string
	ProposedAt           *time.Time
	ProposedBy           *uuid.UUID
	ProposedByUsername   *string
	ProposedByProfilePic *string
	ProposedByIsStaff    *bool
	ProposedByClosed     *bool
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
			ReasonCode:      r.ReasonCode,
			CreatedAt:       r.CreatedAt,
			DealID:          r.DealID,
			HandledAt:       r.HandledAt,
			HandledBy:       r.handler(),
			Disputed:        r.Disputed,
		},
		Verified:          r.IsVerified,
		Claim:             r.claim(),
		History:           r.history(),
		SameTransactionID: r.SameTransactionID,
		Proposal:          r.proposal(),
	}
}

func (r depositRow) proposal() *Proposal {
	if r.ProposedBy == nil {
		return nil
	}
	return &Proposal{
		Amount: money.Cents(*r.ProposedAmount), Reason: *r.ProposedReason, At: *r.ProposedAt,
		By: user.Ref{
			ID: *r.ProposedBy, Username: *r.ProposedByUsername, ProfilePic: *r.ProposedByProfilePic,
			IsStaff: *r.ProposedByIsStaff, Closed: *r.ProposedByClosed,
		},
	}
}

// Deposits that failed before there were codes have only the words of the admin, or expired.
const sqlSelectDeposit = `
select r.id, r.payment_method, r.transaction_id, r.claimed_amount, r.amount, r.rate, r.converted_amount,
       r.status, r.reason, r.created_at, r.deal_id, u.is_verified,
       coalesce(r.reason_code, '') as reason_code,
       (select count(*) from deposits o
         where o.transaction_id = r.transaction_id and o.id <> r.id and o.status = 'Failed') as same_transaction_id,
       r.status <> 'Failed' and exists (
         select from deposits o
          where o.transaction_id = r.transaction_id and o.user_id <> r.user_id and o.status <> 'Failed') as disputed,
       r.proposed_amount, r.proposed_reason, r.proposed_at, r.proposed_by, p.username as proposed_by_username,
       p.profile_pic as proposed_by_profile_pic, p.is_admin as proposed_by_is_staff, p.closed_at is not null as proposed_by_closed,
       (select count(*) from deposits o where o.user_id = r.user_id and o.status = 'completed') as user_completed,
       (select count(*) from deposits o where o.user_id = r.user_id) as user_total,` + sqlQueueColumns + `
  from deposits r` + sqlQueueJoins + `
  left join users p on p.id = r.proposed_by`

const sqlGetDeposit = sqlSelectDeposit + ` where r.id = @id`

func getDeposit(ctx context.Context, q postgres.Querier, id uuid.UUID) (QueuedDeposit, error) {
	d, err := postgres.OneAs(ctx, q, "wallet.get_deposit", sqlGetDeposit, pgx.NamedArgs{"id": id}, depositRow.deposit)
	return d, postgres.IfNoRows(err, errNoDeposit())
}

func lockDeposit(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (QueuedDeposit, error) {
	if err := lockRow(ctx, tx, "wallet.lock_deposit", `select from deposits where id = @id for update`, id); err != nil {
		return QueuedDeposit{}, err
	}
	return getDeposit(ctx, tx, id)
}

// depositCounts is how many pending deposits a user has, and whether one was ever credited.
type depositCounts struct {
	Pending  int
	Credited bool
}

const sqlDepositCounts = `
select (select count(*) from deposits where user_id = @user and status = 'pending') as pending,
       exists (select from deposits where user_id = @user and status = 'completed') as credited`

// lockDepositCounts counts a user's deposits and locks the user, so that no other deposit of the
// same user is reported before the transaction ends.
func lockDepositCounts(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) (depositCounts, error) {
	if err := lockRow(ctx, tx, "wallet.lock_depositor", `select from users where id = @id for no key update`, userID); err != nil {
		return depositCounts{}, err
	}
	return postgres.One[depositCounts](ctx, tx, "wallet.count_deposits", sqlDepositCounts, pgx.NamedArgs{"user": userID})
}

// The lock waits for a transaction that is closing the account.
const sqlInsertDeposit = `
insert into deposits (id, user_id, payment_method, transaction_id, claimed_amount, amount, rate, converted_amount, deal_id, created_at)
select @id, u.id, @method, @transaction, @amount, @amount, @rate, @converted, @deal, @now
  from users u where u.id = @user and u.closed_at is null for key share`

// insertDeposit inserts a deposit unless the user's account is closed.
func insertDeposit(
	ctx context.Context, tx *postgres.Tx, id, userID uuid.UUID, r Report, rate int64, converted money.Poisha, now time.Time,
) (inserted bool, err error) {
	n, err := postgres.ExecCount(ctx, tx, "wallet.insert_deposit", sqlInsertDeposit, pgx.NamedArgs{
		"id": id, "user": userID, "method": r.Method, "transaction": r.TransactionID, "amount": int64(r.Amount),
		"rate": rate, "converted": int64(converted), "deal": r.DealID, "now": now,
	})
	return n == 1, err
}

const sqlClaimDeposit = `update deposits set claimed_by = @admin, claimed_until = @until where id = @id and status = 'pending'`

func setDepositClaim(ctx context.Context, tx *postgres.Tx, id, admin uuid.UUID, _, until time.Time) error {
	return postgres.ExecOne(ctx, tx, "wallet.claim_deposit", sqlClaimDeposit,
		pgx.NamedArgs{"id": id, "admin": admin, "until": until})
}

// Releases the claim too, since another admin acts next.
const sqlProposeCredit = `
update deposits
   set proposed_amount = @amount, proposed_reason = @reason, proposed_by = @admin, proposed_at = @now,
       claimed_by = null, claimed_until = null
 where id = @id and status = 'pending'`

func setProposal(ctx context.Context, tx *postgres.Tx, id, admin uuid.UUID, a Approval, now time.Time) error {
	return postgres.ExecOne(ctx, tx, "wallet.propose_credit", sqlProposeCredit, pgx.NamedArgs{
		"id": id, "admin": admin, "amount": int64(a.Amount), "reason": a.Reason, "now": now,
	})
}

const sqlNoProposal = `proposed_amount = null, proposed_reason = null, proposed_by = null, proposed_at = null`

const sqlCreditDeposit = `
update deposits
   set status = 'completed', amount = @amount, rate = @rate, converted_amount = @converted, reason = @reason,
       handled_at = @now, handled_by = @admin, ` + sqlNoProposal + `
 where id = @id and status = 'pending'`

// setDepositCredited stores the outcome of a credited deposit from d.
func setDepositCredited(ctx context.Context, tx *postgres.Tx, d Deposit, admin uuid.UUID) error {
	return postgres.ExecOne(ctx, tx, "wallet.credit_deposit", sqlCreditDeposit, pgx.NamedArgs{
		"id": d.ID, "amount": int64(d.Amount), "rate": d.Rate, "converted": int64(d.ConvertedAmount),
		"reason": d.Reason, "now": d.HandledAt, "admin": admin,
	})
}

const sqlFailDeposit = `
update deposits
   set status = 'Failed', reason = @reason, reason_code = nullif(@code, ''), handled_at = @now, handled_by = @admin, ` + sqlNoProposal + `
 where id = @id and status = 'pending'`

// setDepositFailed stores the outcome of a failed deposit from d. by is an admin, or the system if
// the deposit expired or its user retracted it.
func setDepositFailed(ctx context.Context, tx *postgres.Tx, d Deposit, by actor.Actor) error {
	return postgres.ExecOne(ctx, tx, "wallet.fail_deposit", sqlFailDeposit,
		pgx.NamedArgs{"id": d.ID, "reason": d.Reason, "code": d.ReasonCode, "now": d.HandledAt, "admin": by})
}

// A row claimed meanwhile is re-evaluated with its new claim once its lock is acquired.
const sqlAbandonedDeposits = `
select r.id from deposits r
 where r.status = 'pending' and r.created_at <= @before and greatest(r.created_at, r.claimed_until) <= @before
   and r.proposed_by is null
   and not exists (select from operations o where o.subject = 'deposit:' || r.id and o.status = 'pending')
 order by r.created_at, r.id limit @limit
   for update of r skip locked`

// lockAbandoned locks up to limit pending deposits that no admin has touched since before and
// returns their IDs.
func lockAbandoned(ctx context.Context, tx *postgres.Tx, before time.Time, limit int) ([]uuid.UUID, error) {
	return postgres.Values[uuid.UUID](ctx, tx, "wallet.lock_abandoned_deposits", sqlAbandonedDeposits,
		pgx.NamedArgs{"before": before, "limit": limit})
}
