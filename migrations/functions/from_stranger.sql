-- from_stranger returns whether the page that a notification links to is by somebody with whom its
-- reader has not dealt: a deal that the two have not agreed to, or a conversation in which only one
-- of them has written, of two who have no deal that counts.
create or replace function public.from_stranger(p_link text, p_user uuid) returns boolean
language sql stable parallel safe as $$
  with page as (
    select case when p_link ~ '^/(deal|inbox)/[0-9a-f-]{36}$' then right(p_link, 36)::uuid end as id
  ), pair as (
    select d.buyer_id as a, d.seller_id as b
      from page join deals d on d.id = page.id
     where d.created_by <> p_user and (d.accepted_at is null or d.activated_at is null)
     union all
    select c.user_a, c.user_b
      from page join conversations c on c.id = page.id
     where c.started_by <> p_user and not c.answered
  )
  select exists (
    select from pair
     where not exists (select from deals o
                        where o.buyer_id = pair.a and o.seller_id = pair.b
                          and deal_counts(o.status, o.price, o.refunded_amount, o.accepted_at))
       and not exists (select from deals o
                        where o.buyer_id = pair.b and o.seller_id = pair.a
                          and deal_counts(o.status, o.price, o.refunded_amount, o.accepted_at)))
$$;
