package realtime

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"amanat/internal/platform/postgres"
)

// Deletes the oldest first, by user_events_at, so that what remains of a log is its end.
const sqlDeleteEvents = `
delete from user_events e
 using (select user_id, seq from user_events where at < @before order by at limit @limit) old
 where e.user_id = old.user_id and e.seq = old.seq`

func deleteEvents(ctx context.Context, q postgres.Querier, before time.Time) (int64, error) {
	return postgres.InBatches(ctx, q, "realtime.delete_events", sqlDeleteEvents, pgx.NamedArgs{"before": before}, pruneBatch)
}
