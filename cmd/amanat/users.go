package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/app/config"
	"amanat/internal/app/images"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/personal"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/redisclient"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// grantAdmin makes a user an admin. It uses DATABASE_URL (the owner's login).
func grantAdmin(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("grant-admin", flag.ContinueOnError)
	now := flags.String("now", "", "why it cannot wait until the user's second factor is a day old, for the audit log")
	if err := parse(flags, args, 1); err != nil {
		return err
	}
	return withAccounts(ctx, func(_ *pgxpool.Pool, service *accounts.Service) error {
		user, err := service.GrantAdmin(ctx, flags.Arg(0), strings.TrimSpace(*now))
		if err == nil {
			fmt.Fprintf(out, "%s is an admin now.\n", user.Username)
		}
		return err
	})
}

// revokeAdmin takes the admin role from a user. It uses DATABASE_URL (the owner's login).
func revokeAdmin(ctx context.Context, args []string, out io.Writer) error {
	return withUser(ctx, "revoke-admin", args, func(service *accounts.Service, name string) error {
		user, err := service.RevokeAdmin(ctx, name)
		if err == nil {
			fmt.Fprintf(out, "%s is no longer an admin.\n", user.Username)
		}
		return err
	})
}

// verifyUser marks a user's email address as verified. It uses DATABASE_URL (the api's login is
// enough).
func verifyUser(ctx context.Context, args []string, out io.Writer) error {
	return withUser(ctx, "verify-user", args, func(service *accounts.Service, name string) error {
		user, err := service.MarkVerified(ctx, name)
		if err == nil {
			fmt.Fprintf(out, "%s has a verified address now.\n", user.Username)
		}
		return err
	})
}

// disableUser locks a user out. It uses DATABASE_URL (the api's login is enough).
func disableUser(ctx context.Context, args []string, out io.Writer) error {
	return withUser(ctx, "disable-user", args, func(service *accounts.Service, name string) error {
		user, err := service.Disable(ctx, name)
		if err == nil {
			fmt.Fprintf(out, "%s is locked out now; the sessions are ended, open deals wait for an admin.\n", user.Username)
		}
		return err
	})
}

// enableUser lets a disabled user sign in again. It uses DATABASE_URL (the api's login is enough).
func enableUser(ctx context.Context, args []string, out io.Writer) error {
	return withUser(ctx, "enable-user", args, func(service *accounts.Service, name string) error {
		user, err := service.Enable(ctx, name)
		if err == nil {
			fmt.Fprintf(out, "%s can sign in again; deals that waited for this alone go on.\n", user.Username)
		}
		return err
	})
}

// holdWithdrawals stops a user from withdrawing. It uses DATABASE_URL (the owner's login).
func holdWithdrawals(ctx context.Context, args []string, out io.Writer) error {
	return withUser(ctx, "hold-withdrawals", args, func(service *accounts.Service, name string) error {
		user, err := service.HoldWithdrawals(ctx, name)
		if err == nil {
			fmt.Fprintf(out, "%s cannot withdraw now.\n", user.Username)
		}
		return err
	})
}

// releaseWithdrawals lets a user withdraw again. It uses DATABASE_URL (the owner's login).
func releaseWithdrawals(ctx context.Context, args []string, out io.Writer) error {
	return withUser(ctx, "release-withdrawals", args, func(service *accounts.Service, name string) error {
		user, err := service.ReleaseWithdrawals(ctx, name)
		if err == nil {
			fmt.Fprintf(out, "%s can withdraw again.\n", user.Username)
		}
		return err
	})
}

// resetSecondFactor removes the second factor of a user who has lost it. It uses DATABASE_URL (the
// owner's login).
func resetSecondFactor(ctx context.Context, args []string, out io.Writer) error {
	return withUser(ctx, "reset-second-factor", args, func(service *accounts.Service, name string) error {
		user, err := service.ResetSecondFactor(ctx, name)
		if err == nil {
			fmt.Fprintf(out, "%s signs in with the password alone now; the sessions are ended, withdrawals are held for 24 hours.\n", user.Username)
		}
		return err
	})
}

