-- The audit log, and the seals of the log and the ledger.

-- What admins, operators and processes with power did. Append-only: no login may update or delete,
-- and neither may the owner.
create table audit_log (
  id       bigint generated always as identity primary key,
  at       timestamptz not null,
  actor_id uuid references users (id), -- null: the operator's command line
  action   text not null,
  subject  text not null,
  details  jsonb not null
);
create index audit_log_at on audit_log (at desc);
create index audit_log_actor on audit_log (actor_id, id desc);
create index audit_log_subject on audit_log (subject, id desc);
create index audit_log_action on audit_log (action, id desc);
create trigger audit_log_immutable before update or delete or truncate on audit_log
  for each statement execute function ledger.refuse_change();

-- Seals: docs/decisions/0027-hash-chain.md. A seal holds the SHA-256 of the seal before it and of
-- every column of its row, so that a row that was changed, removed or inserted later breaks the
-- chain. A job of the worker seals rows after they are committed; seq is the order of sealing, not
-- that of the rows' ids.
create schema chain;

create table chain.transfer_seals ( -- each of a row of ledger.transfers with its entries
  seq     bigint primary key check (seq > 0),
  row_id  bigint not null constraint transfer_seals_row unique,
  version smallint not null, -- of the canonical form
  hash    bytea not null check (octet_length(hash) = 32)
);
create trigger transfer_seals_immutable before update or delete or truncate on chain.transfer_seals
  for each statement execute function ledger.refuse_change();

create table chain.audit_seals ( -- each of a row of audit_log
  seq     bigint primary key check (seq > 0),
  row_id  bigint not null constraint audit_seals_row unique,
  version smallint not null,
  hash    bytea not null check (octet_length(hash) = 32)
);
create trigger audit_seals_immutable before update or delete or truncate on chain.audit_seals
  for each statement execute function ledger.refuse_change();

-- The last seal of a chain when a day began in Dhaka.
create table chain.heads (
  chain text not null,
  day   date not null,
  seq   bigint not null,
  hash  bytea not null,
  primary key (chain, day)
);
create trigger heads_immutable before update or delete or truncate on chain.heads
  for each statement execute function ledger.refuse_change();

-- How far a chain has come, and the result of its latest verification for the metrics.
create table chain.progress (
  chain         text primary key,
  settled       bigint not null default 0, -- every row with this id or a lower one is sealed, or will never exist
  reached       bigint not null default 0, -- the highest id of a sealed row
  sealed        bigint not null default 0, -- seq of the last seal
  verified      bigint not null default 0, -- the next short verification begins after this seal
  verified_hash bytea,
  verified_to   bigint not null default 0, -- settled at the latest verification without a finding
  whole_at      timestamptz,               -- of the latest whole verification without a finding
  broken        integer,                   -- findings of the latest verification; null before the first
  checked_at    timestamptz
);
insert into chain.progress (chain) values ('transfers'), ('audit');
