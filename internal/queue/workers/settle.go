package workers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"amanat/internal/money/operations"
	"amanat/internal/platform/failpoint"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
	"amanat/internal/queue/jobs"
	"amanat/internal/realtime"
)

// moneyArgs are the arguments of a money job.
type moneyArgs interface {
	river.JobArgs
	Operation() uuid.UUID
}

// settler settles one kind of operation.
type settler[T moneyArgs] struct {
	river.WorkerDefaults[T]
	services Services
	settle   func(ctx context.Context, tx *postgres.Tx, op operations.Operation) (result any, err error)
	rule     operations.Rule
	queue    realtime.Queue // the admins' queue that the subject is in; "": none
}

// Timeout bounds one attempt.
func (s *settler[T]) Timeout(*river.Job[T]) time.Duration { return jobs.MoneyTimeout }

const maxRetryPause = 30 * time.Second

// NextRetry backs off exponentially from 1 s to 30 s (docs/rules.md#money-calls). The pauses are
// short because a user is waiting for their money.
func (s *settler[T]) NextRetry(job *river.Job[T]) time.Time {
	pause := maxRetryPause
	if n := len(job.Errors); n < 5 {
		pause = time.Second << n
	}
	return clockNow().Add(pause)
}

// Work settles the job's operation. The postings, the outcome, the notifications and the completion
// of the job commit in one transaction. A refusal is an outcome too: the operation is rejected and
// the job completed. Any other error rolls everything back, and the job is retried.
func (s *settler[T]) Work(ctx context.Context, job *river.Job[T]) error {
	err := s.inTx(ctx, job, func(tx *postgres.Tx, op operations.Operation) error {
		// The actor may have been disabled or lost the admin role since the request
		// (docs/rules.md#money-calls).
		if err := operations.CheckActor(ctx, tx, op, s.rule); err != nil {
			return err
		}
		result, err := s.settle(ctx, tx, op)
		if err != nil {
			return err
		}
		return s.services.Operations.Finish(ctx, tx, op, result)
	})
	if refusal := refusalOf(err); refusal != nil {
		// In a new transaction, so that everything the refused attempt wrote is rolled back.
		err = s.inTx(ctx, job, func(tx *postgres.Tx, op operations.Operation) error {
			s.release(tx, op)
			return s.services.Operations.Reject(ctx, tx, op, refusal)
		})
	}
	if err == nil {
		failpoint.Hit(failpoint.WorkerAfterCommit)
	}
	return err
}

// release publishes that a row of the admins' queue is free again, because its operation was
// refused.
func (s *settler[T]) release(tx *postgres.Tx, op operations.Operation) {
	if id, err := op.SubjectID(); err == nil && s.queue != "" {
		s.services.Events.QueueChanged(tx, s.queue, id)
	}
}

// inTx calls do with the job's operation, if that is pending, and completes the job in the same
// transaction.
func (s *settler[T]) inTx(
	ctx context.Context, job *river.Job[T], do func(tx *postgres.Tx, op operations.Operation) error,
) error {
	return postgres.WithTx(ctx, s.services.DB, func(tx *postgres.Tx) error {
		if err := fence(ctx, tx, job.JobRow); err != nil {
			return err
		}
		op, err := s.services.Operations.Lock(ctx, tx, job.Args.Operation())
		if err != nil {
			//nolint:errorlint // not a refusal: there must be one
			return fmt.Errorf("operation %s: %v", job.Args.Operation(), err)
		}
		// A job of another kind than the operation has no effect.
		if op.Status == operations.Pending && op.Kind == job.Args.Kind() {
			if err := do(tx, op); err != nil {
				return err
			}
		}
		return complete(ctx, tx, job.JobRow)
	})
}

// refusalOf returns err as a refusal, or nil if it is nil or a failure worth a retry.
func refusalOf(err error) *fault.Error {
	f := fault.As(err)
	if f == nil || f.Code == fault.Internal || f.Code == fault.Unavailable {
		return nil
	}
	return f
}

// errNotOurs means that the job was rescued or completed while this attempt was running.
var errNotOurs = errors.New("workers: the job is no longer this attempt's")

// fence locks the job until the end of the transaction and returns errNotOurs if this attempt no
// longer owns it. River's completion does not check that: it ignores the attempt.
func fence(ctx context.Context, tx *postgres.Tx, job *rivertype.JobRow) error {
	ours, err := lockAttempt(ctx, tx, job.ID, job.Attempt)
	if err == nil && !ours {
		err = errNotOurs
	}
	return err
}

// complete completes the attempt in the transaction of its effect. It returns errNotOurs if the
// attempt no longer owns the job. River's own call is no substitute: it does not compare the
// attempt, and its statement, made for thousands of jobs, takes several times as long for one.
func complete(ctx context.Context, tx *postgres.Tx, job *rivertype.JobRow) error {
	tx.BeforeCommit(func(context.Context) error {
		failpoint.Hit(failpoint.WorkerBeforeCommit)
		return nil
	})
	completed, err := completeAttempt(ctx, tx, job.ID, job.Attempt)
	if err != nil {
		return fmt.Errorf("complete job: %w", err)
	}
	if !completed {
		return errNotOurs
	}
	return nil
}
