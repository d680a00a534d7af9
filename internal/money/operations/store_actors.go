package operations

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/platform/postgres"
)

type actorRow struct {
	ID       uuid.UUID
	Disabled bool
	Admin    bool
}

const sqlGetActors = `select id, disabled_at is not null as disabled, is_admin as admin from users where id = any (@ids)`

// getActors returns the current state of users, by ID.
func getActors(ctx context.Context, tx *postgres.Tx, ids []uuid.UUID) (Actors, error) {
	rows, err := postgres.Many[actorRow](ctx, tx, "operations.get_actors", sqlGetActors, pgx.NamedArgs{"ids": ids})
	actors := make(Actors, len(rows))
	for _, r := range rows {
		actors[r.ID] = r
	}
	return actors, err
}
