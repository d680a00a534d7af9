package reports

import (
	"fmt"
	"slices"
	"strings"

	"amanat/internal/money/ledger"
)

// The queries below say what should have been posted. Each rule compares, entry by entry and in
// both directions, what is posted under the keys of one kind of subject with what the rows of that
// subject say. None of them takes the expected amounts from the ledger.

// sqlKey is the key of an operation's transfer (o). It is null for an unknown kind, so that its
// posting is reported.
var sqlKey = `o.subject || ':' || case
  when o.kind = 'deal_pay' then '` + ledger.DealPay.Step() + `'
  when o.kind in ('deal_complete', 'deal_refund', 'deal_settle') then '` + ledger.DealClose.Step() + `'
  when o.kind = 'deposit_approve' then '` + ledger.DepositApprove.Step() + `'
  when o.kind = 'withdrawal_hold' then '` + ledger.WithdrawalHold.Step() + `'
  when o.kind in ('withdrawal_send', 'withdrawal_reject', 'withdrawal_cancel') then '` + ledger.WithdrawalSettle.Step() + `'
  when o.kind = 'referral_credit' then '` + ledger.RewardCredit.Step() + `'
  when o.kind = 'balance_adjust' then '` + ledger.BalanceAdjust.Step() + `' end`

// sqlKeyPattern matches every valid key.
var sqlKeyPattern = `^(` + ledger.DealPay.SubjectKind() + `|` + ledger.DepositApprove.SubjectKind() + `|` +
	ledger.WithdrawalHold.SubjectKind() + `|` + ledger.RewardCredit.SubjectKind() + `|` + ledger.BalanceAdjust.SubjectKind() + `):`

// sqlFee is what a closed deal (d) cost: the fee of its settled dispute, its fee if it was
// completed, else what was not refunded to its buyer. sqlWrongRefunds checks the refunds: the rules
// for taking the fee have changed, and deals that ended before the change keep their fee.
const sqlFee = `case when d.settled_fee is not null then d.settled_fee when d.status = 'Completed' then d.fee
                     else d.price - d.refunded_amount end`

// sqlWrongRefunds finds deals whose refund is missing, is recorded for a deal without one, or is
// neither the price nor, where the seller agreed or did not answer, the price less the fee.
const sqlWrongRefunds = `
select format('deal %s (%s, %s): price %s, fee %s, refunded %s', d.id, d.status, d.close_reason, d.price, d.fee,
              coalesce(d.refunded_amount::text, 'nothing'))
  from deals d
 where d.settled_fee is null and (
       (d.closed_at is not null and d.status <> 'Completed') <> (d.refunded_amount is not null)
    or d.refunded_amount <> d.price
       and (d.refunded_amount <> d.price - d.fee or d.close_reason not in ('accepted', 'unanswered')))`

// sqlWrongSplits finds deals that say they were settled otherwise than a dispute of theirs, and
// disputes that are settled otherwise than by an offer of theirs that was accepted or a decision
// that was carried out.
const sqlWrongSplits = `
with agreed as (
  select x.deal_id, o.buyer_gets, o.seller_gets, o.fee from disputes x join dispute_offers o on o.dispute_id = x.id
   where x.status = 'settled' and o.status = 'accepted'
  union all
  select x.deal_id, c.buyer_gets, c.seller_gets, c.fee from disputes x join dispute_decisions c on c.dispute_id = x.id
   where x.status = 'settled' and c.carried_out_at is not null
), settled as (
  select id as deal_id, coalesce(refunded_amount, 0) as buyer_gets, price - coalesce(refunded_amount, 0) - settled_fee as seller_gets,
         settled_fee as fee
    from deals where settled_fee is not null or close_reason = 'settled'
)
select format('deal %s: settled %s, %s, %s, agreed %s, %s, %s', coalesce(s.deal_id, a.deal_id), s.buyer_gets, s.seller_gets, s.fee,
              a.buyer_gets, a.seller_gets, a.fee)
  from settled s full join agreed a on a.deal_id = s.deal_id
 where (s.buyer_gets, s.seller_gets, s.fee) is distinct from (a.buyer_gets, a.seller_gets, a.fee)`

// subject is what money moves for, and the postings that its rows call for.
type subject struct {
	table, alias string
	postings     []posting
}

// posting is what the rows of a subject call for under one key. All fields but the key are SQL.
type posting struct {
	key   ledger.KeyKind
	kinds []string // of operations: one of them posts it
	joins string   // follows the subject's table
	where string
	legs  []leg
}

// leg is an entry of a posting, none if the amount is zero.
type leg struct{ account, owner, currency, amount string }

