package ledger_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/ledger"
	"amanat/internal/testing/dbtest"
)

// Posting and reading balances must not scan the tables of the ledger, so that their cost does not
// grow with the number of wallets.
func TestPost_no_table_scans(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	buyer := uuid.New()
	fund(t, db.Worker(), buyer, 500_00)
	_, err := db.Owner().Exec(t.Context(), `
		insert into ledger.accounts (kind, owner_id, currency) select 'wallet', gen_random_uuid(), 'USD' from generate_series(1, 5000)`)
	require.NoError(t, err)
	_, err = db.Owner().Exec(t.Context(), `analyze ledger.accounts`)
	require.NoError(t, err)

	// One connection, since each session reports its own scans.
	one, err := postgres.Connect(t.Context(), db.WorkerURL, postgres.Options{MaxConns: 1})
	require.NoError(t, err)
	t.Cleanup(one.Close)
	before := tableScans(t, one)
	for range 10 { // more than the five executions for which PostgreSQL makes custom plans
		deal := uuid.New()
		require.NoError(t, post(t, one, ledger.Transfer{
			Key: "deal:" + deal.String() + ":pay", Kind: "deal_pay", At: at, Actor: actor.User(buyer),
			Legs: []ledger.Leg{ledger.Move(ledger.Wallet(buyer), ledger.Escrow(deal), 1_00)},
		}))
		var several []ledger.Transfer
		for range 3 {
			other := uuid.New()
			several = append(several, ledger.Transfer{
				Key: "deal:" + other.String() + ":pay", Kind: "deal_pay", At: at, Actor: actor.User(buyer),
				Legs: []ledger.Leg{ledger.Move(ledger.Wallet(buyer), ledger.Escrow(other), 1_00)},
			})
		}
		require.NoError(t, postAll(t, one, several...))
		wallet(t, one, buyer)
		balance(t, one, ledger.Escrow(deal))
		balance(t, one, ledger.ExchangeUSD())
	}
	require.Equal(t, before, tableScans(t, one))
}

// tableScans returns the number of sequential scans of each table of the ledger.
func tableScans(t *testing.T, db *pgxpool.Pool) map[string]int64 {
	t.Helper()
	_, err := db.Exec(t.Context(), `select pg_stat_force_next_flush()`)
	require.NoError(t, err)
	rows, err := db.Query(t.Context(), //nolint:rowserrcheck // ForEachRow returns it
		`select relname, seq_scan from pg_stat_user_tables where schemaname = 'ledger'`)
	require.NoError(t, err)
	scans := map[string]int64{}
	var table string
	var n int64
	_, err = pgx.ForEachRow(rows, []any{&table, &n}, func() error { scans[table] = n; return nil })
	require.NoError(t, err)
	return scans
}

// A fixed order of accounts, hence of locks, keeps concurrent transfers between the same accounts
// from deadlocking.
func TestPost_accounts_out_of_order(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t).Owner()
	low, high := uuid.MustParse("00000000-0000-7000-8000-000000000001"), uuid.MustParse("00000000-0000-7000-8000-000000000002")
	for name, refused := range map[string]struct {
		kinds  []string
		owners []uuid.UUID
	}{
		"owners":    {[]string{"wallet", "wallet"}, []uuid.UUID{high, low}},
		"kinds":     {[]string{"wallet", "escrow"}, []uuid.UUID{low, high}},
		"one twice": {[]string{"wallet", "wallet"}, []uuid.UUID{low, low}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := db.Exec(t.Context(),
				`select ledger.post('k', 'test', $1, null, null, $2, $3, array['USD', 'USD'], array[-1, 1]::bigint[])`,
				at, refused.kinds, refused.owners)
			require.ErrorContains(t, err, "out of order")
		})
	}
}
