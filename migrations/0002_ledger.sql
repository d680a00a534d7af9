-- The double-entry ledger. Amounts are integers of the smallest unit: cents and poisha. The
-- functions ledger.post and ledger.post_many are its only writers: the api and the worker may not
-- write to the tables, and triggers refuse changes of what is posted even to the owner.
create schema ledger;

create table ledger.accounts (
  id       bigint generated always as identity primary key,
  kind     text not null check (kind in
             ('wallet', 'escrow', 'hold', 'fees', 'referral_payable', 'exchange', 'bkash', 'nagad', 'corrections')),
  owner_id uuid, -- wallet: user; escrow: deal; hold: withdrawal; null: the platform's own account
  currency text not null check (currency in ('USD', 'BDT')),
  -- Stored accounts have their balance here, checked under a row lock. The platform's own accounts
  -- are in every posting, so they are insert-only: their balance is the rollup plus the entries
  -- since then, and no posting locks or updates a row that all others need.
  stored   boolean not null generated always as (kind in ('wallet', 'escrow', 'hold')) stored,
  balance  bigint not null default 0,
  version  bigint not null default 0,
  check ((kind in ('wallet', 'escrow', 'hold')) = (owner_id is not null)),
  check (kind in ('wallet', 'escrow', 'hold') or (balance = 0 and version = 0)),
  constraint accounts_floor check (balance >= 0),
  constraint accounts_key unique nulls not distinct (kind, owner_id, currency)
) with (fillfactor = 70); -- room for updates in place

create table ledger.transfers (
  id           bigint generated always as identity primary key,
  key          text not null, -- such as deal:{id}:close; what must happen once shares one key
  kind         text not null,
  request_hash bytea not null,
  entry_count  smallint not null check (entry_count >= 2),
  actor_id     uuid,
  reason       text,
  at           timestamptz not null, -- business time
  recorded_at  timestamptz not null default clock_timestamp(),
  constraint transfers_key unique (key)
);

-- No foreign key to accounts: every posting would lock the platform's rows, and accounts are never
-- deleted.
create table ledger.entries (
  transfer_id   bigint not null,
  account_id    bigint not null,
  currency      text not null,
  amount        bigint not null check (amount <> 0), -- credit above, debit below zero
  balance_after bigint, -- of stored accounts
  version       bigint, -- of stored accounts, without gaps
  at            timestamptz not null,
  xid           xid8 not null default pg_current_xact_id(),
  primary key (transfer_id, account_id),
  constraint entries_version unique (account_id, version)
);
-- Reports read stored accounts by version, which is also the order of time; only the platform's own
-- need an index by time.
create index entries_own_at on ledger.entries (account_id, at) where balance_after is null;
create index entries_tail on ledger.entries (account_id, xid) where balance_after is null;

-- What an insert-only account held when every transaction older than upto_xid had ended.
create table ledger.rollups (
  account_id bigint primary key,
  upto_xid   xid8 not null,
  balance    bigint not null
);

-- refuse_change is the trigger of append-only tables.
create function ledger.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'ledger: % of % is not allowed', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger accounts_permanent before delete or truncate on ledger.accounts
  for each statement execute function ledger.refuse_change();
create trigger transfers_immutable before update or delete or truncate on ledger.transfers
  for each statement execute function ledger.refuse_change();
-- All columns but xid: it numbers a transaction of the cluster that the entry was posted in, which
-- a database that is moved to another cluster must forget (moved.sql).
create trigger entries_immutable
  before update of transfer_id, account_id, currency, amount, balance_after, version, at or delete or truncate on ledger.entries
  for each statement execute function ledger.refuse_change();

-- check_balanced is the trigger on ledger.entries: after every insert, each affected transfer must
-- be complete and balanced in every currency. It uses subqueries instead of joins because the size
-- of "added" is unknown to the planner, and a plan for a large one would read all transfers.
create function ledger.check_balanced() returns trigger
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  broken bigint;
begin
  select a.transfer_id into broken
    from (select transfer_id, count(*) as n,
                 coalesce(sum(amount) filter (where currency = 'USD'), 0) as usd,
                 coalesce(sum(amount) filter (where currency = 'BDT'), 0) as bdt
            from added group by transfer_id) a
   where a.usd <> 0 or a.bdt <> 0
      or a.n is distinct from (select t.entry_count from ledger.transfers t where t.id = a.transfer_id)
      or a.n <> (select count(*) from ledger.entries e where e.transfer_id = a.transfer_id)
   limit 1;
  if found then
    raise exception 'ledger: transfer % is not whole or does not balance', broken using errcode = 'check_violation';
  end if;
  return null;
end $$;

create trigger entries_balanced after insert on ledger.entries
  referencing new table as added for each statement execute function ledger.check_balanced();

-- How often the latest check of the books found each rule broken, for the metrics.
create table books_checks (
  rule       text primary key,
  broken     integer not null check (broken >= 0),
  checked_at timestamptz not null
);

-- Where a check of the books that found nothing ended, so that the next one can begin there.
create table books_checkpoints (
  id         bigint generated always as identity primary key,
  checked_at timestamptz not null,
  whole_at   timestamptz not null, -- of the latest whole check that found nothing
  settled    bigint not null,      -- the transfers up to this id were checked
  horizon    xid8 not null,        -- transactions before this one had ended
  cluster    bigint not null       -- the system identifier of the cluster that the horizon is of
);
