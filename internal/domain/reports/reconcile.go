package reports

// Finding is a violation of a rule of the books.
type Finding struct {
	Rule   string
	Detail string // identifies the row, for the operator
}

// rule is one invariant of the books (docs/rules.md#reconciliation) with a query that returns a
// line of text for each row that violates it. Together the rules detect money that was created or
// misdirected, whoever moved it. docs/money.md#reconciliation lists what they do not detect.
type rule struct {
	name string
	sql  string
	// short reads what came since a checkpoint; empty if sql reads no entries and serves for both.
	short string
	// screen tells from the digests that the rule holds, so that a whole check need not run it; nil
	// if it is cheap.
	screen screen
}

var rules = []rule{
	{"every transfer is whole and sums to zero in each currency", `
		select format('transfer %s (%s): %s entries of %s, USD %s, BDT %s', t.id, t.key, coalesce(e.n, 0), t.entry_count,
		              coalesce(e.usd, 0), coalesce(e.bdt, 0))
		  from ledger.transfers t
		  left join (select transfer_id, count(*) as n, sum(amount) filter (where currency = 'USD') as usd,
		                    sum(amount) filter (where currency = 'BDT') as bdt
		               from ledger.entries group by transfer_id) e on e.transfer_id = t.id
		 where coalesce(e.n, 0) <> t.entry_count or coalesce(e.usd, 0) <> 0 or coalesce(e.bdt, 0) <> 0`, sqlRecentWhole, balanced},
	{"every entry belongs to a transfer and to an account of its currency", `
		select format('transfer %s, account %s', e.transfer_id, e.account_id)
		  from ledger.entries e
		  left join ledger.transfers t on t.id = e.transfer_id
		  left join ledger.accounts a on a.id = e.account_id and a.currency = e.currency
		 where t.id is null or a.id is null`, sqlRecentEntries, attached},
	{"stored balance = sum of entries = balance after the last, versions without gaps", `
		select format('account %s (%s %s): balance %s, entries %s, last %s, version %s of %s', a.id, a.kind, a.owner_id,
		              a.balance, coalesce(s.amount, 0), l.balance_after, a.version, coalesce(s.n, 0))
		  from ledger.accounts a
		  left join (select account_id, sum(amount) as amount, count(*) as n, max(version) as version
		               from ledger.entries group by account_id) s on s.account_id = a.id
		  left join ledger.entries l on l.account_id = a.id and l.version = a.version
		 where a.stored
		   and (a.balance <> coalesce(s.amount, 0) or a.version <> coalesce(s.n, 0) or a.version <> coalesce(s.version, 0)
		        or (a.version > 0 and l.balance_after is distinct from a.balance))`, sqlRecentBalances, connected},
	{"balance after each entry = balance before + amount", `
		select format('account %s, version %s', account_id, version)
		  from (select account_id, version, balance_after, amount,
		               lag(balance_after, 1, 0::bigint) over (partition by account_id order by version) as before
		          from ledger.entries where version is not null) e
		 where before + amount <> balance_after`, sqlRecentSteps, connected},
	{
		"no wallet, escrow or hold is below zero",
		`select format('account %s (%s %s): %s', id, kind, owner_id, balance) from ledger.accounts where stored and balance < 0`, "", nil,
	},
	{"rollup plus tail = sum of entries", sqlWholeRollups, sqlRecentRollups, nil},
	{"an open deal's escrow holds its price, any other deal's nothing", `
		select format('deal %s (%s): escrow %s, price %s', d.id, d.status, coalesce(a.balance, 0), d.price)
		  from deals d left join ledger.accounts a on a.kind = 'escrow' and a.owner_id = d.id
		 where coalesce(a.balance, 0) <> case when deal_is_open(d.status) then d.price else 0 end`, sqlRecentEscrows, nil},
	{"every escrow is a deal's, every hold a withdrawal's, every wallet a user's", `
		select format('account %s (%s %s)', a.id, a.kind, a.owner_id)
		  from ledger.accounts a
		  left join deals d on a.kind = 'escrow' and d.id = a.owner_id
		  left join withdrawals w on a.kind = 'hold' and w.id = a.owner_id
		  left join users u on a.kind = 'wallet' and u.id = a.owner_id
		 where a.kind in ('escrow', 'hold', 'wallet') and d.id is null and w.id is null and u.id is null`, sqlRecentOwners, nil},
	{"a pending withdrawal's hold holds its amount, any other nothing", `
		select format('withdrawal %s (%s): hold %s, amount %s', w.id, w.status, coalesce(a.balance, 0), w.amount)
		  from withdrawals w left join ledger.accounts a on a.kind = 'hold' and a.owner_id = w.id
		 where coalesce(a.balance, 0) <> case when w.status = 'pending' then w.amount else 0 end`, sqlRecentHolds, nil},
	{
		"a deposit is credited once, in taka and dollars, and only when completed",
		subjectDeposits.difference(), subjectDeposits.recentDifference(), subjectDeposits.agrees,
	},
	{
		"a deal's money comes from its buyer and goes where its end says",
		subjectDeals.difference(), subjectDeals.recentDifference(), subjectDeals.agrees,
	},
	{"a refund is the price, or the price less the fee", sqlWrongRefunds, "", nil},
	{"a deal's money can get out, and its status is that of its end", sqlWrongStates, "", nil},
	{"a row is what its operation asked for", sqlWrongParams, "", nil},
	{"what admins did with money, and the rates, are as in the audit log", sqlUnaudited, "", nil},
	{"a deal is settled as its dispute says", sqlWrongSplits, "", nil},
	{
		"a withdrawal is held from its user's wallet, then sent or given back as its status says",
		subjectWithdrawals.difference(), subjectWithdrawals.recentDifference(), subjectWithdrawals.agrees,
	},
	{"a reward is for a referral, and at most 1% of the price", sqlWrongRewards, "", nil},
	{"a reward goes to its referrer", subjectRewards.difference(), subjectRewards.recentDifference(), subjectRewards.agrees},
	{
		"a correction is posted once, with its amount, and only when confirmed",
		subjectAdjustments.difference(), subjectAdjustments.recentDifference(), subjectAdjustments.agrees,
	},
	{"corrections booked = corrections confirmed", `
		select format('booked %s, confirmed %s', c.booked, c.confirmed)
		  from (select -ledger.balance('corrections', null, 'USD') as booked,
		               coalesce((select sum(amount) from adjustments where status = 'confirmed'), 0) as confirmed) c
		 where c.booked <> c.confirmed`, "", nil},
	{"what came in and went out = deposits approved and withdrawals sent, in taka and dollars", sqlExchanged, "", nil},
	{"fees earned = fees of deals that cost their fee, less the rewards of their referrers", `
		select format('fees %s, deals %s, rewards %s', f.fees, f.expected, f.rewards)
		  from (select ledger.balance('fees', null, 'USD') as fees,
		               coalesce((select sum(` + sqlFee + `) from deals d where d.closed_at is not null), 0) as expected,
		               coalesce((select sum(amount) from referral_rewards), 0) as rewards) f
		 where f.fees <> f.expected - f.rewards`, "", nil},
	{"rewards owed = rewards not yet credited", `
		select format('payable %s, open rewards %s', f.payable, f.open)
		  from (select ledger.balance('referral_payable', null, 'USD') as payable,
		               coalesce((select sum(amount) from referral_rewards where credited_at is null), 0) as open) f
		 where f.payable <> f.open`, "", nil},
	{
		"the posting of every operation that is done is there", `
		select format('operation %s (%s %s): %s', o.id, o.kind, o.subject, o.status)
		  from operations o
		 where o.status = 'done'
		   and not exists (select 1 from ledger.transfers t
		                    where t.key = ` + sqlKey + ` and t.kind = o.kind and t.actor_id is not distinct from o.actor_id)`,
		sqlRecentOperations, requested,
	},
	{"every posting is that of one operation that is done", `
		select format('transfer %s (%s): %s by %s, operations %s', t.id, t.key, t.kind, coalesce(t.actor_id::text, 'the clock'), count(o.id))
		  from ledger.transfers t
		  left join operations o on o.status = 'done' and o.kind = t.kind and t.key = ` + sqlKey + `
		                        and o.actor_id is not distinct from t.actor_id
		 group by t.id
		having count(o.id) <> 1 or t.key !~ '` + sqlKeyPattern + `'`, sqlRecentPostings, requested},
}

// sqlRollups compares the balances of the platform's accounts with the sums of their entries.
const sqlRollups = `
select format('account %s (%s): %s, entries %s', coalesce(a.id, r.account_id), a.kind, ledger.balance(a.kind, a.owner_id, a.currency),
              coalesce(s.amount, 0))
  from (select id, kind, owner_id, currency, stored from ledger.accounts
         where not stored or id in (select account_id from ledger.rollups)) a
  full join ledger.rollups r on r.account_id = a.id
  left join sums s on s.account_id = a.id
 where a.id is null or a.stored or ledger.balance(a.kind, a.owner_id, a.currency) <> coalesce(s.amount, 0)`

const sqlWholeRollups = `
with sums as (
  select e.account_id, sum(e.amount) as amount
    from ledger.entries e join ledger.accounts a on a.id = e.account_id and not a.stored
   group by e.account_id
)` + sqlRollups

// Rules returns the names of the rules that Reconcile checks.
func Rules() []string {
	names := make([]string, len(rules))
	for i, r := range rules {
		names[i] = r.name
	}
	return names
}