// The price of a deal comes from the buyer's wallet and goes where the outcome of the deal says.
var subjectDeals = subject{"deals", "d", []posting{
	{
		ledger.DealPay,
		[]string{"'deal_pay'"},
		"", "d.activated_at is not null",
		[]leg{{"'wallet'", "d.buyer_id", usd, "-d.price"}, {"'escrow'", "d.id", usd, "d.price"}},
	},
	{
		ledger.DealClose,
		[]string{`case when d.settled_fee is not null then 'deal_settle'
                      when d.status = 'Completed' then 'deal_complete' else 'deal_refund' end`},
		`
  left join lateral (select sum(amount)::bigint as amount from referral_rewards where deal_id = d.id) r on true,
  lateral (select coalesce(` + sqlFee + `, 0) as fee, coalesce(r.amount, 0) as rewards) t,
  lateral (select case when d.settled_fee is not null then coalesce(d.refunded_amount, 0)
                       when d.status = 'Completed' then 0 else d.price - t.fee end as buyer_gets) b`,
		"d.closed_at is not null",
		[]leg{
			{"'escrow'", "d.id", usd, "-d.price"},
			{"'wallet'", "d.buyer_id", usd, "b.buyer_gets"},
			{"'wallet'", "d.seller_id", usd, "d.price - t.fee - b.buyer_gets"},
			{"'fees'", platform, usd, "t.fee - t.rewards"},
			{"'referral_payable'", platform, usd, "t.rewards"},
		},
	},
}}

// The amount of a withdrawal is held from the user's wallet, then sent or returned.
var subjectWithdrawals = subject{"withdrawals", "w", []posting{
	{
		ledger.WithdrawalHold,
		[]string{"'withdrawal_hold'"},
		"", "true",
		[]leg{{"'wallet'", "w.user_id", usd, "-w.amount"}, {"'hold'", "w.id", usd, "w.amount"}},
	},
	{
		ledger.WithdrawalSettle,
		[]string{"'withdrawal_send'"},
		"", "w.status = 'completed'",
		[]leg{
			{"'hold'", "w.id", usd, "-w.amount"},
			{"'exchange'", platform, usd, "w.amount"},
			{"'exchange'", platform, bdt, "-w.converted_amount"},
			{"lower(w.payment_method)", platform, bdt, "w.converted_amount"},
		},
	},
	{
		ledger.WithdrawalSettle,
		[]string{"'withdrawal_reject'", "'withdrawal_cancel'"},
		"", "w.status = 'failed'",
		[]leg{{"'hold'", "w.id", usd, "-w.amount"}, {"'wallet'", "w.user_id", usd, "w.amount"}},
	},
}}

// A completed deposit is credited under one key, in both currencies.
var subjectDeposits = subject{"deposits", "d", []posting{{
	ledger.DepositApprove,
	[]string{"'deposit_approve'"},
	"", "d.status = 'completed'",
	[]leg{
		{"lower(d.payment_method)", platform, bdt, "-coalesce(d.paid_amount, d.converted_amount)"},
		{"'exchange'", platform, bdt, "coalesce(d.paid_amount, d.converted_amount)"},
		{"'exchange'", platform, usd, "-d.amount"},
		{"'wallet'", "d.user_id", usd, "d.amount"},
	},
}}}

// Each reward is credited to its referrer.
var subjectRewards = subject{"referral_rewards", "r", []posting{{
	ledger.RewardCredit,
	[]string{"'referral_credit'"},
	"", "r.credited_at is not null",
	[]leg{{"'referral_payable'", platform, usd, "-r.amount"}, {"'wallet'", "r.referrer_id", usd, "r.amount"}},
}}}

// A confirmed correction of a wallet is posted once, by its amount.
var subjectCorrections = subject{"corrections", "j", []posting{{
	ledger.BalanceAdjust,
	[]string{"'balance_adjust'"},
	"", "j.status = 'confirmed'",
	[]leg{{"'corrections'", platform, usd, "-j.amount"}, {"'wallet'", "j.user_id", usd, "j.amount"}},
}}}

const (
	usd, bdt = "'USD'", "'BDT'"
	// The platform's accounts have no owner; the zero UUID stands in for it, so that joins by owner
	// work.
	platform = "'00000000-0000-0000-0000-000000000000'::uuid"
)

// expected returns a query for the entries that the subject's rows in touched call for.
func (s subject) expected() string {
	parts := make([]string, len(s.postings))
	for i, p := range s.postings {
		legs := make([]string, len(p.legs))
		for j, l := range p.legs {
			legs[j] = fmt.Sprintf("(%s, %s, %s, %s)", l.account, l.owner, l.currency, l.amount)
		}
		parts[i] = fmt.Sprintf(`
select %s as key, array[%s] as kinds, v.account, v.owner_id, v.currency, v.amount
  from touched c join %s %s on %[4]s.id = c.id%s, lateral (values %s) v (account, owner_id, currency, amount)
 where %s and v.amount <> 0`,
			p.key.SQL(s.alias+".id"), strings.Join(p.kinds, ", "), s.table, s.alias, p.joins, strings.Join(legs, ", "), p.where)
	}
	return strings.Join(parts, "\nunion all")
}

