package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/rivertype"

	"amanat/internal/app/pauses"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/tracing"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
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

func listJobs(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("jobs list", flag.ContinueOnError)
	filter := repair.Filter{}
	flags.StringVar(&filter.Queue, "queue", "", "only of this queue")
	flags.StringVar(&filter.Kind, "kind", "", "only of this kind")
	flags.IntVar(&filter.Limit, "limit", 100, "at most so many")
	states := flags.String("state", "", "only in these states, separated by commas")
	if err := parse(flags, args, 0); err != nil {
		return err
	}
	if filter.Queue != "" && !slices.Contains(jobs.Queues(), filter.Queue) {
		return fmt.Errorf("%w: --queue must be one of %s", errUsage, strings.Join(jobs.Queues(), ", "))
	}
	if *states != "" {
		filter.States = strings.Split(*states, ",")
	}
	for _, state := range filter.States {
		if !slices.Contains(repair.States(), state) {
			return fmt.Errorf("%w: --state must be of %s", errUsage, strings.Join(repair.States(), ", "))
		}
	}
	if filter.Limit < 1 || filter.Limit > repair.MaxListed {
		return fmt.Errorf("%w: --limit must be 1 to %d", errUsage, repair.MaxListed)
	}
	return withRepair(ctx, func(service *repair.Service) error {
		found, err := service.List(ctx, filter)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			fmt.Fprintln(out, "No job matches.")
			return nil
		}
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tQUEUE\tKIND\tSTATE\tATTEMPT\tCREATED\tNEXT\tARGS\tLAST ERROR")
		for _, job := range found {
			next := ""
			if job.FinalizedAt == nil {
				next = stamp(job.ScheduledAt)
			}
			fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%d/%d\t%s\t%s\t%s\t%s\n", job.ID, job.Queue, job.Kind, job.State, job.Attempt, job.MaxAttempts,
				stamp(job.CreatedAt), orDash(next), shorten(string(job.EncodedArgs)), orDash(shorten(lastError(job))))
		}
		if err := table.Flush(); err != nil {
			return err
		}
		if len(found) == filter.Limit {
			fmt.Fprintf(out, "There may be more than these %d: see --limit, --queue, --kind and --state.\n", filter.Limit)
		}
		return nil
	})
}

func showJob(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("jobs show", flag.ContinueOnError)
	id, err := jobID(flags, args)
	if err != nil {
		return err
	}
	return withRepair(ctx, func(service *repair.Service) error {
		job, err := service.Show(ctx, id)
		if err != nil {
			return err
		}
		err = printRows(out, [][2]string{
			{"Job", strconv.FormatInt(job.ID, 10)},
			{"Kind", job.Kind},
			{"Queue", job.Queue},
			{"State", string(job.State)},
			{"Attempt", fmt.Sprintf("%d of %d", job.Attempt, job.MaxAttempts)},
			{"Arguments", string(job.EncodedArgs)},
			{"Created", stamp(job.CreatedAt)},
			{"Scheduled", stamp(job.ScheduledAt)},
			{"Attempted", stampOr(job.AttemptedAt)},
			{"Finished", stampOr(job.FinalizedAt)},
			{"Workers", orDash(strings.Join(job.AttemptedBy, ", "))},
		})
		if err != nil {
			return err
		}
		for _, failure := range job.Errors {
			fmt.Fprintf(out, "\nAttempt %d at %s failed: %s\n", failure.Attempt, stamp(failure.At), failure.Error)
			if failure.Trace != "" {
				fmt.Fprintln(out, failure.Trace)
			}
		}
		return nil
	})
}

func retryJob(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("jobs retry", flag.ContinueOnError)
	id, err := jobID(flags, args)
	if err != nil {
		return err
	}
	return withRepair(ctx, func(service *repair.Service) error {
		job, err := service.Retry(ctx, id)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "Job %d (%s) runs as soon as a worker of the queue %s is free.\n", job.ID, job.Kind, job.Queue)
		return nil
	})
}

