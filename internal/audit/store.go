package audit

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/postgres"
)

const sqlInsert = `
insert into audit_log (at, actor_id, action, subject, details)
values (@at, @actor, @action, @subject, @details)`

func insert(ctx context.Context, tx *postgres.Tx, e Entry, details json.RawMessage) error {
	var actor *uuid.UUID
	if e.ActorID != uuid.Nil {
		actor = &e.ActorID
	}
	_, err := tx.Exec(ctx, sqlInsert, pgx.NamedArgs{
		"at": e.At, "actor": actor, "action": e.Action, "subject": e.Subject, "details": details,
	})
	return err
}
