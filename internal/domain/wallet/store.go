package wallet

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/user"
	"amanat/internal/app/worklist"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// withdrawalsHeld says whether the provider holds all withdrawals of a user (a disabled account
// counts as held), and whether the user has stopped them.
type withdrawalsHeld struct{ Held, Stopped bool }

var findWithdrawalsHeld = postgres.Query[withdrawalsHeld]("wallet.withdrawals_held", `
select disabled_at is not null or withdrawals_held_at is not null as held, withdrawals_stopped_at is not null as stopped
  from users where id = @user`)

// isAdmin reports whether a user is an admin now.
var isAdmin = postgres.Query[bool]("wallet.is_admin",
	`select exists (select from users where id = @user and is_admin and disabled_at is null)`)

// sqlWorklistColumns selects the columns that deposits and withdrawals, aliased r, have in common.
// A claim on a pending row may have expired.
var sqlWorklistColumns = `
       ` + user.SQLRef("u") + ` as user, u.email, r.handled_at, ` + user.SQLRefOrNull("h") + ` as handled_by, ` +
	worklist.Column("r.handled_at is null")

const sqlWorklistJoins = `
  join users u on u.id = r.user_id
  left join users h on h.id = r.handled_by` + worklist.Join

// lockRow locks the row in a statement of its own. A locking statement that joined users would
// return the current row next to users as they were before the wait, so an admin's ID without a
// username.
func lockRow(ctx context.Context, tx *postgres.Tx, name, sql string, id uuid.UUID) error {
	return postgres.Command(name, sql).Run(ctx, tx, postgres.Args{"id": id})
}

const sqlCurrentRate = `select usd_to_bdt from exchange_rates order by id desc limit 1`

func currentRate(ctx context.Context, q postgres.Querier) (money.Rate, error) {
	rate, err := postgres.Query[money.Rate]("wallet.current_rate", sqlCurrentRate).One(ctx, q, nil)
	return rate, postgres.IfNoRows(err, fault.New(fault.Unavailable, "rate_unset", "The exchange rate has not been set yet."))
}

// rateInForce reports whether a dollar was worth so many whole taka at some time between from and
// to.
//
// The price of a dollar is rounded up to whole taka for deposits, down for withdrawals.
var rateInForce = postgres.Query[bool]("wallet.rate_in_force", `
select exists (
  select from exchange_rates r
   where (r.usd_to_bdt + case when @up then 99 else 0 end) / 100 = @taka and r.set_at <= @to
     and not exists (select from exchange_rates n where n.id > r.id and n.set_at <= @from))`)

// lockRate lets no other transaction set a rate until this one ends, so that each new rate is
// compared with the one before it.
var lockRate = postgres.Command("wallet.lock_rate", `select pg_advisory_xact_lock(hashtextextended('wallet.rate', 0))`)

const sqlInsertRate = `insert into exchange_rates (usd_to_bdt, set_by, set_at) values (@rate, @actor, @now)`

func insertRate(ctx context.Context, tx *postgres.Tx, actor actor.Actor, rate money.Rate, now time.Time) error {
	return postgres.Command("wallet.insert_rate", sqlInsertRate).Run(ctx, tx,
		postgres.Args{"rate": int64(rate), "actor": actor, "now": now})
}

var sqlRates = `
select r.usd_to_bdt as rate, r.set_at as at, ` + user.SQLRefOrNull("u") + ` as by
  from exchange_rates r left join users u on u.id = r.set_by
 order by r.id desc limit @limit offset @offset`

func listRates(ctx context.Context, q postgres.Querier, page postgres.Page) ([]RateChange, int, error) {
	total, err := postgres.Query[int]("wallet.count_rates", `select count(*) from exchange_rates`).One(ctx, q, nil)
	if err != nil {
		return nil, 0, err
	}
	args := postgres.Args{"limit": page.Limit, "offset": page.Offset}
	list, err := postgres.Query[RateChange]("wallet.list_rates", sqlRates).Many(ctx, q, args)
	return list, total, err
}

// circumstances are what decides whether a withdrawal is held.
type circumstances struct {
	Known           bool       // a withdrawal to the number was sent for the user before
	PasswordResetAt *time.Time // by an emailed link; nil: never
	FactorResetAt   *time.Time // by the operator; nil: never
	EmailChangedAt  *time.Time // nil: never
	FactorAddedAt   *time.Time // also new backup codes; nil: never
}

