package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/testing/dbtest"
)

// requireAdjustments proposes corrections with each login that the api and the worker have.
func requireAdjustments(t *testing.T, db *dbtest.DB) {
	t.Helper()
	t.Setenv("DATABASE_URL", db.APIURL)
	out, err := amanat(t, "adjustments")
	require.NoError(t, err)
	require.Equal(t, "There are no corrections.\n", out.stdout.String())
	for want, args := range map[string][]string{
		"3 arguments expected":      {"adjust", "rahim", "5"},
		`"five" is no amount`:       {"adjust", "rahim", "five", "A check"},
		"Enter a valid amount":      {"adjust", "rahim", "0", "A check"},
		"User not found":            {"adjust", "nobody", "5", "A check"},
		"less than the debit":       {"adjust", "rahim", "-9000000", "A check"},
		"--limit must be 1 to 1000": {"adjustments", "--limit", "0"},
	} {
		_, err := amanat(t, args...)
		require.ErrorContains(t, err, want)
	}
	for login, url := range map[string]string{"api": db.APIURL, "worker": db.WorkerURL} {
		t.Setenv("DATABASE_URL", url)
		out, err := amanat(t, "adjust", "--note", "As "+login, "RAHIM", "+12.50", "A deposit was lost.")
		require.NoError(t, err, login)
		require.Regexp(t, `^Proposed \S+: \+12\.50 USD for rahim, who has \S+ USD\. An admin has to confirm it by .+\.\n$`, out.stdout.String())
	}
	out, err = amanat(t, "adjustments", "--open", "--limit", "1")
	require.NoError(t, err)
	require.Regexp(t, `rahim +\+12\.50 +open +operator +- +- +A deposit was lost\.\n1 of 2; --limit shows more\.\n$`, out.stdout.String())
	var proposals, notices int
	require.NoError(t, db.Owner().QueryRow(t.Context(), `
		select (select count(*) from audit_log where action = 'adjustment.propose' and actor_id is null),
		       (select count(*) from river.river_job where args ->> 'notice_kind' = 'admin_adjustment_operator')`).Scan(&proposals, &notices))
	require.Equal(t, 2, proposals)
	require.Equal(t, 2, notices)
}
