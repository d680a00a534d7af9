package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/tracing"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
)

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
			fmt.Fprintln(out, "No operation was requested by a call with this reference.")
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
	service := operationsOf(db)
	id, err := uuid.Parse(text)
	if err != nil {
		if _, err := tracing.ParseReference(text); err != nil {
			return nil, fmt.Errorf("%w: %q is neither the id of an operation nor a reference", errUsage, text)
		}
		return service.ListByReference(ctx, db, text)
	}
	op, err := service.Show(ctx, db, id)
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
