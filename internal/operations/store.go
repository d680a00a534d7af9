package operations

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/fault"
	"amanat/internal/postgres"
)

// Operations of the clock have no actor: uuid.Nil.
const columns = `id, kind, subject, coalesce(actor_id, '00000000-0000-0000-0000-000000000000') as actor_id, params, status, result, error_code, error_message, shortfall, created_at, finished_at`

func one(ctx context.Context, q postgres.Querier, sql string, args pgx.NamedArgs) (Operation, error) {
	rows, err := q.Query(ctx, sql, args)
	if err != nil {
		return Operation{}, err
	}
	op, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Operation])
	if errors.Is(err, pgx.ErrNoRows) {
		return Operation{}, errNotFound()
	}
	return op, err
}

const sqlInsert = `
insert into operations (id, kind, subject, actor_id, params, created_at)
values (@id, @kind, @subject, @actor, @params, @now)
on conflict (subject) where status = 'pending' do nothing
returning ` + columns

func insert(ctx context.Context, tx *postgres.Tx, r Request, now time.Time) (op Operation, inserted bool, err error) {
	params, err := json.Marshal(r.Params)
	if err != nil {
		return Operation{}, false, fmt.Errorf("params of %s: %w", r.Kind, err)
	}
	op, err = one(ctx, tx, sqlInsert, pgx.NamedArgs{
		"id": r.ID, "kind": r.Kind, "subject": r.Subject, "actor": nullUUID(r.ActorID), "params": params, "now": now,
	})
	if fault.CodeOf(err) == fault.NotFound {
		return Operation{}, false, nil
	}
	return op, err == nil, err
}

const sqlGet = `select ` + columns + ` from operations where id = @id`

func get(ctx context.Context, q postgres.Querier, id uuid.UUID) (Operation, error) {
	return one(ctx, q, sqlGet, pgx.NamedArgs{"id": id})
}

func lock(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (Operation, error) {
	return one(ctx, tx, sqlGet+` for update`, pgx.NamedArgs{"id": id})
}

const sqlActorDisabled = `select disabled_at is not null from users where id = @id`

// CheckActor refuses an operation whose actor is disabled by now: code Forbidden. The clock's have no actor.
func CheckActor(ctx context.Context, tx *postgres.Tx, op Operation) error {
	if op.ActorID == uuid.Nil {
		return nil
	}
	var disabled bool
	if err := tx.QueryRow(ctx, sqlActorDisabled, pgx.NamedArgs{"id": op.ActorID}).Scan(&disabled); err != nil {
		return fmt.Errorf("actor: %w", err)
	}
	if disabled {
		return fault.New(fault.Forbidden, "This account is disabled.")
	}
	return nil
}

const sqlPendingOn = `select ` + columns + ` from operations where subject = @subject and status = 'pending'`

// PendingOn returns the operation pending on a subject. Changes of the subject that are no operation look here under the subject's
// lock: while one is pending they must be refused.
func PendingOn(ctx context.Context, q postgres.Querier, subject string) (op Operation, found bool, err error) {
	return optional(one(ctx, q, sqlPendingOn, pgx.NamedArgs{"subject": subject}))
}

const sqlPendingOnAll = `select ` + columns + ` from operations where subject = any (@subjects) and status = 'pending'`

// PendingOnAll returns the operations pending on any of the subjects, by subject.
func PendingOnAll(ctx context.Context, q postgres.Querier, subjects []string) (map[string]Operation, error) {
	rows, err := q.Query(ctx, sqlPendingOnAll, pgx.NamedArgs{"subjects": subjects})
	if err != nil {
		return nil, err
	}
	pending, err := pgx.CollectRows(rows, pgx.RowToStructByName[Operation])
	if err != nil {
		return nil, err
	}
	bySubject := make(map[string]Operation, len(pending))
	for _, op := range pending {
		bySubject[op.Subject] = op
	}
	return bySubject, nil
}

const sqlSame = `
select ` + columns + ` from operations
 where subject = @subject and kind = @kind and actor_id is not distinct from @actor and params = @params and status = @status
 order by created_at desc limit 1`

// same returns the last operation that is what r asks for, down to its params, and has the status.
func same(ctx context.Context, tx *postgres.Tx, r Request, status Status) (op Operation, found bool, err error) {
	params, err := json.Marshal(r.Params)
	if err != nil {
		return Operation{}, false, err
	}
	return optional(one(ctx, tx, sqlSame, pgx.NamedArgs{
		"subject": r.Subject, "kind": r.Kind, "actor": nullUUID(r.ActorID), "params": params, "status": status,
	}))
}

func optional(op Operation, err error) (Operation, bool, error) {
	if fault.CodeOf(err) == fault.NotFound {
		return Operation{}, false, nil
	}
	return op, err == nil, err
}

const sqlSettle = `
update operations
   set status = @status, result = @result, error_code = @code, error_message = @message, shortfall = @shortfall, finished_at = @at
 where id = @id and status = 'pending'`

func settle(ctx context.Context, tx *postgres.Tx, op Operation) error {
	tag, err := tx.Exec(ctx, sqlSettle, pgx.NamedArgs{
		"id": op.ID, "status": op.Status, "result": op.Result,
		"code": op.ErrorCode, "message": op.ErrorMessage, "shortfall": op.Shortfall, "at": op.FinishedAt,
	})
	if err != nil {
		return err
	}
	if tag.RowsAffected() != 1 {
		return fmt.Errorf("operations: %s was settled already", op.ID)
	}
	return nil
}

// A pending operation is stranded when no job of it can still run. A job that has been running for longer than money jobs may take died
// with its process; River would find it too, but only after a minute. Its times are River's, of the real clock: hence now().
const sqlStranded = `
select ` + columns + ` from operations o
 where o.status = 'pending' and o.created_at < @before
   and not exists (
     select 1 from river.river_job j
      where j.args @> jsonb_build_object('operation_id', o.id)
        and j.kind = o.kind
        and (j.state in ('available', 'pending', 'retryable', 'scheduled')
             or j.state = 'running' and j.attempted_at > now() - @overdue::interval))
 order by o.created_at limit 100
   for update skip locked`

func stranded(ctx context.Context, tx *postgres.Tx, before time.Time) ([]Operation, error) {
	rows, err := tx.Query(ctx, sqlStranded, pgx.NamedArgs{"before": before, "overdue": jobOverdue})
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[Operation])
}

