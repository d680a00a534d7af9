-- Operations on money, and what makes requests safe to repeat.

-- An operation is requested by the api or the clock and settled by a worker.
create table operations (
  id            uuid primary key,
  kind          text not null,
  subject       text not null, -- such as deal:{id}, deposit:{id} or withdrawal:{id}
  actor_id      uuid references users (id), -- null: the clock
  params        jsonb not null,
  request_id    text, -- of the call that requested it, which logs and traces have, too; null: the clock
  status        text not null default 'pending' check (status in ('pending', 'done', 'rejected')),
  result        jsonb,
  error_code    text,
  error_message text,
  error_reason  text,   -- the text of the refusal, in catalogs
  error_params  jsonb,  -- the values in it
  shortfall     bigint, -- cents
  created_at    timestamptz not null,
  finished_at   timestamptz,
  check ((status = 'pending') = (finished_at is null)),
  check ((status = 'rejected') = (error_code is not null)),
  check (num_nulls(error_code, error_reason, error_message) in (0, 3))
);
-- One operation at a time on a deal, a deposit or a withdrawal.
create unique index operations_pending_subject on operations (subject) where status = 'pending';
create index operations_pending_age on operations (created_at) where status = 'pending';
-- What an account with limits is about to pay or withdraw.
create index operations_pending_actor on operations (actor_id, kind) where status = 'pending' and actor_id is not null;
create index operations_subject on operations (subject, created_at desc);
create index operations_withdrawals on operations (actor_id) where kind = 'withdrawal_hold';
-- Finds the payout that an admin has asked to book, whatever became of that.
create index operations_payout on operations ((params->>'transactionId')) where kind = 'withdrawal_send';

-- An Idempotency-Key and what its first request made, written in the transaction that made it. The
-- answer is not kept: a repeated request gets the resource as it is then.
create table idempotency_keys (
  user_id      uuid not null references users (id),
  key          text not null,
  request_hash bytea not null,
  resource_id  uuid not null,
  created_at   timestamptz not null,
  primary key (user_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Idempotency-Keys of visitors. They all share one space, so the hash is of the key and its
-- request: nobody can use up another's key or learn of it.
create table visitor_keys (
  hash        bytea primary key check (octet_length(hash) = 32),
  resource_id uuid not null,
  created_at  timestamptz not null
);
create index visitor_keys_age on visitor_keys (created_at);

-- What an operator has stopped for now. The api reads it every few seconds; the audit log keeps the
-- past.
create table pauses (
  area      text primary key check (area in ('money', 'deposits', 'withdrawals', 'signups')),
  reason    text not null,
  paused_at timestamptz not null
);
