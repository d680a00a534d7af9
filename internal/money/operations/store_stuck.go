package operations

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
	"amanat/queue/jobs"
)

// The jobs are read once for all operations, since no index finds those of one.
const sqlListStuck = `
with job as (
  select distinct on (kind, args ->> 'operation_id') kind, args ->> 'operation_id' as operation_id, state::text as state, attempt,
         errors[cardinality(errors)] ->> 'error' as error
    from ` + postgres.RiverJobs + `
   where queue = @queue
   order by kind, args ->> 'operation_id', id desc
)
select o.id, o.kind, o.subject, coalesce(u.username, '') as actor, o.created_at, coalesce(j.state, '') as job_state,
       coalesce(j.attempt, 0) as attempts, coalesce(j.error, '') as last_error
  from operations o
  left join users u on u.id = o.actor_id
  left join job j on j.kind = o.kind and j.operation_id = o.id::text
 where o.status = 'pending' and o.created_at < @before
 order by o.created_at`

func listStuck(ctx context.Context, q postgres.Querier, before time.Time) ([]Stuck, error) {
	return postgres.Many[Stuck](ctx, q, "operations.list_stuck", sqlListStuck, pgx.NamedArgs{"before": before, "queue": jobs.QueueMoney})
}

// Running jobs are left to finish. The times are those of River, in real time.
const sqlCancelJobs = `
update ` + postgres.RiverJobs + ` set state = 'cancelled', finalized_at = now()
 where args @> jsonb_build_object('operation_id', @operation::uuid) and state in ('available', 'pending', 'retryable', 'scheduled')`

// cancelJobs cancels the operation's jobs that are not running.
func cancelJobs(ctx context.Context, tx *postgres.Tx, operation uuid.UUID) error {
	return postgres.Exec(ctx, tx, "operations.cancel_jobs", sqlCancelJobs, pgx.NamedArgs{"operation": operation})
}
