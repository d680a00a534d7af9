-- deal_is_open returns whether the price of a deal with this status is in escrow. All SQL uses this
-- function; its counterpart in Go is deals.Status.Open. The planner inlines the function, so calls
-- cost nothing and can use indexes.
create or replace function public.deal_is_open(p_status text) returns boolean
language sql immutable parallel safe as $$
  select p_status in ('Active', 'Late', 'Delivered')
$$;
