package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/accounts"
	"amanat/internal/clock"
	"amanat/internal/dbtest"
)

type output struct{ stdout, stderr bytes.Buffer }

func amanat(t *testing.T, args ...string) (*output, error) {
	t.Helper()
	out := &output{}
	err := run(t.Context(), args, &out.stdout, &out.stderr)
	return out, err
}

func TestTheCommandLineExplainsItself(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"help"}, {"-h"}} {
		out, err := amanat(t, args...)
		require.NoError(t, err)
		for _, c := range commands() {
			require.Contains(t, out.stdout.String(), c.name)
		}
	}
	out, err := amanat(t, "set-rate", "-h")
	require.NoError(t, err)
	require.Contains(t, out.stdout.String(), "Usage: amanat set-rate BDT")

	for want, args := range map[string][]string{
		"no command":                    {},
		`no command "migrat"`:           {"migrat"},
		"0 arguments expected, 1 given": {"migrate", "now"},
		"1 arguments expected, 0 given": {"grant-admin"},
		"-force":                        {"migrate", "-force"},
	} {
		out, err := amanat(t, args...)
		require.ErrorIs(t, err, errUsage)
		require.ErrorContains(t, err, want)
		require.Contains(t, out.stderr.String(), "Usage: amanat")
		require.Empty(t, out.stdout.String())
	}
}

// An operator's first minutes: schema, people, rate, books.
func TestAnOperatorSetsUpADatabase(t *testing.T) {
	db := dbtest.Empty(t)
	t.Setenv("DATABASE_URL", db.OwnerURL)
	_, err := amanat(t, "set-rate", "122.40")
	require.ErrorContains(t, err, "amanat migrate")

	t.Setenv("API_DB_PASSWORD", dbtest.Roles().APIPassword)
	require.NoError(t, os.Unsetenv("WORKER_DB_PASSWORD"))
	_, err = amanat(t, "migrate")
	require.ErrorContains(t, err, "WORKER_DB_PASSWORD: is required")
	t.Setenv("WORKER_DB_PASSWORD", dbtest.Roles().WorkerPassword)
	for range 2 {
		_, err = amanat(t, "migrate")
		require.NoError(t, err)
	}

	t.Setenv("DATABASE_URL", db.APIURL)
	_, err = amanat(t, "set-rate", "much")
	require.ErrorIs(t, err, errUsage)
	_, err = amanat(t, "set-rate", "122.40")
	require.NoError(t, err)
	_, err = amanat(t, "grant-admin", "nobody")
	require.ErrorContains(t, err, "User not found")

	requireCommandsForUsers(t, db)

	t.Setenv("DATABASE_URL", db.WorkerURL)
	_, err = amanat(t, "reconcile")
	require.NoError(t, err)

	rows, err := db.Owner().Query(t.Context(), "select usd_to_bdt from exchange_rates")
	require.NoError(t, err)
	rates, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	require.NoError(t, err)
	require.Equal(t, []int64{122_40}, rates)
}

// requireCommandsForUsers runs each command for a user, and looks at the user and at the audit log.
func requireCommandsForUsers(t *testing.T, db *dbtest.DB) {
	t.Helper()
	_, err := accounts.New(accounts.Options{DB: db.API(), Clock: clock.System{}}).Create(t.Context(),
		accounts.SignupInput{Username: "rahim", Email: "rahim@example.com", Password: "secret1"})
	require.NoError(t, err)
	for _, c := range []struct{ command, says, action, holds string }{
		{"grant-admin", "rahim is an admin now.", "user.grant_admin", "is_admin"},
		{"verify-user", "rahim has a verified address now.", "user.verify", "is_verified"},
		{"hold-withdrawals", "rahim cannot withdraw now.", "user.hold_withdrawals", "withdrawals_held_at is not null"},
		{"release-withdrawals", "rahim can withdraw again.", "user.release_withdrawals", "withdrawals_held_at is null"},
		{"disable-user", "rahim is locked out now; the sessions are ended.", "user.disable", "disabled_at is not null"},
	} {
		_, err := amanat(t, c.command, "nobody")
		require.ErrorContains(t, err, "User not found", c.command)
		out, err := amanat(t, c.command, "RAHIM")
		require.NoError(t, err, c.command)
		require.Equal(t, c.says+"\n", out.stdout.String())
		var done bool
		var action string
		require.NoError(t, db.Owner().QueryRow(t.Context(), `
			select `+c.holds+`, (select action from audit_log order by id desc limit 1) from users where username = 'rahim'`).Scan(&done, &action))
		require.True(t, done, c.command)
		require.Equal(t, c.action, action)
	}
}
