package reports

import (
	"fmt"
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
  left join (select deal_id, sum(amount)::bigint as amount from referral_rewards group by deal_id) r on r.deal_id = d.id,
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
		{"lower(d.payment_method)", platform, bdt, "-d.converted_amount"},
		{"'exchange'", platform, bdt, "d.converted_amount"},
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
var subjectAdjustments = subject{"adjustments", "j", []posting{{
	ledger.BalanceAdjust,
	[]string{"'balance_adjust'"},
	"", "j.status = 'confirmed'",
	[]leg{{"'corrections'", platform, usd, "-j.amount"}, {"'wallet'", "j.user_id", usd, "j.amount"}},
}}}

var subjects = []subject{subjectDeals, subjectDeposits, subjectWithdrawals, subjectRewards, subjectAdjustments}

const (
	usd, bdt = "'USD'", "'BDT'"
	// The platform's accounts have no owner; the zero UUID stands in for it, so that joins by owner
	// work.
	platform = "'00000000-0000-0000-0000-000000000000'::uuid"
)

// expected returns a query for the entries that the subject's rows in source call for.
func (s subject) expected(source string) string {
	parts := make([]string, len(s.postings))
	for i, p := range s.postings {
		legs := make([]string, len(p.legs))
		for j, l := range p.legs {
			legs[j] = fmt.Sprintf("(%s, %s, %s, %s)", l.account, l.owner, l.currency, l.amount)
		}
		parts[i] = fmt.Sprintf(`
select %s as key, array[%s] as kinds, v.account, v.owner_id, v.currency, v.amount
  from %s%s, lateral (values %s) v (account, owner_id, currency, amount)
 where %s and v.amount <> 0`,
			p.key.SQL(s.alias+".id"), strings.Join(p.kinds, ", "), source, p.joins, strings.Join(legs, ", "), p.where)
	}
	return strings.Join(parts, "\nunion all")
}

func (s subject) prefix() string { return s.postings[0].key.SubjectKind() }

// difference returns a query for the entries that differ from those expected under the keys that
// begin with the subject's prefix.
func (s subject) difference() string {
	return sqlDifference("", s.expected(s.table+" "+s.alias), `
  select t.key, t.kind, a.kind as account, a.owner_id, a.currency, e.amount
    from ledger.transfers t
    join ledger.entries e on e.transfer_id = t.id
    join ledger.accounts a on a.id = e.account_id
   where t.key like '`+s.prefix()+`:%'`)
}

// sqlDifference returns a query for the expected entries that were not posted, and for the posted
// ones that were not expected.
func sqlDifference(before, expected, posted string) string {
	return `
with ` + before + `should as (` + expected + `
), posted as (
  select key, kind, account, coalesce(owner_id, ` + platform + `) as owner_id, currency, amount
    from (` + posted + `) p
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
  select payment_method, converted_amount as taka, amount as dollars from deposits where status = 'completed'
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
