package workers

import (
	"context"
	"time"

	"amanat/internal/domain/reports"
	"amanat/internal/lib/postgres"
)

// The statements of a group look up single rows by key, so their plans do not depend on the values;
// without the setting they are planned for every group, since a custom plan knows the group's size.
const sqlGroupSettings = `
select set_config('lock_timeout', '1s', true), set_config('plan_cache_mode', 'force_generic_plan', true)`

// queueGroupSettings makes the statements of the transaction fail that wait for a lock for a
// second, and reuse their plans.
func queueGroupSettings(tx *postgres.Tx) {
	postgres.Command("workers.group_settings", sqlGroupSettings).Queue(tx, nil)
}

const sqlCheckedSince = `select exists (select from books_checks where checked_at >= @since)`

// checkedSince reports whether the books were checked at or after since.
func checkedSince(ctx context.Context, q postgres.Querier, since time.Time) (bool, error) {
	return postgres.Query[bool]("workers.checked_since", sqlCheckedSince).One(ctx, q, postgres.Args{"since": since})
}

// Rules that no longer exist are deleted.
const sqlKeepCheck = `
with gone as (
  delete from books_checks where rule <> all(@rules)
)
insert into books_checks (rule, broken, checked_at)
select n.rule, n.broken, @at from unnest(@rules::text[], @broken::integer[]) as n (rule, broken)
on conflict (rule) do update set broken = excluded.broken, checked_at = excluded.checked_at`

// keepCheck stores how often each rule of the books was found broken.
func keepCheck(ctx context.Context, q postgres.Querier, at time.Time, rules []string, broken []int) error {
	return postgres.Command("workers.keep_check", sqlKeepCheck).Run(ctx, q, postgres.Args{"rules": rules, "broken": broken, "at": at})
}

const sqlKeepCheckpoint = `
insert into books_checkpoints (checked_at, whole_at, settled, horizon, cluster)
values (@at, @whole_at, @settled, @horizon::text::xid8, @cluster)`

// keepCheckpoint stores where the next check of the books may begin.
func keepCheckpoint(ctx context.Context, q postgres.Querier, c reports.Checkpoint) error {
	return postgres.Command("workers.keep_checkpoint", sqlKeepCheckpoint).Run(ctx, q, postgres.Args{
		"at": c.CheckedAt, "whole_at": c.WholeAt, "settled": c.Settled, "horizon": c.Horizon, "cluster": c.Cluster,
	})
}

const sqlBooksBroken = `select exists (select from books_checks where broken > 0)`

// booksBroken reports whether the latest check of the books found anything.
func booksBroken(ctx context.Context, q postgres.Querier) (bool, error) {
	return postgres.Query[bool]("workers.books_broken", sqlBooksBroken).One(ctx, q, nil)
}
