package workers

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"amanat/internal/postgres"
)

const sqlLockAttempt = `
select state = 'running' and attempt = @attempt from river.river_job where id = @id for update`

// lockAttempt locks the job's row and tells whether the attempt is the one that runs.
func lockAttempt(ctx context.Context, tx *postgres.Tx, id int64, attempt int) (bool, error) {
	var ours bool
	err := tx.QueryRow(ctx, sqlLockAttempt, pgx.NamedArgs{"id": id, "attempt": attempt}).Scan(&ours)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return ours, err
}

// The time is River's, of the real clock: it decides when the job is deleted.
const sqlCompleteAttempt = `
update river.river_job set state = 'completed', finalized_at = now()
 where id = @id and state = 'running' and attempt = @attempt`

// completeAttempt completes the attempt, if it is the one that runs. River, which does the same after the transaction, finds it done.
func completeAttempt(ctx context.Context, tx *postgres.Tx, id int64, attempt int) (bool, error) {
	tag, err := tx.Exec(ctx, sqlCompleteAttempt, pgx.NamedArgs{"id": id, "attempt": attempt})
	return tag.RowsAffected() == 1, err
}

const sqlCheckedSince = `select exists (select from books_checks where checked_at >= @since)`

// checkedSince tells whether the books were checked at a time or after it.
func checkedSince(ctx context.Context, q postgres.Querier, since time.Time) (bool, error) {
	var checked bool
	err := q.QueryRow(ctx, sqlCheckedSince, pgx.NamedArgs{"since": since}).Scan(&checked)
	return checked, err
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
	_, err := q.Exec(ctx, sqlKeepCheck, pgx.NamedArgs{"rules": rules, "broken": broken, "at": at})
	return err
}
