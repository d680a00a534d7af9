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
	queue    realtime.Queue // of admins, that the subject stands in; "": none
}

// Timeout bounds one attempt.
func (s *settler[T]) Timeout(*river.Job[T]) time.Duration { return jobs.MoneyTimeout }

const maxRetryPause = 30 * time.Second

// NextRetry pauses 1, 2, 4 … 30 s: somebody waits for their money (docs/rules.md#money-calls).
func (s *settler[T]) NextRetry(job *river.Job[T]) time.Time {
	pause := maxRetryPause
	if n := len(job.Errors); n < 5 {
		pause = time.Second << n
	}
	return clockNow().Add(pause)
}

// Work settles the job's operation: posting, outcome, notices and the job's completion commit together or not at all. A business
// refusal is an outcome too: a completed job with a rejected operation. Any other error leaves nothing behind and is tried again.
func (s *settler[T]) Work(ctx context.Context, job *river.Job[T]) error {
	err := s.inTx(ctx, job, func(tx *postgres.Tx, op operations.Operation) error {
		// Who was disabled after asking, or is no admin any more, moves nothing (docs/rules.md#money-calls).
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
		// In a transaction of its own, so that whatever the refused attempt wrote is gone.
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

// release tells admins that a row of their queue is in nobody's hands any more, since what was asked for was refused.
func (s *settler[T]) release(tx *postgres.Tx, op operations.Operation) {
	if id, err := op.SubjectID(); err == nil && s.queue != "" {
		s.services.Events.QueueChanged(tx, s.queue, id)
	}
}

func (s *settler[T]) inTx(ctx context.Context, job *river.Job[T], do func(tx *postgres.Tx, op operations.Operation) error) error {
	return postgres.WithTx(ctx, s.services.DB, func(tx *postgres.Tx) error {
		if err := fence(ctx, tx, job.JobRow); err != nil {
			return err
		}
		op, err := s.services.Operations.Lock(ctx, tx, job.Args.Operation())
		if err != nil {
			return fmt.Errorf("operation %s: %v", job.Args.Operation(), err) //nolint:errorlint // not a refusal: there must be one
		}
		// A job of another kind than the operation's has no effect: only the operation's own may settle it.
		if op.Status == operations.Pending && op.Kind == job.Args.Kind() {
			if err := do(tx, op); err != nil {
				return err
			}
		}
		return complete(ctx, tx, job.JobRow)
	})
}

// refusalOf returns the refusal that err is, or nil when it is a failure that another attempt may not have.
func refusalOf(err error) *fault.Error {
	f := fault.As(err)
	if f == nil || f.Code == fault.Internal || f.Code == fault.Unavailable {
		return nil
	}
	return f
}

// errNotOurs says that the job was rescued or completed while this attempt was on its way.
var errNotOurs = errors.New("workers: the job is no longer this attempt's")

// fence makes sure that this very attempt still owns the job, and that nobody else can take it before the transaction ends. River's
// completion alone does not: it ignores the attempt.
func fence(ctx context.Context, tx *postgres.Tx, job *rivertype.JobRow) error {
	ours, err := lockAttempt(ctx, tx, job.ID, job.Attempt)
	if err == nil && !ours {
		err = errNotOurs
	}
	return err
}

// complete completes the attempt in the transaction of its effect. Not with River's own call: that takes any attempt for the running one, and
// a statement made for thousands of jobs takes several times as long for one.
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