var findCircumstances = postgres.Query[circumstances]("wallet.circumstances", `
select exists (select from withdrawals w where w.user_id = u.id and w.phone_number = @phone and w.status = 'completed') as known,
       u.password_reset_at, u.second_factor_reset_at as factor_reset_at, u.email_changed_at, u.factor_added_at
  from users u where u.id = @user`)

var countPending = postgres.Query[int]("wallet.count_pending_withdrawals",
	`select count(*) from withdrawals where user_id = @user and status = 'pending'`)

var setWithdrawalCancelled = postgres.Command("wallet.cancel_withdrawal", `
update withdrawals set status = 'failed', handled_at = @now, cancelled_at = @now where id = @id and status = 'pending'`)

var setWithdrawalConfirmed = postgres.Command("wallet.confirm_withdrawal", `
update withdrawals set confirmed_at = @now where id = @id and status = 'pending' and confirmed_at is null`)

var listOnHold = postgres.Query[uuid.UUID]("wallet.list_on_hold", `
select id from withdrawals
 where user_id = @user and status = 'pending' and held_until > @now and confirmed_at is null and disowned_at is null
 order by requested_at, id`)

// lockWithdrawalsOf lets no other transaction make or disown withdrawals of the user until this one
// ends. Lock order: before withdrawals and the ledger.
//
// An advisory lock, since making a withdrawal and disowning existing ones touch different rows.
var lockWithdrawalsOf = postgres.Command("wallet.lock_withdrawals_of",
	`select pg_advisory_xact_lock(hashtextextended('wallet.withdrawals:' || @user::uuid, 0))`)

// setDisowned marks all pending withdrawals of the user as disowned and returns the IDs of those
// newly marked.
//
// Rows are locked in the order of their IDs, to avoid deadlocks.
var setDisowned = postgres.Query[uuid.UUID]("wallet.set_disowned", `
update withdrawals set disowned_at = @now
 where id in (select id from withdrawals
               where user_id = @user and status = 'pending' and disowned_at is null order by id for no key update)
returning id`)

// lockTransaction lets no other transaction decide about the same transaction ID until this one
// ends. Lock order: after the subject's row, before the ledger.
//
// An advisory lock, since reporting, crediting and paying out the same ID touch different rows.
var lockTransaction = postgres.Command("wallet.lock_transaction",
	`select pg_advisory_xact_lock(hashtextextended('wallet.transaction:' || @transaction, 0))`)

// isPayout reports whether a transaction ID is that of a payout that the platform made, or that an
// admin has asked to book.
//
// A payout counts from the moment an admin requests to book it, whatever becomes of the request:
// the money may have been sent.
var isPayout = postgres.Query[bool]("wallet.is_payout", `
select exists (select from withdrawals where transaction_id = @transaction)
    or exists (select from operations where kind = 'withdrawal_send' and params->>'transactionId' = @transaction)`)

// transactionTaken reports whether a transaction ID is that of another payout, or of a deposit that
// has not failed.
var transactionTaken = postgres.Query[bool]("wallet.transaction_taken", `
select exists (select from withdrawals where transaction_id = @transaction)
    or exists (select from deposits where transaction_id = @transaction and status <> 'Failed')`)

const sqlPaidInBy = `
select u.username from deposits d join users u on u.id = d.user_id
 where d.transaction_id = @transaction and d.status = 'completed' and d.id <> @id`

// creditedTo returns the username of the user to whom another deposit with the transaction ID of d
// was credited, or "" if there is none.
func creditedTo(ctx context.Context, q postgres.Querier, d Deposit) (string, error) {
	username, _, err := postgres.Query[string]("wallet.credited_to", sqlPaidInBy).Find(ctx, q,
		postgres.Args{"transaction": d.TransactionID, "id": d.ID})
	return username, err
}

// rivalRow is a claim to a transaction ID.
type rivalRow struct {
	Rival
	TransactionID string
}

// maxRivals limits how many rival claims to one transaction ID are shown. More than a few are an
// attack.
const maxRivals = 20

var sqlRivals = `
select r.id, r.transaction_id, ` + user.SQLRef("u") + ` as user, u.is_verified as verified, u.created_at as user_since,
       r.payment_method as method, r.claimed_amount as amount, r.status, r.created_at
  from (select d.id, d.transaction_id, d.user_id, d.payment_method, d.claimed_amount, d.status, d.created_at,
               row_number() over (partition by d.transaction_id order by d.status = 'completed' desc, d.created_at, d.id) as place
          from deposits d where d.transaction_id = any (@transactions) and d.status <> 'Failed') r
  join users u on u.id = r.user_id
 where r.place <= @limit
 order by r.place`

