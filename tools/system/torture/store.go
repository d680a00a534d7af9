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
const sqlAwaited = postgres.RiverJobs + ` where (queue = 'money' or kind in ('phone_delivery', 'deposit_match', 'receiver_anchor'))
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
	Credits     int64 // of the transaction ID
	State       string
	Stated      int64 // poisha
	Noted       bool  // with the report
	Broken      bool  // the account
}

const sqlClaims = `
select d.id, d.transaction_id as transaction, d.user_id, d.status, d.amount, coalesce(d.paid_amount, d.converted_amount) as booked,
       d.status = 'completed' and d.handled_by is null as automatic,
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

// owned is what a user has in their wallet, in cents.
type owned struct {
	UserID  uuid.UUID
	Balance int64
}

const sqlOwned = `select owner_id as user_id, balance from ledger.accounts where kind = 'wallet' and owner_id = any (@ids)`

func listOwned(ctx context.Context, q postgres.Querier, people []person) ([]owned, error) {
	ids := make([]uuid.UUID, len(people))
	for i, who := range people {
		ids[i] = who.id
	}
	return postgres.Query[owned]("torture.owned", sqlOwned).Many(ctx, q, postgres.Args{"ids": ids})
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
