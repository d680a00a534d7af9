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
  v_account   record; -- and its entries, in the order of their transfers
  v_id        bigint;
  v_balance   bigint; -- null for insert-only accounts, like the version
  v_version   bigint;
  v_accounts  bigint[]; -- of each entry
  v_balances  bigint[]; -- after each entry
  v_versions  bigint[];
  v_written   bigint[]; -- the transfers' ids
  v_count     bigint;   -- of distinct ones
begin
  for v_account in
    select n.kind, n.owner, n.currency, sum(n.amount)::bigint as total, count(*) as entries,
           array_agg(n.i order by n.i) as positions, array_agg(n.amount order by n.i) as amounts
      from unnest(p_kinds, p_owners, p_currencies, p_amounts) with ordinality as n (kind, owner, currency, amount, i)
     group by n.kind, n.owner, n.currency
     order by n.kind collate "C", n.owner nulls first, n.currency collate "C"
  loop
    if v_account.owner is null then
      for attempt in 1 .. 2 loop
        select a.id, null, null into v_id, v_balance, v_version from accounts a
         where a.kind = v_account.kind and a.owner_id is null and a.currency = v_account.currency;
        exit when found;
        insert into accounts (kind, currency) values (v_account.kind, v_account.currency) on conflict on constraint accounts_key do nothing;
      end loop;
    else
      -- Without a lock first: it would cost as much as the update, which waits as well.
      update accounts a set balance = a.balance + v_account.total, version = a.version + v_account.entries
       where a.kind = v_account.kind and a.owner_id = v_account.owner and a.currency = v_account.currency
      returning a.id, a.balance - v_account.total, a.version - v_account.entries into v_id, v_balance, v_version;
      if not found then
        insert into accounts as a (kind, owner_id, currency, balance, version)
          values (v_account.kind, v_account.owner, v_account.currency, v_account.total, v_account.entries)
          on conflict on constraint accounts_key do update set balance = a.balance + excluded.balance, version = a.version + excluded.version
          returning a.id, a.balance - v_account.total, a.version - v_account.entries into v_id, v_balance, v_version;
      end if;
    end if;
    for i in 1 .. v_account.entries loop
      if v_account.amounts[i] is null or v_account.amounts[i] not between -c_most and c_most then
        raise exception 'ledger: a transfer moves more than %', c_most using errcode = 'numeric_value_out_of_range';
      end if;
      v_balance := v_balance + v_account.amounts[i];
      v_version := v_version + 1;
      if v_balance < 0 or v_balance > c_most then
        raise exception 'ledger: a balance would be below zero or more than %', c_most;
      end if;
      v_accounts[v_account.positions[i]] := v_id;
      v_balances[v_account.positions[i]] := v_balance;
      v_versions[v_account.positions[i]] := v_version;
    end loop;
  end loop;

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
