package reports

import "strings"

// Finding is a violation of a rule of the books.
type Finding struct {
	Rule   string
	Detail string // identifies the row, for the operator
}

// rule is one invariant of the books (docs/rules.md#reconciliation) with a query that returns a
// line of text for each row that violates it. Together the rules detect money that was created or
// misdirected, whoever moved it. docs/money.md#reconciliation lists what they do not detect.
//
// The rules that join tables of the size of the ledger read what came since a checkpoint: the
// transfers above @settled, and the rows of other tables that have changed since (see changed). In
// a whole check these are all rows. The other rules always read everything, which costs little next
// to the ledger, because a row can come to break them without being changed: a deal when its escrow
// or a support request changes, a total with any row that counts in it.
type rule struct{ name, sql string }

// bounded tells whether the rule begins at the checkpoint.
func (r rule) bounded() bool {
	return strings.Contains(r.sql, "@settled") || strings.Contains(r.sql, "@age")
}

// changed returns SQL that is true of a table's rows that were inserted or changed since the
// checkpoint, by whomever, and of all rows in a whole check.
func changed(alias string) string { return "(@whole or age(" + alias + ".xmin) <= @age)" }

var rules = []rule{
	{"every transfer is whole and sums to zero in each currency", `
		select format('transfer %s (%s): %s entries of %s, USD %s, BDT %s', t.id, t.key, count(e.amount), t.entry_count,
		              coalesce(sum(e.amount) filter (where e.currency = 'USD'), 0),
		              coalesce(sum(e.amount) filter (where e.currency = 'BDT'), 0))
		  from ledger.transfers t left join ledger.entries e on e.transfer_id = t.id and e.transfer_id > @settled
		 where t.id > @settled
		 group by t.id
		having count(e.amount) <> t.entry_count
		    or coalesce(sum(e.amount) filter (where e.currency = 'USD'), 0) <> 0
		    or coalesce(sum(e.amount) filter (where e.currency = 'BDT'), 0) <> 0`},
	{"every entry belongs to a transfer and to an account of its currency", `
		select format('transfer %s, account %s', e.transfer_id, e.account_id)
		  from ledger.entries e
		  left join ledger.transfers t on t.id = e.transfer_id
		  left join ledger.accounts a on a.id = e.account_id and a.currency = e.currency
		 where e.transfer_id > @settled and (t.id is null or a.id is null)`},
	{"stored balance = sum of entries = balance after the last, versions without gaps", `
		select format('account %s (%s %s): balance %s, entries %s, last %s, version %s of %s', a.id, a.kind, a.owner_id, a.balance,
		              sum(e.amount), max(e.balance_after) filter (where e.version = a.version), a.version, count(e.amount))
		  from ledger.accounts a left join ledger.entries e on e.account_id = a.id
		 where a.stored
		   and (` + changed("a") + ` or exists (select from ledger.entries n where n.account_id = a.id and n.transfer_id > @settled))
		 group by a.id
		having a.balance <> coalesce(sum(e.amount), 0) or a.version <> count(e.amount) or a.version <> coalesce(max(e.version), 0)
		    or a.version > 0 and max(e.balance_after) filter (where e.version = a.version) is distinct from a.balance`},
	{"balance after each entry = balance before + amount", `
		select format('account %s, version %s', e.account_id, e.version)
		  from ledger.entries e
		  left join ledger.entries b on b.account_id = e.account_id and b.version = e.version - 1
		 where e.transfer_id > @settled and e.version is not null
		   and (e.balance_after - e.amount = case when e.version = 1 then 0 else b.balance_after end) is not true`},
	{
		"no wallet, escrow or hold is below zero",
		`select format('account %s (%s %s): %s', id, kind, owner_id, balance) from ledger.accounts where stored and balance < 0`,
	},
	{"rollup plus tail = sum of entries", `
		with sums as (
		  select e.account_id, sum(e.amount) as amount
		    from ledger.entries e join ledger.accounts a on a.id = e.account_id and not a.stored
		   group by e.account_id
		)
		select format('account %s (%s): %s, entries %s', coalesce(a.id, r.account_id), a.kind,
		              ledger.balance(a.kind, a.owner_id, a.currency), coalesce(s.amount, 0))
		  from (select id, kind, owner_id, currency, stored from ledger.accounts
		         where not stored or id in (select account_id from ledger.rollups)) a
		  full join ledger.rollups r on r.account_id = a.id
		  left join sums s on s.account_id = a.id
		 where a.id is null or a.stored or ledger.balance(a.kind, a.owner_id, a.currency) <> coalesce(s.amount, 0)`},
	{"an open deal's escrow holds its price, any other deal's nothing", `
		select format('deal %s (%s): escrow %s, price %s', d.id, d.status, coalesce(a.balance, 0), d.price)
		  from deals d left join ledger.accounts a on a.kind = 'escrow' and a.owner_id = d.id
		 where coalesce(a.balance, 0) <> case when deal_is_open(d.status) then d.price else 0 end`},
	{"every escrow is a deal's, every hold a withdrawal's, every wallet a user's", `
		select format('account %s (%s %s)', a.id, a.kind, a.owner_id)
		  from ledger.accounts a
		  left join deals d on a.kind = 'escrow' and d.id = a.owner_id
		  left join withdrawals w on a.kind = 'hold' and w.id = a.owner_id
		  left join users u on a.kind = 'wallet' and u.id = a.owner_id
		 where a.kind in ('escrow', 'hold', 'wallet') and d.id is null and w.id is null and u.id is null`},
	{"a pending withdrawal's hold holds its amount, any other nothing", `
		select format('withdrawal %s (%s): hold %s, amount %s', w.id, w.status, coalesce(a.balance, 0), w.amount)
		  from withdrawals w left join ledger.accounts a on a.kind = 'hold' and a.owner_id = w.id
		 where coalesce(a.balance, 0) <> case when w.status = 'pending' then w.amount else 0 end`},
	{"a deposit is credited once, in taka and dollars, and only when completed", subjectDeposits.difference()},
	{"a deal's money comes from its buyer and goes where its end says", subjectDeals.difference()},
	{"a refund is the price, or the price less the fee", sqlWrongRefunds},
	{"a deal's money can get out, and its status is that of its end", sqlWrongStates},
	{"a row is what its operation asked for", sqlWrongParams},
	{"what admins did with money, and the rates, are as in the audit log", sqlUnaudited},
	{"a deal is settled as its dispute says", sqlWrongSplits},
	{"a withdrawal is held from its user's wallet, then sent or given back as its status says", subjectWithdrawals.difference()},
	{"a reward is for a referral, and at most 1% of the price", sqlWrongRewards},
	{"a reward goes to its referrer", subjectRewards.difference()},
	{"a correction is posted once, with its amount, and only when confirmed", subjectCorrections.difference()},
	{"corrections booked = corrections confirmed", `
		select format('booked %s, confirmed %s', c.booked, c.confirmed)
		  from (select -ledger.balance('corrections', null, 'USD') as booked,
		               coalesce((select sum(amount) from corrections where status = 'confirmed'), 0) as confirmed) c
		 where c.booked <> c.confirmed`},
	{"what came in and went out = deposits approved and withdrawals sent, in taka and dollars", sqlExchanged},
	{"fees earned = fees of deals that cost their fee, less the rewards of their referrers", `
		select format('fees %s, deals %s, rewards %s', f.fees, f.expected, f.rewards)
		  from (select ledger.balance('fees', null, 'USD') as fees,
		               coalesce((select sum(` + sqlFee + `) from deals d where d.closed_at is not null), 0) as expected,
		               coalesce((select sum(amount) from referral_rewards), 0) as rewards) f
		 where f.fees <> f.expected - f.rewards`},
	{"rewards owed = rewards not yet credited", `
		select format('payable %s, open rewards %s', f.payable, f.open)
		  from (select ledger.balance('referral_payable', null, 'USD') as payable,
		               coalesce((select sum(amount) from referral_rewards where credited_at is null), 0) as open) f
		 where f.payable <> f.open`},
	{"the posting of every operation that is done is there", `
		select format('operation %s (%s %s): %s', o.id, o.kind, o.subject, o.status)
		  from operations o
		 where o.status = 'done' and ` + changed("o") + `
		   and not exists (select 1 from ledger.transfers t
		                    where t.key = ` + sqlKey + ` and t.kind = o.kind and t.actor_id is not distinct from o.actor_id)`},
	{"every posting is that of one operation that is done", `
		with recent as (
		  select id, key, kind, actor_id from ledger.transfers where id > @settled
		  union all
		  select distinct t.id, t.key, t.kind, t.actor_id
		    from operations o join ledger.transfers t on t.key = ` + sqlKey + `
		   where t.id <= @settled and ` + changed("o") + `
		)
		select format('transfer %s (%s): %s by %s, operations %s', t.id, t.key, t.kind, coalesce(t.actor_id::text, 'the clock'), count(o.id))
		  from recent t
		  left join operations o on o.subject = left(t.key, -1 - length(split_part(t.key, ':', -1))) and o.status = 'done'
		                        and o.kind = t.kind and t.key = ` + sqlKey + ` and o.actor_id is not distinct from t.actor_id
		 group by t.id, t.key, t.kind, t.actor_id
		having count(o.id) <> 1 or t.key !~ '` + sqlKeyPattern + `'`},
}

// Rules returns the names of the rules that Reconcile checks.
func Rules() []string {
	names := make([]string, len(rules))
	for i, r := range rules {
		names[i] = r.name
	}
	return names
}
