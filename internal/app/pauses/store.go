package pauses

import (
	"context"

	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

const sqlList = `select area, reason, paused_at from pauses order by area`

func list(ctx context.Context, q postgres.Querier) ([]Pause, error) {
	return postgres.Many[Pause](ctx, q, "pauses.list", sqlList, nil)
}

const sqlSave = `
insert into pauses (area, reason, paused_at) values (@area, @reason, @at)
on conflict (area) do update set reason = excluded.reason`

func save(ctx context.Context, tx *postgres.Tx, p Pause) error {
	return postgres.Exec(ctx, tx, "pauses.save", sqlSave, pgx.NamedArgs{"area": string(p.Area), "reason": p.Reason, "at": p.PausedAt})
}

func remove(ctx context.Context, tx *postgres.Tx, area Area) (bool, error) {
	removed, err := postgres.ExecCount(ctx, tx, "pauses.remove", `delete from pauses where area = @area`, pgx.NamedArgs{"area": string(area)})
	return removed > 0, err
}
