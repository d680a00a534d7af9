package deals

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/testing/dbtest"
)

// The sweep looks for reminders each minute among the deals whose action is near.
func TestToRemind_plan(t *testing.T) {
	t.Parallel()
	now := time.Now()
	require.Contains(t, dbtest.IndexPlan(t, dbtest.New(t).Worker(), sqlToRemind, pgx.NamedArgs{
		"now": now, "soon": now.Add(remindBefore), "warned": now, "after": uuid.New(), "limit": 1000,
	}), "deals_clock")
}
