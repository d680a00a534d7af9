package audit

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

const sqlInsert = `
insert into audit_log (at, actor_id, action, subject, details)
values (@at, @actor, @action, @subject, @details)`

func insert(ctx context.Context, tx *postgres.Tx, e Entry, details json.RawMessage) error {
	return postgres.Exec(ctx, tx, "audit.insert", sqlInsert, pgx.NamedArgs{
		"at": e.At, "actor": e.Actor, "action": e.Action, "subject": e.Subject, "details": details,
	})
}