func cancelJob(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("jobs cancel", flag.ContinueOnError)
	reason := reasonFlag(flags)
	id, err := jobID(flags, args)
	if err != nil {
		return err
	}
	if err := reason.check(); err != nil {
		return err
	}
	return withRepair(ctx, func(service *repair.Service) error {
		job, err := service.Cancel(ctx, id, reason.text())
		if err != nil {
			return err
		}
		if job.State == rivertype.JobStateRunning {
			fmt.Fprintf(out, "Job %d (%s) is running: its worker was asked to stop it.\n", job.ID, job.Kind)
			return nil
		}
		fmt.Fprintf(out, "Job %d (%s) is cancelled.\n", job.ID, job.Kind)
		return nil
	})
}

func listQueues(ctx context.Context, args []string, out io.Writer) error {
	if err := parse(flag.NewFlagSet("queues list", flag.ContinueOnError), args, 0); err != nil {
		return err
	}
	return withRepair(ctx, func(service *repair.Service) error {
		queues, err := service.Queues(ctx)
		if err != nil {
			return err
		}
		if len(queues) == 0 {
			fmt.Fprintln(out, "No worker has run yet.")
			return nil
		}
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "QUEUE\tPAUSED SINCE")
		for _, queue := range queues {
			fmt.Fprintf(table, "%s\t%s\n", queue.Name, stampOr(queue.PausedAt))
		}
		return table.Flush()
	})
}

func pauseQueue(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("queues pause", flag.ContinueOnError)
	reason := reasonFlag(flags)
	if err := parse(flags, flagsFirst(args), 1); err != nil {
		return err
	}
	if err := reason.check(); err != nil {
		return err
	}
	return withRepair(ctx, func(service *repair.Service) error {
		if err := service.Pause(ctx, flags.Arg(0), reason.text()); err != nil {
			return err
		}
		fmt.Fprintf(out, "The queue %s is paused: jobs that run are finished, and no other starts before `amanat queues resume %[1]s`.\n",
			flags.Arg(0))
		return nil
	})
}

func resumeQueue(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("queues resume", flag.ContinueOnError)
	if err := parse(flags, args, 1); err != nil {
		return err
	}
	return withRepair(ctx, func(service *repair.Service) error {
		if err := service.Resume(ctx, flags.Arg(0)); err != nil {
			return err
		}
		fmt.Fprintf(out, "The queue %s runs again.\n", flags.Arg(0))
		return nil
	})
}

// jobID parses the arguments of a command on one job.
func jobID(flags *flag.FlagSet, args []string) (int64, error) {
	if err := parse(flags, flagsFirst(args), 1); err != nil {
		return 0, err
	}
	id, err := strconv.ParseInt(flags.Arg(0), 10, 64)
	if err != nil || id <= 0 {
		return 0, fmt.Errorf("%w: %q is no job's id", errUsage, flags.Arg(0))
	}
	return id, nil
}

// lastError returns the error of the latest failed attempt, or "".
func lastError(job *rivertype.JobRow) string {
	if len(job.Errors) == 0 {
		return ""
	}
	return job.Errors[len(job.Errors)-1].Error
}

// printRows prints names and values, one pair a line.
func printRows(out io.Writer, rows [][2]string) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintf(table, "%s:\t%s\n", row[0], row[1])
	}
	return table.Flush()
}

