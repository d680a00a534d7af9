package reports

import (
	"fmt"
	"strings"
)

// The short forms of the rules. They read what came since a checkpoint: the transfers above
// @settled, and the rows of other tables whose age is at most @age transactions, which every row is
// that was inserted or changed since, by whomever. What they do not see is listed in
// docs/money.md#reconciliation.
//
// "offset 0" keeps the planner from turning lookups of single rows into scans of whole tables: it
// does not know how few rows are new.

// sqlRecentWhole is the short form of "every transfer is whole …".
const sqlRecentWhole = `
select format('transfer %s (%s): %s entries of %s, USD %s, BDT %s', t.id, t.key, count(e.amount), t.entry_count,
              coalesce(sum(e.amount) filter (where e.currency = 'USD'), 0),
              coalesce(sum(e.amount) filter (where e.currency = 'BDT'), 0))
  from ledger.transfers t left join ledger.entries e on e.transfer_id = t.id and e.transfer_id > @settled
 where t.id > @settled
 group by t.id
having count(e.amount) <> t.entry_count
    or coalesce(sum(e.amount) filter (where e.currency = 'USD'), 0) <> 0
    or coalesce(sum(e.amount) filter (where e.currency = 'BDT'), 0) <> 0`

const sqlRecentEntries = `
select format('transfer %s, account %s', e.transfer_id, e.account_id)
  from ledger.entries e
  left join ledger.transfers t on t.id = e.transfer_id and t.id > @settled
  left join ledger.accounts a on a.id = e.account_id and a.currency = e.currency
 where e.transfer_id > @settled and (t.id is null or a.id is null)`

// sqlRecentBalances continues each account from the entry before its first new one.
const sqlRecentBalances = `
with recent as (
  select account_id, count(*) as n, sum(amount) as amount, min(version) as first, max(version) as last
    from ledger.entries where transfer_id > @settled group by account_id
), touched as (
  select account_id from recent
  union
  select id from ledger.accounts where stored and age(xmin) <= @age
)
select format('account %s (%s %s): balance %s, before %s, since %s, last %s, version %s of %s', a.id, a.kind, a.owner_id,
              a.balance, x.before, coalesce(r.amount, 0), x.last, a.version, r.last)
  from touched t
  join ledger.accounts a on a.id = t.account_id and a.stored
  left join recent r on r.account_id = a.id
  cross join lateral (
    select (select e.balance_after from ledger.entries e where e.account_id = a.id and e.version = a.version) as last,
           coalesce((select e.balance_after from ledger.entries e where e.account_id = a.id and e.version = r.first - 1), 0) as before,
           (select max(e.version) from ledger.entries e where e.account_id = a.id) as version) x
 where coalesce(x.version, 0) <> a.version or coalesce(x.last, 0) <> a.balance
    or r.account_id is not null and (r.n is distinct from r.last - r.first + 1 or r.last <> a.version or x.before + r.amount <> a.balance)`

const sqlRecentSteps = `
select format('account %s, version %s', e.account_id, e.version)
  from ledger.entries e
 where e.transfer_id > @settled and e.version is not null
   and e.balance_after - e.amount is distinct from case when e.version = 1 then 0 else (
         select b.balance_after from ledger.entries b where b.account_id = e.account_id and b.version = e.version - 1) end`

// sqlRecentRollups adds what came since to the sums of the checkpoint.
const sqlRecentRollups = `
with sums as (
  select account_id, sum(amount) as amount
    from (select key::bigint as account_id, value::numeric as amount from jsonb_each_text(@sums::jsonb)
          union all
          select account_id, amount from ledger.entries where transfer_id > @settled) s
   group by account_id
)` + sqlRollups

const sqlRecentEscrows = `
with changed as materialized (
  select id from deals where age(xmin) <= @age
  union
  select owner_id from ledger.accounts where kind = 'escrow' and age(xmin) <= @age
)
select format('deal %s (%s): escrow %s, price %s', d.id, d.status, coalesce(a.balance, 0), d.price)
  from changed c join deals d on d.id = c.id left join ledger.accounts a on a.kind = 'escrow' and a.owner_id = d.id
 where coalesce(a.balance, 0) <> case when deal_is_open(d.status) then d.price else 0 end`

