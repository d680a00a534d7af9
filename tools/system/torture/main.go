// Command torture runs real apis and workers on real servers under load while they are killed,
// frozen and cut off, and checks that no money and no event is lost, doubled or seen in an
// impossible order (docs/reliability.md). `make torture` builds the programs and runs it:
//
//	make torture DURATION=1m SEED=7
//
// It prints a table, and exits with 1 if there is a violation.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := command(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop has run
	}
}

func command(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("torture", flag.ContinueOnError)
	o := Options{Log: out}
	flags.StringVar(&o.Programs, "programs", "bin/torture.d", "folder with api, worker and amanat, built with the tag failpoints")
	flags.DurationVar(&o.Duration, "duration", 10*time.Minute, "of load and faults; what is under way then is waited for")
	flags.Uint64Var(&o.Seed, "seed", 0, "of load and faults; 0: a new one")
	flags.IntVar(&o.Clients, "clients", 48, "people who act at the same time")
	flags.IntVar(&o.Wallets, "wallets", 50, "people")
	flags.Float64Var(&o.Payments, "payments", 22, "a second to the phones that forward SMS")
	flags.StringVar(&o.History, "history", "torture-history.jsonl", "file that the calls are written to if there is a violation")
	flags.BoolVar(&o.Keep, "keep", false, "keep the folder with the logs")
	check := flags.String("check", "", "check the history in this file again, and run nothing")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *check != "" {
		return checkHistory(*check, out)
	}
	if o.Seed == 0 {
		o.Seed = rand.Uint64()
	}
	report, err := torture(ctx, o)
	if err != nil && report.Elapsed == 0 {
		return err
	}
	_, _ = fmt.Fprintln(out)
	if printErr := report.Print(out); printErr != nil {
		return printErr
	}
	return err
}
