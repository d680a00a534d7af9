package workers

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/rivertype"

	"amanat/internal/domain/reports"
	"amanat/internal/lib/postgres"
)

const sqlLockAttempts = `
select count(*) from (
  select from ` + postgres.RiverJobs + ` j join unnest(@ids::bigint[], @attempts::smallint[]) as a (id, attempt) using (id)
   where j.state = 'running' and j.attempt = a.attempt
   order by j.id for update of j) locked`

// queueLockAttempts queues the fence: it locks the jobs, in ID order and until the end of the
// transaction, and fails with errNotOurs if this attempt of one of them no longer owns it. River's
// completion does not check that: it ignores the attempt.
func queueLockAttempts(tx *postgres.Tx, rows ...*rivertype.JobRow) {
	queueAttempts(tx, "workers.lock_attempts", sqlLockAttempts, rows)
}

// queueAttempts queues a statement that counts running attempts. It fails with errNotOurs unless
// all attempts are counted.
func queueAttempts(tx *postgres.Tx, name, sql string, rows []*rivertype.JobRow) {
	postgres.QueueMany(tx, name, sql, attemptArgs(rows), func(counted []countRow) error {
		if counted[0].Count != len(rows) {
			return errNotOurs
		}
		return nil
	})
}

type countRow struct {
	Count int
}

// The statements of a group look up single rows by key, so their plans do not depend on the values;
// without the setting they are planned for every group, since a custom plan knows the group's size.
const sqlGroupSettings = `
select set_config('lock_timeout', '1s', true), set_config('plan_cache_mode', 'force_generic_plan', true)`

// queueGroupSettings makes the statements of the transaction fail that wait for a lock for a
// second, and reuse their plans.
func queueGroupSettings(tx *postgres.Tx) {
	postgres.QueueExec(tx, "workers.group_settings", sqlGroupSettings, nil)
}

// now() is the real time, as River uses it to decide when to delete the job.
const sqlComplete = `
with completed as (
  update ` + postgres.RiverJobs + ` j set state = 'completed', finalized_at = now()
    from unnest(@ids::bigint[], @attempts::smallint[]) as a (id, attempt)
   where j.id = a.id and j.state = 'running' and j.attempt = a.attempt
  returning j.id
)
select count(*) from completed`

// queueComplete completes the jobs. It fails with errNotOurs unless all attempts are running ones.
// River, which completes jobs after Work returns, then finds them completed.
func queueComplete(tx *postgres.Tx, rows []*rivertype.JobRow) {
	queueAttempts(tx, "workers.complete", sqlComplete, rows)
}

func attemptArgs(rows []*rivertype.JobRow) pgx.NamedArgs {
	ids, attempts := make([]int64, len(rows)), make([]int, len(rows))
	for i, row := range rows {
		ids[i], attempts[i] = row.ID, row.Attempt
	}
	return pgx.NamedArgs{"ids": ids, "attempts": attempts}
}

const sqlCheckedSince = `select exists (select from books_checks where checked_at >= @since)`

// checkedSince reports whether the books were checked at or after since.
func checkedSince(ctx context.Context, q postgres.Querier, since time.Time) (bool, error) {
	return postgres.Value[bool](ctx, q, "workers.checked_since", sqlCheckedSince, pgx.NamedArgs{"since": since})
}

// Rules that no longer exist are deleted.
const sqlKeepCheck = `
with gone as (
  delete from books_checks where rule <> all(@rules)
)
insert into books_checks (rule, broken, checked_at)
select n.rule, n.broken, @at from unnest(@rules::text[], @broken::integer[]) as n (rule, broken)
on conflict (rule) do update set broken = excluded.broken, checked_at = excluded.checked_at`

// keepCheck stores how often each rule of the books was found broken.
func keepCheck(ctx context.Context, q postgres.Querier, at time.Time, rules []string, broken []int) error {
	return postgres.Exec(ctx, q, "workers.keep_check", sqlKeepCheck, pgx.NamedArgs{"rules": rules, "broken": broken, "at": at})
}

const sqlKeepCheckpoint = `
insert into books_checkpoints (checked_at, whole_at, settled, horizon, cluster)
values (@at, @whole_at, @settled, @horizon::text::xid8, @cluster)`

// keepCheckpoint stores where the next check of the books may begin.
func keepCheckpoint(ctx context.Context, q postgres.Querier, c reports.Checkpoint) error {
	return postgres.Exec(ctx, q, "workers.keep_checkpoint", sqlKeepCheckpoint, pgx.NamedArgs{
		"at": c.CheckedAt, "whole_at": c.WholeAt, "settled": c.Settled, "horizon": c.Horizon, "cluster": c.Cluster,
	})
}

const sqlBooksBroken = `select exists (select from books_checks where broken > 0)`

// booksBroken reports whether the latest check of the books found anything.
func booksBroken(ctx context.Context, q postgres.Querier) (bool, error) {
	return postgres.Value[bool](ctx, q, "workers.books_broken", sqlBooksBroken, nil)
}

// Workers compare heartbeats with each other's and with River's times, hence now().
const sqlBeat = `
insert into worker_heartbeats (id, seen_at) values (@id, now())
on conflict (id) do update set seen_at = excluded.seen_at`

// saveHeartbeat records that the worker with the ID of a River client lives.
func saveHeartbeat(ctx context.Context, q postgres.Querier, id string) error {
	return postgres.Exec(ctx, q, "workers.beat", sqlBeat, pgx.NamedArgs{"id": id})
}

// deleteHeartbeat records that the worker has stopped.
func deleteHeartbeat(ctx context.Context, q postgres.Querier, id string) error {
	return postgres.Exec(ctx, q, "workers.delete_heartbeat", `delete from worker_heartbeats where id = @id`, pgx.NamedArgs{"id": id})
}

const sqlDeleteOldHeartbeats = `delete from worker_heartbeats where seen_at < now() - interval '1 hour'`

// deleteOldHeartbeats deletes those of workers that nobody has seen for an hour.
func deleteOldHeartbeats(ctx context.Context, q postgres.Querier) (int64, error) {
	return postgres.ExecCount(ctx, q, "workers.delete_old_heartbeats", sqlDeleteOldHeartbeats, nil)
}
