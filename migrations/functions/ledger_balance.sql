-- balance returns the balance of an account, 0 before its first posting. It is a single statement,
-- so that rollup and tail come from the same snapshot.
create or replace function ledger.balance(p_kind text, p_owner uuid, p_currency text) returns bigint
language sql stable parallel safe as $$
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
