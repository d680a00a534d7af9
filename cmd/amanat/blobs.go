package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/app/config"
	"amanat/internal/app/images"
	"amanat/internal/lib/clock"
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
		mover := images.Mover{
			DB: db, Clock: clock.System{}, Blobs: stored,
			Report: func(done images.Moved, left int64) { fmt.Fprintf(out, "%d files moved, %d left\n", done.Files, left) },
			Failed: func(err error) { fmt.Fprintf(out, "Not moved: %v\n", err) },
		}
		done, err := mover.Move(ctx, *to == config.BlobsInS3)
		fmt.Fprintf(out, "Moved to %s: %d files, %d bytes. Not moved: %d files.\n", *to, done.Files, done.Bytes, done.Failed)
		return err
	})
}

// sweepBlobs removes the objects that no picture uses.
func sweepBlobs(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("sweep-blobs", flag.ContinueOnError)
	dryRun := flags.Bool("dry-run", false, "")
	claim := flags.Bool("claim", false, "")
	if err := parse(flags, args, 0); err != nil {
		return err
	}
	return withBlobs(ctx, func(db *pgxpool.Pool, stored images.Blobs) error {
		cleaner := images.Cleaner{DB: db, Clock: clock.System{}, Blobs: stored}
		done, err := cleaner.SweepAll(ctx, images.SweepOptions{DryRun: *dryRun, Claim: *claim})
		if errors.Is(err, images.ErrForeign) || errors.Is(err, images.ErrUnowned) {
			return fmt.Errorf("%w: nothing was removed; if it is this database's alone, "+
				"look at what --dry-run --claim says, then repeat with --claim", err)
		}
		removed := "Removed"
		if *dryRun {
			removed = "Would be removed"
		}
		fmt.Fprintf(out, "%s: %d unused objects, %d unknown to the database. Left alone: %d that are no pictures.\n",
			removed, done.Removed, done.Unknown, done.Foreign)
		return err
	})
}

// withBlobs runs f on DATABASE_URL, with the login of the worker or the owner, and the object
// storage of BLOBS_S3_ENDPOINT, which must be set.
func withBlobs(ctx context.Context, f func(*pgxpool.Pool, images.Blobs) error) error {
	c, err := config.LoadBlobs()
	if err != nil {
		return err
	}
	stored, err := images.OpenBlobs(c, nil)
	if err != nil {
		return err
	}
	if stored == nil {
		return errors.New("environment: BLOBS_S3_ENDPOINT: is required")
	}
	return withDatabase(ctx, func(db *pgxpool.Pool) error { return f(db, stored) })
}
