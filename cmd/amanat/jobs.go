package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/rivertype"
	"github.com/spf13/cobra"

	"amanat/internal/app/pauses"
	"amanat/internal/lib/clock"
	"amanat/queue/jobs"
	"amanat/queue/repair"
)

// withRepair runs f with the repair service on DATABASE_URL. Any login may read; changes need that
// of the worker or the owner.
func withRepair(ctx context.Context, f func(*repair.Service) error) error {
	return withDatabase(ctx, func(db *pgxpool.Pool) error {
		service, err := repair.New(db, clock.System{})
		if err != nil {
			return err
		}
		return f(service)
	})
}

// jobLine is a job in a list.
type jobLine struct {
	ID          int64           `json:"id"`
	Queue       string          `json:"queue"`
	Kind        string          `json:"kind"`
	State       string          `json:"state"`
	Attempt     int             `json:"attempt"`
	MaxAttempts int             `json:"maxAttempts" text:"of"`
	CreatedAt   time.Time       `json:"createdAt" text:"created"`
	NextAt      *time.Time      `json:"nextAt" text:"next"`
	Args        json.RawMessage `json:"args"`
	LastError   *string         `json:"lastError"`
}

func newJobLine(job *rivertype.JobRow) jobLine {
	line := jobLine{
		ID: job.ID, Queue: job.Queue, Kind: job.Kind, State: string(job.State), Attempt: job.Attempt, MaxAttempts: job.MaxAttempts,
		CreatedAt: job.CreatedAt, Args: job.EncodedArgs,
	}
	if job.FinalizedAt == nil {
		line.NextAt = &job.ScheduledAt
	}
	if last := len(job.Errors) - 1; last >= 0 {
		line.LastError = &job.Errors[last].Error
	}
	return line
}

// jobDetails are a job with the errors of its attempts.
type jobDetails struct {
	jobLine
	AttemptedAt *time.Time   `json:"attemptedAt"`
	FinishedAt  *time.Time   `json:"finishedAt"`
	Workers     []string     `json:"workers"`
	Errors      []jobFailure `json:"errors" text:"-"`
}

type jobFailure struct {
	Attempt int       `json:"attempt"`
	At      time.Time `json:"at"`
	Error   string    `json:"error"`
	Trace   string    `json:"trace"`
}

func (j jobDetails) text(out io.Writer) error {
	if err := printRows(out, j); err != nil {
		return err
	}
	for _, failure := range j.Errors {
		fmt.Fprintf(out, "\nAttempt %d at %s failed: %s\n", failure.Attempt, stamp(failure.At), failure.Error)
		if failure.Trace != "" {
			fmt.Fprintln(out, failure.Trace)
		}
	}
	return nil
}

func listJobs() *cobra.Command {
	filter := repair.Filter{}
	cmd := printing(&cobra.Command{
		Use: "list", Args: exactly(0), Short: "List the jobs that have not completed, newest first; with --state also completed ones",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withRepair(cmd.Context(), func(service *repair.Service) error {
				found, err := service.List(cmd.Context(), filter)
				if err != nil {
					return err
				}
				lines := make([]jobLine, len(found))
				for i, job := range found {
					lines[i] = newJobLine(job)
				}
				if err := showList(cmd, lines, "No job matches."); err != nil {
					return err
				}
				if len(found) == filter.Limit {
					note(cmd, "There may be more than these %d: see --limit, --queue, --kind and --state.", filter.Limit)
				}
				return nil
			})
		},
	})
	choiceFlag(cmd, &filter.Queues, "queue", "only of these `queues`", jobs.Queues())
	cmd.Flags().StringVar(&filter.Kind, "kind", "", "only of this `kind`")
	choiceFlag(cmd, &filter.States, "state", "only in these `states`", repair.States())
	limitFlag(cmd, &filter.Limit, 100, repair.MaxListed)
	return cmd
}

