-- deal_apply_counteroffer gives a deal that is not paid the terms of its open counter-offer and
-- returns whether it did. The api, which may not change the terms of a deal, can only take those
-- that a party has proposed.
create or replace function public.deal_apply_counteroffer(p_id uuid, p_due_at timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update deals d
     set price = o.price, fee = o.fee, description = o.description, delivery_days = o.delivery_days,
         inspection_days = o.inspection_days, due_at = p_due_at, terms = d.terms + 1,
         described_by = case when o.description = d.description then d.described_by else o.made_by end
    from deal_counteroffers o
   where o.id = p_id and o.status = 'open' and d.id = o.deal_id and d.status = 'Pending' and d.removed_at is null;
  if not found then
    return false;
  end if;
  update deal_counteroffers set status = 'accepted' where id = p_id;
  return true;
end $$;
