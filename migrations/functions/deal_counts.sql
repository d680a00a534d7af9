-- deal_counts returns whether a deal counts as completed in the records of its parties. A dispute
-- can end a deal with nearly all of the price back at the buyer. That costs hardly any fee, so two
-- users could make up a record. All SQL that counts completed deals uses this function. The planner
-- inlines it and finds the indexes of completed deals, which repeat its condition.
create or replace function public.deal_counts(p_status text, p_price bigint, p_refunded bigint) returns boolean
language sql immutable parallel safe as $$
  select p_status = 'Completed' and coalesce(2 * p_refunded, 0) <= p_price
$$;
