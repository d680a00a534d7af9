package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"amanat/internal/postgres"
)

func dropDatabase(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, `drop database if exists `+database+` with (force)`); err != nil {
		return fmt.Errorf("drop database: %w", err)
	}
	return nil
}

// anyUser tells whether somebody has an account.
func anyUser(ctx context.Context, db postgres.Querier) (bool, error) {
	var found bool
	err := db.QueryRow(ctx, `select exists (select 1 from users)`).Scan(&found)
	return found, err
}
