package ledger_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/money/ledger"
	"amanat/internal/platform/postgres"
	"amanat/internal/testing/dbtest"
)

// A dump from a cluster that had counted its transactions further than the one it is restored in.
const sqlMove = `
with rollups as (update ledger.rollups set upto_xid = (upto_xid::text::bigint + 1000000)::text::xid8)
update ledger.entries set xid = (xid::text::bigint + 1000000)::text::xid8`

func TestADatabaseThatWasMovedKeepsItsBalances(t *testing.T) {
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
	require.Equal(t, 1, tail(t, db), "where nothing has moved, nothing is counted anew")

	_, err := databases.Owner().Exec(t.Context(), sqlMove)
	require.NoError(t, err)
	for _, pool := range []*pgxpool.Pool{databases.API(), db} {
		require.ErrorContains(t, postgres.Validate(t.Context(), pool), "run `amanat migrate`", "nobody may post before it fits")
	}
	migrate()
	require.NoError(t, postgres.Validate(t.Context(), db))
	require.EqualValues(t, -8_00, balance(t, db, ledger.ExchangeUSD()))
	fund(t, db, user, 2_00)
	require.EqualValues(t, -10_00, balance(t, db, ledger.ExchangeUSD()), "what is posted from now on is seen")
	foldAll(t, db) // also what came along, or each balance would read it again
	require.EqualValues(t, -10_00, balance(t, db, ledger.ExchangeUSD()))
	fund(t, db, user, 1_00)
	require.EqualValues(t, -11_00, balance(t, db, ledger.ExchangeUSD()))
	migrate()
	require.Equal(t, 1, tail(t, db), "once is enough")
}

// foldAll folds until nothing is left. Transactions of other databases on the server delay that.
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
