package reports_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/testing/dbtest"
)

// 200 users, each the buyer and the seller of ten open deals of one dollar.
const sqlCrowd = `
with people as (
  insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
  select gen_random_uuid(), 'user' || n, 'user' || n || '@example.com', 'x', 'code' || n, @at, @at from generate_series(0, 199) n
  returning id, substr(username, 5)::int as n
)
insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, status, created_at, due_at, activated_at)
select gen_random_uuid(), b.id, s.id, s.id, 100, 2, 'A logo', 7, 'Active', @at, @at, @at
  from people b, generate_series(1, 10) i, people s
 where s.n = (b.n + i) % 200`

// The totals of one user are read by indexes, so their cost does not depend on the open deals of
// other users.
func TestUserTotals_plans_use_indexes(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	_, err := db.Owner().Exec(t.Context(), sqlCrowd, postgres.Args{"at": at})
	require.NoError(t, err)
	db.Grow(5, "users", "deals")
	var user uuid.UUID
	require.NoError(t, db.Owner().QueryRow(t.Context(), `select id from users where username = 'user7'`).Scan(&user))

	for name, use := range map[string]func(pool *pgxpool.Pool){
		"the wallet": func(pool *pgxpool.Pool) {
			w, err := (&reports.Service{DB: pool}).Wallet(t.Context(), user)
			require.NoError(t, err)
			require.Equal(t, money.Cents(10_00), w.InEscrow)
			require.Equal(t, money.Cents(10_00), w.InEscrowSales)
		},
		"a user to admins": func(pool *pgxpool.Pool) {
			p, err := (&reports.Service{DB: pool}).Person(t.Context(), user)
			require.NoError(t, err)
			require.Equal(t, money.Cents(10_00), p.InEscrow)
			require.Equal(t, 20, p.Deals)
		},
		"the open deals of the dashboard": func(pool *pgxpool.Pool) {
			count, total, err := (&deals.Service{DB: pool, Clock: clock.System{}}).OpenTotals(t.Context(), user)
			require.NoError(t, err)
			require.Equal(t, 20, count)
			require.Equal(t, money.Cents(20_00), total)
		},
	} {
		plans := dbtest.Explain(t, db, use)
		require.Contains(t, plans, "deals_buyer", name)
		require.NotContains(t, plans, "Seq Scan on deals", name)
		require.NotContains(t, plans, "deals_status", name)
	}
}

// Half of the addresses begin with other letters than the usernames.
const sqlRegistered = `
insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
select gen_random_uuid(), left(md5(n::text), 12), left(md5((n / 2)::text), 12) || n || '@example.com', 'x', 'code' || n, @at, @at
  from generate_series(1, 2000) n`

// No search of an admin for a user reads the whole table, except one for letters that most of them
// have.
func TestSearchPeople_plans_use_indexes(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	_, err := db.Owner().Exec(t.Context(), sqlRegistered, postgres.Args{"at": time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)})
	require.NoError(t, err)
	// It finds beginnings only in databases that sort by code point, as those of tests do.
	_, err = db.Owner().Exec(t.Context(), `drop index users_email_key`)
	require.NoError(t, err)
	db.Grow(10, "users")
	for query, indexes := range map[string][]string{
		"ab":  {"users_username_beginning", "users_email_beginning"},
		"a_b": {"users_username_beginning", "users_email_beginning"},
		"abc": {"users_username_trigrams", "users_email_trgm"},
	} {
		plans := dbtest.Explain(t, db, func(pool *pgxpool.Pool) {
			service := &reports.Service{DB: pool, Clock: clock.System{}}
			for range 10 { // after five executions PostgreSQL may choose a generic plan
				_, _, err := service.SearchPeople(t.Context(), query, postgres.Page{Limit: 20})
				require.NoError(t, err)
			}
		})
		for _, index := range indexes {
			require.Equal(t, 20, strings.Count(plans, index), "%s, the count and the list: %s", query, plans)
		}
		require.NotContains(t, plans, "Seq Scan on users", query)
	}
}

