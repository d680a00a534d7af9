package bench

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/postgres"
)

const sqlVersion = `show server_version`

func serverVersion(ctx context.Context, q postgres.Querier) (version string, err error) {
	err = q.QueryRow(ctx, sqlVersion).Scan(&version)
	return version, err
}

const sqlWaitingJobs = `select count(*) from river.river_job where state in ('available', 'running', 'retryable')`

func waitingJobs(ctx context.Context, q postgres.Querier) (n int, err error) {
	err = q.QueryRow(ctx, sqlWaitingJobs).Scan(&n)
	return n, err
}

func checkpoint(ctx context.Context, q postgres.Querier) error {
	_, err := q.Exec(ctx, `checkpoint`)
	return err
}

// analyze tells the planner of rows that came faster than it looks by itself.
func analyze(ctx context.Context, q postgres.Querier) error {
	_, err := q.Exec(ctx, `analyze`)
	return err
}

const sqlInsertUsers = `
insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at, is_admin)
select id, @name || n, @name || n || '@amanat.test', '', @name || n, @now, @now, @admin
  from unnest(@ids::uuid[]) with ordinality as u (id, n)`

// insertUsers makes people who cannot sign in: they have sessions already.
func insertUsers(ctx context.Context, q postgres.Querier, name string, admin bool, ids []uuid.UUID, now time.Time) error {
	_, err := q.Exec(ctx, sqlInsertUsers, pgx.NamedArgs{"name": name, "admin": admin, "ids": ids, "now": now})
	return err
}

const sqlInsertConversations = `
insert into conversations (id, user_a, user_b, started_by, created_at, updated_at)
select c.id, least(c.a, c.b), greatest(c.a, c.b), c.a, @now, @now from unnest(@ids::uuid[], @senders::uuid[], @receivers::uuid[]) as c (id, a, b)`

// insertConversations makes conversations that the senders have begun, and in which nothing was said yet.
func insertConversations(ctx context.Context, q postgres.Querier, ids, senders, receivers []uuid.UUID, now time.Time) error {
	_, err := q.Exec(ctx, sqlInsertConversations, pgx.NamedArgs{"ids": ids, "senders": senders, "receivers": receivers, "now": now})
	return err
}

const sqlInsertSessions = `
insert into sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, password_confirmed_at)
select user_id, user_id, hash, @now, @now, @now::timestamptz + interval '1 day', @now
  from unnest(@users::uuid[], @hashes::bytea[]) as s (user_id, hash)`

func insertSessions(ctx context.Context, q postgres.Querier, users []uuid.UUID, hashes [][]byte, now time.Time) error {
	_, err := q.Exec(ctx, sqlInsertSessions, pgx.NamedArgs{"users": users, "hashes": hashes, "now": now})
	return err
}

const sqlInsertDeals = `
insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, created_at, due_at, next_action, next_action_at)
select d.id, d.buyer_id, d.seller_id, d.seller_id, 100, 2, 'A logo for a tea stall, three drafts, then the final files.', 7,
       @now, @now::timestamptz + interval '7 days', 'expire', @now::timestamptz + interval '7 days'
  from unnest(@ids::uuid[], @buyers::uuid[], @sellers::uuid[]) as d (id, buyer_id, seller_id)`

// insertDeals makes Pending deals that the buyers of the bills have to pay, with every seller in turn.
func insertDeals(ctx context.Context, q postgres.Querier, bills []bill, buyers, sellers []uuid.UUID, now time.Time) error {
	ids, buyerIDs, sellerIDs := make([]uuid.UUID, len(bills)), make([]uuid.UUID, len(bills)), make([]uuid.UUID, len(bills))
	for i, b := range bills {
		ids[i], buyerIDs[i], sellerIDs[i] = b.deal, buyers[b.buyer], sellers[i*7%len(sellers)]
	}
	_, err := q.Exec(ctx, sqlInsertDeals, pgx.NamedArgs{"ids": ids, "buyers": buyerIDs, "sellers": sellerIDs, "now": now})
	return err
}
