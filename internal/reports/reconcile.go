package reports

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"amanat/internal/postgres"
)

// Finding is a rule of the books that does not hold.
type Finding struct {
	Rule   string
	Detail string // which rows, for whoever looks into it
}

// rule is one invariant of DESIGN §5 with a query that returns a line of text for each row that breaks it.
type rule struct {
	name string
	sql  string
}

var rules = []rule{
	{"every transfer is whole and sums to zero in each currency", `
		select format('transfer %s (%s): %s entries of %s, USD %s, BDT %s', t.id, t.key, count(e.amount), t.entry_count,
		              coalesce(sum(e.amount) filter (where e.currency = 'USD'), 0),
		              coalesce(sum(e.amount) filter (where e.currency = 'BDT'), 0))
		  from ledger.transfers t left join ledger.entries e on e.transfer_id = t.id
		 group by t.id
		having count(e.amount) <> t.entry_count
		    or coalesce(sum(e.amount) filter (where e.currency = 'USD'), 0) <> 0
		    or coalesce(sum(e.amount) filter (where e.currency = 'BDT'), 0) <> 0`},
	{"every entry belongs to a transfer and to an account of its currency", `
		select format('transfer %s, account %s', e.transfer_id, e.account_id)
		  from ledger.entries e
		  left join ledger.transfers t on t.id = e.transfer_id
		  left join ledger.accounts a on a.id = e.account_id and a.currency = e.currency
		 where t.id is null or a.id is null`},
	{"stored balance = sum of entries = balance after the last, versions without gaps", `
		select format('account %s (%s %s): balance %s, entries %s, last %s, version %s of %s', a.id, a.kind, a.owner_id,
		              a.balance, coalesce(s.amount, 0), l.balance_after, a.version, coalesce(s.n, 0))
		  from ledger.accounts a
		  left join (select account_id, sum(amount) as amount, count(*) as n, max(version) as version
		               from ledger.entries group by account_id) s on s.account_id = a.id
		  left join ledger.entries l on l.account_id = a.id and l.version = a.version
		 where a.stored
		   and (a.balance <> coalesce(s.amount, 0) or a.version <> coalesce(s.n, 0) or a.version <> coalesce(s.version, 0)
		        or (a.version > 0 and l.balance_after is distinct from a.balance))`},
	{"balance after each entry = balance before + amount", `
		select format('account %s, version %s', account_id, version)
		  from (select account_id, version, balance_after, amount,
		               lag(balance_after, 1, 0::bigint) over (partition by account_id order by version) as before
		          from ledger.entries where version is not null) e
		 where before + amount <> balance_after`},
	{"no wallet, escrow or hold is below zero", `
		select format('account %s (%s %s): %s', id, kind, owner_id, balance) from ledger.accounts where stored and balance < 0`},
	{"rollup plus tail = sum of entries", `
		select format('account %s (%s): %s, entries %s', a.id, a.kind, ledger.balance(a.kind, a.owner_id, a.currency), s.amount)
		  from ledger.accounts a
		  join (select account_id, sum(amount) as amount from ledger.entries group by account_id) s on s.account_id = a.id
		 where not a.stored and ledger.balance(a.kind, a.owner_id, a.currency) <> s.amount`},
	{"an open deal's escrow holds its price, any other deal's nothing", `
		select format('deal %s (%s): escrow %s, price %s', d.id, d.status, coalesce(a.balance, 0), d.price)
		  from deals d left join ledger.accounts a on a.kind = 'escrow' and a.owner_id = d.id
		 where coalesce(a.balance, 0) <> case when d.status in ('Active', 'Late', 'Delivered') then d.price else 0 end`},
	{"every escrow is a deal's, every hold a withdrawal's, every wallet a user's", `
		select format('account %s (%s %s)', a.id, a.kind, a.owner_id) from ledger.accounts a
		 where (a.kind = 'escrow' and not exists (select 1 from deals where id = a.owner_id))
		    or (a.kind = 'hold' and not exists (select 1 from withdrawals where id = a.owner_id))
		    or (a.kind = 'wallet' and not exists (select 1 from users where id = a.owner_id))`},
	{"a pending withdrawal's hold holds its amount, any other nothing", `
		select format('withdrawal %s (%s): hold %s, amount %s', w.id, w.status, coalesce(a.balance, 0), w.amount)
		  from withdrawals w left join ledger.accounts a on a.kind = 'hold' and a.owner_id = w.id
		 where coalesce(a.balance, 0) <> case when w.status = 'pending' then w.amount else 0 end`},
	{"a deposit is credited once, with its amount, and only when completed", `
		select format('deposit %s (%s): amount %s, posted %s', d.id, d.status, d.amount, e.amount)
		  from deposits d
		  left join ledger.transfers t on t.key = 'deposit:' || d.id || ':approve'
		  left join ledger.accounts a on a.kind = 'wallet' and a.owner_id = d.user_id
		  left join ledger.entries e on e.transfer_id = t.id and e.account_id = a.id
		 where e.amount is distinct from case when d.status = 'completed' then d.amount end`},
	{"fees earned = fees of completed deals and accepted cancellations, less the rewards of their referrers", `
		select format('fees %s, deals %s, rewards %s', f.fees, f.expected, f.rewards)
		  from (select ledger.balance('fees', null, 'USD') as fees,
		               coalesce((select sum(fee) from deals d where status = 'Completed' or close_reason = 'accepted'
		                          or close_reason = 'unanswered' and exists (
		                            select 1 from ledger.transfers t join ledger.entries e on e.transfer_id = t.id
		                              join ledger.accounts a on a.id = e.account_id and a.kind = 'fees'
		                             where t.key = 'deal:' || d.id || ':close')), 0) as expected,
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
		 where o.status = 'done'
		   and not exists (select 1 from ledger.transfers t
		                    where t.kind = o.kind and t.actor_id is not distinct from o.actor_id
		                      and t.key = o.subject || ':' || case o.kind when 'deal_pay' then 'pay' when 'deal_complete' then 'close'
		                          when 'deal_refund' then 'close' when 'referral_credit' then 'credit'
		                          when 'deposit_approve' then 'approve' when 'withdrawal_hold' then 'hold' else 'settle' end)`},
}

const maxFindings = 20 // a rule; more do not help who reads them

// Reconcile checks every rule of the books on one snapshot of the database and returns what does not hold: nothing when all is well.
// It is for operators; both roles may.
func Reconcile(ctx context.Context, db postgres.Beginner) ([]Finding, error) {
	tx, err := db.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	if _, err := tx.Exec(ctx, `set transaction isolation level repeatable read, read only`); err != nil {
		return nil, err
	}
	// Reading all of a large ledger takes longer than any request may.
	if _, err := tx.Exec(ctx, `set local statement_timeout = 0`); err != nil {
		return nil, err
	}
	var findings []Finding
	for _, r := range rules {
		broken, err := check(ctx, tx, r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.name, err)
		}
		findings = append(findings, broken...)
	}
	return findings, nil
}

func check(ctx context.Context, tx pgx.Tx, r rule) ([]Finding, error) {
	rows, err := tx.Query(ctx, fmt.Sprintf("%s\nlimit %d", r.sql, maxFindings))
	if err != nil {
		return nil, err
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	findings := make([]Finding, len(lines))
	for i, line := range lines {
		findings[i] = Finding{Rule: r.name, Detail: line}
	}
	return findings, nil
}

// Rules returns the names of the rules that Reconcile checks.
func Rules() []string {
	names := make([]string, len(rules))
	for i, r := range rules {
		names[i] = r.name
	}
	return names
}
