package postgres_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

func setRole(t *testing.T, owner *pgxpool.Pool, setting string) {
	t.Helper()
	_, err := owner.Exec(t.Context(), `
		do $$ begin
		  execute format('alter role amanat_api in database %I `+setting+`', current_database());
		end $$`)
	require.NoError(t, err)
}

// Through PgBouncer, each statement of a pool may run in another session of the server.
func TestConnect_pooled(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	pooler := dbtest.PgBouncer(t, db)

	_, err := postgres.Connect(t.Context(), pooler.APIURL, postgres.Options{})
	require.ErrorContains(t, err, "DATABASE_POOLED=true", "settings of the session are refused")

	pool := connect(t, pooler.APIURL, postgres.Options{Pooled: true, AsyncCommit: true, ApplicationName: "pooled"})
	require.NoError(t, postgres.CheckSession(t.Context(), pool, true))
	require.ErrorContains(t, postgres.CheckSession(t.Context(), pool, false), "go through a pooler")
	require.Equal(t, "1min", setting(t, pool, "statement_timeout"))
	require.Equal(t, "15s", setting(t, pool, "lock_timeout"))
	require.Equal(t, "20s", setting(t, pool, "idle_in_transaction_session_timeout"))
	require.Equal(t, "on", setting(t, pool, "synchronous_commit"))
	require.Equal(t, "pooled", setting(t, pool, "application_name"))

	err = postgres.Migrate(t.Context(), pooler.OwnerURL, dbtest.Roles())
	require.ErrorContains(t, err, "through a pooler")
}

func TestMigrate_limits_of_roles(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	owner := db.Owner()
	pool := func() *pgxpool.Pool { return connect(t, db.APIURL, postgres.Options{Pooled: true}) }
	require.ErrorContains(t, postgres.CheckSession(t.Context(), pool(), true), "timeout is off", "a clone has no settings of roles")

	setRole(t, owner, "set statement_timeout = ''5min''")
	setRole(t, owner, "set lock_timeout = ''0s''")
	setRole(t, owner, "set synchronous_commit = off")
	require.NoError(t, postgres.Migrate(t.Context(), db.OwnerURL, dbtest.Roles()))
	limited := pool()
	require.NoError(t, postgres.CheckSession(t.Context(), limited, true))
	require.Equal(t, "5min", setting(t, limited, "statement_timeout"), "what an operator chose is kept")
	require.Equal(t, "15s", setting(t, limited, "lock_timeout"))
	require.Equal(t, "20s", setting(t, connect(t, db.WorkerURL, postgres.Options{Pooled: true}), "idle_in_transaction_session_timeout"))

	setRole(t, owner, "set synchronous_commit = local")
	require.ErrorContains(t, postgres.CheckSession(t.Context(), pool(), true), "synchronous_commit is local")
	setRole(t, owner, "set synchronous_commit = remote_apply")
	require.NoError(t, postgres.Migrate(t.Context(), db.OwnerURL, dbtest.Roles()))
	applied := pool()
	require.NoError(t, postgres.CheckSession(t.Context(), applied, true))
	require.Equal(t, "remote_apply", setting(t, applied, "synchronous_commit"))
	require.ErrorContains(t, postgres.CheckSession(t.Context(), connect(t, db.APIURL+"&lock_timeout=0", postgres.Options{}), false),
		"lock_timeout is off")
}
