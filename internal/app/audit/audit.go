// Package audit keeps the append-only log of the actions of admins and operators.
package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"amanat/internal/app/actor"
	"amanat/internal/lib/postgres"
)

// Entry is one action.
type Entry struct {
	At      time.Time
	Actor   actor.Actor // an admin or the operator
	Action  string      // such as deposit.approve
	Subject string      // such as deposit:{id}
	Details any         // what a reviewer needs: amounts, reasons, old and new values; no secrets
}

// ranBy is the detail of an operator's entries that says who ran the command and where.
const ranBy = "ranBy"

type operatorKey struct{}

// WithOperator returns a context in which the operator's entries record that who has run the
// command, such as root@db1. Only the operator's command line calls it.
func WithOperator(ctx context.Context, who string) context.Context {
	return context.WithValue(ctx, operatorKey{}, who)
}

// Record writes the entry in the transaction of the action, so that both are committed or neither.
func Record(ctx context.Context, tx *postgres.Tx, e Entry) error {
	details, err := json.Marshal(e.Details)
	if who, isSet := ctx.Value(operatorKey{}).(string); err == nil && isSet && e.Actor == actor.Operator() {
		details, err = withMember(details, ranBy, who)
	}
	if err != nil {
		return fmt.Errorf("audit: details of %s: %w", e.Action, err)
	}
	if err := insert(ctx, tx, e, details); err != nil {
		return fmt.Errorf("audit: %s: %w", e.Action, err)
	}
	return nil
}

// withMember adds a member to a JSON object; null is an empty one.
func withMember(object json.RawMessage, name, value string) (json.RawMessage, error) {
	members := map[string]any{}
	if err := json.Unmarshal(object, &members); err != nil {
		return nil, err
	}
	if members == nil {
		members = map[string]any{}
	}
	members[name] = value
	return json.Marshal(members)
}
