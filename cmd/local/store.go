package main

import (
	"context"

	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

func dropDatabase(ctx context.Context, conn *pgx.Conn) error {
	return postgres.Exec(ctx, conn, "local.drop_database", `drop database if exists `+database+` with (force)`, nil)
}

// anyPendingOfClock reports whether an operation requested by the deadline sweep is pending.
func anyPendingOfClock(ctx context.Context, db postgres.Querier) (bool, error) {
	return postgres.Value[bool](ctx, db, "local.any_pending_of_clock",
		`select exists (select 1 from operations where status = 'pending' and actor_id is null)`, nil)
}

// anyUser reports whether any user exists.
func anyUser(ctx context.Context, db postgres.Querier) (bool, error) {
	return postgres.Value[bool](ctx, db, "local.any_user", `select exists (select 1 from users)`, nil)
}
