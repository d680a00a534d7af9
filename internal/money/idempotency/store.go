package idempotency

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

type keyRow struct {
	RequestHash []byte
	ResourceID  uuid.UUID
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
		postgres.Command("idempotency.insert_visitor_key", sqlInsertVisitorKey).QueueCount(tx,
			postgres.Args{"hash": key.visitorHash(), "resource": resourceID, "now": now}, set)
		return
	}
	postgres.Command("idempotency.insert_key", sqlInsertKey).QueueCount(tx, postgres.Args{
		"user": key.UserID, "key": key.Value, "hash": key.Hash[:], "resource": resourceID, "now": now,
	}, set)
}

const sqlGetKey = `select request_hash, resource_id from idempotency_keys where user_id = @user and key = @key`

// A visitor's key is identified by its request too, so the stored request always matches.
const sqlGetVisitorKey = `select @request::bytea as request_hash, resource_id from visitor_keys where hash = @hash`

func getKey(ctx context.Context, q postgres.Querier, key *Key) (keyRow, error) {
	var used keyRow
	var err error
	if key.isVisitor() {
		used, err = postgres.Query[keyRow]("idempotency.get_visitor_key", sqlGetVisitorKey).One(ctx, q,
			postgres.Args{"hash": key.visitorHash(), "request": key.Hash[:]})
	} else {
		used, err = postgres.Query[keyRow]("idempotency.get_key", sqlGetKey).One(ctx, q, postgres.Args{"user": key.UserID, "key": key.Value})
	}
	return used, postgres.IfNoRows(err, fault.New(fault.NotFound, "key_unknown", "Unknown Idempotency-Key."))
}

const sqlRepoint = `update idempotency_keys set resource_id = @resource where user_id = @user and key = @key`

func repoint(ctx context.Context, tx *postgres.Tx, key *Key, resourceID uuid.UUID) error {
	return postgres.Command("idempotency.repoint", sqlRepoint).Run(ctx, tx,
		postgres.Args{"user": key.UserID, "key": key.Value, "resource": resourceID})
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
	users, err := postgres.Command("idempotency.forget_keys", sqlForgetKeys).DeleteOldest(ctx, q, postgres.Args{"before": before}, forgetBatch)
	if err != nil {
		return users, err
	}
	visitors, err := postgres.Command("idempotency.forget_visitor_keys", sqlForgetVisitorKeys).DeleteOldest(ctx, q,
		postgres.Args{"before": before}, forgetBatch)
	return users + visitors, err
}
