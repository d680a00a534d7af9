package postgres_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

func TestCheckServer(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		facts   postgres.ServerFacts
		refusal string
	}{
		"fit":          {postgres.ServerFacts{Version: 18_00_04, Encoding: "UTF8", Letters: 3, Backend: 7}, ""},
		"newer":        {postgres.ServerFacts{Version: 19_00_00, Encoding: "UTF8", Letters: 3, Backend: 7}, ""},
		"too old":      {postgres.ServerFacts{Version: 15_00_18, Encoding: "UTF8", Letters: 3, Backend: 7}, "PostgreSQL 15"},
		"one byte":     {postgres.ServerFacts{Version: 18_00_04, Encoding: "SQL_ASCII", Letters: 3, Backend: 7}, "SQL_ASCII"},
		"ASCII locale": {postgres.ServerFacts{Version: 18_00_04, Encoding: "UTF8", Backend: 7}, "no Bangla letters"},
		"pooler":       {postgres.ServerFacts{Version: 18_00_04, Encoding: "UTF8", Letters: 3, Backend: 8}, "pooler"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := postgres.CheckServerFacts(tc.facts, 7)
			if tc.refusal == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tc.refusal)
		})
	}
}

func TestMigrate_database_without_Bangla(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ options, refusal string }{
		"locale C":  {"encoding 'UTF8' locale_provider libc locale 'C'", "no Bangla letters"},
		"SQL_ASCII": {"encoding 'SQL_ASCII' locale_provider libc locale 'C'", "SQL_ASCII"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := dbtest.Empty(t, tc.options)
			require.ErrorContains(t, postgres.Migrate(t.Context(), db.OwnerURL, dbtest.Roles()), tc.refusal)
			require.Empty(t, tables(t, db), "nothing has been changed")
		})
	}
}

var lockKey = strconv.FormatInt(postgres.MigrationsLock, 10)

func TestLockMigrations_held(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	holder, err := db.Owner().Acquire(t.Context())
	require.NoError(t, err)
	defer holder.Release()
	_, err = holder.Exec(t.Context(), "set application_name = 'amanat migrate'; select pg_advisory_lock("+lockKey+")")
	require.NoError(t, err)
	waiter, err := db.Owner().Acquire(t.Context())
	require.NoError(t, err)
	defer waiter.Release()
	require.ErrorContains(t, postgres.TryLockMigrations(t.Context(), waiter), "another migration of this database is running (pid ")

	_, err = holder.Exec(t.Context(), "select pg_advisory_unlock("+lockKey+")")
	require.NoError(t, err)
	require.NoError(t, postgres.TryLockMigrations(t.Context(), waiter))
}
