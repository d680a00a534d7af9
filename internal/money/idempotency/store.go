package idempotency

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

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

// queueKey queues the insertion of a key and passes to use whether it was unused.
func queueKey(tx *postgres.Tx, key *Key, resourceID uuid.UUID, now time.Time, use func(free bool)) {
	set := func(n int64) error {
		use(n == 1)
		return nil
	}
	if key.isVisitor() {
		postgres.QueueCount(tx, "idempotency.insert_visitor_key", sqlInsertVisitorKey,
			pgx.NamedArgs{"hash": key.visitorHash(), "resource": resourceID, "now": now}, set)
		return
	}
	postgres.QueueCount(tx, "idempotency.insert_key", sqlInsertKey, pgx.NamedArgs{
		"user": key.UserID, "key": key.Value, "hash": key.Hash[:], "resource": resourceID, "now": now,
	}, set)
}

const sqlGetKey = `select request_hash, resource_id, status, response from idempotency_keys where user_id = @user and key = @key`

// A visitor's key is identified by its request too, so the stored request always matches.
const sqlGetVisitorKey = `
select @request::bytea as request_hash, resource_id, null::smallint as status, null::jsonb as response
  from visitor_keys where hash = @hash`

func getKey(ctx context.Context, q postgres.Querier, key *Key) (keyRow, error) {
	var used keyRow
	var err error
	if key.isVisitor() {
		used, err = postgres.One[keyRow](ctx, q, "idempotency.get_visitor_key", sqlGetVisitorKey,
			pgx.NamedArgs{"hash": key.visitorHash(), "request": key.Hash[:]})
	} else {
		used, err = postgres.One[keyRow](ctx, q, "idempotency.get_key", sqlGetKey, pgx.NamedArgs{"user": key.UserID, "key": key.Value})
	}
	return used, postgres.IfNoRows(err, fault.New(fault.NotFound, "key_unknown", "Unknown Idempotency-Key."))
}

const sqlRepoint = `update idempotency_keys set resource_id = @resource where user_id = @user and key = @key`

func repoint(ctx context.Context, tx *postgres.Tx, key *Key, resourceID uuid.UUID) error {
	return postgres.Exec(ctx, tx, "idempotency.repoint", sqlRepoint,
		pgx.NamedArgs{"user": key.UserID, "key": key.Value, "resource": resourceID})
}

// A response lost in a crash is rendered again from its resource, so the commit need not wait for
// the disk. The rows are looked up by key, whatever their number is, so one plan does; without the
// setting the statement is planned for each number of them.
const sqlSaveSettings = `
select set_config('synchronous_commit', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)`

const sqlSaveResponses = `
update idempotency_keys k
   set status = r.status, response = r.response
  from unnest(@users::uuid[], @keys::text[], @hashes::bytea[], @statuses::smallint[], @responses::jsonb[])
         as r (user_id, key, hash, status, response)
 where k.user_id = r.user_id and k.key = r.key and k.request_hash = r.hash and k.status is null`

func saveResponses(ctx context.Context, q postgres.Querier, saved []savedResponse) error {
	users := make([]uuid.UUID, len(saved))
	keys := make([]string, len(saved))
	hashes := make([][]byte, len(saved))
	statuses := make([]int16, len(saved))
	responses := make([]string, len(saved))
	for i, r := range saved {
		users[i], keys[i], hashes[i] = r.user, r.value, r.hash[:]
		statuses[i], responses[i] = int16(r.response.Status), string(r.response.Body)
	}
	var batch postgres.Batch // one transaction
	postgres.QueueExec(&batch, "idempotency.save_settings", sqlSaveSettings, nil)
	postgres.QueueExec(&batch, "idempotency.save_responses", sqlSaveResponses, pgx.NamedArgs{
		"users": users, "keys": keys, "hashes": hashes, "statuses": statuses, "responses": responses,
	})
	return batch.Send(ctx, q)
}

const sqlForgetKeys = `
with old as materialized (
  select user_id, key, created_at from idempotency_keys
   where created_at >= @from and created_at < @before order by created_at limit @limit
), gone as (
  delete from idempotency_keys k using old where k.user_id = old.user_id and k.key = old.key returning 1
)
select (select count(*) from gone) as deleted, count(*) as found, max(created_at) as last from old`

const sqlForgetVisitorKeys = `
with old as materialized (
  select hash, created_at from visitor_keys where created_at >= @from and created_at < @before order by created_at limit @limit
), gone as (
  delete from visitor_keys k using old where k.hash = old.hash returning 1
)
select (select count(*) from gone) as deleted, count(*) as found, max(created_at) as last from old`

func forget(ctx context.Context, q postgres.Querier, before time.Time) (int64, error) {
	users, err := postgres.DeleteOldest(ctx, q, "idempotency.forget_keys", sqlForgetKeys, pgx.NamedArgs{"before": before}, forgetBatch)
	if err != nil {
		return users, err
	}
	visitors, err := postgres.DeleteOldest(ctx, q, "idempotency.forget_visitor_keys", sqlForgetVisitorKeys,
		pgx.NamedArgs{"before": before}, forgetBatch)
	return users + visitors, err
}
