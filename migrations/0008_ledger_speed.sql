-- Posting with plain index lookups. "owner_id is not distinct from" can use no index: each posting read every wallet there is.

-- Reports read stored accounts by version, which is the order of time too; only the provider's own need an index by time.
drop index ledger.entries_account_at;
create index entries_own_at on ledger.entries (account_id, at) where balance_after is null;

-- Subqueries, not joins: nothing is known of the size of "added", and a plan for a large one would read all transfers.
create or replace function ledger.check_balanced() returns trigger
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

-- post moves money in one transfer: p_amounts[i] is added to the account (p_kinds[i], p_owners[i], p_currencies[i]), made at first use.
-- Accounts come in the order of kind, owner and currency, in which all transfers lock them.
-- outcome: posted; replayed (the same transfer stands under this key); mismatch (another transfer does); insufficient (a stored account
-- would fall below zero: nothing is written, shortfall says by how much, and the caller's transaction stays usable).
-- Plans of single-row lookups are the same for all values: making them anew at each call took most of its time.
create or replace function ledger.post(
  p_key text, p_kind text, p_at timestamptz, p_actor uuid, p_reason text,
  p_kinds text[], p_owners uuid[], p_currencies text[], p_amounts bigint[],
  out outcome text, out shortfall bigint
) language plpgsql security definer
  set search_path = ledger, pg_temp
  set plan_cache_mode = force_generic_plan as $$
declare
  v_hash     bytea := sha256(convert_to(concat_ws('|', p_kind, p_kinds::text, p_owners::text, p_currencies::text, p_amounts::text), 'UTF8'));
  v_accounts bigint[];
  v_balances bigint[]; -- after the transfer; null for insert-only accounts, like versions
  v_versions bigint[];
  v_id       bigint;
  v_balance  bigint;
  v_version  bigint;
  v_transfer bigint;
begin
  shortfall := 0;
  for i in 1 .. cardinality(p_kinds) loop
    if i > 1 and p_owners[i] is not null
       and (p_kinds[i] collate "C", p_owners[i], p_currencies[i] collate "C") <= (p_kinds[i - 1], p_owners[i - 1], p_currencies[i - 1]) then
      raise exception 'ledger: transfer % has its accounts out of order', p_key;
    end if;
    for attempt in 1 .. 2 loop
      if p_owners[i] is null then
        select a.id, null, null into v_id, v_balance, v_version from accounts a
         where a.kind = p_kinds[i] and a.owner_id is null and a.currency = p_currencies[i];
      else
        -- Who waits for the lock then sees what the other transaction has left.
        select a.id, a.balance + p_amounts[i], a.version + 1 into v_id, v_balance, v_version from accounts a
         where a.kind = p_kinds[i] and a.owner_id = p_owners[i] and a.currency = p_currencies[i] for update;
      end if;
      exit when found;
      insert into accounts (kind, owner_id, currency) values (p_kinds[i], p_owners[i], p_currencies[i])
        on conflict on constraint accounts_key do nothing;
    end loop;
    shortfall := greatest(shortfall, -v_balance);
    v_accounts[i] := v_id;
    v_balances[i] := v_balance;
    v_versions[i] := v_version;
  end loop;

  if shortfall = 0 then
    insert into transfers (key, kind, request_hash, entry_count, actor_id, reason, at)
      values (p_key, p_kind, v_hash, cardinality(p_amounts), p_actor, p_reason, p_at)
      on conflict on constraint transfers_key do nothing
      returning id into v_transfer;
  end if;
  if v_transfer is null then
    select case when t.request_hash = v_hash then 'replayed' else 'mismatch' end into outcome from transfers t where t.key = p_key;
    if found then
      shortfall := 0;
    else
      outcome := 'insufficient';
    end if;
    return;
  end if;

  for i in 1 .. cardinality(v_accounts) loop
    if v_versions[i] is not null then
      update accounts a set balance = v_balances[i], version = v_versions[i] where a.id = v_accounts[i];
    end if;
  end loop;
  insert into entries (transfer_id, account_id, currency, amount, balance_after, version, at)
    select v_transfer, n.id, n.currency, n.amount, n.balance, n.version, p_at
      from unnest(v_accounts, p_currencies, p_amounts, v_balances, v_versions) as n (id, currency, amount, balance, version);
  outcome := 'posted';
end $$;

-- balance of one account: 0 before its first posting. One statement, so that rollup and tail are of one moment.
create or replace function ledger.balance(p_kind text, p_owner uuid, p_currency text) returns bigint
language sql stable as $$
  select coalesce(case
    when p_owner is not null then (
      select a.balance from ledger.accounts a where a.kind = p_kind and a.owner_id = p_owner and a.currency = p_currency)
    else (
      select coalesce(r.balance, 0) + coalesce((
               select sum(e.amount) from ledger.entries e
                where e.account_id = a.id and e.balance_after is null and e.xid >= coalesce(r.upto_xid, '0'::xid8)), 0)
        from ledger.accounts a left join ledger.rollups r on r.account_id = a.id
       where a.kind = p_kind and a.owner_id is null and a.currency = p_currency)
    end, 0)::bigint
$$;
