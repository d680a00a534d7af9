-- payment_drift returns, for each payment method, the money in its accounts as their SMS state it,
-- beside the books, and why they differ. All amounts are poisha; balance = booked + opening +
-- entered + unclaimed + sent + fees + other + held + unexplained. It has the owner's rights, since
-- the api may not read transaction IDs.
create or replace function public.payment_drift() returns table (
  payment_method text, unknown bigint, works boolean, balance bigint, booked bigint, opening bigint, entered bigint, unclaimed bigint,
  sent bigint, fees bigint, other bigint, held bigint, unexplained bigint)
language sql stable security definer set search_path = public, pg_temp as $$
select a.payment_method, a.unknown, a.works, a.balance, b.booked, a.opening, a.entered,
       m.unclaimed, m.sent, m.fees, m.other, m.held,
       a.balance - b.booked - a.opening - a.entered - m.unclaimed - m.sent - m.fees - m.other - m.held as unexplained
  from (select payment_method, count(*) filter (where balance is null) as unknown,
               bool_and(broken_at is null) filter (where balance is not null) as works, sum(balance)::bigint as balance,
               coalesce(sum(opening), 0)::bigint as opening, sum(entered)::bigint as entered
          from receivers group by payment_method having count(balance) > 0) a,
       lateral (select -ledger.balance(lower(a.payment_method), null, 'BDT') -
                       -- The account that checkouts are paid to has no SMS.
                       coalesce(sum(coalesce(d.paid_amount, d.converted_amount)), 0)::bigint as booked
                  from checkouts c
                  join deposits d on (d.transaction_id, d.user_id) = (c.transaction_id, c.user_id)
                 where c.payment_method = a.payment_method and d.status = 'completed' and d.payment_id is null) b,
       lateral (select -- as unbooked_payments
                       coalesce(sum(p.amount) filter (where believed and s.taka is null and o.own is null and not p.outgoing), 0)::bigint
                         as unclaimed,
                       -coalesce(sum(p.amount) filter (where believed and s.taka is null and o.own is null and p.outgoing), 0)::bigint
                         as sent,
                       -coalesce(sum(p.fee) filter (where believed), 0)::bigint as fees,
                       -- an admin has booked another amount than the SMS states
                       coalesce(sum(case when p.outgoing then -p.amount else p.amount end - s.taka) filter (where believed), 0)::bigint
                         as other,
                       -- booked, but the balance does not include it, since the SMS is not believed
                       -coalesce(sum(s.taka) filter (where not believed), 0)::bigint as held
                  from receivers r
                  join payments p on p.receiver_id = r.id
                  cross join lateral (select p.state = 'chained' as believed) c
                  left join (select payment_id, coalesce(paid_amount, converted_amount) as taka from deposits
                              where status = 'completed' and payment_id is not null
                             union all
                             select payment_id, -converted_amount from withdrawals where payment_id is not null) s on s.payment_id = p.id
                  left join lateral (select true as own from payments t
                                      where s.taka is null and t.transaction_id = p.transaction_id and t.outgoing <> p.outgoing) o on true
                 where r.payment_method = a.payment_method and p.state in ('chained', 'held')) m
$$;
