package deals

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/platform/postgres"
	"amanat/internal/testing/dbtest"
)

// The sweep looks for reminders each minute among the deals whose action is near.
func TestToRemind_plan(t *testing.T) {
	t.Parallel()
	require.NoError(t, postgres.WithTx(t.Context(), dbtest.New(t).Worker(), func(tx *postgres.Tx) error {
		// Without it, the planner reads the empty table of the test from end to end.
		if err := postgres.Exec(t.Context(), tx, "test.no_seqscan", `set local enable_seqscan = off`, nil); err != nil {
			return err
		}
		now := time.Now()
		plan, err := postgres.Values[string](t.Context(), tx, "test.plan", "explain "+sqlToRemind, pgx.NamedArgs{
			"now": now, "soon": now.Add(remindBefore), "warned": now, "after": uuid.New(), "limit": 1000,
		})
		require.Contains(t, strings.Join(plan, "\n"), "deals_clock")
		return err
	}))
}
