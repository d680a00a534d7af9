-- post_many posts several transfers, or none of them: it does what ledger.post does for each, with
-- one look at each account and one insert of all transfers and of all entries. p_transfers[i] says
-- which transfer, counted from 1, entry i belongs to; the entries of a transfer must be sorted as
-- for ledger.post.
-- It raises an exception if a key is taken, a stored account would fall below zero, or an amount or
-- balance is out of bounds. Then the caller rolls back and calls ledger.post for each transfer,
-- which says what is wrong with it.
--
-- Accounts are locked by kind, owner and currency, the order of all transfers, across the whole
-- call.
create or replace function ledger.post_many(
  p_keys text[], p_transfer_kinds text[], p_ats timestamptz[], p_actors uuid[], p_reasons text[],
  p_transfers integer[], p_kinds text[], p_owners uuid[], p_currencies text[], p_amounts bigint[]
) returns void language plpgsql security definer
  set search_path = ledger, pg_temp
  set plan_cache_mode = force_generic_plan as $$
declare
  c_most      constant bigint := 1000000000000000; -- as in ledger.post
  v_entry     record;
  v_id        bigint; -- of the account at hand
  v_kind      text;
  v_owner     uuid;
  v_currency  text;
  v_balance   bigint; -- null for insert-only accounts, like the version
  v_version   bigint;
  v_accounts  bigint[];
  v_balances  bigint[]; -- after each entry
  v_versions  bigint[];
  v_written   bigint[]; -- the transfers' ids
  v_count     bigint;   -- of distinct ones
begin
  for v_entry in
    select n.kind, n.owner, n.currency, n.amount, n.i
      from unnest(p_kinds, p_owners, p_currencies, p_amounts) with ordinality as n (kind, owner, currency, amount, i)
     order by n.kind collate "C", n.owner nulls first, n.currency collate "C", n.i
  loop
    if v_entry.amount is null or v_entry.amount not between -c_most and c_most then
      raise exception 'ledger: a transfer moves more than %', c_most using errcode = 'numeric_value_out_of_range';
    end if;
    if (v_entry.kind, v_entry.owner, v_entry.currency) is distinct from (v_kind, v_owner, v_currency) then
      if v_version is not null then
        update accounts a set balance = v_balance, version = v_version where a.id = v_id;
      end if;
      v_kind := v_entry.kind; v_owner := v_entry.owner; v_currency := v_entry.currency;
      for attempt in 1 .. 2 loop
        if v_owner is null then
          select a.id, null, null into v_id, v_balance, v_version from accounts a
           where a.kind = v_kind and a.owner_id is null and a.currency = v_currency;
        else
          select a.id, a.balance, a.version into v_id, v_balance, v_version from accounts a
           where a.kind = v_kind and a.owner_id = v_owner and a.currency = v_currency for update;
        end if;
        exit when found;
        insert into accounts (kind, owner_id, currency) values (v_kind, v_owner, v_currency)
          on conflict on constraint accounts_key do nothing;
      end loop;
    end if;
    v_balance := v_balance + v_entry.amount;
    v_version := v_version + 1;
    if v_balance < 0 or v_balance > c_most then
      raise exception 'ledger: a balance would be below zero or more than %', c_most;
    end if;
    v_accounts[v_entry.i] := v_id;
    v_balances[v_entry.i] := v_balance;
    v_versions[v_entry.i] := v_version;
  end loop;
  if v_version is not null then
    update accounts a set balance = v_balance, version = v_version where a.id = v_id;
  end if;

  with entry as (
    select n.transfer, count(*) as entries, array_agg(n.kind order by n.i)::text as kinds, array_agg(n.owner order by n.i)::text as owners,
           array_agg(n.currency order by n.i)::text as currencies, array_agg(n.amount order by n.i)::text as amounts
      from unnest(p_transfers, p_kinds, p_owners, p_currencies, p_amounts) with ordinality as n (transfer, kind, owner, currency, amount, i)
     group by n.transfer
  ), written as (
    insert into transfers (key, kind, request_hash, entry_count, actor_id, reason, at)
      select t.key, t.kind, sha256(convert_to(concat_ws('|', t.kind, e.kinds, e.owners, e.currencies, e.amounts), 'UTF8')),
             e.entries, t.actor, t.reason, t.at
        from unnest(p_keys, p_transfer_kinds, p_ats, p_actors, p_reasons) with ordinality as t (key, kind, at, actor, reason, i)
        join entry e on e.transfer = t.i
      on conflict on constraint transfers_key do nothing
      returning id, key
  )
  select array_agg(w.id order by t.i), count(distinct w.id) into v_written, v_count
    from unnest(p_keys) with ordinality as t (key, i) join written w using (key);
  if v_count <> cardinality(p_keys) then
    raise exception 'ledger: a key is taken';
  end if;

  insert into entries (transfer_id, account_id, currency, amount, balance_after, version, at)
    select v_written[n.transfer], n.account, n.currency, n.amount, n.balance, n.version, p_ats[n.transfer]
      from unnest(p_transfers, v_accounts, p_currencies, p_amounts, v_balances, v_versions)
           as n (transfer, account, currency, amount, balance, version);
end $$;

revoke all on function ledger.post_many from public;
