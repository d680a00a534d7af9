package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"amanat/internal/accounts"
	"amanat/internal/clock"
)

// grantAdmin reads DATABASE_URL (the api's login is enough).
func grantAdmin(ctx context.Context, args []string, out io.Writer) error {
	return withUser(ctx, "grant-admin", args, func(service *accounts.Service, name string) error {
		user, err := service.GrantAdmin(ctx, name)
		if err == nil {
			fmt.Fprintf(out, "%s is an admin now.\n", user.Username)
		}
		return err
	})
}

// verifyUser reads DATABASE_URL (the api's login is enough).
func verifyUser(ctx context.Context, args []string, out io.Writer) error {
	return withUser(ctx, "verify-user", args, func(service *accounts.Service, name string) error {
		user, err := service.MarkVerified(ctx, name)
		if err == nil {
			fmt.Fprintf(out, "%s has a verified address now.\n", user.Username)
		}
		return err
	})
}

// disableUser reads DATABASE_URL (the api's login is enough).
func disableUser(ctx context.Context, args []string, out io.Writer) error {
	return withUser(ctx, "disable-user", args, func(service *accounts.Service, name string) error {
		user, err := service.Disable(ctx, name)
		if err == nil {
			fmt.Fprintf(out, "%s is locked out now; the sessions are ended.\n", user.Username)
		}
		return err
	})
}

// holdWithdrawals reads DATABASE_URL (the api's login is enough).
func holdWithdrawals(ctx context.Context, args []string, out io.Writer) error {
	return withUser(ctx, "hold-withdrawals", args, func(service *accounts.Service, name string) error {
		user, err := service.HoldWithdrawals(ctx, name)
		if err == nil {
			fmt.Fprintf(out, "%s cannot withdraw now.\n", user.Username)
		}
		return err
	})
}

// releaseWithdrawals reads DATABASE_URL (the api's login is enough).
func releaseWithdrawals(ctx context.Context, args []string, out io.Writer) error {
	return withUser(ctx, "release-withdrawals", args, func(service *accounts.Service, name string) error {
		user, err := service.ReleaseWithdrawals(ctx, name)
		if err == nil {
			fmt.Fprintf(out, "%s can withdraw again.\n", user.Username)
		}
		return err
	})
}

func withUser(ctx context.Context, command string, args []string, change func(service *accounts.Service, name string) error) error {
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	if err := parse(flags, args, 1); err != nil {
		return err
	}
	db, err := connect(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	return change(accounts.New(accounts.Options{DB: db, Clock: clock.System{}}), flags.Arg(0))
}
