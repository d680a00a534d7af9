package main

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

const sqlInsertUsers = `
insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at, is_admin, password_strong)
select id, @name || n, @name || n || '@amanat.test', '', @name || n, @now, @now, @admin, @admin
  from unnest(@ids::uuid[]) with ordinality as u (id, n)`

// insertUsers inserts users without a password. They use sessions that are inserted too. Their
// addresses are not verified, so that they receive no mails.
func insertUsers(ctx context.Context, q postgres.Querier, name string, admin bool, ids []uuid.UUID, now time.Time) error {
	return postgres.Command("torture.insert_users", sqlInsertUsers).Run(ctx, q,
		postgres.Args{"name": name, "admin": admin, "ids": ids, "now": now})
}

const sqlInsertSessions = `
insert into sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, password_confirmed_at)
select user_id, user_id, hash, @now, @now, @now::timestamptz + interval '1 day', @now
  from unnest(@users::uuid[], @hashes::bytea[]) as s (user_id, hash)`

func insertSessions(ctx context.Context, q postgres.Querier, users []uuid.UUID, hashes [][]byte, now time.Time) error {
	return postgres.Command("torture.insert_sessions", sqlInsertSessions).Run(ctx, q,
		postgres.Args{"users": users, "hashes": hashes, "now": now})
}

// books are the sums that a checker of the books looks at. All of them should be zero.
type books struct {
	USD      int64 // sum of all balances
	BDT      int64 // the same
	Negative int64 // wallets, escrows and holds below zero
	Wrong    int64 // wallets whose balance is not that of their last entry
}

const sqlBooks = `
with stored as (
  select coalesce(sum(balance) filter (where currency = 'USD'), 0) as usd,
         coalesce(sum(balance) filter (where currency = 'BDT'), 0) as bdt,
         count(*) filter (where balance < 0) as negative
    from ledger.accounts where stored
), platform as (
  select coalesce(sum(ledger.balance(kind, null, currency)) filter (where currency = 'USD'), 0) as usd,
         coalesce(sum(ledger.balance(kind, null, currency)) filter (where currency = 'BDT'), 0) as bdt
    from ledger.accounts where not stored
), wrong as (
  select count(*) as n
    from ledger.accounts a,
         lateral (select balance_after from ledger.entries e where e.account_id = a.id order by e.version desc limit 1) l
   where a.kind = 'wallet' and l.balance_after <> a.balance
)
select (stored.usd + platform.usd)::bigint as usd, (stored.bdt + platform.bdt)::bigint as bdt,
       stored.negative::bigint as negative, wrong.n::bigint as wrong
  from stored, platform, wrong`

func readBooks(ctx context.Context, q postgres.Querier) (books, error) {
	return postgres.Query[books]("torture.books", sqlBooks).One(ctx, q, nil)
}

const sqlEntries = `
with sums as (
  select account_id, currency, sum(amount) as amount from ledger.entries group by account_id, currency
)
select coalesce(sum(s.amount) filter (where s.currency = 'USD'), 0)::bigint as usd,
       coalesce(sum(s.amount) filter (where s.currency = 'BDT'), 0)::bigint as bdt,
       count(*) filter (where a.stored and s.amount < 0)::bigint as negative,
       (count(*) filter (where a.stored and s.amount is distinct from a.balance)
         + (select count(*) from ledger.accounts x
             where x.stored and x.balance <> 0 and not exists (select from ledger.entries e where e.account_id = x.id)))::bigint as wrong
  from sums s join ledger.accounts a on a.id = s.account_id`

// readEntries is readBooks from the entries alone. It reads the whole ledger.
func readEntries(ctx context.Context, q postgres.Querier) (books, error) {
	return postgres.Query[books]("torture.entries", sqlEntries).One(ctx, q, nil)
}

// ending is the state of a deal at the end.
type ending struct {
	ID        uuid.UUID
	Status    string
	Requested bool
}

const sqlEndings = `
select id, case when removed_at is not null then 'removed' else status end as status, cancellation_requested as requested from deals`

func listEndings(ctx context.Context, q postgres.Querier) ([]ending, error) {
	return postgres.Query[ending]("torture.endings", sqlEndings).Many(ctx, q, nil)
}

// sqlAwaited selects the jobs that move money or lead to it.
const sqlAwaited = postgres.RiverJobs + ` where (queue = 'money' or queue = 'checkout' or
  kind in ('phone_delivery', 'deposit_match', 'receiver_anchor', 'payment_match', 'deal_payment'))
  and state in ('available', 'running', 'retryable')`

const sqlUnsettled = `select (select count(*) from operations where status = 'pending') + (select count(*) from ` + sqlAwaited + `)`

const sqlListUnsettled = `
select format('%s %s: %s, attempt %s, planned for %s', kind, args, state, attempt, scheduled_at)
  from ` + sqlAwaited + ` order by id limit 10`

// listUnsettled describes some of the jobs that are not done.
func listUnsettled(ctx context.Context, q postgres.Querier) ([]string, error) {
	return postgres.Query[string]("torture.list_unsettled", sqlListUnsettled).Many(ctx, q, nil)
}

