-- post moves money in one transfer: it adds p_amounts[i] to the account (p_kinds[i], p_owners[i],
-- p_currencies[i]), which is created at first use. Accounts must be sorted by kind, owner and
-- currency; all transfers lock them in this order.
--
-- outcome is one of
--   posted        the transfer was written
--   replayed      the same transfer has already been posted with this key
--   mismatch      another transfer has been posted with this key
--   insufficient  a stored account would fall below zero: nothing is written, shortfall is the
--                 missing amount, and the caller's transaction remains usable
--
-- Each account is updated at once, since locking it first would cost as much again. If the transfer
-- is not written after all, which is rare, the accounts are changed back.
--
-- An amount, or the balance of a stored account, beyond ten trillion raises
-- numeric_value_out_of_range.
--
-- Generic plans are forced because planning the single-row lookups at each call took most of its
-- time, and their plans do not depend on the values.
create or replace function ledger.post(
  p_key text, p_kind text, p_at timestamptz, p_actor uuid, p_reason text,
  p_kinds text[], p_owners uuid[], p_currencies text[], p_amounts bigint[],
  out outcome text, out shortfall bigint
) language plpgsql security definer
  set search_path = ledger, pg_temp
  set plan_cache_mode = force_generic_plan as $$
declare
  -- Ten trillion dollars or taka. It takes nine thousand such transfers to overflow a bigint.
  c_most     constant bigint := 1000000000000000;
  v_hash     bytea := sha256(convert_to(concat_ws('|', p_kind, p_kinds::text, p_owners::text, p_currencies::text, p_amounts::text), 'UTF8'));
  v_accounts bigint[];
  v_balances bigint[]; -- after the transfer; null for insert-only accounts, like versions
  v_versions bigint[];
  v_id       bigint;
  v_balance  bigint;
  v_version  bigint;
  v_after    bigint;
  v_transfer bigint;
begin
  shortfall := 0;
  for i in 1 .. cardinality(p_kinds) loop
    if i > 1 and p_owners[i] is not null
       and (p_kinds[i] collate "C", p_owners[i], p_currencies[i] collate "C") <= (p_kinds[i - 1], p_owners[i - 1], p_currencies[i - 1]) then
      raise exception 'ledger: transfer % has its accounts out of order', p_key;
    end if;
    if p_amounts[i] is null or p_amounts[i] not between -c_most and c_most then
      raise exception 'ledger: transfer % moves more than %', p_key, c_most using errcode = 'numeric_value_out_of_range';
    end if;
    v_balance := null;
    v_version := null;
    if p_owners[i] is null then
      for attempt in 1 .. 2 loop
        select a.id into v_id from accounts a
         where a.kind = p_kinds[i] and a.owner_id is null and a.currency = p_currencies[i];
        exit when found;
        insert into accounts (kind, currency) values (p_kinds[i], p_currencies[i]) on conflict on constraint accounts_key do nothing;
      end loop;
    else
      loop
        update accounts a set balance = a.balance + p_amounts[i], version = a.version + 1
         where a.kind = p_kinds[i] and a.owner_id = p_owners[i] and a.currency = p_currencies[i]
           and a.balance + p_amounts[i] between 0 and c_most
        returning a.id, a.balance, a.version into v_id, v_balance, v_version;
        exit when found;
        if p_amounts[i] >= 0 then -- probably the first transfer to the account
          insert into accounts as a (kind, owner_id, currency, balance, version)
            values (p_kinds[i], p_owners[i], p_currencies[i], p_amounts[i], 1)
            on conflict on constraint accounts_key do nothing
          returning a.id, a.balance, a.version into v_id, v_balance, v_version;
          exit when found;
        end if;
        select a.balance + p_amounts[i] into v_after from accounts a
         where a.kind = p_kinds[i] and a.owner_id = p_owners[i] and a.currency = p_currencies[i] for update;
        if not found then
          insert into accounts (kind, owner_id, currency) values (p_kinds[i], p_owners[i], p_currencies[i])
            on conflict on constraint accounts_key do nothing;
        elsif v_after > c_most then
          raise exception 'ledger: transfer % would leave more than % on an account', p_key, c_most using errcode = 'numeric_value_out_of_range';
        elsif v_after < 0 then
          shortfall := greatest(shortfall, -v_after);
          exit;
        end if; -- else another transaction has changed it before it was locked
      end loop;
    end if;
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
    for i in 1 .. cardinality(v_accounts) loop
      if v_versions[i] is not null then
        update accounts a set balance = a.balance - p_amounts[i], version = a.version - 1 where a.id = v_accounts[i];
      end if;
    end loop;
    select case when t.request_hash = v_hash then 'replayed' else 'mismatch' end into outcome from transfers t where t.key = p_key;
    if found then
      shortfall := 0;
    else
      outcome := 'insufficient';
    end if;
    return;
  end if;

  insert into entries (transfer_id, account_id, currency, amount, balance_after, version, at)
    select v_transfer, n.id, n.currency, n.amount, n.balance, n.version, p_at
      from unnest(v_accounts, p_currencies, p_amounts, v_balances, v_versions) as n (id, currency, amount, balance, version);
  outcome := 'posted';
end $$;

revoke all on function ledger.post from public;
