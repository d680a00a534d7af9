package accounts_test

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/domain/accounts"
)

// The version that people accept is the one that the page shows.
func TestTermsVersions(t *testing.T) {
	t.Parallel()
	require.True(t, slices.IsSorted(accounts.TermsVersions()))
	page, err := os.ReadFile("../../../ui/src/i18n/en/pages/terms.ts")
	require.NoError(t, err)
	require.Contains(t, string(page), "changed: '"+accounts.CurrentTerms()+"'")
}
