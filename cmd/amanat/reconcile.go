package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"amanat/internal/domain/reports"
)

// errBooks makes the exit code non-zero if the books do not balance.
var errBooks = errors.New("the books do not add up")

// reconcile checks the books. It uses DATABASE_URL (the worker's login is enough).
func reconcile(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("reconcile", flag.ContinueOnError)
	if err := parse(flags, args, 0); err != nil {
		return err
	}
	db, err := connect(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	findings, err := reports.Reconcile(ctx, db)
	if err != nil {
		return err
	}
	broken := map[string][]string{}
	for _, f := range findings {
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
	if len(findings) > 0 {
		return errBooks
	}
	return nil
}
