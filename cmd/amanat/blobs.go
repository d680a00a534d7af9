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

// moveBlobs moves the files of pictures from the database to the object storage of
// BLOBS_S3_ENDPOINT, which must be set. It takes the login of the worker or the owner.
func moveBlobs(ctx context.Context, args []string, out io.Writer) error {
	if err := parse(flag.NewFlagSet("move-blobs", flag.ContinueOnError), args, 0); err != nil {
		return err
	}
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
