package realtime

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

// Deletes the oldest first, by user_events_at, so that what remains of a log is its end.
const sqlDeleteEvents = `
with old as materialized (
  select user_id, seq, at from user_events where at >= @from and at < @before order by at limit @limit
), gone as (
  delete from user_events e using old where e.user_id = old.user_id and e.seq = old.seq returning 1
)
select (select count(*) from gone) as deleted, count(*) as found, max(at) as last from old`

func deleteEvents(ctx context.Context, q postgres.Querier, before time.Time) (int64, error) {
	return postgres.DeleteOldest(ctx, q, "realtime.delete_events", sqlDeleteEvents, pgx.NamedArgs{"before": before}, pruneBatch)
}
