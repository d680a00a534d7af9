package deals

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

// savedColumn is a column of a deal that transitions change.
type savedColumn struct {
	name, sqlType string
	value         func(d Deal) any
}

// savedColumns are all mutable columns of a deal but its terms and how its price was divided.
var savedColumns = []savedColumn{
	{"status", "text", func(d Deal) any { return d.Status }},
	{"accepted_at", "timestamptz", func(d Deal) any { return d.AcceptedAt }},
	{"activated_at", "timestamptz", func(d Deal) any { return d.ActivatedAt }},
	{"delivered", "boolean", func(d Deal) any { return d.Delivered }},
	{"delivered_at", "timestamptz", func(d Deal) any { return d.DeliveredAt }},
	{"first_delivered_at", "timestamptz", func(d Deal) any { return d.FirstDeliveredAt }},
	{"reset_at", "timestamptz", func(d Deal) any { return d.ResetAt }},
	{"cancellation_requested", "boolean", func(d Deal) any { return d.CancellationRequested }},
	{"cancellation_asked_at", "timestamptz", func(d Deal) any { return d.CancellationAskedAt }},
	{"cancellation_declined", "boolean", func(d Deal) any { return d.CancellationDeclined }},
	{"requests", "integer", func(d Deal) any { return d.Requests }},
	{"next_action", "text", func(d Deal) any { return postgres.NullText(d.NextAction) }},
	{"next_action_at", "timestamptz", func(d Deal) any { return d.NextActionAt }},
	{"warned_at", "timestamptz", func(d Deal) any { return d.WarnedAt }},
	{"frozen_at", "timestamptz", func(d Deal) any { return d.FrozenAt }},
	{"frozen_for", "interval", func(d Deal) any { return d.FrozenFor }},
	{"escalated_at", "timestamptz", func(d Deal) any { return d.EscalatedAt }},
	{"closed_at", "timestamptz", func(d Deal) any { return d.ClosedAt }},
	{"close_reason", "text", func(d Deal) any { return postgres.NullText(d.CloseReason) }},
	{"removed_at", "timestamptz", func(d Deal) any { return d.RemovedAt }},
	{"suspended_at", "timestamptz", func(d Deal) any { return d.SuspendedAt }},
	{"counteroffer_by", "uuid", func(d Deal) any { return d.CounterofferBy }},
}

// A group of operations changes several deals. The checks and indexes of the table make one
// statement for all of them half as expensive as one for each.
var sqlSave, sqlSaveAll = func() (one, all string) {
	var names, parameters, assignments, arrays []string
	for _, c := range savedColumns {
		names = append(names, c.name)
		parameters = append(parameters, c.name+" = @"+c.name)
		assignments = append(assignments, c.name+" = n."+c.name)
		arrays = append(arrays, "@"+c.name+"::"+c.sqlType+"[]")
	}
	one = "update deals set " + strings.Join(parameters, ", ") + " where id = @id"
	all = "update deals d set " + strings.Join(assignments, ", ") +
		" from unnest(@id::uuid[], " + strings.Join(arrays, ", ") + ") as n (id, " + strings.Join(names, ", ") + ") where d.id = n.id"
	return one, all
}()

// unsaved collects the deals that a transaction has changed.
type unsaved struct{ deals []Deal }

// saveBeforeCommit saves the columns that transitions change, in one statement for all deals of the
// transaction. The caller holds the deal's lock. The rest of the transaction does not see the
// change.
func saveBeforeCommit(tx *postgres.Tx, d Deal) {
	u := postgres.Local(tx, func() *unsaved { return &unsaved{} })
	if len(u.deals) == 0 {
		tx.BeforeCommit(func(context.Context) error {
			queueSave(tx, u.deals)
			u.deals = nil
			return nil
		})
	}
	if i := slices.IndexFunc(u.deals, func(other Deal) bool { return other.ID == d.ID }); i >= 0 {
		u.deals[i] = d
		return
	}
	u.deals = append(u.deals, d)
}

func queueSave(tx *postgres.Tx, deals []Deal) {
	name, sql, args := "deals.save", sqlSave, pgx.NamedArgs{"id": deals[0].ID}
	for _, c := range savedColumns {
		args[c.name] = c.value(deals[0])
	}
	if len(deals) > 1 {
		name, sql = "deals.save_all", sqlSaveAll
		args["id"] = column(deals, func(d Deal) any { return d.ID })
		for _, c := range savedColumns {
			args[c.name] = column(deals, c.value)
		}
	}
	postgres.QueueCount(tx, name, sql, args, func(n int64) error {
		if n != int64(len(deals)) {
			return fmt.Errorf("saved %d of %d deals", n, len(deals))
		}
		return nil
	})
}

func column(deals []Deal, value func(d Deal) any) []any {
	values := make([]any, len(deals))
	for i, d := range deals {
		values[i] = value(d)
	}
	return values
}
