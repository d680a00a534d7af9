package chat

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

// The search for unread messages, which runs each minute, reads no conversation that has been read.
func TestUnread_plan(t *testing.T) {
	t.Parallel()
	plan := dbtest.IndexPlan(t, dbtest.New(t).Worker(), sqlUnread, postgres.Args{
		"since": time.Now(), "conversation": uuid.New(), "reader": uuid.New(), "before": time.Now(), "limit": unreadBatch,
	})
	require.Contains(t, plan, "conversations_untold_a")
	require.Contains(t, plan, "conversations_untold_b")
	require.NotContains(t, plan, "Seq Scan")
}
