package ledger_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
	"amanat/internal/money/ledger"
	"amanat/internal/testing/dbtest"
)

// Simulates a dump from a cluster whose transaction counter was ahead of that of the cluster where
// it is restored.
const sqlMove = `
with rollups as (update ledger.rollups set upto_xid = (upto_xid::text::bigint + 1000000)::text::xid8)
update ledger.entries set xid = (xid::text::bigint + 1000000)::text::xid8`

func TestMigrate_restored_dump_keeps_balances(t *testing.T) {
	t.Parallel()
	databases := dbtest.New(t)
	db, user := databases.Worker(), uuid.New()
	migrate := func() {
		t.Helper()
		require.NoError(t, postgres.Migrate(t.Context(), databases.OwnerURL, dbtest.Roles()))
	}
	fund(t, db, user, 5_00)
	foldAll(t, db)
	fund(t, db, user, 3_00)
	migrate()
	require.Equal(t, 1, tail(t, db), "the database has not moved, so nothing is recounted")

	_, err := databases.Owner().Exec(t.Context(), sqlMove)
	require.NoError(t, err)
	for _, pool := range []*pgxpool.Pool{databases.API(), db} {
		require.ErrorContains(t, postgres.Validate(t.Context(), pool), "run `amanat migrate`", "no process may post before the migration")
	}
	migrate()
	require.NoError(t, postgres.Validate(t.Context(), db))
	require.EqualValues(t, -8_00, balance(t, db, ledger.ExchangeUSD()))
	fund(t, db, user, 2_00)
	require.EqualValues(t, -10_00, balance(t, db, ledger.ExchangeUSD()), "new entries count")
	foldAll(t, db) // restored entries too, or each balance would read them again
	require.EqualValues(t, -10_00, balance(t, db, ledger.ExchangeUSD()))
	fund(t, db, user, 1_00)
	require.EqualValues(t, -11_00, balance(t, db, ledger.ExchangeUSD()))
	migrate()
	require.Equal(t, 1, tail(t, db), "already migrated")
}

// foldAll folds until nothing is left to fold, which transactions of other databases on the server
// delay.
func foldAll(t *testing.T, db *pgxpool.Pool) {
	t.Helper()
	require.Eventually(t, func() bool {
		_, err := ledger.Fold(t.Context(), db)
		require.NoError(t, err)
		return tail(t, db) == 0
	}, 30*time.Second, 10*time.Millisecond)
}

// tail counts the entries that are in no rollup yet.
func tail(t *testing.T, db *pgxpool.Pool) (entries int) {
	t.Helper()
	require.NoError(t, db.QueryRow(t.Context(), `
		select count(*) from ledger.entries e left join ledger.rollups r using (account_id)
		 where e.balance_after is null and e.xid >= coalesce(r.upto_xid, '0')`).Scan(&entries))
	return entries
}
