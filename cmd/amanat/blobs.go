package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/platform/clock"
	"amanat/internal/platform/config"
	"amanat/internal/platform/images"
)

// moveBlobs moves the files of pictures to the object storage or back into the database.
func moveBlobs(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("move-blobs", flag.ContinueOnError)
	to := flags.String("to", "", "postgres or s3")
	if err := parse(flags, args, 0); err != nil {
		return err
	}
	if *to != config.BlobsInPostgres && *to != config.BlobsInS3 {
		return fmt.Errorf("%w: --to must be %s or %s", errUsage, config.BlobsInPostgres, config.BlobsInS3)
	}
	return withBlobs(ctx, func(db *pgxpool.Pool, stored images.Blobs) error {
		mover := images.Mover{DB: db, Clock: clock.System{}, Blobs: stored}
		done, err := mover.Move(ctx, *to == config.BlobsInS3, func(done images.Moved, left int64) {
			fmt.Fprintf(out, "%d files moved, %d left\n", done.Files, left)
		})
		fmt.Fprintf(out, "Moved to %s: %d files, %d bytes.\n", *to, done.Files, done.Bytes)
		return err
	})
}

// sweepBlobs removes the objects that no picture uses.
func sweepBlobs(ctx context.Context, args []string, out io.Writer) error {
	if err := parse(flag.NewFlagSet("sweep-blobs", flag.ContinueOnError), args, 0); err != nil {
		return err
	}
	return withBlobs(ctx, func(db *pgxpool.Pool, stored images.Blobs) error {
		cleaner := images.Cleaner{DB: db, Clock: clock.System{}, Blobs: stored}
		done, err := cleaner.SweepAll(ctx)
		fmt.Fprintf(out, "Removed: %d unused objects, %d unknown to the database. Left alone: %d that are no pictures.\n",
			done.Removed, done.Unknown, done.Foreign)
		return err
	})
}

// withBlobs runs f on DATABASE_URL, with the login of the worker or the owner, and the object
// storage of BLOBS_S3_ENDPOINT.
func withBlobs(ctx context.Context, f func(*pgxpool.Pool, images.Blobs) error) error {
	c, err := config.LoadBlobs()
	if err != nil {
		return err
	}
	stored, err := images.OpenBlobs(c, nil)
	if err != nil {
		return err
	}
	return withDatabase(ctx, func(db *pgxpool.Pool) error { return f(db, stored) })
}
