package reports

// The rules below are about the rows around the amounts: who decided, what was asked for, and
// whether the money of a deal can still get out. They read no entries, and serve for both forms of
// the check.

// sqlWrongStates finds deals whose money is out of everybody's reach, because nothing happens next
// and no admin decides, or because they are frozen for no reason; and deals whose status is not
// that of their close reason.
const sqlWrongStates = `
select format('deal %s (%s, %s): price %s, fee %s, next %s, frozen %s, removed %s', d.id, d.status, d.close_reason, d.price, d.fee,
              d.next_action, d.frozen_at, d.removed_at)
  from deals d
 where d.fee <> (d.price * 2 + 50) / 100
    or d.activated_at is not null and d.removed_at is not null
    or deal_is_open(d.status) and d.next_action is null and d.escalated_at is null
    or deal_is_open(d.status) and d.frozen_at is not null and d.suspended_at is null
       and not exists (select from support_requests s where s.deal_id = d.id and s.closed_at is null)
       and not exists (select from disputes x where x.deal_id = d.id and x.ended_at is null)
    or d.closed_at is not null and d.status is distinct from case
         when d.close_reason = 'completed' then 'Completed'
         when d.close_reason = 'settled' then case when d.refunded_amount = d.price then 'Cancelled' else 'Completed' end
         when d.close_reason in ('seller', 'declined') then 'Cancelled by Seller'
         when d.close_reason = 'exit' then 'Cancelled by Buyer'
         when d.close_reason in ('accepted', 'unanswered', 'overdue', 'admin', 'seller_disabled') then 'Cancelled' end`

// sqlWrongParams compares rows with what the operations asked for that made them. Those of an
// erased account have no phone number.
const sqlWrongParams = `
select format('operation %s (%s %s): %s', o.id, o.kind, o.subject, o.params)
  from operations o join deposits d on 'deposit:' || d.id = o.subject
 where o.kind = 'deposit_approve' and o.status = 'done'
   and ((o.params->>'amount')::numeric * 100, o.actor_id) is distinct from (d.amount::numeric, d.handled_by)
union all
select format('operation %s (%s %s): %s', o.id, o.kind, o.subject, o.params)
  from operations o join withdrawals w on 'withdrawal:' || w.id = o.subject
 where o.kind = 'withdrawal_hold' and o.status = 'done'
   and (((o.params->>'amount')::numeric * 100, o.params->>'rate', o.params->>'method')
       is distinct from (w.amount::numeric, w.rate::text, w.payment_method)
        or o.params->>'phoneNumber' <> w.phone_number)
union all
select format('operation %s (%s %s): %s', o.id, o.kind, o.subject, o.params)
  from operations o join deals d on 'deal:' || d.id = o.subject
 where d.refunded_amount is not null and o.kind = 'deal_refund' and o.status = 'done'
   and o.params->>'reason' is distinct from d.close_reason`

// sqlUnaudited compares what admins did with money with the audit log, which is sealed: who did it,
// with what amount and which payment. Entries of deposits from before the log had their transaction
// IDs are right without.
const sqlUnaudited = `
with handled as (
  select 'deposit.approve' as action, 'deposit:' || id as subject, handled_by, amount, transaction_id, null as proposed_by
    from deposits where status = 'completed'
  union all
  select 'withdrawal.send', 'withdrawal:' || id, handled_by, amount, coalesce(transaction_id, ''), null
    from withdrawals where status = 'completed'
  union all
  select 'adjustment.confirm', 'adjustment:' || id, decided_by, amount, null, coalesce(proposed_by::text, 'the operator')
    from adjustments where status = 'confirmed'
)
select format('%s: %s by %s, %s; audited %s by %s, %s', h.subject, h.amount, h.handled_by, h.transaction_id, a.details->>'amount',
              a.actor_id, a.details->>'transactionId')
  from handled h left join audit_log a on a.action = h.action and a.subject = h.subject
 where a.id is null or a.actor_id is distinct from h.handled_by
    or (a.details->>'amount')::numeric * 100 is distinct from h.amount::numeric
    or a.details->>'transactionId' <> h.transaction_id
    or coalesce(a.details->>'proposedBy', 'the operator') <> h.proposed_by
union all
select format('rate %s of %s by %s; audited %s by %s', r.usd_to_bdt, coalesce(r.set_at, a.at), r.set_by, a.details->>'usdToBdt', a.actor_id)
  from exchange_rates r
  full join (select id, at, actor_id, details from audit_log where action = 'exchange_rate.set') a on a.at = r.set_at
 where r.id is null or a.id is null or a.actor_id is distinct from r.set_by
    or (a.details->>'usdToBdt')::numeric * 100 is distinct from r.usd_to_bdt::numeric`

// sqlWrongRewards finds rewards for somebody whom the referrer has not referred, or who is no party
// of the deal, and those of more than 1% of what the seller was paid for.
const sqlWrongRewards = `
select format('reward %s of deal %s: %s for %s, referred by %s', r.id, r.deal_id, r.amount, r.referred_id, u.referred_by)
  from referral_rewards r
  join users u on u.id = r.referred_id
  join deals d on d.id = r.deal_id
 where u.referred_by is distinct from r.referrer_id or r.referred_id not in (d.buyer_id, d.seller_id)
    or r.amount > (d.price - coalesce(d.refunded_amount, 0)) / 100`
