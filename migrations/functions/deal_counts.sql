-- deal_counts returns whether a deal counts as completed in the records of its parties: its seller
-- agreed to it, it cost at least $1, so that there was a fee, and no dispute gave most of the price
-- back. Otherwise one user alone, or two for hardly any fee, could make up a record. All SQL that
-- counts completed deals uses this function. The planner inlines it and finds the indexes of
-- completed deals, which repeat its condition.
create or replace function public.deal_counts(p_status text, p_price bigint, p_refunded bigint, p_accepted timestamptz) returns boolean
language sql immutable parallel safe as $$
  select p_status = 'Completed' and p_accepted is not null and p_price >= 100 and coalesce(2 * p_refunded, 0) <= p_price
$$;
