package realtime

import (
	"context"
	"fmt"
	"time"

	"amanat/internal/lib/postgres"
)

const (
	// Retention is how long the log keeps an event. A client that reconnects later is told to
	// refetch everything (hello with recovered false).
	Retention = 7 * 24 * time.Hour
	// pruneBatch bounds each DELETE, so that its locks and disk writes are short.
	pruneBatch = 5_000
)

// Prune deletes events older than Retention, in batches that are transactions of their own, and
// returns how many it deleted. Workers call it; concurrent calls are safe.
func (l *Log) Prune(ctx context.Context, q postgres.Querier) (int64, error) {
	pruned, err := deleteEvents(ctx, q, l.Clock.Now().Add(-Retention))
	if err != nil {
		return pruned, fmt.Errorf("realtime: prune: %w", err)
	}
	return pruned, nil
}
