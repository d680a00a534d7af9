-- Whether the money of a deal with this status is in escrow. The one place for SQL that asks; Go asks deals.Status.Open. The planner puts
-- the expression in place of the call, so it costs nothing and indexes serve.
create or replace function public.deal_is_open(p_status text) returns boolean
language sql immutable parallel safe as $$
  select p_status in ('Active', 'Late', 'Delivered')
$$;
