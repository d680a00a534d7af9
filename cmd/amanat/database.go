package main

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/app/config"
	"amanat/internal/lib/postgres"
)

// connect connects to DATABASE_URL, whose login determines which commands are allowed. It fails if
// the database has another schema version.
func connect(ctx context.Context) (*pgxpool.Pool, error) {
	url, err := config.DatabaseURL()
	if err != nil {
		return nil, err
	}
	db, err := postgres.Connect(ctx, url, postgres.Options{ApplicationName: "amanat"})
	if err != nil {
		return nil, err
	}
	if err := postgres.Validate(ctx, db); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// withDatabase runs f with a connection to DATABASE_URL and explains missing privileges.
func withDatabase(ctx context.Context, f func(*pgxpool.Pool) error) error {
	db, err := connect(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	return explainRights(f(db))
}
