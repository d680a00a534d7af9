-- The double-entry ledger. Amounts are integers of the smallest unit (cents, poisha). ledger.post is the only writer: application roles
-- may not touch the tables, and triggers refuse changes of what is posted even to the owner.
create schema ledger;

create table ledger.accounts (
  id         bigint generated always as identity primary key,
  kind       text not null check (kind in
               ('wallet', 'escrow', 'hold', 'fees', 'referral_payable', 'exchange', 'bkash', 'nagad')),
  owner_id   uuid, -- wallet: user; escrow: deal; hold: withdrawal; null: the provider's own
  currency   text not null check (currency in ('USD', 'BDT')),
  -- Stored accounts keep their balance here, checked against the floor under a row lock. The provider's own accounts are in every
  -- posting, so they are insert-only: their balance is the rollup plus the entries since (no lock, no hot row).
  stored     boolean not null generated always as (kind in ('wallet', 'escrow', 'hold')) stored,
  balance    bigint not null default 0,
  version    bigint not null default 0,
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

create table ledger.entries (
  transfer_id   bigint not null,
  account_id    bigint not null,
  currency      text not null,
  amount        bigint not null check (amount <> 0), -- credit +, debit -
  balance_after bigint, -- of stored accounts
  version       bigint, -- of stored accounts, without gaps
  at            timestamptz not null,
  xid           xid8 not null default pg_current_xact_id(),
  primary key (transfer_id, account_id),
  constraint entries_version unique (account_id, version)
);
-- No foreign key to accounts: each posting would lock the provider's rows against nothing, as accounts are never deleted.
create index entries_account_at on ledger.entries (account_id, at);
create index entries_tail on ledger.entries (account_id, xid) where balance_after is null;

-- What an insert-only account held when every transaction older than upto_xid had ended.
create table ledger.rollups (
  account_id bigint primary key,
  upto_xid   xid8 not null,
  balance    bigint not null
);

create function ledger.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'ledger: % of % is not allowed', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger transfers_immutable before update or delete or truncate on ledger.transfers
  for each statement execute function ledger.refuse_change();
create trigger entries_immutable before update or delete or truncate on ledger.entries
  for each statement execute function ledger.refuse_change();
create trigger accounts_permanent before delete or truncate on ledger.accounts
  for each statement execute function ledger.refuse_change();

-- Every insert of entries must leave each transfer it touches whole and balanced in every currency.
create function ledger.check_balanced() returns trigger language plpgsql as $$
declare
  broken bigint;
begin
  select e.transfer_id into broken
    from ledger.entries e join ledger.transfers t on t.id = e.transfer_id
   where e.transfer_id in (select transfer_id from added)
   group by e.transfer_id, t.entry_count
  having count(*) <> t.entry_count
      or sum(e.amount) filter (where e.currency = 'USD') <> 0
      or sum(e.amount) filter (where e.currency = 'BDT') <> 0;
  if found then
    raise exception 'ledger: transfer % does not balance', broken using errcode = 'check_violation';
  end if;
  if exists (select 1 from added a where not exists (select 1 from ledger.transfers t where t.id = a.transfer_id)) then
    raise exception 'ledger: entry without transfer' using errcode = 'check_violation';
  end if;
  return null;
end $$;

create trigger entries_balanced after insert on ledger.entries
  referencing new table as added for each statement execute function ledger.check_balanced();

-- post moves money in one transfer: p_amounts[i] is added to the account (p_kinds[i], p_owners[i], p_currencies[i]), made at first use.
-- outcome: posted; replayed (the same transfer stands under this key); mismatch (another transfer does); insufficient (a stored account
-- would fall below zero: nothing is written, shortfall says by how much, and the caller's transaction stays usable).
create function ledger.post(
  p_key text, p_kind text, p_at timestamptz, p_actor uuid, p_reason text,
  p_kinds text[], p_owners uuid[], p_currencies text[], p_amounts bigint[],
  out outcome text, out shortfall bigint
) language plpgsql security definer set search_path = ledger, pg_temp as $$
declare
  v_hash     bytea := sha256(convert_to(concat_ws('|', p_kind, p_kinds::text, p_owners::text, p_currencies::text, p_amounts::text), 'UTF8'));
  v_accounts bigint[];
  v_found    bytea;
  v_transfer bigint;
begin
  shortfall := 0;
  for attempt in 1..2 loop
    select array_agg(a.id order by n.ord) into v_accounts
      from unnest(p_kinds, p_owners, p_currencies) with ordinality as n (kind, owner_id, currency, ord)
      join accounts a on a.kind = n.kind and a.owner_id is not distinct from n.owner_id and a.currency = n.currency;
    exit when cardinality(v_accounts) = cardinality(p_kinds);
    insert into accounts (kind, owner_id, currency)
      select n.kind, n.owner_id, n.currency
        from unnest(p_kinds, p_owners, p_currencies) as n (kind, owner_id, currency)
       order by 1, 2, 3
      on conflict on constraint accounts_key do nothing;
  end loop;

  -- Lock first, read in later statements: each then sees what the transaction it waited for has left.
  perform 1 from accounts a where a.id = any (v_accounts) and a.stored order by a.id for update;

  select t.request_hash into v_found from transfers t where t.key = p_key;
  if found then
    outcome := case when v_found = v_hash then 'replayed' else 'mismatch' end;
    return;
  end if;

  select max(-(a.balance + n.amount)) into shortfall
    from unnest(v_accounts, p_amounts) as n (id, amount)
    join accounts a on a.id = n.id
   where a.stored and a.balance + n.amount < 0;
  if shortfall > 0 then
    outcome := 'insufficient';
    return;
  end if;
  shortfall := 0;

  insert into transfers (key, kind, request_hash, entry_count, actor_id, reason, at)
    values (p_key, p_kind, v_hash, cardinality(p_amounts), p_actor, p_reason, p_at)
    on conflict on constraint transfers_key do nothing
    returning id into v_transfer;
  if v_transfer is null then
    -- Only a transfer between insert-only accounts gets here: no lock made it wait for its twin.
    select t.request_hash into strict v_found from transfers t where t.key = p_key;
    outcome := case when v_found = v_hash then 'replayed' else 'mismatch' end;
    return;
  end if;

  with n as (
    select u.id, u.currency, u.amount from unnest(v_accounts, p_currencies, p_amounts) as u (id, currency, amount)
  ), moved as (
    update accounts a set balance = a.balance + n.amount, version = a.version + 1
      from n where a.id = n.id and a.stored
    returning a.id, a.balance, a.version
  )
  insert into entries (transfer_id, account_id, currency, amount, balance_after, version, at)
    select v_transfer, n.id, n.currency, n.amount, m.balance, m.version, p_at
      from n left join moved m on m.id = n.id;
  outcome := 'posted';
end $$;

-- balance of one account: 0 before its first posting. One statement, so that rollup and tail are of one moment.
create function ledger.balance(p_kind text, p_owner uuid, p_currency text) returns bigint
language sql stable as $$
  select coalesce((
    select case when a.stored then a.balance
           else coalesce(r.balance, 0) + coalesce((
             select sum(e.amount) from ledger.entries e
              where e.account_id = a.id and e.balance_after is null and e.xid >= coalesce(r.upto_xid, '0'::xid8)), 0)
           end
      from ledger.accounts a left join ledger.rollups r on r.account_id = a.id
     where a.kind = p_kind and a.owner_id is not distinct from p_owner and a.currency = p_currency), 0)::bigint
$$;

-- fold adds to the rollups what ended transactions have posted on insert-only accounts and returns how many accounts changed. A long
-- transaction only delays it: entries of transactions that may still commit lie at or above the horizon and stay in the tail.
create function ledger.fold() returns bigint language plpgsql security definer set search_path = ledger, pg_temp as $$
declare
  horizon xid8 := pg_snapshot_xmin(pg_current_snapshot());
  folded  bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('ledger.fold', 0)); -- one at a time
  with tail as (
    select a.id, sum(e.amount) as amount
      from accounts a
      left join rollups r on r.account_id = a.id
      join entries e on e.account_id = a.id and e.balance_after is null
       and e.xid >= coalesce(r.upto_xid, '0'::xid8) and e.xid < horizon
     where not a.stored
     group by a.id
  ), written as (
    insert into rollups as r (account_id, upto_xid, balance)
      select id, horizon, amount from tail
      on conflict (account_id) do update set upto_xid = excluded.upto_xid, balance = r.balance + excluded.balance
    returning 1
  )
  select count(*) into folded from written;
  return folded;
end $$;

revoke all on function ledger.post from public;
revoke all on function ledger.fold from public;
