-- deal_of_stranger returns whether a deal was made by somebody with whom a user has not dealt: the
-- two have not agreed to it, and have no deal that counts.
create or replace function public.deal_of_stranger(p_deal uuid, p_user uuid) returns boolean
language sql stable parallel safe as $$
  select exists (
    select from deals d
     where d.id = p_deal and d.created_by <> p_user and (d.accepted_at is null or d.activated_at is null)
       and not exists (select from deals o
                        where o.buyer_id = d.buyer_id and o.seller_id = d.seller_id
                          and deal_counts(o.status, o.price, o.refunded_amount, o.accepted_at))
       and not exists (select from deals o
                        where o.buyer_id = d.seller_id and o.seller_id = d.buyer_id
                          and deal_counts(o.status, o.price, o.refunded_amount, o.accepted_at)))
$$;