// countUnsettled returns how many operations and jobs are not done.
func countUnsettled(ctx context.Context, q postgres.Querier) (int64, error) {
	return postgres.Query[int64]("torture.unsettled", sqlUnsettled).One(ctx, q, nil)
}

// position is the number of the last event of a user.
type position struct {
	UserID uuid.UUID
	Seq    int64
}

const sqlPositions = `select user_id, seq from user_seq`

func listPositions(ctx context.Context, q postgres.Querier) ([]position, error) {
	return postgres.Query[position]("torture.positions", sqlPositions).Many(ctx, q, nil)
}

const sqlGaps = `
select count(*) from (select seq, row_number() over (partition by user_id order by seq) as n from user_events) e where seq <> n`

// countGaps returns how many events have another number than their place in the log of their user.
func countGaps(ctx context.Context, q postgres.Querier) (int64, error) {
	return postgres.Query[int64]("torture.gaps", sqlGaps).One(ctx, q, nil)
}

// simAccount is what the workers know of a SIM.
type simAccount struct {
	ID      uuid.UUID
	Phone   string
	Balance money.Poisha
	Broken  bool
}

const sqlAccounts = `select id, phone, coalesce(balance, 0) as balance, broken_at is not null as broken from receivers`

func listAccounts(ctx context.Context, q postgres.Querier) ([]simAccount, error) {
	return postgres.Query[simAccount]("torture.accounts", sqlAccounts).Many(ctx, q, nil)
}

// claim is a report of a payment by Nagad, and what is known of the payment.
type claim struct {
	ID          uuid.UUID
	Transaction string
	UserID      uuid.UUID
	Status      string
	Amount      int64 // cents
	Booked      int64 // poisha
	Automatic   bool  // credited without an admin
	Unreported  bool  // made of the payment's code
	Credits     int64 // of the transaction ID
	State       string
	Stated      int64 // poisha
	Noted       bool  // with the report
	Broken      bool  // the account
}

const sqlClaims = `
select d.id, d.transaction_id as transaction, d.user_id, d.status, d.amount, coalesce(d.paid_amount, d.converted_amount) as booked,
       d.status = 'completed' and d.handled_by is null as automatic, d.unreported,
       count(*) filter (where d.status = 'completed') over (partition by d.transaction_id) as credits,
       coalesce(p.state, '') as state, coalesce(p.amount, 0) as stated, p.id is not distinct from d.payment_id as noted,
       r.broken_at is not null as broken
  from deposits d
  left join payments p on p.transaction_id = d.transaction_id and not p.outgoing
  left join receivers r on r.id = p.receiver_id
 where d.payment_method = 'Nagad'`

func listClaims(ctx context.Context, q postgres.Querier) ([]claim, error) {
	return postgres.Query[claim]("torture.claims", sqlClaims).Many(ctx, q, nil)
}

const sqlUnclaimed = `
select transaction_id from payments p
 where p.state = 'chained' and not p.outgoing and not exists (select from deposits d where d.transaction_id = p.transaction_id)`

// listUnclaimed returns the transaction IDs of believed payments that are no deposit.
func listUnclaimed(ctx context.Context, q postgres.Querier) ([]string, error) {
	return postgres.Query[string]("torture.unclaimed", sqlUnclaimed).Many(ctx, q, nil)
}

// aimed is a deal that a payment with a code was for.
type aimed struct {
	ID      uuid.UUID
	Status  string
	Notices int64 // that it is not paid
}

const sqlAimed = `
select id, case when removed_at is not null then 'removed' else status end as status,
       (select count(*) from notifications n
         where n.user_id = d.buyer_id and n.kind like 'deposit\_deal\_%' and n.link = '/deal/' || d.id) as notices
  from deals d where id = any (@ids)`

func listAimed(ctx context.Context, q postgres.Querier, ids []uuid.UUID) ([]aimed, error) {
	return postgres.Query[aimed]("torture.aimed", sqlAimed).Many(ctx, q, postgres.Args{"ids": ids})
}

// payoutRow is a withdrawal by Nagad that is booked, and what is known of its payment.
type payoutRow struct {
	ID          uuid.UUID
	UserID      uuid.UUID
	Status      string
	Number      string
	Amount      int64      // cents
	Taka        int64      // poisha
	Transaction string     // "": an admin has booked it without one
	Noted       string     // the transaction ID of the payment that it is booked with; "": none
	Automatic   bool       // booked without an admin
	ClaimedBy   *uuid.UUID // an admin
}

const sqlPayouts = `
select w.id, w.user_id, w.status, w.phone_number as number, w.amount, w.converted_amount as taka,
       coalesce(w.transaction_id, '') as transaction, coalesce(p.transaction_id, '') as noted, w.claimed_by,
       exists (select from operations o where o.subject = 'withdrawal:' || w.id and o.kind = 'withdrawal_send' and o.status = 'done'
                                          and o.params ? 'payment') as automatic
  from withdrawals w left join payments p on p.id = w.payment_id
 where w.payment_method = 'Nagad'`

