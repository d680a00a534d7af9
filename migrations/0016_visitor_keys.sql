-- Idempotency-Keys of visitors. They all share one space, so a key counts only together with its request: the hash is of both, and nobody
-- can use up another's key or learn of it. What was answered is not kept: it is made again from the resource.
create table visitor_keys (
  hash        bytea primary key check (octet_length(hash) = 32),
  resource_id uuid not null,
  created_at  timestamptz not null
);
create index visitor_keys_age on visitor_keys (created_at);
