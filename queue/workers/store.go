package workers

import (
	"context"
	"errors"

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