type keyRow struct {
	RequestHash []byte
	ResourceID  uuid.UUID
	Status      *int16
	Response    json.RawMessage
}

const sqlInsertKey = `
insert into idempotency_keys (user_id, key, request_hash, resource_id, created_at)
values (@user, @key, @hash, @resource, @now)
on conflict (user_id, key) do nothing`

const sqlInsertVisitorKey = `
insert into visitor_keys (hash, resource_id, created_at) values (@hash, @resource, @now) on conflict (hash) do nothing`

func insertKey(ctx context.Context, tx *postgres.Tx, key *Key, resourceID uuid.UUID, now time.Time) (bool, error) {
	if key.ofVisitor() {
		tag, err := tx.Exec(ctx, sqlInsertVisitorKey, pgx.NamedArgs{"hash": key.withRequest(), "resource": resourceID, "now": now})
		return tag.RowsAffected() == 1, err
	}
	tag, err := tx.Exec(ctx, sqlInsertKey, pgx.NamedArgs{
		"user": key.UserID, "key": key.Value, "hash": key.Hash[:], "resource": resourceID, "now": now,
	})
	return tag.RowsAffected() == 1, err
}

const sqlGetKey = `select request_hash, resource_id, status, response from idempotency_keys where user_id = @user and key = @key`

// A visitor's key is found by its request, too, so it is always that of this request.
const sqlGetVisitorKey = `
select @request::bytea as request_hash, resource_id, null::smallint as status, null::jsonb as response
  from visitor_keys where hash = @hash`

func getKey(ctx context.Context, q postgres.Querier, key *Key) (keyRow, error) {
	sql, args := sqlGetKey, pgx.NamedArgs{"user": key.UserID, "key": key.Value}
	if key.ofVisitor() {
		sql, args = sqlGetVisitorKey, pgx.NamedArgs{"hash": key.withRequest(), "request": key.Hash[:]}
	}
	rows, err := q.Query(ctx, sql, args)
	if err != nil {
		return keyRow{}, err
	}
	used, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[keyRow])
	if errors.Is(err, pgx.ErrNoRows) {
		return keyRow{}, fault.New(fault.NotFound, "Unknown Idempotency-Key.")
	}
	return used, err
}

const sqlRebind = `update idempotency_keys set resource_id = @resource where user_id = @user and key = @key`

func rebind(ctx context.Context, tx *postgres.Tx, key *Key, resourceID uuid.UUID) error {
	if key == nil {
		return nil
	}
	_, err := tx.Exec(ctx, sqlRebind, pgx.NamedArgs{"user": key.UserID, "key": key.Value, "resource": resourceID})
	return err
}

// Nobody waits for the disk: an answer that is lost with the server is made again from what it told of.
const sqlKeepAnswer = `
with unhurried as (select set_config('synchronous_commit', 'off', true))
update idempotency_keys set status = @status, response = @response
  from unhurried
 where user_id = @user and key = @key and request_hash = @hash and status is null`

func keepAnswer(ctx context.Context, q postgres.Querier, key *Key, answer StoredAnswer) error {
	_, err := q.Exec(ctx, sqlKeepAnswer, pgx.NamedArgs{
		"user": key.UserID, "key": key.Value, "hash": key.Hash[:], "status": answer.Status, "response": answer.Body,
	})
	return err
}

func nullUUID(id uuid.UUID) *uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return &id
}

const sqlForgetKeys = `
delete from idempotency_keys k
 using (select user_id, key from idempotency_keys where created_at < @before order by created_at limit @limit) old
 where k.user_id = old.user_id and k.key = old.key`

const sqlForgetVisitorKeys = `
delete from visitor_keys where hash in (select hash from visitor_keys where created_at < @before order by created_at limit @limit)`

func forgetKeys(ctx context.Context, q postgres.Querier, before time.Time) (int64, error) {
	users, err := postgres.InBatches(ctx, q, sqlForgetKeys, pgx.NamedArgs{"before": before}, keysBatch)
	if err != nil {
		return users, err
	}
	visitors, err := postgres.InBatches(ctx, q, sqlForgetVisitorKeys, pgx.NamedArgs{"before": before}, keysBatch)
	return users + visitors, err
}
