package opsserver

import (
	"time"

	"amanat/internal/lib/postgres"
)

// jobCount is the number of River jobs of a queue in a state.
type jobCount struct {
	Queue string
	State string
	Jobs  int64
}

// jobAge is how long the oldest due job of a queue has been due.
type jobAge struct {
	Queue   string
	Seconds float64
}

// due is the number of emails of notifications, or of pushes, that wait to be sent.
type due struct {
	Waiting int64
	Failed  int64   // of these, how many have been tried in vain
	Overdue float64 // for how many seconds the oldest has been due
}

// pendingOperations is the number and age of pending money operations of one kind.
type pendingOperations struct {
	Kind    string
	Pending int64
	Oldest  time.Time
}

// booksCheck is the result of the latest reconciliation for one rule.
type booksCheck struct {
	Rule      string
	Broken    int64
	CheckedAt time.Time
}

// chainRow is how far a chain has come.
type chainRow struct {
	Chain     string
	Sealed    int64
	Broken    int64
	CheckedAt *time.Time // nil: never
	Oldest    *time.Time // the time of the oldest row after those that are sealed; nil: there is none
}

// Rows that were committed late are before others that are sealed. They are not looked for, since
// the next run seals them.
var queryChains = postgres.Query[chainRow]("opsserver.chains", `
select p.chain, p.sealed, coalesce(p.broken, 0) as broken, p.checked_at,
       case p.chain
         when 'transfers' then (select t.at from ledger.transfers t where t.id > p.reached order by t.id limit 1)
         else (select a.at from audit_log a where a.id > p.reached order by a.id limit 1) end as oldest
from chain.progress p`)

// oldestRow is the time of the oldest row of a table whose rows are deleted after seven days; of
// other tables, since when the row that is due the longest has been due to be deleted.
type oldestRow struct {
	Table string
	At    *time.Time // nil: no row
}

// Each part reads the first row of an index.
var queryOldestRows = postgres.Query[oldestRow]("opsserver.oldest_rows", `
select 'user_events' as "table", min(at) as at from user_events
union all
select 'idempotency_keys' as "table", min(created_at) as at from idempotency_keys
union all
select 'picture_objects' as "table", min(due_at) as at from picture_objects
union all
select 'notifications' as "table", least(
  (select min(created_at) from notifications where is_read) + interval '180 days',
  (select min(created_at) from notifications where not is_read) + interval '365 days') as at`)

// Completed jobs are excluded: there may be millions, and their number only reflects River's
// retention. The other states are listed so that the index on states is used, which "state <>
// 'completed'" cannot.
var queryJobCounts = postgres.Query[jobCount]("opsserver.job_counts", `
select queue, state::text as state, count(*) as jobs
from `+postgres.RiverJobs+`
where state in ('available', 'cancelled', 'discarded', 'pending', 'retryable', 'running', 'scheduled')
group by queue, state`)

// River writes scheduled_at with the database's clock or the machine's, never the business clock,
// so it is compared with now().
var queryJobAges = postgres.Query[jobAge]("opsserver.job_ages", `
select queue, greatest(0, extract(epoch from now() - min(scheduled_at)))::float8 as seconds
from `+postgres.RiverJobs+`
where state in ('available', 'running')
   or (state in ('retryable', 'scheduled') and scheduled_at <= now())
group by queue`)

// Those that wait for the end of quiet hours are due later.
var queryDuePushes = postgres.Query[due]("opsserver.due_pushes", `
select count(*) as waiting, count(*) filter (where last_error <> '') as failed,
       coalesce(greatest(0, extract(epoch from now() - min(due_at))), 0)::float8 as overdue
from due_pushes`)

// The due times are the database's. Failed emails and those that are being sent are due later.
var queryDueMails = postgres.Query[due]("opsserver.due_mails", `
select count(*) as waiting, count(*) filter (where last_error <> '') as failed,
       coalesce(greatest(0, extract(epoch from now() - min(due_at))), 0)::float8 as overdue
from due_mails`)

var queryPendingOperations = postgres.Query[pendingOperations]("opsserver.pending_operations", `
select kind, count(*) as pending, min(created_at) as oldest
from operations
where status = 'pending'
group by kind`)

var queryBooksChecks = postgres.Query[booksCheck]("opsserver.books_checks", `select rule, broken, checked_at from books_checks`)

// drift is what nobody can explain of the money in the accounts of a payment method, in poisha.
type drift struct {
	Method      string
	Unexplained int64
}

var queryDrifts = postgres.Query[drift]("opsserver.drifts",
	`select payment_method as method, unexplained from payment_drift() where works`)

var queryLeft = postgres.Query[int64]("opsserver.left", `select count(*) from unbooked_payments where outgoing and forwarded_at > @since`)
