package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/app/config"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/notifications"
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
