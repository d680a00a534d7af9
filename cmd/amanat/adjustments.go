package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"text/tabwriter"

	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/app/actor"
	"amanat/internal/app/user"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// adjust proposes a correction of a user's balance, which an admin confirms in the UI. It uses
// DATABASE_URL (the api's or the worker's login).
func adjust(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("adjust", flag.ContinueOnError)
	note := flags.String("note", "", "for admins")
	if err := parse(flags, args, 3); err != nil {
		return err
	}
	units, err := money.Parse(strings.TrimPrefix(flags.Arg(1), "+"))
	if err != nil {
		return fmt.Errorf("%w: %q is no amount: %w", errUsage, flags.Arg(1), err)
	}
	return withAdjustments(ctx, func(service *wallet.Service) error {
		id, err := service.AccountNamed(ctx, flags.Arg(0))
		if err != nil {
			return err
		}
		a, err := service.ProposeAdjustment(ctx, actor.Operator(), wallet.AdjustmentProposal{
			UserID: id, Amount: money.Cents(units), Reason: flags.Arg(2), Note: *note,
		}, nil)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "Proposed %s: %s USD for %s, who has %s USD. An admin has to confirm it by %s.\n", a.ID, signed(a.Amount),
			a.User.Username, a.Balance, stamp(a.ExpiresAt))
		return nil
	})
}

// listAdjustments lists the corrections, newest first. It uses DATABASE_URL (any login).
func listAdjustments(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("adjustments", flag.ContinueOnError)
	open := flags.Bool("open", false, "only those that wait for an admin, oldest first")
	limit := flags.Int("limit", 50, "how many at most")
	if err := parse(flags, args, 0); err != nil {
		return err
	}
	if *limit < 1 || *limit > 1000 {
		return fmt.Errorf("%w: --limit must be 1 to 1000", errUsage)
	}
	var query wallet.AdjustmentQuery
	if *open {
		query.Status = wallet.AdjustmentOpen
	}
	return withAdjustments(ctx, func(service *wallet.Service) error {
		list, total, err := service.QueueAdjustments(ctx, query, postgres.Page{Limit: *limit})
		if err != nil {
			return err
		}
		if total == 0 {
			fmt.Fprintln(out, "There are no corrections.")
			return nil
		}
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tPROPOSED\tUSER\tAMOUNT\tSTATUS\tBY\tDECIDED\tDECIDED BY\tREASON")
		for _, a := range list {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", a.ID, stamp(a.ProposedAt), a.User.Username, signed(a.Amount),
				a.Status, nameOr(a.ProposedBy, "operator"), stampOr(a.DecidedAt), nameOr(a.DecidedBy, "-"), a.Reason)
		}
		if err := table.Flush(); err != nil {
			return err
		}
		if total > len(list) {
			fmt.Fprintf(out, "%d of %d; --limit shows more.\n", len(list), total)
		}
		return nil
	})
}

// signed formats an amount with its sign.
func signed(amount money.Cents) string {
	if amount > 0 {
		return "+" + amount.String()
	}
	return amount.String()
}

func nameOr(ref *user.Ref, other string) string {
	if ref == nil {
		return other
	}
	return ref.Username
}

// withAdjustments runs f on DATABASE_URL.
func withAdjustments(ctx context.Context, f func(*wallet.Service) error) error {
	return withDatabase(ctx, func(db *pgxpool.Pool) error {
		inserter, err := jobs.NewInserter(db, slog.New(slog.DiscardHandler))
		if err != nil {
			return err
		}
		return f(&wallet.Service{
			DB: db, Clock: clock.System{}, Jobs: inserter, Events: &realtime.Log{Clock: clock.System{}, Publish: silence{}},
		})
	})
}
