package deals_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

// Status.Open and deal_is_open agree for every status that the database allows.
func TestStatusOpen_matches_sql(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t).API()
	statuses := deals.Statuses()
	known, err := postgres.Value[string](t.Context(), db, "test.statuses",
		`select pg_get_constraintdef(oid) from pg_constraint where conname = 'deals_status_check'`, nil)
	require.NoError(t, err)
	require.Len(t, statuses, strings.Count(known, "::text,")+1, known)
	for _, status := range statuses {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			open, err := postgres.Value[bool](t.Context(), db, "test.open",
				`select deal_is_open(@status)`, pgx.NamedArgs{"status": status})
			require.NoError(t, err)
			require.Equal(t, status.Open(), open)
			require.Contains(t, known, "'"+string(status)+"'")
		})
	}
}

// The planner inlines deal_is_open, so that no function is called per row.
func TestDealIsOpen_inlined_by_planner(t *testing.T) {
	t.Parallel()
	plan, err := postgres.Values[string](t.Context(), dbtest.New(t).API(), "test.plan",
		`explain (verbose) select id from deals where deal_is_open(status)`, nil)
	require.NoError(t, err)
	text := strings.Join(plan, "\n")
	require.Contains(t, text, "Active")
	require.NotContains(t, text, "deal_is_open")
}

// The planner inlines deal_counts, too, and finds the indexes that repeat its condition.
func TestDealCounts_inlined_by_planner(t *testing.T) {
	t.Parallel()
	plan, err := postgres.Values[string](t.Context(), dbtest.New(t).API(), "test.plan",
		`explain (verbose) select id from deals where deal_counts(status, price, refunded_amount, accepted_at)`, nil)
	require.NoError(t, err)
	text := strings.Join(plan, "\n")
	require.Contains(t, text, "deals_counted_")
	require.NotContains(t, text, "deal_counts")
}
