-- Seals of the ledger and the audit log: docs/decisions/0027-hash-chain.md. A seal holds the SHA-256
-- of the seal before it and of every column of its row, so that a row that was changed, removed or
-- inserted later breaks the chain. A job of the worker seals rows after they are committed; seq is
-- the order of sealing, not that of the rows' ids.
create schema chain;

create table chain.transfer_seals ( -- each of a row of ledger.transfers with its entries
  seq     bigint primary key check (seq > 0),
  row_id  bigint not null,
  version smallint not null, -- of the canonical form
  hash    bytea not null check (octet_length(hash) = 32),
  constraint transfer_seals_row unique (row_id)
);

create table chain.audit_seals ( -- each of a row of audit_log
  seq     bigint primary key check (seq > 0),
  row_id  bigint not null,
  version smallint not null,
  hash    bytea not null check (octet_length(hash) = 32),
  constraint audit_seals_row unique (row_id)
);

-- The last seal of a chain when a day began in Dhaka.
create table chain.heads (
  chain text not null,
  day   date not null,
  seq   bigint not null,
  hash  bytea not null,
  primary key (chain, day)
);

create trigger transfer_seals_immutable before update or delete or truncate on chain.transfer_seals
  for each statement execute function ledger.refuse_change();
create trigger audit_seals_immutable before update or delete or truncate on chain.audit_seals
  for each statement execute function ledger.refuse_change();
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

-- Where a check of the books that found nothing ended, so that the next one may begin there.
create table books_checkpoints (
  id         bigint generated always as identity primary key,
  checked_at timestamptz not null,
  whole_at   timestamptz not null, -- of the latest whole check that found nothing
  settled    bigint not null,      -- the transfers up to this id were checked
  horizon    xid8 not null,        -- transactions before this one had ended
  cluster    bigint not null,      -- the system identifier of the cluster that the horizon is of
  sums       jsonb not null        -- of the entries up to then, by account of the platform
);
