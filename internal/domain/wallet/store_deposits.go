package wallet

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// Deposits that failed before there were codes have only the words of the admin, or expired.
var sqlSelectDeposit = `
select r.id, r.payment_method as method, r.transaction_id, r.claimed_amount, r.amount, r.rate, r.converted_amount,
       r.paid_amount, r.status, r.reason, r.created_at, deal.id as deal_id, coalesce(deal.description, '') as deal_description,
       r.deal_terms,
       u.is_verified as verified, coalesce(r.reason_code, '') as reason_code, coalesce(r.receiver, '') as receiver,
       (select count(*) from deposits o
         where o.transaction_id = r.transaction_id and o.id <> r.id and o.status = 'Failed') as same_transaction_id,
       r.status <> 'Failed' and exists (
         select from deposits o
          where o.transaction_id = r.transaction_id and o.user_id <> r.user_id and o.status <> 'Failed') as disputed,
       case when r.proposed_by is not null then
         row(r.proposed_amount, r.proposed_reason, ` + user.SQLRef("p") + `, r.proposed_at) end as proposal,
       case when co.id is not null then row('paid', co.paid_amount, co.payer, co.paid_at, false, false)
            when pay.id is not null then
              row(pay.state, pay.amount, pay.party, pay.made_at, acc.broken_at is not null, r.unreported) end as evidence,
       (select row(count(*) filter (where o.status = 'completed'),
                   count(*) filter (where o.status = 'Failed' and o.handled_by is not null),
                   count(*) filter (where o.status = 'pending'))
          from deposits o
         where o.user_id = r.user_id and o.id <> r.id and (o.handled_at < r.handled_at) is not false) as history,` + sqlWorklistColumns + `
  from deposits r` + sqlWorklistJoins + `
  left join users p on p.id = r.proposed_by
  left join payments pay on pay.id = r.payment_id
  left join receivers acc on acc.id = pay.receiver_id
  left join checkouts co on co.transaction_id = r.transaction_id and co.user_id = r.user_id
  left join deals deal on deal.id = r.deal_id and deal.status = 'Pending' and deal.removed_at is null`

var sqlGetDeposit = sqlSelectDeposit + ` where r.id = @id`

func getDeposit(ctx context.Context, q postgres.Querier, id uuid.UUID) (WorklistDeposit, error) {
	d, err := postgres.Query[WorklistDeposit]("wallet.get_deposit", sqlGetDeposit).One(ctx, q, postgres.Args{"id": id})
	return d, postgres.IfNoRows(err, errNoDeposit())
}

