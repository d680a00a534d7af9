package dbtest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/localstack"
	"amanat/internal/lib/postgres"
	"amanat/internal/testing/program"
)

// Pooler is a PgBouncer in transaction mode in front of a test's database.
type Pooler struct {
	OwnerURL, APIURL, WorkerURL string // of the database, through the pooler
}

// PgBouncer starts a pooler that ends with the test. The logins have the settings that Migrate
// gives them, which a new database does not inherit from its template. Unlike for Redis, there is
// no substitute for the program.
func PgBouncer(tb testing.TB, db *DB) *Pooler {
	tb.Helper()
	pgbouncer := program.Path(tb, "pgbouncer")
	require.NoError(tb, postgres.Migrate(tb.Context(), db.OwnerURL, Roles()))
	pooler, err := localstack.StartPgBouncer(tb.Context(), pgbouncer, db.OwnerURL, db.APIURL, db.WorkerURL)
	require.NoError(tb, err)
	tb.Cleanup(pooler.Stop)
	return &Pooler{OwnerURL: pooler.Through(db.OwnerURL), APIURL: pooler.Through(db.APIURL), WorkerURL: pooler.Through(db.WorkerURL)}
}
