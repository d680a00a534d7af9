package pauses

import (
	"context"

	"amanat/internal/lib/postgres"
)

var list = postgres.Query[Pause]("pauses.list", `select area, reason, paused_at from pauses order by area`)

const sqlSave = `
insert into pauses (area, reason, paused_at) values (@area, @reason, @at)
on conflict (area) do update set reason = excluded.reason`

func save(ctx context.Context, tx *postgres.Tx, p Pause) error {
	return postgres.Command("pauses.save", sqlSave).Run(ctx, tx, postgres.Args{"area": string(p.Area), "reason": p.Reason, "at": p.PausedAt})
}

func remove(ctx context.Context, tx *postgres.Tx, area Area) (bool, error) {
	removed, err := postgres.Command("pauses.remove", `delete from pauses where area = @area`).Count(ctx, tx,
		postgres.Args{"area": string(area)})
	return removed > 0, err
}
