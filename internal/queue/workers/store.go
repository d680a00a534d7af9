package workers

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"amanat/internal/platform/postgres"
)

const sqlLockAttempt = `
select state = 'running' and attempt = @attempt from ` + postgres.RiverJobs + ` where id = @id for update`

// lockAttempt locks the job's row and tells whether the attempt is the one that runs.
func lockAttempt(ctx context.Context, tx *postgres.Tx, id int64, attempt int) (bool, error) {
	ours, _, err := postgres.Optional(postgres.Value[bool](ctx, tx, "workers.lock_attempt", sqlLockAttempt,
		pgx.NamedArgs{"id": id, "attempt": attempt}))
	return ours, err
}

// The time is River's, of the real clock: it decides when the job is deleted.
const sqlCompleteAttempt = `
update ` + postgres.RiverJobs + ` set state = 'completed', finalized_at = now()
 where id = @id and state = 'running' and attempt = @attempt`

// completeAttempt completes the attempt, if it is the one that runs. River, which does the same after the transaction, finds it done.
func completeAttempt(ctx context.Context, tx *postgres.Tx, id int64, attempt int) (bool, error) {
	n, err := postgres.ExecCount(ctx, tx, "workers.complete_attempt", sqlCompleteAttempt, pgx.NamedArgs{"id": id, "attempt": attempt})
	return n == 1, err
}

const sqlCheckedSince = `select exists (select from books_checks where checked_at >= @since)`

// checkedSince tells whether the books were checked at a time or after it.
func checkedSince(ctx context.Context, q postgres.Querier, since time.Time) (bool, error) {
	return postgres.Value[bool](ctx, q, "workers.checked_since", sqlCheckedSince, pgx.NamedArgs{"since": since})
}

// Rules of another version are forgotten.
const sqlKeepCheck = `
with gone as (
  delete from books_checks where rule <> all(@rules)
)
insert into books_checks (rule, broken, checked_at)
select n.rule, n.broken, @at from unnest(@rules::text[], @broken::integer[]) as n (rule, broken)
on conflict (rule) do update set broken = excluded.broken, checked_at = excluded.checked_at`

// keepCheck keeps how often each rule of the books was found broken.
func keepCheck(ctx context.Context, q postgres.Querier, at time.Time, rules []string, broken []int) error {
	return postgres.Exec(ctx, q, "workers.keep_check", sqlKeepCheck, pgx.NamedArgs{"rules": rules, "broken": broken, "at": at})
}
