package reports

import "amanat/internal/money/ledger"

// How the books say what should have been posted. Each rule compares what is posted under the keys of one kind of subject with what the subject's rows
// say should be, entry by entry, both ways. Nothing here asks the ledger what was due.

// sqlKey is the key of an operation's transfer (o). A kind that it does not know has none, so whatever it did is found.
var sqlKey = `o.subject || ':' || case
  when o.kind = 'deal_pay' then '` + ledger.DealPay.Step() + `'
  when o.kind in ('deal_complete', 'deal_refund') then '` + ledger.DealClose.Step() + `'
  when o.kind = 'deposit_approve' then '` + ledger.DepositApprove.Step() + `'
  when o.kind = 'withdrawal_hold' then '` + ledger.WithdrawalHold.Step() + `'
  when o.kind in ('withdrawal_send', 'withdrawal_reject', 'withdrawal_cancel') then '` + ledger.WithdrawalSettle.Step() + `'
  when o.kind = 'referral_credit' then '` + ledger.RewardCredit.Step() + `' end`

// sqlKeyPattern matches every key that there may be.
var sqlKeyPattern = `^(` + ledger.DealPay.SubjectKind() + `|` + ledger.DepositApprove.SubjectKind() + `|` + ledger.WithdrawalHold.SubjectKind() + `|` +
	ledger.RewardCredit.SubjectKind() + `):`

// sqlFee is what a closed deal (d) cost: its fee when it was completed, else what did not go back to its buyer. What may go back is a rule of
// its own: the rules that decide when the fee is taken have changed, and deals that ended before stay as they are.
const sqlFee = `case d.status when 'Completed' then d.fee else d.price - d.refunded_amount end`

// sqlMisrefunded finds deals of which something else was given back than the price, or, where the seller agreed or did not answer, the price
// less the fee.
const sqlMisrefunded = `
select format('deal %s (%s, %s): price %s, fee %s, refunded %s', d.id, d.status, d.close_reason, d.price, d.fee,
              coalesce(d.refunded_amount::text, 'nothing'))
  from deals d
 where (d.closed_at is not null and d.status <> 'Completed') <> (d.refunded_amount is not null)
    or d.refunded_amount <> d.price
       and (d.refunded_amount <> d.price - d.fee or d.close_reason not in ('accepted', 'unanswered'))`

// sqlOfDeals: the price comes from the buyer's wallet, and goes where the end of the deal says.
var sqlOfDeals = `
select ` + ledger.DealPay.SQL("d.id") + ` as key, array['deal_pay'] as kinds, v.account, v.owner_id, 'USD' as currency, v.amount
  from deals d, lateral (values ('wallet', d.buyer_id, -d.price), ('escrow', d.id, d.price)) v (account, owner_id, amount)
 where d.activated_at is not null
union all
select ` + ledger.DealClose.SQL("d.id") + `, array[case d.status when 'Completed' then 'deal_complete' else 'deal_refund' end],
       v.account, v.owner_id, 'USD', v.amount
  from deals d
  left join (select deal_id, sum(amount)::bigint as amount from referral_rewards group by deal_id) r on r.deal_id = d.id,
  lateral (select coalesce(` + sqlFee + `, 0) as fee, coalesce(r.amount, 0) as rewards) t,
  lateral (values
    ('escrow', d.id, -d.price),
    ('wallet', case d.status when 'Completed' then d.seller_id else d.buyer_id end, d.price - t.fee),
    ('fees', null, t.fee - t.rewards),
    ('referral_payable', null, t.rewards)) v (account, owner_id, amount)
 where d.closed_at is not null`

