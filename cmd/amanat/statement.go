package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/domain/accounts"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/clock"
)

// statement prints a user's statement as the ledger has it, that of a disabled user, too, or what
// moved the money of a deal. It uses DATABASE_URL (any login).
func statement(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("statement", flag.ContinueOnError)
	days := flags.Int("days", 0, "only of the last so many days; 0: of all time")
	isUser := flags.Bool("user", false, "a username, although it has the form of an ID")
	if err := parse(flags, flagsFirst(args), 1); err != nil {
		return err
	}
	if *days < 0 {
		return fmt.Errorf("%w: --days must not be below 0", errUsage)
	}
	deal, isDeal := parseDeal(flags.Arg(0))
	isDeal = isDeal && !*isUser
	if isDeal && *days > 0 {
		return fmt.Errorf("%w: --days is for statements of users", errUsage)
	}
	return withDatabase(ctx, func(db *pgxpool.Pool) error {
		if isDeal {
			return dealStatement(ctx, db, out, deal)
		}
		user, err := accounts.New(accounts.Options{DB: db, Clock: clock.System{}}).Statement(ctx, flags.Arg(0))
		if err != nil {
			return err
		}
		var filter reports.StatementFilter
		if *days > 0 {
			from := clock.System{}.Now().AddDate(0, 0, -*days)
			filter.Period.From = &from
		}
		return printStatement(ctx, out, &reports.Service{DB: db, Clock: clock.System{}}, user, filter)
	})
}

func printStatement(
	ctx context.Context, out io.Writer, service *reports.Service, user accounts.User, filter reports.StatementFilter,
) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	var sums *reports.Statement
	err := service.TracedStatementParts(ctx, user.ID, filter, func(read reports.Statement, lines []reports.TracedLine) error {
		if sums == nil {
			sums = &read
			fmt.Fprintf(table, "TIME\tKIND\tSUBJECT\tWITH\tREFERENCE\tAMOUNT\tBALANCE\tCALL\n\t\t\t\topening\t\t%s\t\n", read.Opening)
		}
		for _, line := range lines {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", stamp(line.At), line.Kind, line.Subject, textOr(line.With),
				textOr(line.Reference), line.Amount, line.BalanceAfter, callText(line.RequestID))
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(table, "\t\t\t\tclosing\t\t%s\t\n", sums.Closing)
	return table.Flush()
}

func textOr(text *string) string {
	if text == nil {
		return "-"
	}
	return cmp.Or(*text, "-")
}