// One fee an hour for seven weeks.
const sqlFees = `
select ledger.post('fee:' || n, 'test', @at::timestamptz + n * interval '1 hour', null, null,
                   array['exchange', 'fees'], array[null, null]::uuid[], array['USD', 'USD'], array[-2, 2]::bigint[])
  from generate_series(0, 999) n`

// The earnings of a few days read only the entries of those days, however long the ledger is.
func TestEarnings_plans_use_index(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	from := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	_, err := db.Owner().Exec(t.Context(), sqlFees, postgres.Args{"at": from})
	require.NoError(t, err)
	db.Grow(5, "ledger.entries", "ledger.accounts")
	first := from.AddDate(0, 0, 20)

	for name, use := range map[string]func(s *reports.Service){
		"a day": func(s *reports.Service) {
			next := first.AddDate(0, 0, 1)
			sum, err := s.Total(t.Context(), reports.Earnings, reports.Period{From: &first, To: &next})
			require.NoError(t, err)
			require.Equal(t, reports.Sum{Count: 24, Amount: 48}, sum)
		},
		"a chart": func(s *reports.Service) {
			series, err := s.Series(t.Context(), reports.Earnings, first, 2)
			require.NoError(t, err)
			require.Equal(t, []reports.Sum{{Count: 24, Amount: 48}, {Count: 24, Amount: 48}}, series)
		},
	} {
		plans := dbtest.Explain(t, db, func(pool *pgxpool.Pool) { use(&reports.Service{DB: pool}) })
		require.Contains(t, plans, "entries_own_at", name)
		require.NotContains(t, plans, "Seq Scan on entries", name)
	}
}

// 8,000 completed deals of 200 users, two between each buyer and seller.
const sqlTraded = `
with people as (
  insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
  select gen_random_uuid(), 'user' || n, 'user' || n || '@example.com', 'x', 'code' || n, @at, @at from generate_series(0, 199) n
  returning id, substr(username, 5)::int as n
)
insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, status, created_at, due_at, accepted_at,
                   activated_at, closed_at)
select gen_random_uuid(), b.id, s.id, s.id, 100, 2, 'A logo', 7, 'Completed', @at, @at, @at, @at, @at
  from people b, generate_series(1, 40) i, people s
 where s.n = (b.n + 1 + i % 20) % 200`

// The trade volume on a public profile reads only that user's deals, by indexes.
func TestTrade_plan_uses_indexes(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	_, err := db.Owner().Exec(t.Context(), sqlTraded, postgres.Args{"at": at})
	require.NoError(t, err)
	db.Grow(25, "users", "deals")
	var user uuid.UUID
	require.NoError(t, db.Owner().QueryRow(t.Context(), `select id from users where username = 'user7'`).Scan(&user))
	plans := dbtest.Explain(t, db, func(pool *pgxpool.Pool) {
		trade, err := (&reports.Service{DB: pool}).Trade(t.Context(), user)
		require.NoError(t, err)
		require.Equal(t, reports.Trade{Partners: 40, Volume: 80_00}, trade)
		require.Equal(t, reports.VolumeUnder100, trade.VolumeBand())
	})
	require.Contains(t, plans, "deals_counted_buyer")
	require.Contains(t, plans, "deals_counted_seller")
	require.NotContains(t, plans, "Seq Scan on deals")
	require.NotContains(t, plans, "deals_status")
}

func TestVolumeBand(t *testing.T) {
	t.Parallel()
	for volume, band := range map[money.Cents]reports.VolumeBand{
		0: reports.VolumeNone, 1: reports.VolumeUnder100, 99_99: reports.VolumeUnder100, 100_00: reports.VolumeUnder1000,
		999_99: reports.VolumeUnder1000, 1_000_00: reports.VolumeUnder10000, 9_999_99: reports.VolumeUnder10000,
		10_000_00: reports.VolumeBeyond10000, 1_000_000_00: reports.VolumeBeyond10000,
	} {
		t.Run(volume.String(), func(t *testing.T) {
			t.Parallel()
			require.Equal(t, band, reports.Trade{Volume: volume}.VolumeBand())
		})
	}
}