func lockDeposit(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (WorklistDeposit, error) {
	if err := lockRow(ctx, tx, "wallet.lock_deposit", `select from deposits where id = @id for update`, id); err != nil {
		return WorklistDeposit{}, err
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
	return postgres.Query[depositCounts]("wallet.count_deposits", sqlDepositCounts).One(ctx, tx, postgres.Args{"user": userID})
}

// The lock waits for a transaction that is closing the account.
const sqlInsertDeposit = `
insert into deposits (id, user_id, payment_method, transaction_id, claimed_amount, amount, rate, converted_amount, receiver, deal_id,
                      deal_terms, created_at)
select @id, u.id, @method, @transaction, @amount, @amount, @rate, @converted, nullif(@receiver, ''), @deal, nullif(@terms::bigint, 0),
       @now
  from users u where u.id = @user and u.closed_at is null for key share`

// insertDeposit inserts a deposit unless the user's account is closed.
func insertDeposit(
	ctx context.Context, tx *postgres.Tx, id, userID uuid.UUID, r Report, rate int64, converted money.Poisha, now time.Time,
) (inserted bool, err error) {
	return postgres.Command("wallet.insert_deposit", sqlInsertDeposit).Any(ctx, tx, postgres.Args{
		"id": id, "user": userID, "method": r.Method, "transaction": r.TransactionID, "amount": int64(r.Amount),
		"rate": rate, "converted": int64(converted), "receiver": r.Receiver, "deal": r.DealID, "terms": r.Terms, "now": now,
	})
}

// usedReceiver is how many taka went to a number.
type usedReceiver struct {
	Method, Number string
	Today, Month   money.Poisha
}

// usedReceivers returns what went to the numbers in the month and on the day. What a user reports
// of whom nothing was credited yet does not count: reports of nothing could close a number. It
// reads few rows, since caps bound them.
var usedReceivers = postgres.Query[usedReceiver]("wallet.used_receivers", `
select d.payment_method as method, d.receiver as number,
       coalesce(sum(coalesce(d.paid_amount, d.converted_amount)) filter (where d.created_at >= @today), 0)::bigint as today,
       sum(coalesce(d.paid_amount, d.converted_amount))::bigint as month
  from deposits d
 where d.receiver = any (@numbers::text[]) and d.created_at >= @month and d.status <> 'Failed'
   and (d.status = 'completed' or `+sqlCreditedBefore+`)
 group by d.payment_method, d.receiver`)

// Releases the claim too, since another admin acts next.
const sqlProposeCredit = `
update deposits
   set proposed_amount = @amount, proposed_reason = @reason, proposed_by = @admin, proposed_at = @now,
       claimed_by = null, claimed_until = null
 where id = @id and status = 'pending'`

func setProposal(ctx context.Context, tx *postgres.Tx, id, admin uuid.UUID, a Approval, now time.Time) error {
	return postgres.Command("wallet.propose_credit", sqlProposeCredit).One(ctx, tx, postgres.Args{
		"id": id, "admin": admin, "amount": int64(a.Amount), "reason": a.Reason, "now": now,
	})
}

const sqlNoProposal = `proposed_amount = null, proposed_reason = null, proposed_by = null, proposed_at = null`

const sqlCreditDeposit = `
update deposits
   set status = 'completed', amount = @amount, rate = @rate, converted_amount = @converted, paid_amount = @paid, reason = @reason,
       handled_at = @now, handled_by = @admin, ` + sqlNoProposal + `
 where id = @id and status = 'pending'`

// setDepositCredited stores the outcome of a credited deposit from d. by is an admin, or the system
// if a payment proves the deposit.
func setDepositCredited(ctx context.Context, tx *postgres.Tx, d Deposit, by actor.Actor) error {
	return postgres.Command("wallet.credit_deposit", sqlCreditDeposit).One(ctx, tx, postgres.Args{
		"id": d.ID, "amount": int64(d.Amount), "rate": d.Rate, "converted": int64(d.ConvertedAmount), "paid": d.PaidAmount,
		"reason": d.Reason, "now": d.HandledAt, "admin": by,
	})
}

const sqlFailDeposit = `
update deposits
   set status = 'Failed', reason = @reason, reason_code = nullif(@code, ''), handled_at = @now, handled_by = @admin, ` + sqlNoProposal + `
 where id = @id and status = 'pending'`

// setDepositFailed stores the outcome of a failed deposit from d. by is an admin, or the system if
// the deposit expired or its user retracted it.
func setDepositFailed(ctx context.Context, tx *postgres.Tx, d Deposit, by actor.Actor) error {
	return postgres.Command("wallet.fail_deposit", sqlFailDeposit).One(ctx, tx,
		postgres.Args{"id": d.ID, "reason": d.Reason, "code": d.ReasonCode, "now": d.HandledAt, "admin": by})
}

// lockAbandoned locks up to limit pending deposits that no admin has touched since before and
// returns their IDs.
//
// A row claimed meanwhile is re-evaluated with its new claim once its lock is acquired.
var lockAbandoned = postgres.Query[uuid.UUID]("wallet.lock_abandoned_deposits", `
select r.id from deposits r
 where r.status = 'pending' and r.created_at <= @before and greatest(r.created_at, r.claimed_until) <= @before
   and r.proposed_by is null
   and not exists (select from operations o where o.subject = 'deposit:' || r.id and o.status = 'pending')
 order by r.created_at, r.id limit @limit
   for update of r skip locked`)

// depositFilter selects deposits. Zero fields select all.
type depositFilter struct {
	userID *uuid.UUID
	status DepositStatus
	method string
	payer  Payer
	search *requestSearch
	sort   DepositSort
}

const sqlNewestFirst = `created_at desc, id desc`

var sqlDepositOrders = map[DepositSort]string{
	OldestFirst: `created_at, id`, NewestFirst: sqlNewestFirst, LargestFirst: `amount desc, id desc`,
}

// One arm for each thing that a search may mean, each with an index of its own. The filters are
// repeated in each, since the arms are read whole.
const (
	sqlFoundColumns       = `select d.id, d.created_at, d.amount from deposits d`
	sqlFoundByTransaction = sqlFoundColumns + ` where d.transaction_id like @transaction`
	sqlFoundByUsername    = `select d.id, d.created_at, d.amount from users u join deposits d on d.user_id = u.id
 where lower(u.username) like @username`
	sqlFoundByDollars = sqlFoundColumns + ` where d.amount = @dollars`
	sqlFoundByTaka    = sqlFoundColumns + ` where d.converted_amount = @taka`
	sqlFoundNothing   = sqlFoundColumns + ` where false`
)

// from returns the deposits that the filter selects as a table d with id, created_at and amount.
func (f depositFilter) from() string {
	conditions := f.conditions()
	if f.search == nil {
		sql := sqlFoundColumns + ` where true` + conditions
		return `(` + sql + `) d`
	}
	arms := f.search.arms()
	for i := range arms {
		arms[i] += conditions
	}
	return `(` + strings.Join(arms, ` union `) + `) d`
}

const sqlCreditedBefore = `exists (select from deposits c where c.user_id = d.user_id and c.status = 'completed')`

var sqlPayers = map[Payer]string{
	Credited: ` and ` + sqlCreditedBefore, NeverCredited: ` and not ` + sqlCreditedBefore,
	Verified:   ` and exists (select from users p where p.id = d.user_id and p.is_verified)`,
	Unverified: ` and exists (select from users p where p.id = d.user_id and not p.is_verified)`,
}

func (f depositFilter) conditions() string {
	var sql string
	if f.userID != nil {
		sql += ` and d.user_id = @user`
	}
	switch f.status {
	case "":
	case DepositPending:
		sql += ` and d.status = 'pending'` // written out, for the indexes on pending deposits only
	default:
		sql += ` and d.status = @status`
	}
	if f.method != "" {
		sql += ` and d.payment_method = @method`
	}
	return sql + sqlPayers[f.payer]
}

func (s requestSearch) arms() []string {
	var arms []string
	if s.transaction != "" {
		arms = append(arms, sqlFoundByTransaction)
	}
	if s.username != "" {
		arms = append(arms, sqlFoundByUsername)
	}
	if s.dollars > 0 {
		arms = append(arms, sqlFoundByDollars)
	}
	if s.taka > 0 {
		arms = append(arms, sqlFoundByTaka)
	}
	if len(arms) == 0 {
		arms = append(arms, sqlFoundNothing)
	}
	return arms
}

func (f depositFilter) args(page postgres.Page) postgres.Args {
	args := postgres.Args{
		"user": f.userID, "status": string(f.status), "method": f.method, "limit": page.Limit, "offset": page.Offset,
	}
	f.search.with(args)
	return args
}

// with adds the values of a search, if there is one, to the arguments of a statement.
func (s *requestSearch) with(args postgres.Args) {
	if s == nil {
		return
	}
	args["transaction"], args["username"] = postgres.LikePrefix(s.transaction), postgres.LikePrefix(s.username)
	args["phone"], args["dollars"], args["taka"] = postgres.LikePrefix(s.phone), int64(s.dollars), int64(s.taka)
}

// listDeposits returns a page of the deposits that the filter selects, and what all of them come
// to. The page's ids are selected first, so that nothing else is read of the rows before it.
func listDeposits(ctx context.Context, q postgres.Querier, f depositFilter, page postgres.Page) ([]WorklistDeposit, Totals, error) {
	order, args := sqlDepositOrders[f.sort], f.args(page)
	ids, err := postgres.Query[uuid.UUID]("wallet.find_deposits",
		`select d.id from `+f.from()+` order by `+order+` limit @limit offset @offset`).Many(ctx, q, args)
	if err != nil {
		return nil, Totals{}, err
	}
	list, err := postgres.Query[WorklistDeposit]("wallet.list_deposits", sqlListDeposits).Many(ctx, q, postgres.Args{"ids": ids})
	if err != nil {
		return nil, Totals{}, err
	}
	totals, err := postgres.Query[Totals]("wallet.total_deposits",
		`select count(*) as count, coalesce(sum(d.amount), 0)::bigint as amount from `+f.from()).One(ctx, q, args)
	return list, totals, err
}

var sqlListDeposits = sqlSelectDeposit + `
  join unnest(@ids::uuid[]) with ordinality as listed (id, place) on listed.id = r.id
 order by listed.place`

// lastCredited returns the times of the deposits that were credited last.
//
// The index holds only credited deposits, with all that is read of them.
var lastCredited = postgres.Query[span]("wallet.last_credited",
	`select created_at, handled_at from deposits where status = 'completed' order by handled_at desc limit @limit`)

const sqlFindReported = `
select id from deposits where user_id = @user and transaction_id = @transaction and status <> 'Failed'`

// findReported returns the user's own deposit with a transaction ID, unless it failed.
func findReported(ctx context.Context, q postgres.Querier, userID uuid.UUID, transaction string) (d Deposit, found bool, err error) {
	id, found, err := postgres.Query[uuid.UUID]("wallet.find_reported", sqlFindReported).Find(ctx, q,
		postgres.Args{"user": userID, "transaction": transaction})
	if err != nil || !found {
		return Deposit{}, false, err
	}
	reported, err := getDeposit(ctx, q, id)
	return reported.Deposit, err == nil, err
}

var sqlSelectCorrection = `
select r.id, r.amount, ledger.balance('wallet', r.user_id, 'USD') as balance, r.reason, r.note, r.status, r.proposed_at,
       r.expires_at, r.decided_at, r.decision, ` + user.SQLRef("u") + ` as user,
       ` + user.SQLRefOrNull("p") + ` as proposed_by, ` + user.SQLRefOrNull("d") + ` as decided_by
  from corrections r
  join users u on u.id = r.user_id
  left join users p on p.id = r.proposed_by
  left join users d on d.id = r.decided_by`

func getCorrection(ctx context.Context, q postgres.Querier, id uuid.UUID) (Correction, error) {
	c, err := postgres.Query[Correction]("wallet.get_correction", sqlSelectCorrection+` where r.id = @id`).One(ctx, q,
		postgres.Args{"id": id})
	return c, postgres.IfNoRows(err, errNoCorrection())
}

func lockCorrection(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (Correction, error) {
	if err := lockRow(ctx, tx, "wallet.lock_correction", `select from corrections where id = @id for no key update`, id); err != nil {
		return Correction{}, err
	}
	return getCorrection(ctx, tx, id)
}

// lockAccount reports whether a user's account is closed, and keeps it from being closed before the
// transaction ends.
var lockAccount = postgres.Query[bool]("wallet.lock_account", `select closed_at is not null from users where id = @user for key share`)

func findAccount(ctx context.Context, q postgres.Querier, username string) (uuid.UUID, error) {
	id, err := postgres.Query[uuid.UUID]("wallet.find_account",
		`select id from users where lower(username) = lower(@username) and closed_at is null`).One(ctx, q, postgres.Args{"username": username})
	return id, postgres.IfNoRows(err, fault.New(fault.NotFound, "user_not_found", "User not found"))
}

// lockOpenCorrections counts a user's open corrections and locks the user, so that no other one is
// proposed, and the account is not closed, before the transaction ends. found is false if there is
// no open account.
func lockOpenCorrections(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) (open int, found bool, err error) {
	const sqlLockUser = `select id from users where id = @user and closed_at is null for no key update`
	args := postgres.Args{"user": userID}
	_, found, err = postgres.Query[uuid.UUID]("wallet.lock_adjusted", sqlLockUser).Find(ctx, tx, args)
	if err != nil || !found {
		return 0, false, err
	}
	open, err = postgres.Query[int]("wallet.count_open_corrections",
		`select count(*) from corrections where user_id = @user and status = 'open'`).One(ctx, tx, args)
	return open, true, err
}

const sqlInsertCorrection = `
insert into corrections (id, user_id, amount, reason, note, proposed_by, proposed_at, expires_at)
values (@id, @user, @amount, @reason, @note, @by, @now, @until)`

func insertCorrection(ctx context.Context, tx *postgres.Tx, id uuid.UUID, by actor.Actor, p CorrectionProposal, now time.Time) error {
	return postgres.Command("wallet.insert_correction", sqlInsertCorrection).Run(ctx, tx, postgres.Args{
		"id": id, "user": p.UserID, "amount": int64(p.Amount), "reason": p.Reason, "note": p.Note, "by": by, "now": now,
		"until": now.Add(CorrectionTTL),
	})
}

const sqlDecideCorrection = `
update corrections set status = @status, decision = @decision, decided_by = @by, decided_at = @now where id = @id and status = 'open'`

// setCorrectionDecided stores the outcome of a correction. by is an admin, or the system if
// it expired.
func setCorrectionDecided(ctx context.Context, tx *postgres.Tx, c Correction, by actor.Actor, now time.Time) error {
	return postgres.Command("wallet.decide_correction", sqlDecideCorrection).One(ctx, tx, postgres.Args{
		"id": c.ID, "status": string(c.Status), "decision": c.Decision, "by": by, "now": now,
	})
}

// lockDueCorrections locks up to limit open corrections whose time is over and returns their IDs.
var lockDueCorrections = postgres.Query[uuid.UUID]("wallet.lock_due_corrections", `
select id from corrections where status = 'open' and expires_at <= @now order by expires_at, id limit @limit
   for no key update skip locked`)

func (q CorrectionQuery) where() (where, order string) {
	where, order = ` where true`, ` order by r.proposed_at desc, r.id desc`
	switch q.Status {
	case "":
	case CorrectionOpen:
		order = ` order by r.proposed_at, r.id`
		fallthrough
	default:
		where += ` and r.status = @status`
	}
	if q.Search != "" {
		where += ` and r.user_id in (select id from users where lower(username) like @username)`
	}
	return where, order
}

func listCorrections(ctx context.Context, q postgres.Querier, query CorrectionQuery, page postgres.Page) ([]Correction, int, error) {
	where, order := query.where()
	args := postgres.Args{
		"status": string(query.Status), "username": postgres.LikePrefix(query.Search), "limit": page.Limit, "offset": page.Offset,
	}
	list, err := postgres.Query[Correction]("wallet.list_corrections",
		sqlSelectCorrection+where+order+` limit @limit offset @offset`).Many(ctx, q, args)
	if err != nil {
		return nil, 0, err
	}
	total, err := postgres.Query[int]("wallet.count_corrections", `select count(*) from corrections r`+where).One(ctx, q, args)
	return list, total, err
}