// shorten returns a text on one line, cut to what a table has room for.
func shorten(text string) string {
	const most = 80
	runes := []rune(oneLine(text))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05Z") }

func stampOr(at *time.Time) string {
	if at == nil {
		return "-"
	}
	return stamp(*at)
}

// reason is the flag --reason, which the audit log keeps.
type reason struct{ value *string }

func reasonFlag(flags *flag.FlagSet) reason {
	return reason{flags.String("reason", "", "why, for the audit log")}
}

func (r reason) text() string { return strings.TrimSpace(*r.value) }

func (r reason) check() error {
	if r.text() == "" {
		return fmt.Errorf("%w: --reason is required", errUsage)
	}
	return nil
}

// listOperations lists operations that have been pending for more than a minute. It uses
// DATABASE_URL (any login).
func listOperations(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("operations", flag.ContinueOnError)
	if err := parse(flags, args, 0); err != nil {
		return err
	}
	db, err := connect(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	service := operationsOf(db)
	stuck, err := service.ListStuck(ctx, db)
	if err != nil {
		return err
	}
	if len(stuck) == 0 {
		fmt.Fprintln(out, "No operation has been pending for more than a minute.")
		return nil
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tKIND\tSUBJECT\tACTOR\tAGE\tJOB\tATTEMPTS\tLAST ERROR")
	for _, op := range stuck {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\n", op.ID, op.Kind, op.Subject, orDash(op.Actor),
			service.Clock.Now().Sub(op.CreatedAt).Truncate(time.Second), orDash(op.JobState), op.Attempts, orDash(oneLine(op.LastError)))
	}
	return table.Flush()
}

// showOperation prints the operation with an id, or those of the call with a reference. It uses
// DATABASE_URL (any login).
func showOperation(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("operations show", flag.ContinueOnError)
	if err := parse(flags, args, 1); err != nil {
		return err
	}
	return withDatabase(ctx, func(db *pgxpool.Pool) error {
		found, err := findOperations(ctx, db, flags.Arg(0))
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return errors.New("no operation was requested by a call with this reference")
		}
		for i, op := range found {
			if i > 0 {
				fmt.Fprintln(out)
			}
			if err := printOperation(out, op); err != nil {
				return err
			}
		}
		return nil
	})
}

// findOperations returns the operations that an id or a reference stands for.
func findOperations(ctx context.Context, db *pgxpool.Pool, text string) ([]operations.Operation, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		if _, err := tracing.ParseReference(text); err != nil {
			return nil, fmt.Errorf("%w: %q is neither the id of an operation nor a reference", errUsage, text)
		}
		return operationsOf(db).ListByReference(ctx, db, text)
	}
	op, err := operations.Get(ctx, db, id)
	if err != nil {
		return nil, err
	}
	return []operations.Operation{op}, nil
}

func printOperation(out io.Writer, op operations.Operation) error {
	requestID := "-"
	if op.RequestID != nil {
		requestID = fmt.Sprintf("%s (%s)", *op.RequestID, tracing.Reference(*op.RequestID))
	}
	rows := [][2]string{
		{"Operation", op.ID.String()},
		{"Kind", op.Kind},
		{"Subject", op.Subject},
		{"Actor", op.Actor.String()},
		{"Status", string(op.Status)},
		{"Parameters", string(op.Params)},
		{"Created", stamp(op.CreatedAt)},
		{"Finished", stampOr(op.FinishedAt)},
		{"Request", requestID},
		{"Result", orDash(string(op.Result))},
	}
	if refusal := op.Err(); refusal != nil {
		rows = append(rows, [2]string{"Refusal", refusal.Error()})
	}
	return printRows(out, rows)
}

func operationID(text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return uuid.UUID{}, fmt.Errorf("%w: %q is no operation's id", errUsage, text)
	}
	return id, nil
}

// rejectOperation rejects a pending operation. It uses DATABASE_URL (the worker's login is enough,
// the api's is not).
func rejectOperation(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("reject-operation", flag.ContinueOnError)
	reason := reasonFlag(flags)
	if err := parse(flags, flagsFirst(args), 1); err != nil {
		return err
	}
	id, err := operationID(flags.Arg(0))
	if err != nil {
		return err
	}
	if err := reason.check(); err != nil {
		return err
	}
	db, err := connect(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	op, err := operationsOf(db).End(ctx, id, reason.text())
	if err != nil {
		return explainRights(err)
	}
	fmt.Fprintf(out, "%s of %s is rejected; nothing has moved.\n", op.Kind, op.Subject)
	return nil
}

func operationsOf(db *pgxpool.Pool) *operations.Service {
	return &operations.Service{
		DB: db, Clock: clock.System{}, Events: &realtime.Log{Clock: clock.System{}, Publish: silent{}}, Announce: silent{},
	}
}

// silent publishes nothing, because the tool does not use Redis. Open pages find events in the log
// within seconds.
type silent struct{}

func (silent) PublishFrame(uuid.UUID, realtime.Frame) {}
func (silent) PublishAdmins(realtime.Frame)           {}
func (silent) OperationSettled(uuid.UUID)             {}

// flagsFirst moves a leading argument behind the flags, because package flag stops at the first
// argument.
func flagsFirst(args []string) []string {
	if len(args) > 1 && !strings.HasPrefix(args[0], "-") {
		return append(append([]string{}, args[1:]...), args[0])
	}
	return args
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

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
