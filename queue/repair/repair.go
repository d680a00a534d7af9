// Package repair lets an operator inspect and repair River jobs and pause queues. Every change is
// in the audit log.
package repair

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/queue/jobs"
)

// Errors of Service.
var (
	ErrNoJob   = errors.New("there is no such job; completed ones are removed after an hour")
	ErrNoQueue = errors.New("there is no such queue")
	// ErrMoney is returned for jobs of money operations: without its job, an operation stays
	// pending, and the sweep gives it a new one.
	ErrMoney = errors.New("a money job cannot be cancelled; use `amanat operations reject` for its operation")
	// ErrState is returned for a job whose state does not allow the change.
	ErrState = errors.New("not possible")
)

// MaxListed is the largest number of jobs of a list.
const MaxListed = 1_000

// Service is for operators. Changes need the login of the worker or of the database's owner.
type Service struct {
	db     *pgxpool.Pool
	clock  clock.Clock
	client *river.Client[pgx.Tx]
}

// New returns a Service.
func New(db *pgxpool.Pool, c clock.Clock) (*Service, error) {
	client, err := jobs.NewInserter(db, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, fmt.Errorf("repair: %w", err)
	}
	return &Service{db: db, clock: c, client: client}, nil
}

// Filter narrows a list of jobs.
type Filter struct {
	Queues []string // none: all
	Kind   string   // "": all
	States []string // none: all but completed
	Limit  int      // 1 to MaxListed
}

// States returns the states of jobs that a list may ask for.
func States() []string {
	states := make([]string, 0, len(rivertype.JobStates()))
	for _, state := range rivertype.JobStates() {
		states = append(states, string(state))
	}
	return states
}

// List returns jobs, the newest first.
func (s *Service) List(ctx context.Context, f Filter) ([]*rivertype.JobRow, error) {
	params := river.NewJobListParams().First(f.Limit).OrderBy(river.JobListOrderByID, river.SortOrderDesc)
	states := rivertype.JobStates()
	if len(f.States) == 0 {
		states = slices.DeleteFunc(states, func(state rivertype.JobState) bool { return state == rivertype.JobStateCompleted })
	} else {
		states = states[:0]
		for _, state := range f.States {
			states = append(states, rivertype.JobState(state))
		}
	}
	params = params.States(states...)
	if len(f.Queues) > 0 {
		params = params.Queues(f.Queues...)
	}
	if f.Kind != "" {
		params = params.Kinds(f.Kind)
	}
	found, err := s.client.JobList(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("repair: list jobs: %w", err)
	}
	return found.Jobs, nil
}

// Show returns one job. It fails with ErrNoJob if there is none.
func (s *Service) Show(ctx context.Context, id int64) (*rivertype.JobRow, error) {
	job, err := s.client.JobGet(ctx, id)
	return job, wrap(err, "read job %d", id)
}

// Retry makes a failed, cancelled or scheduled job run now, with one more attempt if it has used
// all. It fails with ErrNoJob, and with ErrState for a job that is running or completed.
func (s *Service) Retry(ctx context.Context, id int64) (*rivertype.JobRow, error) {
	return s.change(ctx, "job.retry", id, nil, func(tx *postgres.Tx, job *rivertype.JobRow) (*rivertype.JobRow, error) {
		if job.State == rivertype.JobStateRunning || job.State == rivertype.JobStateCompleted {
			return nil, fmt.Errorf("%w: job %d is %s", ErrState, id, job.State)
		}
		return s.client.JobRetryTx(ctx, tx, id)
	})
}

// Cancel ends a job, which does not run again; one that is running is asked to stop. It fails with
// ErrNoJob, with ErrMoney, and with ErrState for a job that has ended.
func (s *Service) Cancel(ctx context.Context, id int64, reason string) (*rivertype.JobRow, error) {
	details := map[string]any{"reason": reason}
	return s.change(ctx, "job.cancel", id, details, func(tx *postgres.Tx, job *rivertype.JobRow) (*rivertype.JobRow, error) {
		switch {
		case job.Queue == jobs.QueueMoney:
			return nil, ErrMoney
		case job.FinalizedAt != nil:
			return nil, fmt.Errorf("%w: job %d is %s already", ErrState, id, job.State)
		}
		return s.client.JobCancelTx(ctx, tx, id)
	})
}

// change changes a job and records it.
func (s *Service) change(
	ctx context.Context, action string, id int64, details map[string]any,
	apply func(tx *postgres.Tx, job *rivertype.JobRow) (*rivertype.JobRow, error),
) (*rivertype.JobRow, error) {
	var changed *rivertype.JobRow
	err := postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		job, err := s.client.JobGetTx(ctx, tx, id)
		if err != nil {
			return err
		}
		if changed, err = apply(tx, job); err != nil {
			return err
		}
		recorded := map[string]any{"kind": job.Kind, "queue": job.Queue, "state": job.State, "attempt": job.Attempt}
		for name, value := range details {
			recorded[name] = value
		}
		return audit.Record(ctx, tx, audit.Entry{
			At: s.clock.Now(), Actor: actor.Operator(), Action: action, Subject: fmt.Sprintf("job:%d", id), Details: recorded,
		})
	})
	return changed, wrap(err, "%s %d", strings.ReplaceAll(action, ".", " "), id)
}

// Queue is a queue as operators see it.
type Queue struct {
	Name     string
	PausedAt *time.Time // nil: its jobs run
}

// Queues returns the queues that a worker has served, by name.
func (s *Service) Queues(ctx context.Context) ([]Queue, error) {
	found, err := s.client.QueueList(ctx, river.NewQueueListParams().First(MaxListed))
	if err != nil {
		return nil, fmt.Errorf("repair: list queues: %w", err)
	}
	queues := make([]Queue, len(found.Queues))
	for i, q := range found.Queues {
		queues[i] = Queue{Name: q.Name, PausedAt: q.PausedAt}
	}
	return queues, nil
}

// Pause lets no further job of a queue start; those that run are finished. What is enqueued
// meanwhile waits: money calls answer 202, and the operations settle after Resume. It fails with
// ErrNoQueue.
func (s *Service) Pause(ctx context.Context, queue, reason string) error {
	return s.changeQueue(ctx, "queue.pause", queue, map[string]any{"reason": reason}, s.client.QueuePauseTx)
}

// Resume lets the jobs of a queue run again. It fails with ErrNoQueue.
func (s *Service) Resume(ctx context.Context, queue string) error {
	return s.changeQueue(ctx, "queue.resume", queue, map[string]any{}, s.client.QueueResumeTx)
}

func (s *Service) changeQueue(
	ctx context.Context, action, queue string, details map[string]any,
	apply func(context.Context, pgx.Tx, string, *river.QueuePauseOpts) error,
) error {
	err := postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		if err := apply(ctx, tx, queue, nil); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			At: s.clock.Now(), Actor: actor.Operator(), Action: action, Subject: "queue:" + queue, Details: details,
		})
	})
	if errors.Is(err, rivertype.ErrNotFound) {
		err = ErrNoQueue
	}
	return wrap(err, "%s %s", strings.ReplaceAll(action, ".", " "), queue)
}

// wrap adds what failed to an error of River.
func wrap(err error, format string, args ...any) error {
	if errors.Is(err, rivertype.ErrNotFound) {
		err = ErrNoJob
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf(format+": %w", append(args, err)...)
}