func listPayouts(ctx context.Context, q postgres.Querier) ([]payoutRow, error) {
	return postgres.Query[payoutRow]("torture.payouts", sqlPayouts).Many(ctx, q, nil)
}

// leftRow is a believed payment from one of the SIMs.
type leftRow struct {
	Transaction string
	Listed      bool // as money that has left without a withdrawal
	Due         bool // an admin was paying out a withdrawal of its number and amount when it was made
	Alarmed     bool
}

const sqlLeft = `
select p.transaction_id as transaction, p.id in (select id from unbooked_payments) as listed,
       exists (select from withdrawals w
                where w.status = 'pending' and w.payment_method = 'Nagad' and w.phone_number = p.party and w.converted_amount = p.amount
                  and w.claimed_by is not null and p.made_at between w.requested_at and w.claimed_until) as due,
       exists (select from ` + postgres.RiverJobs + ` j where j.kind = 'admin_notice' and j.args->>'notice_kind' = 'admin_money_left'
                                                         and j.args->>'subject_id' = p.id::text) as alarmed
  from payments p where p.outgoing and p.state = 'chained'`

func listLeft(ctx context.Context, q postgres.Querier) ([]leftRow, error) {
	return postgres.Query[leftRow]("torture.left", sqlLeft).Many(ctx, q, nil)
}

// checkoutRow is a checkout and the deposit that it has become.
type checkoutRow struct {
	ID      uuid.UUID
	UserID  uuid.UUID
	Amount  int64 // cents
	State   string
	Deposit string // its status; "": there is none
	Credits int64  // of its transaction ID
}

const sqlCheckouts = `
select c.id, c.user_id, c.amount, c.state, coalesce(d.status, '') as deposit,
       (select count(*) from deposits x where x.transaction_id = c.transaction_id and x.status = 'completed') as credits
  from checkouts c left join deposits d on d.id = c.id`

func listCheckouts(ctx context.Context, q postgres.Querier) ([]checkoutRow, error) {
	return postgres.Query[checkoutRow]("torture.checkouts", sqlCheckouts).Many(ctx, q, nil)
}

const sqlOwned = `
select owner_id as user_id, balance from ledger.accounts where kind = 'wallet' and owner_id = any (@ids)`

// listOwned returns what users have in their wallets, in cents.
func listOwned(ctx context.Context, q postgres.Querier, users []uuid.UUID) (map[uuid.UUID]int64, error) {
	list, err := postgres.Query[struct {
		UserID  uuid.UUID
		Balance int64
	}]("torture.owned", sqlOwned).Many(ctx, q, postgres.Args{"ids": users})
	owns := map[uuid.UUID]int64{}
	for _, o := range list {
		owns[o.UserID] = o.Balance
	}
	return owns, err
}

// readNagad returns the poisha that have come to the ledger's account of Nagad.
func readNagad(ctx context.Context, q postgres.Querier) (int64, error) {
	return postgres.Query[int64]("torture.nagad", `select -ledger.balance('nagad', null, 'BDT')`).One(ctx, q, nil)
}

const sqlCreateAmcheck = `create extension if not exists amcheck`

// sqlIndexes checks every B-tree against its table, except those of other sessions.
const sqlIndexes = `
select count(bt_index_check(c.oid, true))
  from pg_index i
  join pg_class c on c.oid = i.indexrelid
  join pg_am m on m.oid = c.relam and m.amname = 'btree'
 where c.relkind = 'i' and c.relpersistence <> 't' and i.indisready and i.indisvalid`

// sqlHeaps checks every table.
const sqlHeaps = `
select format('%s block %s: %s', c.oid::regclass, h.blkno, h.msg)
  from pg_class c, lateral verify_heapam(c.oid) h
 where c.relkind in ('r', 'm', 't') and c.relpersistence <> 't'`

// checkFiles checks all tables and indexes with amcheck. It returns the number of indexes and what
// is wrong with tables; a wrong index is an error.
func checkFiles(ctx context.Context, q postgres.Querier) (indexes int64, wrong []string, err error) {
	if err := postgres.Command("torture.create_amcheck", sqlCreateAmcheck).Run(ctx, q, nil); err != nil {
		return 0, nil, err
	}
	if indexes, err = postgres.Query[int64]("torture.indexes", sqlIndexes).One(ctx, q, nil); err != nil {
		return 0, nil, err
	}
	wrong, err = postgres.Query[string]("torture.heaps", sqlHeaps).Many(ctx, q, nil)
	return indexes, wrong, err
}

const sqlVersion = `select current_setting('server_version') || ', fsync=' || current_setting('fsync')
  || ', synchronous_commit=' || current_setting('synchronous_commit')`

// serverVersion returns the server's version and whether it writes to disk.
func serverVersion(ctx context.Context, q postgres.Querier) (string, error) {
	return postgres.Query[string]("torture.version", sqlVersion).One(ctx, q, nil)
}
