package realtime

import (
	"context"
	"fmt"
	"time"

	"amanat/internal/postgres"
)

const (
	// Retention is how long the log remembers an event. Who comes back later is told to read everything anew (hello with recovered false).
	Retention = 7 * 24 * time.Hour
	// pruneBatch is small enough that nobody waits for a batch's locks or its share of the disk.
	pruneBatch = 5_000
)

// Prune forgets events that are older than Retention, in batches that are transactions of their own, and returns how many. It is for
// workers; any number may run it at once.
func (l *Log) Prune(ctx context.Context, q postgres.Querier) (int64, error) {
	pruned, err := deleteEvents(ctx, q, l.Clock.Now().Add(-Retention))
	if err != nil {
		return pruned, fmt.Errorf("realtime: prune: %w", err)
	}
	return pruned, nil
}
