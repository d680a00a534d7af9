package audit

import (
	"context"
	"encoding/json"

	"amanat/internal/lib/postgres"
)

const sqlInsert = `
insert into audit_log (at, actor_id, action, subject, details)
values (@at, @actor, @action, @subject, @details)`

func insert(ctx context.Context, tx *postgres.Tx, e Entry, details json.RawMessage) error {
	return postgres.Command("audit.insert", sqlInsert).Run(ctx, tx, postgres.Args{
		"at": e.At, "actor": e.Actor, "action": e.Action, "subject": e.Subject, "details": details,
	})
}