func withUser(ctx context.Context, command string, args []string, change func(service *accounts.Service, name string) error) error {
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	if err := parse(flags, args, 1); err != nil {
		return err
	}
	return withAccounts(ctx, func(_ *pgxpool.Pool, service *accounts.Service) error { return change(service, flags.Arg(0)) })
}

// withAccounts runs f on DATABASE_URL. With REDIS_URL, open pages learn at once which sessions f
// has ended.
func withAccounts(ctx context.Context, f func(db *pgxpool.Pool, service *accounts.Service) error) error {
	return withDatabase(ctx, func(db *pgxpool.Pool) error {
		log := slog.New(slog.DiscardHandler)
		inserter, err := jobs.NewInserter(db, log)
		if err != nil {
			return err
		}
		events := &realtime.Log{Clock: clock.System{}, Publish: silence{}}
		notices := &notifications.Service{DB: db, Clock: clock.System{}, Events: events}
		escrow := &deals.Service{DB: db, Clock: clock.System{}, Events: events, Notices: notices, Jobs: inserter}
		options := accounts.Options{
			DB: db, Clock: clock.System{}, Jobs: inserter, Notices: notices, Deals: escrow, StrongAdmins: true,
		}
		url, caFile, err := config.Redis()
		if err != nil {
			return err
		}
		if url != "" {
			redisclient.LogTo(log)
			client, err := redisclient.New(url, caFile)
			if err != nil {
				return err
			}
			defer func() { _ = client.Close() }()
			pages := realtime.NewRedis(client, slog.New(slog.NewTextHandler(os.Stderr, nil)))
			defer pages.Flush(ctx)
			options.Sessions = pages
		}
		return f(db, accounts.New(options))
	})
}

// explainRights adds advice to an error about missing privileges.
func explainRights(err error) error {
	if postgres.Forbidden(err) {
		return fmt.Errorf("the login of DATABASE_URL may not do this: use that of the database's owner (%w)", err)
	}
	return err
}

// silence publishes nothing: open pages find events in the log.
type silence struct{}

func (silence) PublishFrame(uuid.UUID, realtime.Frame) {}
func (silence) PublishAdmins(realtime.Frame)           {}

// listUserSessions lists a user's open sessions. It uses DATABASE_URL (any login).
func listUserSessions(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("sessions list", flag.ContinueOnError)
	if err := parse(flags, args, 1); err != nil {
		return err
	}
	return withAccounts(ctx, func(_ *pgxpool.Pool, service *accounts.Service) error {
		user, sessions, err := service.SessionsOf(ctx, flags.Arg(0))
		if err != nil {
			return err
		}
		if len(sessions) == 0 {
			fmt.Fprintf(out, "%s is signed in nowhere.\n", user.Username)
			return nil
		}
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tSINCE\tLAST SEEN\tADDRESS\tBROWSER")
		for _, s := range sessions {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", s.ID, stamp(s.CreatedAt), stamp(s.LastSeenAt),
				orDash(s.Address), orDash(oneLine(s.UserAgent)))
		}
		return table.Flush()
	})
}

// endUserSessions ends one or all of a user's sessions. It uses DATABASE_URL (the api's login is
// enough) and, to reach open pages at once, REDIS_URL.
func endUserSessions(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("sessions end", flag.ContinueOnError)
	if err := parse(flags, args, 2); err != nil {
		return err
	}
	var one *uuid.UUID
	if which := flags.Arg(1); which != everything {
		id, err := uuid.Parse(which)
		if err != nil {
			return fmt.Errorf("%w: %q is no session's id and not %s", errUsage, which, everything)
		}
		one = &id
	}
	return withAccounts(ctx, func(_ *pgxpool.Pool, service *accounts.Service) error {
		user, err := service.EndSessionsOf(ctx, flags.Arg(0), one)
		switch {
		case err != nil:
			return err
		case one == nil:
			fmt.Fprintf(out, "%s is signed out everywhere.\n", user.Username)
		default:
			fmt.Fprintf(out, "%s is signed out of that browser.\n", user.Username)
		}
		return nil
	})
}

// exportUser writes the archive of a user to a new file that only its owner may read. It uses
// DATABASE_URL (any login), and the object storage if pictures are in one.
func exportUser(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("export-user", flag.ContinueOnError)
	if err := parse(flags, args, 2); err != nil {
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
