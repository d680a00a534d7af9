package main

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

const sqlVersion = `show server_version`

func serverVersion(ctx context.Context, q postgres.Querier) (string, error) {
	return postgres.Query[string]("bench.server_version", sqlVersion).One(ctx, q, nil)
}

const sqlWaitingJobs = `
select (select count(*) from ` + postgres.RiverJobs + ` where state in ('available', 'running', 'retryable'))
     + (select count(*) from due_mails)`

func waitingJobs(ctx context.Context, q postgres.Querier) (int, error) {
	return postgres.Query[int]("bench.waiting_jobs", sqlWaitingJobs).One(ctx, q, nil)
}

const sqlBackend = `select pg_backend_pid()`

func backendPID(ctx context.Context, q postgres.Querier) (int, error) {
	return postgres.Query[int]("bench.backend_pid", sqlBackend).One(ctx, q, nil)
}

// sqlWritten counts transactions by their IDs. The count of pg_stat_database lags up to ten seconds
// behind, because idle sessions report late.
const sqlWritten = `
select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint as wal, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as transactions`

// writtenSoFar returns the bytes of WAL and the number of transactions with an ID, which are those
// that changed or locked rows, since the server was created.
func writtenSoFar(ctx context.Context, q postgres.Querier) (wal, transactions int64, err error) {
	type row struct{ WAL, Transactions int64 }
	r, err := postgres.Query[row]("bench.written", sqlWritten).One(ctx, q, nil)
	return r.WAL, r.Transactions, err
}

const sqlCreateBaseline = `
create table if not exists baseline (
  id   bigint generated always as identity primary key,
  body text not null
)`

func createBaseline(ctx context.Context, q postgres.Querier) error {
	return postgres.Command("bench.create_baseline", sqlCreateBaseline).Run(ctx, q, nil)
}

const sqlInsertBaseline = `insert into baseline (body) values (@body)`

func insertBaseline(ctx context.Context, q postgres.Querier, body string) error {
	return postgres.Command("bench.insert_baseline", sqlInsertBaseline).One(ctx, q, postgres.Args{"body": body})
}

func checkpoint(ctx context.Context, q postgres.Querier) error {
	return postgres.Command("bench.checkpoint", `checkpoint`).Run(ctx, q, nil)
}

// vacuum removes dead rows and updates the planner's statistics. Autovacuum does so once a minute.
func vacuum(ctx context.Context, q postgres.Querier) error {
	return postgres.Command("bench.vacuum", `vacuum (analyze)`).Run(ctx, q, nil)
}

const sqlInsertUsers = `
insert into users (id, username, email, is_verified, password_hash, referral_code, terms_accepted_at, created_at, is_admin,
                   password_strong)
select id, @name || n, @name || n || '@amanat.test', true, '', @name || n, @now, @now, @admin, @admin
  from unnest(@ids::uuid[]) with ordinality as u (id, n)`

// insertUsers inserts users without a password. They use sessions that are inserted too. Their
// addresses are verified, so that they receive mails.
func insertUsers(ctx context.Context, q postgres.Querier, name string, admin bool, ids []uuid.UUID, now time.Time) error {
	return postgres.Command("bench.insert_users", sqlInsertUsers).Run(ctx, q,
		postgres.Args{"name": name, "admin": admin, "ids": ids, "now": now})
}

