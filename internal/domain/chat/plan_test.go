package chat

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

// The search for unread messages, which runs each minute, reads no conversation that has been read.
func TestUnread_plan(t *testing.T) {
	t.Parallel()
	require.NoError(t, postgres.WithTx(t.Context(), dbtest.New(t).Worker(), func(tx *postgres.Tx) error {
		// Without it, the planner reads the empty tables of the test from end to end.
		if err := postgres.Exec(t.Context(), tx, "test.no_seqscan", `set local enable_seqscan = off`, nil); err != nil {
			return err
		}
		plan, err := postgres.Values[string](t.Context(), tx, "test.plan", "explain "+sqlUnread, pgx.NamedArgs{
			"since": time.Now(), "conversation": uuid.New(), "reader": uuid.New(), "before": time.Now(), "limit": unreadBatch,
		})
		text := strings.Join(plan, "\n")
		require.Contains(t, text, "conversations_untold_a")
		require.Contains(t, text, "conversations_untold_b")
		require.NotContains(t, text, "Seq Scan")
		return err
	}))
}
