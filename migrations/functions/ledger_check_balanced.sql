-- check_balanced is the trigger on ledger.entries: after every insert, each affected transfer must
-- be complete and balanced in every currency. It uses subqueries instead of joins because the size
-- of "added" is unknown to the planner, and a plan for a large one would read all transfers.
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
