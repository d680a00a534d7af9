package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"amanat/internal/domain/accounts"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/tracing"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
)

// operationLine is an operation in a list.
type operationLine struct {
	ID         uuid.UUID    `json:"id"`
	CreatedAt  time.Time    `json:"createdAt" text:"created"`
	Kind       string       `json:"kind"`
	Subject    string       `json:"subject"`
	Amount     *money.Cents `json:"amount"`
	Actor      *string      `json:"actor"`
	Status     string       `json:"status"`
	FinishedAt *time.Time   `json:"finishedAt" text:"-"`
	Reference  *string      `json:"reference"`
	Refusal    *string      `json:"refusal"`
	JobState   *string      `json:"jobState" text:"job"`
	Attempts   *int         `json:"attempts"`
	LastError  *string      `json:"lastError"`
}

func newOperationLine(o reports.OperationLine) operationLine {
	return operationLine{
		o.ID, o.CreatedAt, o.Kind, o.Subject, o.Amount, o.Actor, o.Status, o.FinishedAt, reference(o.RequestID), o.Refusal,
		o.JobState, o.Attempts, o.LastError,
	}
}

// reference returns the reference of the call with a request id.
func reference(requestID *string) *string {
	if requestID == nil {
		return nil
	}
	code := tracing.Reference(*requestID)
	return &code
}

func listOperations() *cobra.Command {
	var filter reports.OperationFilter
	var username, deal string
	cmd := printing(&cobra.Command{
		Use: "list", Args: exactly(0), Short: "List operations, newest first: without flags, those pending for more than a minute",
		Long: "List operations, newest first: without --user, --deal, --state or --since, those that have been pending for more than\n" +
			"a minute. The amount is that of the subject, such as the price of the deal. The audit log has whose operations were\n" +
			"read. With --state or --since alone, the whole table is read, which takes seconds.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			id, isDeal := parseDeal(deal)
			if deal != "" && !isDeal {
				return fmt.Errorf("%w: %q is no deal's id", errUsage, deal)
			}
			return withDatabase(ctx, func(db *pgxpool.Pool) error {
				if username != "" {
					user, err := accounts.New(accounts.Options{DB: db, Clock: clock.System{}}).Statement(ctx, username)
					if err != nil {
						return err
					}
					filter.User = &user.ID
				}
				if isDeal {
					if _, err := (&deals.Service{DB: db, Clock: clock.System{}}).Statement(ctx, id); err != nil {
						return err
					}
					filter.Deal = &id
				}
				found, err := (&reports.Service{DB: db, Clock: clock.System{}}).Operations(ctx, filter)
				if err != nil {
					return err
				}
				lines := make([]operationLine, len(found))
				for i, o := range found {
					lines[i] = newOperationLine(o)
				}
				return showOperations(cmd, lines, filter.Limit)
			})
		},
	})
	cmd.Flags().StringVar(&username, "user", "", "only on the deals, deposits, withdrawals, rewards and corrections of this `username`")
	cmd.Flags().StringVar(&deal, "deal", "", "only on the deal with this `id`")
	choiceFlag(cmd, &filter.States, "state", "only in these `states`", []string{
		string(operations.Pending), string(operations.Done), string(operations.Rejected),
	})
	sinceFlag(cmd, &filter.Since)
	limitFlag(cmd, &filter.Limit, 100, 10_000)
	return cmd
}

func showOperations(cmd *cobra.Command, lines []operationLine, limit int) error {
	empty := "No operation matches."
	if cmd.Flags().NFlag() == 0 {
		empty = "No operation has been pending for more than a minute."
	}
	if err := showList(cmd, lines, empty); err != nil {
		return err
	}
	if len(lines) == limit {
		note(cmd, "There may be more than these %d: see --limit.", limit)
	}
	return nil
}

// operationDetails is an operation with all that is stored of it.
type operationDetails struct {
	ID         uuid.UUID         `json:"id" text:"operation"`
	Kind       string            `json:"kind"`
	Subject    string            `json:"subject"`
	Actor      string            `json:"actor"`
	Status     operations.Status `json:"status"`
	Params     json.RawMessage   `json:"params" text:"parameters"`
	CreatedAt  time.Time         `json:"createdAt" text:"created"`
	FinishedAt *time.Time        `json:"finishedAt" text:"finished"`
	RequestID  *string           `json:"requestId" text:"request"`
	Reference  *string           `json:"reference"`
	Result     json.RawMessage   `json:"result"`
	Refusal    *string           `json:"refusal"`
}

type operationsDetails []operationDetails

func (list operationsDetails) text(out io.Writer) error {
	for i, op := range list {
		if i > 0 {
			fmt.Fprintln(out)
		}
		if err := printRows(out, op); err != nil {
			return err
		}
	}
	return nil
}

func showOperation() *cobra.Command {
	return printing(&cobra.Command{
		Use: "show ID|REFERENCE", Args: exactly(1), Short: "Show an operation, or those of the call with a reference",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withDatabase(cmd.Context(), func(db *pgxpool.Pool) error {
				found, err := findOperations(cmd.Context(), db, args[0])
				if err != nil {
					return err
				}
				if len(found) == 0 {
					return errors.New("no operation was requested by a call with this reference")
				}
				list := make(operationsDetails, len(found))
				for i, op := range found {
					list[i] = operationDetails{
						ID: op.ID, Kind: op.Kind, Subject: op.Subject, Actor: op.Actor.String(), Status: op.Status, Params: op.Params,
						CreatedAt: op.CreatedAt, FinishedAt: op.FinishedAt, RequestID: op.RequestID, Reference: reference(op.RequestID),
						Result: op.Result,
					}
					if refusal := op.Err(); refusal != nil {
						text := refusal.Error()
						list[i].Refusal = &text
					}
				}
				return show(cmd, list)
			})
		},
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

func rejectOperation() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: "reject ID", Args: exactly(1), Short: "End a pending operation that cannot settle: nothing moves",
		Long: "End a pending operation that cannot settle: nothing moves. It takes the login of the worker or the owner.",
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := uuid.Parse(args[0])
			if err != nil {
				return fmt.Errorf("%w: %q is no operation's id", errUsage, args[0])
			}
			return withDatabase(cmd.Context(), func(db *pgxpool.Pool) error {
				op, err := operationsOf(db).End(cmd.Context(), id, reason)
				if err == nil {
					note(cmd, "%s of %s is rejected; nothing has moved.", op.Kind, op.Subject)
				}
				return err
			})
		},
	}
	reasonFlag(cmd, &reason)
	return cmd
}

func operationsOf(db *pgxpool.Pool) *operations.Service {
	return &operations.Service{
		DB: db, Clock: clock.System{}, Events: &realtime.Log{Clock: clock.System{}, Publish: silence{}}, Announce: silence{},
	}
}
