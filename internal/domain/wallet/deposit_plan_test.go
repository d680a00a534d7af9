package wallet_test

import (
	"regexp"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/wallet"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

// tableScan finds a statement of which the plan reads all deposits.
var tableScan = regexp.MustCompile(`Query Text: select (id|d|count)[^\n]*\n(?:[^\n]+\n)*.*Seq Scan on deposits`)

// Every list and search of deposits uses an index, whatever the number of deposits.
func TestQueueDeposits_no_table_scans(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.exec(t, `
		insert into users (id, username, email, password_hash, is_verified, referral_code, terms_accepted_at, created_at)
		select gen_random_uuid(), 'user' || i, 'user' || i || '@example.com', '', true, 'code' || i, now(), now()
		  from generate_series(1, 2000) i`, nil)
	f.exec(t, `
		insert into deposits (id, user_id, payment_method, transaction_id, claimed_amount, amount, rate, converted_amount, status,
		                      created_at, handled_at, handled_by)
		select gen_random_uuid(), u.id, case i % 20 when 0 then 'Nagad' else 'Bkash' end, upper(left(md5(i::text), 10)), a, a, 123, a * 123,
		       case when i % 50 = 0 then 'pending' when i % 7 = 0 then 'Failed' else 'completed' end,
		       now() - i * interval '1 minute', case when i % 50 > 0 then now() - i * interval '1 minute' end,
		       case when i % 50 > 0 then (select id from users where username = 'boss') end
		  from generate_series(1, 6000) i
		  cross join lateral (select 500 * (1 + i * 37 % 300)::bigint as a) amounts
		  join users u on u.username = 'user' || (i % 2000 + 1)`, nil)
	_, err := f.db.Owner().Exec(t.Context(), `vacuum analyze deposits`)
	require.NoError(t, err)
	_, err = f.db.Owner().Exec(t.Context(), `analyze users`)
	require.NoError(t, err)

	plans := func(use func(s *wallet.Service)) string {
		return dbtest.Explain(t, f.db, func(pool *pgxpool.Pool) {
			use(&wallet.Service{DB: pool, Clock: clock.NewOffset(0)})
		})
	}
	for name, query := range map[string]wallet.DepositQuery{
		"all":                {},
		"all, largest":       {Sort: wallet.LargestFirst},
		"pending":            {Status: wallet.DepositPending},
		"pending, largest":   {Status: wallet.DepositPending, Sort: wallet.LargestFirst},
		"completed":          {Status: wallet.DepositCompleted},
		"completed, oldest":  {Status: wallet.DepositCompleted, Sort: wallet.OldestFirst},
		"completed, largest": {Status: wallet.DepositCompleted, Sort: wallet.LargestFirst},
		"by method":          {Status: wallet.DepositCompleted, Method: wallet.Nagad},
		"by method, largest": {Status: wallet.DepositCompleted, Method: wallet.Nagad, Sort: wallet.LargestFirst},
		"beginning":          {Search: "A1B"},
		"username":           {Search: "user199", Status: wallet.DepositCompleted},
		"amount":             {Search: "45", Sort: wallet.LargestFirst},
		"everything":         {Search: "12", Status: wallet.DepositCompleted, Method: wallet.Nagad},
	} {
		plan := plans(func(s *wallet.Service) {
			for range 7 { // more than the five executions for which PostgreSQL makes custom plans
				_, _, err := s.DepositWorklist(t.Context(), query, postgres.Page{Limit: 10, Offset: 10})
				require.NoError(t, err)
			}
		})
		require.Empty(t, tableScan.FindString(plan), name)
	}
	plan := plans(func(s *wallet.Service) {
		_, err := s.DepositWait(t.Context())
		require.NoError(t, err)
	})
	require.Contains(t, plan, "Index Only Scan using deposits_credited on deposits")
	plan = plans(func(s *wallet.Service) {
		_, err := s.PendingDeposits(t.Context(), f.owner)
		require.NoError(t, err)
	})
	require.Contains(t, plan, "deposits_user_pending")
}
