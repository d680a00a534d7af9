package workers

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"amanat/internal/platform/postgres"
)

const sqlLockAttempt = `
select state = 'running' and attempt = @attempt from ` + postgres.RiverJobs + ` where id = @id for update`

// lockAttempt locks the job's row and reports whether the attempt is the running one.
func lockAttempt(ctx context.Context, tx *postgres.Tx, id int64, attempt int) (bool, error) {
	ours, _, err := postgres.Optional(postgres.Value[bool](ctx, tx, "workers.lock_attempt", sqlLockAttempt,
		pgx.NamedArgs{"id": id, "attempt": attempt}))
	return ours, err
}

// now() is the real time, as River uses it to decide when to delete the job.
const sqlCompleteAttempt = `
update ` + postgres.RiverJobs + ` set state = 'completed', finalized_at = now()
 where id = @id and state = 'running' and attempt = @attempt`

// completeAttempt completes the job and reports whether the attempt was the running one. River,
// which completes jobs after Work returns, then finds it completed.
func completeAttempt(ctx context.Context, tx *postgres.Tx, id int64, attempt int) (bool, error) {
	n, err := postgres.ExecCount(ctx, tx, "workers.complete_attempt", sqlCompleteAttempt, pgx.NamedArgs{"id": id, "attempt": attempt})
	return n == 1, err
}

const sqlCheckedSince = `select exists (select from books_checks where checked_at >= @since)`

// checkedSince reports whether the books were checked at or after since.
func checkedSince(ctx context.Context, q postgres.Querier, since time.Time) (bool, error) {
	return postgres.Value[bool](ctx, q, "workers.checked_since", sqlCheckedSince, pgx.NamedArgs{"since": since})
}

// Rules that no longer exist are deleted.
const sqlKeepCheck = `
with gone as (
  delete from books_checks where rule <> all(@rules)
)
insert into books_checks (rule, broken, checked_at)
select n.rule, n.broken, @at from unnest(@rules::text[], @broken::integer[]) as n (rule, broken)
on conflict (rule) do update set broken = excluded.broken, checked_at = excluded.checked_at`

// keepCheck stores how often each rule of the books was found broken.
func keepCheck(ctx context.Context, q postgres.Querier, at time.Time, rules []string, broken []int) error {
	return postgres.Exec(ctx, q, "workers.keep_check", sqlKeepCheck, pgx.NamedArgs{"rules": rules, "broken": broken, "at": at})
}