const sqlRecentOwners = `
select format('account %s (%s %s)', a.id, a.kind, a.owner_id) from ledger.accounts a
 where age(a.xmin) <= @age
   and ((a.kind = 'escrow' and not exists (select 1 from deals where id = a.owner_id))
     or (a.kind = 'hold' and not exists (select 1 from withdrawals where id = a.owner_id))
     or (a.kind = 'wallet' and not exists (select 1 from users where id = a.owner_id)))`

const sqlRecentHolds = `
with changed as materialized (
  select id from withdrawals where age(xmin) <= @age
  union
  select owner_id from ledger.accounts where kind = 'hold' and age(xmin) <= @age
)
select format('withdrawal %s (%s): hold %s, amount %s', w.id, w.status, coalesce(a.balance, 0), w.amount)
  from changed c join withdrawals w on w.id = c.id left join ledger.accounts a on a.kind = 'hold' and a.owner_id = w.id
 where coalesce(a.balance, 0) <> case when w.status = 'pending' then w.amount else 0 end`

// recentDifference is difference for the subjects that were changed or whose transfers are new.
func (s subject) recentDifference() string {
	keys := make([]string, len(s.postings))
	for i, p := range s.postings {
		keys[i] = p.key.SQL("c.id")
	}
	rewarded := ""
	if s.table == subjectDeals.table {
		rewarded = `
  union
  select deal_id from referral_rewards where age(xmin) <= @age`
	}
	changed := fmt.Sprintf(`changed as materialized (
  select id from %s where age(xmin) <= @age%s
  union
  select split_part(key, ':', 2)::uuid from ledger.transfers
   where id > @settled and key like '%s:%%' and pg_input_is_valid(split_part(key, ':', 2), 'uuid')
), `, s.table, rewarded, s.prefix())
	source := fmt.Sprintf("changed c join %s %s on %[2]s.id = c.id", s.table, s.alias)
	return sqlDifference(changed, s.expected(source), fmt.Sprintf(`
  select t.key, t.kind, e.account, e.owner_id, e.currency, e.amount
    from (select id, key, kind from ledger.transfers where id > @settled and key like '%s:%%'
          union
          select x.id, x.key, x.kind
            from changed c cross join lateral (
              select id, key, kind from ledger.transfers where key = any(array[%s]) offset 0) x) t
   cross join lateral (
     select a.kind as account, a.owner_id, a.currency, e.amount
       from ledger.entries e join ledger.accounts a on a.id = e.account_id
      where e.transfer_id = t.id offset 0) e`, s.prefix(), strings.Join(keys, ", ")))
}

var sqlRecentOperations = `
select format('operation %s (%s %s): %s', o.id, o.kind, o.subject, o.status)
  from operations o
 cross join lateral (
   select count(*) as n from ledger.transfers t
    where t.key = ` + sqlKey + ` and t.kind = o.kind and t.actor_id is not distinct from o.actor_id) x
 where o.status = 'done' and age(o.xmin) <= @age and x.n = 0`

var sqlRecentPostings = `
with recent as (
  select id from ledger.transfers where id > @settled
  union
  select x.id from operations o cross join lateral (select t.id from ledger.transfers t where t.key = ` + sqlKey + ` offset 0) x
   where age(o.xmin) <= @age
)
select format('transfer %s (%s): %s by %s, operations %s', t.id, t.key, t.kind, coalesce(t.actor_id::text, 'the clock'), x.n)
  from recent r
  join ledger.transfers t on t.id = r.id
 cross join lateral (
   select count(*) as n from operations o
    where o.subject = regexp_replace(t.key, ':[^:]*$', '') and o.status = 'done' and o.kind = t.kind and t.key = ` + sqlKey + `
      and o.actor_id is not distinct from t.actor_id) x
 where x.n <> 1 or t.key !~ '` + sqlKeyPattern + `'`
