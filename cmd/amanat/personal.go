package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/app/config"
	"amanat/internal/app/images"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/personal"
	"amanat/internal/lib/clock"
)

// exportUser writes the archive of a user to a new file that only its owner may read. It uses
// DATABASE_URL (any login), and the object storage if pictures are in one.
func exportUser(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("export-user", flag.ContinueOnError)
	if err := parse(flags, args, 2); err != nil {
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
	return withAccounts(ctx, func(db *pgxpool.Pool, service *accounts.Service) error {
		file, err := os.OpenFile(flags.Arg(1), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		user, err := service.Exported(ctx, flags.Arg(0))
		if err == nil {
			buffered := bufio.NewWriter(file)
			pictures := images.New(images.Options{DB: db, Clock: clock.System{}, Blobs: stored})
			err = (&personal.Exporter{DB: db, Clock: clock.System{}, Images: pictures}).Write(ctx, user.ID, buffered)
			err = errors.Join(err, buffered.Flush())
		}
		if err = errors.Join(err, file.Close()); err != nil {
			return errors.Join(err, os.Remove(file.Name()))
		}
		fmt.Fprintf(out, "The archive of %s is in %s.\n", user.Username, file.Name())
		return nil
	})
}

// eraseUser returns the command that closes a user's account. Without --yes, it reads the username
// from in again. It uses DATABASE_URL (the api's login is enough).
func eraseUser(in io.Reader) func(ctx context.Context, args []string, out io.Writer) error {
	return func(ctx context.Context, args []string, out io.Writer) error {
		flags := flag.NewFlagSet("erase-user", flag.ContinueOnError)
		confirmed := flags.Bool("yes", false, "")
		if err := parse(flags, flagsFirst(args), 1); err != nil {
			return err
		}
		name := flags.Arg(0)
		return withAccounts(ctx, func(_ *pgxpool.Pool, service *accounts.Service) error {
			if !*confirmed {
				fmt.Fprintf(out, "This closes the account of %s for ever. Type the username to go on: ", name)
				typed, err := bufio.NewReader(in).ReadString('\n')
				if err != nil && !errors.Is(err, io.EOF) {
					return err
				}
				if !strings.EqualFold(strings.TrimSpace(typed), name) {
					return errors.New("the usernames differ: nothing was changed")
				}
			}
			user, err := service.Erase(ctx, name)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "The account of %s is closed; a worker erases the rest within minutes.\n", user.Username)
			return nil
		})
	}
}