func showJob() *cobra.Command {
	return printing(&cobra.Command{
		Use: "show ID", Args: exactly(1), Short: "Show a job with its arguments and the errors of its attempts",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withJob(cmd, args[0], func(service *repair.Service, id int64) error {
				job, err := service.Show(cmd.Context(), id)
				if err != nil {
					return err
				}
				details := jobDetails{
					jobLine: newJobLine(job), AttemptedAt: job.AttemptedAt, FinishedAt: job.FinalizedAt, Workers: job.AttemptedBy,
					Errors: make([]jobFailure, len(job.Errors)),
				}
				for i, e := range job.Errors {
					details.Errors[i] = jobFailure{e.Attempt, e.At, e.Error, e.Trace}
				}
				return show(cmd, details)
			})
		},
	})
}

func retryJob() *cobra.Command {
	return &cobra.Command{
		Use: "retry ID", Args: exactly(1), Short: "Run a failed, cancelled or scheduled job now",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withJob(cmd, args[0], func(service *repair.Service, id int64) error {
				job, err := service.Retry(cmd.Context(), id)
				if err != nil {
					return err
				}
				note(cmd, "Job %d (%s) runs as soon as a worker of the queue %s is free.", job.ID, job.Kind, job.Queue)
				return nil
			})
		},
	}
}

func cancelJob() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: "cancel ID", Args: exactly(1), Short: "Cancel a job; for money operations, use `operations reject`",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withJob(cmd, args[0], func(service *repair.Service, id int64) error {
				job, err := service.Cancel(cmd.Context(), id, reason)
				if err != nil {
					return err
				}
				if job.State == rivertype.JobStateRunning {
					note(cmd, "Job %d (%s) is running: its worker was asked to stop it.", job.ID, job.Kind)
					return nil
				}
				note(cmd, "Job %d (%s) is cancelled.", job.ID, job.Kind)
				return nil
			})
		},
	}
	reasonFlag(cmd, &reason)
	return cmd
}

// withJob runs f with the id of a job.
func withJob(cmd *cobra.Command, text string, f func(service *repair.Service, id int64) error) error {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id <= 0 {
		return fmt.Errorf("%w: %q is no job's id", errUsage, text)
	}
	return withRepair(cmd.Context(), func(service *repair.Service) error { return f(service, id) })
}

type queueLine struct {
	Queue    string     `json:"queue"`
	PausedAt *time.Time `json:"pausedAt" text:"paused since"`
}

func listQueues() *cobra.Command {
	return printing(&cobra.Command{
		Use: "list", Args: exactly(0), Short: "List the queues, and since when they are paused",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withRepair(cmd.Context(), func(service *repair.Service) error {
				queues, err := service.Queues(cmd.Context())
				if err != nil {
					return err
				}
				lines := make([]queueLine, len(queues))
				for i, queue := range queues {
					lines[i] = queueLine{queue.Name, queue.PausedAt}
				}
				return showList(cmd, lines, "No worker has run yet.")
			})
		},
	})
}

func pauseQueue() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: "pause QUEUE", Args: exactly(1), ValidArgs: jobs.Queues(), Short: "Start no further job of a queue",
		Long: "Start no further job of a queue. While money is paused, calls are answered with 202 and settle later.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRepair(cmd.Context(), func(service *repair.Service) error {
				if err := service.Pause(cmd.Context(), args[0], reason); err != nil {
					return err
				}
				note(cmd, "The queue %s is paused: jobs that run are finished, and no other starts before `amanat queues resume %[1]s`.", args[0])
				return nil
			})
		},
	}
	reasonFlag(cmd, &reason)
	return cmd
}

func resumeQueue() *cobra.Command {
	return &cobra.Command{
		Use: "resume QUEUE", Args: exactly(1), ValidArgs: jobs.Queues(), Short: "Start the jobs of a paused queue again",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRepair(cmd.Context(), func(service *repair.Service) error {
				if err := service.Resume(cmd.Context(), args[0]); err != nil {
					return err
				}
				note(cmd, "The queue %s runs again.", args[0])
				return nil
			})
		},
	}
}

// everything stands for every area in the commands on pauses.
const everything = "all"

