package deals

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/postgres"
)

// The clock's lists go by id from where the last batch ended, so that a deal that cannot be moved now does not hold up the rest.

const sqlTurningLate = `
select id from deals where status = 'Active' and due_at < @now and id > @after order by id limit @limit`

func listTurningLate(ctx context.Context, q postgres.Querier, now time.Time, after uuid.UUID) ([]uuid.UUID, error) {
	return listIDs(ctx, q, sqlTurningLate, pgx.NamedArgs{"now": now, "after": after})
}

const sqlToWarn = `
select id from deals
 where next_action is not null and frozen_at is null and removed_at is null and warned_at is null
   and next_action_at <= @soon and next_action_at > @now and id > @after
 order by id limit @limit`

func listToWarn(ctx context.Context, q postgres.Querier, now time.Time, after uuid.UUID) ([]uuid.UUID, error) {
	return listIDs(ctx, q, sqlToWarn, pgx.NamedArgs{"now": now, "soon": now.Add(warnBefore), "after": after})
}

const sqlDue = `
select id from deals
 where next_action is not null and frozen_at is null and removed_at is null and next_action_at <= @now and id > @after
 order by id limit @limit`

func listDue(ctx context.Context, q postgres.Querier, now time.Time, after uuid.UUID) ([]uuid.UUID, error) {
	return listIDs(ctx, q, sqlDue, pgx.NamedArgs{"now": now, "after": after})
}

func listIDs(ctx context.Context, q postgres.Querier, sql string, args pgx.NamedArgs) ([]uuid.UUID, error) {
	args["limit"] = clockBatch
	rows, err := q.Query(ctx, sql, args)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

const sqlSetLate = `update deals set status = 'Late' where id = @id and status = 'Active'`

// setLate returns false when it was written down before.
func setLate(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (bool, error) {
	tag, err := tx.Exec(ctx, sqlSetLate, pgx.NamedArgs{"id": id})
	return tag.RowsAffected() == 1, err
}

const sqlSetWarned = `update deals set warned_at = @now where id = @id`

func setWarned(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) error {
	return exactlyOne(ctx, tx, sqlSetWarned, pgx.NamedArgs{"id": id, "now": now})
}
