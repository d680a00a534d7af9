package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/app/config"
	"amanat/internal/app/opsserver"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
)

// migrate applies the migrations. It uses DATABASE_URL (the owner's login), API_DB_PASSWORD and
// WORKER_DB_PASSWORD.
func migrate(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("migrate", flag.ContinueOnError)
	if err := parse(flags, args, 0); err != nil {
		return err
	}
	env, err := config.LoadMigrate()
	if err != nil {
		return err
	}
	roles := postgres.Roles{APIPassword: env.APIDBPassword, WorkerPassword: env.WorkerDBPassword}
	if err := postgres.Migrate(ctx, env.DatabaseURL, roles); err != nil {
		return err
	}
	err = withDatabase(ctx, func(db *pgxpool.Pool) error {
		return postgres.WithTx(ctx, db, func(tx *postgres.Tx) error {
			return audit.Record(ctx, tx, audit.Entry{
				At: clock.System{}.Now(), Actor: actor.Operator(), Action: "database.migrate", Subject: "database",
				Details: map[string]string{"version": opsserver.Version()},
			})
		})
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "The database has the schema of this version.")
	return nil
}
