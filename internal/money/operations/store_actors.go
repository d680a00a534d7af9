package operations

import (
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

type actorRow struct {
	ID       uuid.UUID
	Disabled bool
	Admin    bool
}

const sqlActors = `
select id, disabled_at is not null as disabled, is_admin as admin from users
 where id = any (array(select actor_id from operations where id = any (@ids)))`

// queueActors queues the reading of the users who are the actors of operations and passes them to
// use.
func queueActors(q postgres.Queue, ids []uuid.UUID, use func(r actorRow)) {
	postgres.QueueMany(q, "operations.actors", sqlActors, pgx.NamedArgs{"ids": ids}, func(rows []actorRow) error {
		for _, r := range rows {
			use(r)
		}
		return nil
	})
}