type pauseLine struct {
	Area     pauses.Area `json:"area"`
	PausedAt time.Time   `json:"pausedAt" text:"since"`
	Reason   string      `json:"reason"`
}

func listPauses() *cobra.Command {
	return printing(&cobra.Command{
		Use: "pauses", Args: exactly(0), Short: "List what is paused",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withPauses(cmd.Context(), func(service *pauses.Service, _ *repair.Service) error {
				inForce, err := service.List(cmd.Context())
				if err != nil {
					return err
				}
				lines := make([]pauseLine, len(inForce))
				for i, p := range inForce {
					lines[i] = pauseLine{p.Area, p.PausedAt, p.Reason}
				}
				return showList(cmd, lines, "Nothing is paused.")
			})
		},
	})
}

// pause stops areas. With money it also pauses the queue of money jobs, so that no deadline of a
// deal moves money either.
func pause() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: "pause " + strings.Join(areaNames(), "|"), Args: exactly(1), ValidArgs: areaNames(),
		Short: "Refuse calls that move money, deposits, withdrawals or sign-ups",
		Long:  "Refuse calls that move money, deposits, withdrawals or sign-ups until `amanat resume`. With money, jobs move none either.",
		RunE: func(cmd *cobra.Command, args []string) error {
			areas, err := areasOf(args[0])
			if err != nil {
				return err
			}
			return withPauses(cmd.Context(), func(service *pauses.Service, queues *repair.Service) error {
				for _, area := range areas {
					if err := service.Pause(cmd.Context(), area, reason); err != nil {
						return err
					}
					note(cmd, "Paused: %s. Within two seconds, calls are refused and change nothing.", area)
					if area == pauses.Money {
						if err := pauseMoneyQueue(cmd, queues, reason); err != nil {
							return err
						}
					}
				}
				return nil
			})
		},
	}
	reasonFlag(cmd, &reason)
	return cmd
}

func pauseMoneyQueue(cmd *cobra.Command, queues *repair.Service, reason string) error {
	switch err := queues.Pause(cmd.Context(), jobs.QueueMoney, reason); {
	case errors.Is(err, repair.ErrNoQueue):
		note(cmd, "No worker has run yet: one that starts now settles what was requested before.")
	case err != nil:
		return err
	default:
		note(cmd, "The queue money is paused, too: what was requested before settles after `amanat resume money`.")
	}
	return nil
}

func resume() *cobra.Command {
	return &cobra.Command{
		Use: "resume " + strings.Join(areaNames(), "|"), Args: exactly(1), ValidArgs: areaNames(), Short: "End a pause",
		RunE: func(cmd *cobra.Command, args []string) error {
			areas, err := areasOf(args[0])
			if err != nil {
				return err
			}
			return withPauses(cmd.Context(), func(service *pauses.Service, queues *repair.Service) error {
				for _, area := range areas {
					// First the jobs, so that calls that are let in again settle.
					if area == pauses.Money {
						if err := queues.Resume(cmd.Context(), jobs.QueueMoney); err != nil && !errors.Is(err, repair.ErrNoQueue) {
							return err
						}
					}
					resumed, err := service.Resume(cmd.Context(), area)
					switch {
					case err != nil:
						return err
					case resumed:
						note(cmd, "Resumed: %s.", area)
					case len(areas) == 1:
						note(cmd, "%s was not paused.", area)
					}
				}
				return nil
			})
		},
	}
}

// areaNames returns the names of the areas, and all.
func areaNames() []string {
	names := make([]string, 0, len(pauses.Areas())+1)
	for _, area := range pauses.Areas() {
		names = append(names, string(area))
	}
	return append(names, everything)
}

// areasOf returns the areas that the argument of a command stands for.
func areasOf(name string) ([]pauses.Area, error) {
	if !slices.Contains(areaNames(), name) {
		return nil, fmt.Errorf("%w: %q is none of %s", errUsage, name, strings.Join(areaNames(), ", "))
	}
	if name == everything {
		return pauses.Areas(), nil
	}
	return []pauses.Area{pauses.Area(name)}, nil
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
