package main

import (
	"context"

	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

func dropDatabase(ctx context.Context, conn *pgx.Conn) error {
	return postgres.Command("local.drop_database", `drop database if exists `+database+` with (force)`).Run(ctx, conn, nil)
}

// anyPendingOfClock reports whether an operation requested by the deadline sweep is pending.
func anyPendingOfClock(ctx context.Context, db postgres.Querier) (bool, error) {
	return postgres.Query[bool]("local.any_pending_of_clock",
		`select exists (select 1 from operations where status = 'pending' and actor_id is null)`).One(ctx, db, nil)
}

// anyUser reports whether any user exists.
func anyUser(ctx context.Context, db postgres.Querier) (bool, error) {
	return postgres.Query[bool]("local.any_user", `select exists (select 1 from users)`).One(ctx, db, nil)
}
