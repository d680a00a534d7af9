package deals

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

// The sweep's queries page by ID, so that a deal that cannot be changed now does not hold up the
// rest. They skip deals with a pending operation, which would fail.
const (
	sqlNotBusy = `
   and not exists (select 1 from operations o where o.subject = 'deal:' || deals.id and o.status = 'pending')`
	sqlBatch = sqlNotBusy + `
   and id > @after
 order by id limit @limit`
)

const sqlNewlyLate = `
select id from deals where status = 'Active' and due_at < @now` + sqlBatch

func listNewlyLate(ctx context.Context, q postgres.Querier, now time.Time, after uuid.UUID) ([]uuid.UUID, error) {
	return listIDs(ctx, q, "deals.list_turning_late", sqlNewlyLate, pgx.NamedArgs{"now": now, "after": after})
}

// Actions that move money are warned of even after their time: they wait for a day after the
// warning.
const sqlToWarn = `
select id from deals
 where next_action is not null and frozen_at is null and removed_at is null and next_action_at <= @soon
   and (warned_at is null and next_action_at > @now
     or next_action = any (@money) and (warned_at is null or next_action_at < warned_at + @notice::interval))` + sqlBatch

func listToWarn(ctx context.Context, q postgres.Querier, now time.Time, after uuid.UUID) ([]uuid.UUID, error) {
	return listIDs(ctx, q, "deals.list_to_warn", sqlToWarn, pgx.NamedArgs{
		"now": now, "soon": now.Add(warnBefore), "money": moneyActions, "notice": warnBefore, "after": after,
	})
}

// A reminder belongs to the warning before it: a change of the plan, which clears the warning,
// brings both again.
const sqlReminded = ` and warned_at is not null and (reminded_at is null or reminded_at < warned_at)`

const sqlToRemind = `
select id from deals
 where next_action is not null and frozen_at is null and removed_at is null and next_action_at > @now and next_action_at <= @soon
   and warned_at <= @warned` + sqlReminded + sqlBatch

func listToRemind(ctx context.Context, q postgres.Querier, now time.Time, after uuid.UUID) ([]uuid.UUID, error) {
	return listIDs(ctx, q, "deals.list_to_remind", sqlToRemind, pgx.NamedArgs{
		"now": now, "soon": now.Add(remindBefore), "warned": now.Add(-remindAfter), "after": after,
	})
}

const sqlSetReminded = `update deals set reminded_at = @now where id = @id` + sqlReminded

// setReminded returns false if the parties have been reminded since the last warning, or not been
// warned.
func setReminded(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) (bool, error) {
	n, err := postgres.ExecCount(ctx, tx, "deals.set_reminded", sqlSetReminded, pgx.NamedArgs{"id": id, "now": now})
	return n == 1, err
}

const sqlDue = `
select id from deals
 where next_action is not null and frozen_at is null and removed_at is null and next_action_at <= @now` + sqlBatch

func listDue(ctx context.Context, q postgres.Querier, now time.Time, after uuid.UUID) ([]uuid.UUID, error) {
	return listIDs(ctx, q, "deals.list_due", sqlDue, pgx.NamedArgs{"now": now, "after": after})
}

func listIDs(ctx context.Context, q postgres.Querier, name, sql string, args pgx.NamedArgs) ([]uuid.UUID, error) {
	args["limit"] = clockBatch
	return postgres.Values[uuid.UUID](ctx, q, name, sql, args)
}

const sqlNextStop = `
select min(at) from (
  select due_at as at from deals where status = 'Active' and due_at > @now
  union all
  select next_action_at from deals
   where next_action is not null and frozen_at is null and removed_at is null and next_action_at > @now
  union all
  select next_action_at - @notice::interval from deals
   where next_action is not null and frozen_at is null and removed_at is null and warned_at is null
     and next_action_at - @notice::interval > @now
  union all
  select answer_due_at - @remind::interval from disputes
   where status = 'open' and answered_at is null and reminded_at is null and answer_due_at - @remind::interval > @now
  union all
  select carry_out_at from disputes where carry_out_at > @now
  union all
  select next_action_at - @last::interval from deals
   where next_action is not null and frozen_at is null and removed_at is null
     and next_action_at - @last::interval > @now` + sqlReminded + `) stops`

// nextStop returns the next time at which an action, a warning or a reminder is due; nil for none.
func nextStop(ctx context.Context, q postgres.Querier, now time.Time) (*time.Time, error) {
	return postgres.Value[*time.Time](ctx, q, "deals.next_stop", sqlNextStop,
		pgx.NamedArgs{"now": now, "notice": warnBefore, "last": remindBefore, "remind": disputeRemindBefore})
}

const sqlSetLate = `update deals set status = 'Late' where id = @id and status = 'Active'`

// setLate returns false if the deal is no longer stored as Active.
func setLate(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (bool, error) {
	n, err := postgres.ExecCount(ctx, tx, "deals.set_late", sqlSetLate, pgx.NamedArgs{"id": id})
	return n == 1, err
}

const sqlSetWarned = `update deals set warned_at = @warned, next_action_at = @at where id = @id`

func setWarned(ctx context.Context, tx *postgres.Tx, d Deal) error {
	return postgres.ExecOne(ctx, tx, "deals.set_warned", sqlSetWarned,
		pgx.NamedArgs{"id": d.ID, "warned": d.WarnedAt, "at": d.NextActionAt})
}
