package reports_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/clock"
	"amanat/internal/dbtest"
	"amanat/internal/deals"
	"amanat/internal/money"
	"amanat/internal/reports"
)

// A thousand people, each the buyer and the seller of ten open deals of a dollar.
const sqlCrowd = `
with people as (
  insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
  select gen_random_uuid(), 'user' || n, 'user' || n || '@example.com', 'x', 'code' || n, @at, @at from generate_series(0, 999) n
  returning id, substr(username, 5)::int as n
)
insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, status, created_at, due_at, activated_at)
select gen_random_uuid(), b.id, s.id, s.id, 100, 2, 'A logo', 7, 'Active', @at, @at, @at
  from people b, generate_series(1, 10) i, people s
 where s.n = (b.n + i) % 1000`

// What is shown of a person costs the same however many open deals the others have.
func TestNobodysTotalsReadTheDealsOfOthers(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	_, err := db.Owner().Exec(t.Context(), sqlCrowd, pgx.NamedArgs{"at": at})
	require.NoError(t, err)
	_, err = db.Owner().Exec(t.Context(), `vacuum analyze users, deals`)
	require.NoError(t, err)
	var user uuid.UUID
	require.NoError(t, db.Owner().QueryRow(t.Context(), `select id from users where username = 'user7'`).Scan(&user))

	for name, use := range map[string]func(pool *pgxpool.Pool){
		"the wallet": func(pool *pgxpool.Pool) {
			w, err := (&reports.Service{DB: pool}).Wallet(t.Context(), user)
			require.NoError(t, err)
			require.Equal(t, money.Cents(10_00), w.InEscrow)
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