// sqlOfWithdrawals: held from the user's wallet when it was made, then sent or given back.
var sqlOfWithdrawals = `
select ` + ledger.WithdrawalHold.SQL("w.id") + ` as key, array['withdrawal_hold'] as kinds, v.account, v.owner_id, 'USD' as currency, v.amount
  from withdrawals w, lateral (values ('wallet', w.user_id, -w.amount), ('hold', w.id, w.amount)) v (account, owner_id, amount)
union all
select ` + ledger.WithdrawalSettle.SQL("w.id") + `, array['withdrawal_send'], v.account, v.owner_id, v.currency, v.amount
  from withdrawals w, lateral (values
    ('hold', w.id, 'USD', -w.amount), ('exchange', null, 'USD', w.amount),
    ('exchange', null, 'BDT', -w.converted_amount), (lower(w.payment_method), null, 'BDT', w.converted_amount)
  ) v (account, owner_id, currency, amount)
 where w.status = 'completed'
union all
select ` + ledger.WithdrawalSettle.SQL("w.id") + `, array['withdrawal_reject', 'withdrawal_cancel'], v.account, v.owner_id, 'USD', v.amount
  from withdrawals w, lateral (values ('hold', w.id, -w.amount), ('wallet', w.user_id, w.amount)) v (account, owner_id, amount)
 where w.status = 'failed'`

// sqlOfDeposits: credited under one key, in both currencies, when completed.
var sqlOfDeposits = `
select ` + ledger.DepositApprove.SQL("d.id") + ` as key, array['deposit_approve'] as kinds, v.account, v.owner_id, v.currency, v.amount
  from deposits d, lateral (values
    (lower(d.payment_method), null, 'BDT', -d.converted_amount), ('exchange', null, 'BDT', d.converted_amount),
    ('exchange', null, 'USD', -d.amount), ('wallet', d.user_id, 'USD', d.amount)
  ) v (account, owner_id, currency, amount)
 where d.status = 'completed'`

// sqlOfRewards: credited to the referrer.
var sqlOfRewards = `
select ` + ledger.RewardCredit.SQL("r.id") + ` as key, array['referral_credit'] as kinds, v.account, v.owner_id, 'USD' as currency, v.amount
  from referral_rewards r, lateral (values ('referral_payable', null, -r.amount), ('wallet', r.referrer_id, r.amount)) v (account, owner_id, amount)
 where r.credited_at is not null`

// compared returns a query for the entries that differ from what should be posted under the keys that begin with the prefix. Nobody owns
// the provider's accounts; a join by owner needs something in its place.
func compared(prefix, should string) string {
	return `
with should as (
  select key, kinds, account, coalesce(owner_id, '00000000-0000-0000-0000-000000000000') as owner_id, currency, amount
    from (` + should + `) s
   where amount <> 0
), posted as (
  select t.key, t.kind, a.kind as account, coalesce(a.owner_id, '00000000-0000-0000-0000-000000000000') as owner_id, a.currency, e.amount
    from ledger.transfers t
    join ledger.entries e on e.transfer_id = t.id
    join ledger.accounts a on a.id = e.account_id
   where t.key like '` + prefix + `:%'
)
select format('%s, %s %s %s: posted %s (%s), should be %s (%s)', coalesce(s.key, p.key), coalesce(s.account, p.account),
              coalesce(s.owner_id, p.owner_id), coalesce(s.currency, p.currency), coalesce(p.amount::text, 'nothing'), p.kind,
              coalesce(s.amount::text, 'nothing'), array_to_string(s.kinds, ' or '))
  from should s
  full join posted p on p.key = s.key and p.account = s.account and p.owner_id = s.owner_id and p.currency = s.currency
 where p.amount is distinct from s.amount or p.kind <> all (s.kinds)`
}

// sqlExchanged compares the accounts through which money comes in and goes out with what was approved and sent.
const sqlExchanged = `
with moved as (
  select payment_method, converted_amount as taka, amount as dollars from deposits where status = 'completed'
  union all
  select payment_method, -converted_amount, -amount from withdrawals where status = 'completed'
), should (account, currency, amount) as (
  select 'exchange', 'USD', -coalesce(sum(dollars), 0) from moved
  union all select 'exchange', 'BDT', coalesce(sum(taka), 0) from moved
  union all select 'bkash', 'BDT', -coalesce(sum(taka) filter (where payment_method = 'Bkash'), 0) from moved
  union all select 'nagad', 'BDT', -coalesce(sum(taka) filter (where payment_method = 'Nagad'), 0) from moved
  union all values ('bkash', 'USD', 0), ('nagad', 'USD', 0), ('fees', 'BDT', 0), ('referral_payable', 'BDT', 0)
)
select format('%s %s: %s, approved and sent %s', account, currency, ledger.balance(account, null, currency), amount)
  from should where ledger.balance(account, null, currency) <> amount`
