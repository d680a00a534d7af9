-- fold adds the entries of finished transactions on insert-only accounts to the rollups and returns
-- the number of accounts changed. A long transaction only delays it: entries of transactions that
-- may still commit are at or above the horizon and remain in the tail.
create or replace function ledger.fold() returns bigint language plpgsql security definer set search_path = ledger, pg_temp as $$
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

revoke all on function ledger.fold from public;
