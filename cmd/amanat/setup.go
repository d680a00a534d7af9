package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/app/config"
	"amanat/internal/app/images"
	"amanat/internal/app/opsserver"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/webpush"
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

// vapidKeys prints a pair of keys for pushes, as lines of an environment. It needs no server.
func vapidKeys(_ context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("vapid-keys", flag.ContinueOnError)
	if err := parse(flags, args, 0); err != nil {
		return err
	}
	keys, err := webpush.NewKeys()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "VAPID_PUBLIC_KEY=%s\nVAPID_PRIVATE_KEY=%s\n", keys.Public, keys.Private)
	return err
}

// moveBlobs moves the files of pictures from the database to the object storage of BLOBS_URL, which
// must be set. It takes the login of the worker or the owner.
func moveBlobs(ctx context.Context, args []string, out io.Writer) error {
	if err := parse(flag.NewFlagSet("move-blobs", flag.ContinueOnError), args, 0); err != nil {
		return err
	}
	c, err := config.LoadBucket()
	if err != nil {
		return err
	}
	stored, err := images.OpenBlobs(c, nil)
	if err != nil {
		return err
	}
	if stored == nil {
		return errors.New("environment: BLOBS_URL: is required")
	}
	return withDatabase(ctx, func(db *pgxpool.Pool) error {
		mover := images.Mover{
			DB: db, Clock: clock.System{}, Blobs: stored,
			Report: func(done images.Moved, left int64) { fmt.Fprintf(out, "%d files moved, %d left\n", done.Files, left) },
		}
		done, err := mover.Move(ctx)
		fmt.Fprintf(out, "Moved: %d files, %d bytes.\n", done.Files, done.Bytes)
		return err
	})
}
