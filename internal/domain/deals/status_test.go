package deals_test

import (
	"strings"
	"testing"

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
	known, err := postgres.Query[string]("test.statuses",
		`select pg_get_constraintdef(oid) from pg_constraint where conname = 'deals_status_check'`).One(t.Context(), db, nil)
	require.NoError(t, err)
	require.Len(t, statuses, strings.Count(known, "::text,")+1, known)
	for _, status := range statuses {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			open, err := postgres.Query[bool]("test.open", `select deal_is_open(@status)`).One(t.Context(), db, postgres.Args{"status": status})
			require.NoError(t, err)
			require.Equal(t, status.Open(), open)
			require.Contains(t, known, "'"+string(status)+"'")
		})
	}
}

// The planner inlines deal_is_open, so that no function is called per row.
func TestDealIsOpen_inlined_by_planner(t *testing.T) {
	t.Parallel()
	plan, err := postgres.Query[string]("test.plan",
		`explain (verbose) select id from deals where deal_is_open(status)`).Many(t.Context(), dbtest.New(t).API(), nil)
	require.NoError(t, err)
	text := strings.Join(plan, "\n")
	require.Contains(t, text, "Active")
	require.NotContains(t, text, "deal_is_open")
}

// The planner inlines deal_counts, too, and finds the indexes that repeat its condition.
func TestDealCounts_inlined_by_planner(t *testing.T) {
	t.Parallel()
	plan, err := postgres.Query[string]("test.plan",
		`explain (verbose) select id from deals where deal_counts(status, price, refunded_amount, accepted_at)`).Many(
		t.Context(), dbtest.New(t).API(), nil)
	require.NoError(t, err)
	text := strings.Join(plan, "\n")
	require.Contains(t, text, "deals_counted_")
	require.NotContains(t, text, "deal_counts")
}
