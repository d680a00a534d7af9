package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/app/pauses"
	"amanat/internal/lib/clock"
	"amanat/queue/jobs"
	"amanat/queue/repair"
)

// everything stands for every area in the commands on pauses.
const everything = "all"

func listPauses(ctx context.Context, args []string, out io.Writer) error {
	if err := parse(flag.NewFlagSet("pauses", flag.ContinueOnError), args, 0); err != nil {
		return err
	}
	return withPauses(ctx, func(service *pauses.Service, _ *repair.Service) error {
		inForce, err := service.List(ctx)
		if err != nil {
			return err
		}
		if len(inForce) == 0 {
			fmt.Fprintln(out, "Nothing is paused.")
			return nil
		}
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "AREA\tSINCE\tREASON")
		for _, pause := range inForce {
			fmt.Fprintf(table, "%s\t%s\t%s\n", pause.Area, stamp(pause.PausedAt), oneLine(pause.Reason))
		}
		return table.Flush()
	})
}

// pause stops areas. With money it also pauses the queue of money jobs, so that no deadline of a
// deal moves money either.
func pause(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("pause", flag.ContinueOnError)
	reason := reasonFlag(flags)
	areas, err := areasOf(flags, args)
	if err != nil {
		return err
	}
	if err := reason.check(); err != nil {
		return err
	}
	return withPauses(ctx, func(service *pauses.Service, queues *repair.Service) error {
		for _, area := range areas {
			if err := service.Pause(ctx, area, reason.text()); err != nil {
				return err
			}
			fmt.Fprintf(out, "Paused: %s. Within two seconds, calls are refused and change nothing.\n", area)
			if area != pauses.Money {
				continue
			}
			switch err := queues.Pause(ctx, jobs.QueueMoney, reason.text()); {
			case errors.Is(err, repair.ErrNoQueue):
				fmt.Fprintln(out, "No worker has run yet: one that starts now settles what was requested before.")
			case err != nil:
				return err
			default:
				fmt.Fprintln(out, "The queue money is paused, too: what was requested before settles after `amanat resume money`.")
			}
		}
		return nil
	})
}

func resume(ctx context.Context, args []string, out io.Writer) error {
	areas, err := areasOf(flag.NewFlagSet("resume", flag.ContinueOnError), args)
	if err != nil {
		return err
	}
	return withPauses(ctx, func(service *pauses.Service, queues *repair.Service) error {
		for _, area := range areas {
			// First the jobs, so that calls that are let in again settle.
			if area == pauses.Money {
				if err := queues.Resume(ctx, jobs.QueueMoney); err != nil && !errors.Is(err, repair.ErrNoQueue) {
					return err
				}
			}
			resumed, err := service.Resume(ctx, area)
			switch {
			case err != nil:
				return err
			case resumed:
				fmt.Fprintf(out, "Resumed: %s.\n", area)
			case len(areas) == 1:
				fmt.Fprintf(out, "%s was not paused.\n", area)
			}
		}
		return nil
	})
}

// areasOf parses the arguments of a command on an area or all.
func areasOf(flags *flag.FlagSet, args []string) ([]pauses.Area, error) {
	if err := parse(flags, flagsFirst(args), 1); err != nil {
		return nil, err
	}
	area := pauses.Area(flags.Arg(0))
	switch {
	case area == everything:
		return pauses.Areas(), nil
	case slices.Contains(pauses.Areas(), area):
		return []pauses.Area{area}, nil
	}
	names := make([]string, 0, len(pauses.Areas()))
	for _, known := range pauses.Areas() {
		names = append(names, string(known))
	}
	return nil, fmt.Errorf("%w: %q is none of %s, %s", errUsage, area, strings.Join(names, ", "), everything)
}

// withPauses runs f on DATABASE_URL. Any login may read; changes need that of the worker or the
// owner.
func withPauses(ctx context.Context, f func(*pauses.Service, *repair.Service) error) error {
	return withDatabase(ctx, func(db *pgxpool.Pool) error {
		queues, err := repair.New(db, clock.System{})
		if err != nil {
			return err
		}
		return f(&pauses.Service{DB: db, Clock: clock.System{}}, queues)
	})
}