// keys returns SQL for the keys of the subject's postings.
func (s subject) keys() []string {
	var keys []string
	for _, p := range s.postings {
		if key := p.key.SQL(s.alias + ".id"); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// touched returns a query for the subject's rows that were changed or posted for since the
// checkpoint, and for all rows in a whole check.
func (s subject) touched() string {
	conditions := []string{changed(s.alias)}
	for _, key := range s.keys() {
		conditions = append(conditions, "exists (select from ledger.transfers n where n.id > @settled and n.key = "+key+")")
	}
	if s.table == subjectDeals.table {
		conditions = append(conditions, "exists (select from referral_rewards n where n.deal_id = d.id and "+changed("n")+")")
	}
	return "select id from " + s.table + " " + s.alias + " where " + strings.Join(conditions, " or ")
}

// difference returns a query for the expected entries that were not posted, and for the ones posted
// under the subject's keys that were not expected.
func (s subject) difference() string {
	return `
with touched as materialized (
  ` + s.touched() + `
), should as (` + s.expected() + `
), transfers as (
  select id, key, kind from ledger.transfers where id > @settled and key like '` + s.postings[0].key.SubjectKind() + `:%'
  union all
  select t.id, t.key, t.kind
    from touched ` + s.alias + ` join ledger.transfers t on t.key in (` + strings.Join(s.keys(), ", ") + `)
   where t.id <= @settled
), posted as (
  select t.key, t.kind, a.kind as account, coalesce(a.owner_id, ` + platform + `) as owner_id, a.currency, e.amount
    from transfers t join ledger.entries e on e.transfer_id = t.id join ledger.accounts a on a.id = e.account_id
)
select format('%s, %s %s %s: posted %s (%s), should be %s (%s)', coalesce(s.key, p.key), coalesce(s.account, p.account),
              coalesce(s.owner_id, p.owner_id), coalesce(s.currency, p.currency), coalesce(p.amount::text, 'nothing'), p.kind,
              coalesce(s.amount::text, 'nothing'), array_to_string(s.kinds, ' or '))
  from should s
  full join posted p on p.key = s.key and p.account = s.account and p.owner_id = s.owner_id and p.currency = s.currency
 where p.amount is distinct from s.amount or p.kind <> all (s.kinds)`
}

// sqlExchanged compares the accounts through which money comes in and goes out with the deposits
// approved and withdrawals sent.
const sqlExchanged = `
with moved as (
  select payment_method, coalesce(paid_amount, converted_amount) as taka, amount as dollars from deposits where status = 'completed'
  union all
  select payment_method, -converted_amount, -amount from withdrawals where status = 'completed'
), should (account, currency, amount) as (
  select 'exchange', 'USD', -coalesce(sum(dollars), 0) from moved
  union all select 'exchange', 'BDT', coalesce(sum(taka), 0) from moved
  union all select 'bkash', 'BDT', -coalesce(sum(taka) filter (where payment_method = 'Bkash'), 0) from moved
  union all select 'nagad', 'BDT', -coalesce(sum(taka) filter (where payment_method = 'Nagad'), 0) from moved
  union all values ('bkash', 'USD', 0), ('nagad', 'USD', 0), ('fees', 'BDT', 0), ('referral_payable', 'BDT', 0), ('corrections', 'BDT', 0)
)
select format('%s %s: %s, approved and sent %s', account, currency, ledger.balance(account, null, currency), amount)
  from should where ledger.balance(account, null, currency) <> amount`

// The rules below are about the rows around the amounts: who decided, what was asked for, and
// whether the money of a deal can still get out.

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
select format('deposit %s: credited without an admin, payment %s', d.id, d.payment_id)
  from deposits d left join payments p on p.id = d.payment_id
 where d.status = 'completed'
   and (d.paid_amount is not null or exists (select from operations o
         where o.subject = 'deposit:' || d.id and o.kind = 'deposit_approve' and o.status = 'done' and o.params ? 'payment'))
   and (p.state, p.outgoing, p.transaction_id, p.amount) is distinct from ('chained', false, d.transaction_id, d.paid_amount)
   and not exists (select from checkouts c
                    where (c.transaction_id, c.user_id, c.paid_amount) = (d.transaction_id, d.user_id, d.paid_amount))
union all
select format('checkout %s: paid as %s, and no deposit', c.id, c.transaction_id)
  from checkouts c
 where c.state = 'paid' and not exists (select from deposits d where (d.transaction_id, d.user_id) = (c.transaction_id, c.user_id))
union all
select format('operation %s (%s %s): %s, payment %s', o.id, o.kind, o.subject, o.params, w.payment_id)
  from operations o
  join withdrawals w on 'withdrawal:' || w.id = o.subject
  left join payments p on p.id = w.payment_id
 where o.kind = 'withdrawal_send' and o.status = 'done' and o.params ? 'payment'
   and (w.payment_id::text, w.transaction_id, p.state, p.outgoing, p.amount)
       is distinct from (o.params->>'payment', p.transaction_id, 'chained', true, w.converted_amount)
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
  select 'correction.confirm', 'correction:' || id, decided_by, amount, null, coalesce(proposed_by::text, 'the operator')
    from corrections where status = 'confirmed'
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
