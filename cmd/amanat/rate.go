package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/google/uuid"

	"amanat/internal/clock"
	"amanat/internal/money"
	"amanat/internal/wallet"
)

// setRate reads DATABASE_URL (the api's login is enough).
func setRate(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("set-rate", flag.ContinueOnError)
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
	if err := service.SetRate(ctx, uuid.Nil, money.Rate(units)); err != nil {
		return err
	}
	fmt.Fprintf(out, "1 USD = %s BDT from now on.\n", money.Rate(units))
	return nil
}
