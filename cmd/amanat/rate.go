package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"amanat/internal/app/actor"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

// setRate sets the exchange rate. It uses DATABASE_URL (the api's login is enough).
func setRate(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("set-rate", flag.ContinueOnError)
	confirmed := flags.Bool("confirm", false, "")
	if err := parse(flags, args, 1); err != nil {
		return err
	}
	units, err := money.Parse(flags.Arg(0))
	if err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	db, err := connect(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	service := &wallet.Service{DB: db, Clock: clock.System{}}
	err = service.SetRate(ctx, actor.Operator(), money.Rate(units), *confirmed)
	if refusal := fault.As(err); refusal != nil && refusal.Fields["confirm"] != "" {
		return fmt.Errorf("%w (with --confirm before the rate)", err)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "1 USD = %s BDT from now on.\n", money.Rate(units))
	return nil
}
