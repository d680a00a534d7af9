package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"amanat/internal/domain/reports"
	"amanat/internal/lib/clock"
)

// errBooks makes the exit code non-zero if the books do not balance.
var errBooks = errors.New("the books do not add up")

// reconcile checks the books: whole, or with --since-checkpoint what came since the latest check
// without a finding. It uses DATABASE_URL (the worker's login is enough).
func reconcile(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("reconcile", flag.ContinueOnError)
	short := flags.Bool("since-checkpoint", false, "")
	if err := parse(flags, args, 0); err != nil {
		return err
	}
	db, err := connect(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	check, err := reports.CheckBooks(ctx, db, reports.CheckOptions{Short: *short})
	if err != nil {
		return err
	}
	switch {
	case !check.Whole:
		fmt.Fprintf(out, "checked what came since %s\n", clock.Moment(check.Since))
	case *short:
		fmt.Fprintln(out, "there is no checkpoint to begin at: everything was checked")
	}
	broken := map[string][]string{}
	for _, f := range check.Findings {
		broken[f.Rule] = append(broken[f.Rule], f.Detail)
	}
	for _, rule := range reports.Rules() {
		verdict := "ok    "
		if len(broken[rule]) > 0 {
			verdict = "BROKEN"
		}
		fmt.Fprintf(out, "%s  %s\n", verdict, rule)
		for _, detail := range broken[rule] {
			fmt.Fprintf(out, "        %s\n", detail)
		}
	}
	if len(check.Findings) > 0 {
		return errBooks
	}
	return nil
}
