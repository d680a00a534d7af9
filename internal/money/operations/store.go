package operations

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/queue/jobs"
)

// Operations of the system have no actor_id.
const columns = `id, kind, subject, actor_id, params, status, result, error_code, error_reason, error_message, error_params,
  shortfall, created_at, finished_at, request_id`

const sqlInsert = `
insert into operations (id, kind, subject, actor_id, params, created_at, request_id)
values (@id, @kind, @subject, @actor, @params, @now, nullif(@request, ''))
on conflict (subject) where status = 'pending' do nothing
returning ` + columns

// queueInsert queues the insertion of an operation and passes it to use, unless one is pending on
// the subject. requestID may be empty.
func queueInsert(tx *postgres.Tx, id uuid.UUID, r Request, requestID string, now time.Time, use func(op Operation)) {
	postgres.Query[Operation]("operations.insert", sqlInsert).Queue(tx, postgres.Args{
		"id": id, "kind": r.Kind, "subject": r.Subject, "actor": r.Actor, "params": r.Params, "now": now, "request": requestID,
	}, use)
}

const sqlGet = `select ` + columns + ` from operations where id = @id`

var readOperation = postgres.Query[Operation]("operations.get", sqlGet)

// Get returns an operation, whoever its actor is: to admins and operators. Code NotFound.
func Get(ctx context.Context, q postgres.Querier, id uuid.UUID) (Operation, error) {
	op, err := readOperation.One(ctx, q, postgres.Args{"id": id})
	return op, postgres.IfNoRows(err, errNotFound())
}

