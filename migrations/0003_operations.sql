-- The life of a money operation: asked for by the api, settled by a worker.
create table operations (
  id            uuid primary key,
  kind          text not null,
  subject       text not null, -- deal:{id}, deposit:{id} or withdrawal:{id}
  actor_id      uuid not null references users (id),
  params        jsonb not null,
  status        text not null default 'pending' check (status in ('pending', 'done', 'rejected')),
  result        jsonb,
  error_code    text,
  error_message text,
  shortfall     bigint, -- cents
  created_at    timestamptz not null,
  finished_at   timestamptz,
  check ((status = 'pending') = (finished_at is null)),
  check ((status = 'rejected') = (error_code is not null))
);
-- One operation at a time on a deal, a deposit, a withdrawal.
create unique index operations_pending_subject on operations (subject) where status = 'pending';
create index operations_pending_age on operations (created_at) where status = 'pending';
create index operations_subject on operations (subject, created_at desc);
create index operations_finished on operations (finished_at) where status <> 'pending';

-- An Idempotency-Key and what its first request made, written in the transaction that made it. status and response are the final
-- answer, kept so that a replay says the same.
create table idempotency_keys (
  user_id      uuid not null references users (id),
  key          text not null,
  request_hash bytea not null,
  resource_id  uuid not null,
  status       smallint,
  response     jsonb,
  created_at   timestamptz not null,
  primary key (user_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