// addRivals adds other users' claims to the same payment to each disputed deposit, the credited one
// first.
func addRivals(ctx context.Context, q postgres.Querier, list []WorklistDeposit) error {
	var disputed []string
	for _, d := range list {
		if d.Disputed {
			disputed = append(disputed, d.TransactionID)
		}
	}
	if len(disputed) == 0 {
		return nil
	}
	args := postgres.Args{"transactions": disputed, "limit": maxRivals + 1}
	rows, err := postgres.Query[rivalRow]("wallet.list_rivals", sqlRivals).Many(ctx, q, args)
	if err != nil {
		return err
	}
	for i, d := range list {
		for _, r := range rows {
			if d.Disputed && r.TransactionID == d.TransactionID && r.User.ID != d.User.ID {
				list[i].Rivals = append(list[i].Rivals, r.Rival)
			}
		}
	}
	return nil
}

const sqlPayoutNumbers = `
select n.id, n.name, n.payment_method, n.phone_number, n.created_at,
       (select max(w.handled_at) from withdrawals w
         where w.user_id = n.user_id and w.phone_number = n.phone_number and w.status = 'completed'
           and w.payment_method = n.payment_method) as last_sent_at
  from payout_numbers n
 where n.user_id = @user`

func listPayoutNumbers(ctx context.Context, q postgres.Querier, owner uuid.UUID) ([]PayoutNumber, error) {
	sql := sqlPayoutNumbers + ` order by lower(n.name), n.id`
	return postgres.Query[PayoutNumber]("wallet.list_payout_numbers", sql).Many(ctx, q, postgres.Args{"user": owner})
}

func getPayoutNumber(ctx context.Context, q postgres.Querier, owner, id uuid.UUID) (PayoutNumber, error) {
	sql := sqlPayoutNumbers + ` and n.id = @id`
	number, err := postgres.Query[PayoutNumber]("wallet.get_payout_number", sql).One(ctx, q, postgres.Args{"user": owner, "id": id})
	return number, postgres.IfNoRows(err, errNoPayoutNumber())
}

// lockPayoutNumbersOf lets no other transaction save numbers of the user until this one ends. Lock
// order: after the idempotency key, with nothing else.
//
// An advisory lock, since a user without numbers has no rows to lock.
var lockPayoutNumbersOf = postgres.Command("wallet.lock_payout_numbers_of",
	`select pg_advisory_xact_lock(hashtextextended('wallet.payout_numbers:' || @user::uuid, 0))`)

// savedNumbers is how many numbers a user has saved, and whether a given one is among them.
type savedNumbers struct {
	Count int
	Saved bool
}

var countPayoutNumbers = postgres.Query[savedNumbers]("wallet.count_payout_numbers", `
select count(*) as count, coalesce(bool_or(payment_method = @method and phone_number = @phone), false) as saved
  from payout_numbers where user_id = @user`)

const sqlInsertPayoutNumber = `
insert into payout_numbers (id, user_id, name, payment_method, phone_number, created_at)
values (@id, @user, @name, @method, @phone, @now)`

func insertPayoutNumber(ctx context.Context, tx *postgres.Tx, owner uuid.UUID, n PayoutNumber) error {
	return postgres.Command("wallet.insert_payout_number", sqlInsertPayoutNumber).Run(ctx, tx, postgres.Args{
		"id": n.ID, "user": owner, "name": n.Name, "method": n.PaymentMethod, "phone": n.PhoneNumber, "now": n.CreatedAt,
	})
}

const sqlRenamePayoutNumber = `update payout_numbers set name = @name where id = @id and user_id = @user`

func setPayoutNumberName(ctx context.Context, q postgres.Querier, owner, id uuid.UUID, name string) error {
	n, err := postgres.Command("wallet.rename_payout_number", sqlRenamePayoutNumber).Count(ctx, q,
		postgres.Args{"id": id, "user": owner, "name": name})
	if err == nil && n == 0 {
		err = errNoPayoutNumber()
	}
	return err
}

const sqlDeletePayoutNumber = `delete from payout_numbers where id = @id and user_id = @user`

func deletePayoutNumber(ctx context.Context, q postgres.Querier, owner, id uuid.UUID) error {
	n, err := postgres.Command("wallet.delete_payout_number", sqlDeletePayoutNumber).Count(ctx, q, postgres.Args{"id": id, "user": owner})
	if err == nil && n == 0 {
		err = errNoPayoutNumber()
	}
	return err
}