// sqlInsertDeposits uses a rate of one taka per dollar, so that an amount in cents is the same in
// poisha.
const sqlInsertDeposits = `
with deposited as (
  insert into deposits (id, user_id, payment_method, transaction_id, claimed_amount, amount, rate, converted_amount, status, created_at,
                        handled_at, handled_by)
  select d.id, d.user_id, 'Bkash', 'BENCH' || lpad(d.n::text, 6, '0'), @amount, @amount, 1, @amount, 'completed', @now, @now, @by
    from unnest(@ids::uuid[], @users::uuid[]) with ordinality as d (id, user_id, n)
), audited as (
  insert into audit_log (at, actor_id, action, subject, details)
  select @now, @by, 'deposit.approve', 'deposit:' || id, jsonb_build_object('amount', @amount / 100.0) from unnest(@ids::uuid[]) as d (id)
)
insert into operations (id, kind, subject, actor_id, params, status, created_at, finished_at)
select id, 'deposit_approve', 'deposit:' || id, @by, jsonb_build_object('amount', @amount / 100.0), 'done', @now, @now
  from unnest(@ids::uuid[]) as d (id)`

// insertDeposits inserts approved deposits, the operations that approved them and their entries in
// the audit log. postDeposit posts them.
func insertDeposits(ctx context.Context, q postgres.Querier, ids, users []uuid.UUID, by uuid.UUID, now time.Time) error {
	return postgres.Command("bench.insert_deposits", sqlInsertDeposits).Run(ctx, q,
		postgres.Args{"ids": ids, "users": users, "by": by, "amount": int64(money.MaxPrice), "now": now})
}

const sqlInsertConversations = `
insert into conversations (id, user_a, user_b, started_by, created_at, updated_at)
select c.id, least(c.a, c.b), greatest(c.a, c.b), c.a, @now, @now
  from unnest(@ids::uuid[], @senders::uuid[], @receivers::uuid[]) as c (id, a, b)`

// insertConversations inserts conversations that the senders started, without messages.
func insertConversations(ctx context.Context, q postgres.Querier, ids, senders, receivers []uuid.UUID, now time.Time) error {
	return postgres.Command("bench.insert_conversations", sqlInsertConversations).Run(ctx, q,
		postgres.Args{"ids": ids, "senders": senders, "receivers": receivers, "now": now})
}

const sqlInsertSessions = `
insert into sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, password_confirmed_at)
select user_id, user_id, hash, @now, @now, @now::timestamptz + interval '1 day', @now
  from unnest(@users::uuid[], @hashes::bytea[]) as s (user_id, hash)`

func insertSessions(ctx context.Context, q postgres.Querier, users []uuid.UUID, hashes [][]byte, now time.Time) error {
	return postgres.Command("bench.insert_sessions", sqlInsertSessions).Run(ctx, q,
		postgres.Args{"users": users, "hashes": hashes, "now": now})
}

// receiverID returns the account of the only phone.
func receiverID(ctx context.Context, q postgres.Querier) (uuid.UUID, error) {
	return postgres.Query[uuid.UUID]("bench.receiver", `select id from receivers`).One(ctx, q, nil)
}

const sqlInsertDeals = `
insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, created_at, due_at, accepted_at,
                   next_action, next_action_at)
select d.id, d.buyer_id, d.seller_id, d.seller_id, 100, 2, 'A logo for a tea stall, three drafts, then the final files.', 7,
       @now, @now::timestamptz + interval '7 days', @now, 'expire', @now::timestamptz + interval '7 days'
  from unnest(@ids::uuid[], @buyers::uuid[], @sellers::uuid[]) as d (id, buyer_id, seller_id)`

// insertDeals inserts Pending deals that the buyers of the payments have to pay, alternating
// between the sellers.
func insertDeals(ctx context.Context, q postgres.Querier, payments []payment, buyers, sellers []uuid.UUID, now time.Time) error {
	n := len(payments)
	ids, buyerIDs, sellerIDs := make([]uuid.UUID, n), make([]uuid.UUID, n), make([]uuid.UUID, n)
	for i, p := range payments {
		ids[i], buyerIDs[i], sellerIDs[i] = p.deal, buyers[p.buyer], sellers[i*7%len(sellers)]
	}
	return postgres.Command("bench.insert_deals", sqlInsertDeals).Run(ctx, q,
		postgres.Args{"ids": ids, "buyers": buyerIDs, "sellers": sellerIDs, "now": now})
}
