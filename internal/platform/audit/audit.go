// Package audit keeps the append-only log of the actions of admins and operators.
package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"amanat/internal/platform/actor"
	"amanat/internal/platform/postgres"
)

// Entry is one action.
type Entry struct {
	At      time.Time
	Actor   actor.Actor // an admin or the operator
	Action  string      // such as deposit.approve
	Subject string      // such as deposit:{id}
	Details any         // what a reviewer needs: amounts, reasons, old and new values; no secrets
}

// Record writes the entry in the transaction of the action, so that both are committed or neither.
func Record(ctx context.Context, tx *postgres.Tx, e Entry) error {
	details, err := json.Marshal(e.Details)
	if err != nil {
		return fmt.Errorf("audit: details of %s: %w", e.Action, err)
	}
	if err := insert(ctx, tx, e, details); err != nil {
		return fmt.Errorf("audit: %s: %w", e.Action, err)
	}
	return nil
}