func lock(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (Operation, error) {
	op, err := postgres.Query[Operation]("operations.lock", sqlGet+` for update`).One(ctx, tx, postgres.Args{"id": id})
	return op, postgres.IfNoRows(err, errNotFound())
}

// lockAll locks operations in ID order.
var lockAll = postgres.Query[Operation]("operations.lock_all",
	`select `+columns+` from operations where id = any (@ids) order by id for update`)

var pendingOn = postgres.Query[Operation]("operations.pending_on",
	`select `+columns+` from operations where subject = @subject and status = 'pending'`)

// PendingOn returns the operation pending on a subject. A change of the subject that is not an
// operation must call it under the subject's lock and refuse while one is pending.
func PendingOn(ctx context.Context, q postgres.Querier, subject string) (op Operation, found bool, err error) {
	return pendingOn.Find(ctx, q, postgres.Args{"subject": subject})
}

// QueuePendingOn is PendingOn as a queued statement. It passes the operation to use, unless there
// is none.
func QueuePendingOn(q postgres.Queue, subject string, use func(op Operation)) {
	pendingOn.Queue(q, postgres.Args{"subject": subject}, use)
}

const sqlPendingOnAll = `select ` + columns + ` from operations where subject = any (@subjects) and status = 'pending'`

// PendingOnAll returns the operations pending on any of the subjects, by subject.
func PendingOnAll(ctx context.Context, q postgres.Querier, subjects []string) (map[string]Operation, error) {
	pending, err := postgres.Query[Operation]("operations.pending_on_all", sqlPendingOnAll).Many(ctx, q, postgres.Args{"subjects": subjects})
	if err != nil {
		return nil, err
	}
	bySubject := make(map[string]Operation, len(pending))
	for _, op := range pending {
		bySubject[op.Subject] = op
	}
	return bySubject, nil
}

const sqlFindEquivalent = `
select ` + columns + ` from operations
 where subject = @subject and kind = @kind and actor_id is not distinct from @actor and params = @params and status = @status
 order by created_at desc limit 1`

// findEquivalent returns the latest operation with the given status that equals r in subject, kind,
// actor and params.
func findEquivalent(ctx context.Context, tx *postgres.Tx, r Request, status Status) (op Operation, found bool, err error) {
	return postgres.Query[Operation]("operations.find_equivalent", sqlFindEquivalent).Find(ctx, tx, postgres.Args{
		"subject": r.Subject, "kind": r.Kind, "actor": r.Actor, "params": r.Params, "status": status,
	})
}

const sqlSettle = `
update operations o
   set status = s.status, result = s.result, error_code = s.code, error_reason = s.reason,
       error_message = s.message, error_params = s.params, shortfall = s.shortfall, finished_at = s.at
  from unnest(@ids::uuid[], @statuses::text[], @results::jsonb[], @codes::text[], @reasons::text[], @messages::text[], @params::jsonb[],
              @shortfalls::bigint[], @ats::timestamptz[])
         as s (id, status, result, code, reason, message, params, shortfall, at)
 where o.id = s.id and o.status = 'pending'`

// queueNotify wakes the workers of money as River's own notification does, which the same
// transaction sends at most once. River omits notifications that follow each other within a few
// milliseconds, so without this, an operation right after another one would wait for the next poll.
func queueNotify(tx *postgres.Tx) {
	postgres.Command("operations.notify", "select pg_notify(@channel, @payload)").Queue(tx, postgres.Args{
		"channel": jobs.Schema + ".river_insert", "payload": fmt.Sprintf(`{"queue": %q}`, jobs.QueueMoney),
	})
}

// queueSettle stores the outcomes of operations that the transaction has locked.
func queueSettle(tx *postgres.Tx, ops []Operation) {
	n := len(ops)
	ids, statuses, results := make([]uuid.UUID, n), make([]string, n), make([]*json.RawMessage, n)
	codes, reasons, messages := make([]*string, n), make([]*string, n), make([]*string, n)
	params, shortfalls, ats := make([]*fault.Params, n), make([]*int64, n), make([]*time.Time, n)
	for i, op := range ops {
		ids[i], statuses[i] = op.ID, string(op.Status)
		codes[i], reasons[i], messages[i], shortfalls[i], ats[i] = op.ErrorCode, op.ErrorReason, op.ErrorMessage, op.Shortfall, op.FinishedAt
		if op.Result != nil {
			results[i] = &op.Result
		}
		if op.ErrorParams != nil {
			params[i] = &op.ErrorParams
		}
	}
	postgres.Command("operations.settle", sqlSettle).QueueCount(tx, postgres.Args{
		"ids": ids, "statuses": statuses, "results": results, "codes": codes, "reasons": reasons, "messages": messages,
		"params": params, "shortfalls": shortfalls, "ats": ats,
	}, func(settled int64) error {
		if settled != int64(n) {
			return fmt.Errorf("%d of %d were settled already", int64(n)-settled, n)
		}
		return nil
	})
}

// stranded locks and returns the operations without a live job that no other transaction has
// locked, the oldest first, at most a hundred.
//
// A pending operation is stranded if none of its jobs can run any more: the operation and its job
// are written in one transaction. River itself rescues running jobs whose worker has died.
//
// EXCEPT reads both tables once, whatever their statistics say. An anti join may be planned as a
// nested loop, which takes longer than the sweep may in a backlog of thousands of operations.
var stranded = postgres.Query[Operation]("operations.stranded", `
with stranded as (
  select kind, id::text as id from operations where status = 'pending'
  except
  select kind, args ->> 'operation_id'
    from `+postgres.RiverJobs+`
   where queue = @queue and state in ('available', 'pending', 'retryable', 'running', 'scheduled')
)
select `+columns+` from operations
 where status = 'pending' and id in (select id::uuid from stranded)
 order by created_at limit 100
   for update skip locked`)

type actorRow struct {
	ID       uuid.UUID
	Disabled bool
	Admin    bool
}

// listActors reads the users who are the actors of operations.
var listActors = postgres.Query[actorRow]("operations.actors", `
select id, disabled_at is not null as disabled, is_admin as admin from users
 where id = any (array(select actor_id from operations where id = any (@ids)))`)

// maxOfCall bounds the operations of one call and of calls with the same reference.
const maxOfCall = 20

// There is no index: an operator may wait some seconds, and each payment would have to write to it.
var byReference = postgres.Query[Operation]("operations.by_reference", `
select `+columns+` from operations
 where substr(sha256(convert_to(request_id, 'UTF8')), 1, length(@prefix::bytea)) = @prefix
 order by created_at desc limit @most`)

// cancelJobs cancels the operation's jobs that are not running.
//
// Running jobs are left to finish. The times are those of River, in real time.
var cancelJobs = postgres.Command("operations.cancel_jobs", `
update `+postgres.RiverJobs+` set state = 'cancelled', finalized_at = now()
 where args @> jsonb_build_object('operation_id', @operation::uuid) and state in ('available', 'pending', 'retryable', 'scheduled')`)
