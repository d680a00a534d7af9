package main

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/money/chain"
	"amanat/internal/testing/dbtest"
)

// requireChains verifies the chains, and finds a row that was changed.
func requireChains(t *testing.T, db *dbtest.DB) {
	t.Helper()
	for _, head := range []string{"x", "ab"} {
		_, err := amanat(t, "verify-chain", "--head", head)
		require.ErrorIs(t, err, errUsage)
	}
	sealed, err := (&chain.Sealer{DB: db.Worker()}).Seal(t.Context(), time.Now())
	require.NoError(t, err)
	require.Positive(t, sealed)
	out, err := amanat(t, "verify-chain")
	require.NoError(t, err)
	require.Regexp(t, `ok      audit: \d+ rows sealed, 0 not yet`, out.stdout.String())
	head := regexp.MustCompile(`head \d+ ([0-9a-f]{64})`).FindStringSubmatch(out.stdout.String())
	require.NotEmpty(t, head)
	_, err = amanat(t, "verify-chain", "--head", head[1])
	require.NoError(t, err)
	out, err = amanat(t, "verify-chain", "--head", strings.Repeat("0", 64))
	require.ErrorIs(t, err, errChain)
	require.Contains(t, out.stdout.String(), "BROKEN  no seal has the hash 0000")

	_, err = db.Owner().Exec(t.Context(), `set session_replication_role = replica;
		update audit_log set action = 'nothing' where id = 1; set session_replication_role = default`)
	require.NoError(t, err)
	out, err = amanat(t, "verify-chain")
	require.ErrorIs(t, err, errChain)
	require.Contains(t, out.stdout.String(), "BROKEN  audit")
	require.Contains(t, out.stdout.String(), "entry of the audit log 1 or its seal 1 was changed")
}
