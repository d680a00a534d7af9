package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/domain/accounts"
)

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
