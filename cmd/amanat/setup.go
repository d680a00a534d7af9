package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/app/config"
	"amanat/internal/app/images"
	"amanat/internal/app/opsserver"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/webpush"
)

func migrate() *cobra.Command {
	return &cobra.Command{
		Use: "migrate", Args: exactly(0), Short: "Bring the database to the schema of this version",
		Long: "Bring the database to the schema of this version and create the logins of api and worker. It takes the login of the\n" +
			"database's owner, API_DB_PASSWORD and WORKER_DB_PASSWORD.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
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
			fmt.Fprintln(cmd.OutOrStdout(), "The database has the schema of this version.")
			return nil
		},
	}
}

// keyPair is printed as lines of an environment.
type keyPair struct {
	Public  string `json:"vapidPublicKey"`
	Private string `json:"vapidPrivateKey"`
}

func (k keyPair) text(out io.Writer) error {
	_, err := fmt.Fprintf(out, "VAPID_PUBLIC_KEY=%s\nVAPID_PRIVATE_KEY=%s\n", k.Public, k.Private)
	return err
}

func vapidKeys() *cobra.Command {
	return printing(&cobra.Command{
		Use: "vapid-keys", Args: exactly(0), Short: "Print new keys for notifications while no page is open",
		Long: "Print new keys for notifications while no page is open. Browsers that have the old ones have to turn them on again.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			keys, err := webpush.NewKeys()
			if err != nil {
				return err
			}
			return show(cmd, keyPair(keys))
		},
	})
}

func moveBlobs() *cobra.Command {
	return &cobra.Command{
		Use: "move-blobs", Args: exactly(0), Short: "Move the files of pictures from the database to the object storage",
		Long: "Move the files of pictures from the database to the object storage of BLOBS_URL, each compared with its hash. It can be\n" +
			"ended and repeated. It takes the login of the worker or the owner.",
		RunE: func(cmd *cobra.Command, _ []string) error {
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
			out := cmd.OutOrStdout()
			return withDatabase(cmd.Context(), func(db *pgxpool.Pool) error {
				mover := images.Mover{
					DB: db, Clock: clock.System{}, Blobs: stored,
					Report: func(done images.Moved, left int64) { fmt.Fprintf(out, "%d files moved, %d left\n", done.Files, left) },
				}
				done, err := mover.Move(cmd.Context())
				fmt.Fprintf(out, "Moved: %d files, %d bytes.\n", done.Files, done.Bytes)
				return err
			})
		},
	}
}
