package operations

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/tracing"
	"amanat/queue/jobs"
)

// ListByReference returns the operations of the call that a reference stands for, newest first; see
// tracing.Reference. It reads the whole table. It is for operators. It fails if the reference is
// malformed.
func (s *Service) ListByReference(ctx context.Context, q postgres.Querier, reference string) ([]Operation, error) {
	prefix, err := tracing.ParseReference(reference)
	if err != nil {
		return nil, err
	}
	return byReference.Many(ctx, q, postgres.Args{"prefix": prefix, "most": maxOfCall})
}

// End rejects a pending operation that cannot settle and cancels its jobs, so that its subject is
// free again. No money moves. It is for operators; the login of the api may not call it. Codes:
// NotFound, Invalid without a reason, Conflict if the operation has settled.
func (s *Service) End(ctx context.Context, id uuid.UUID, reason string) (Operation, error) {
	if reason == "" {
		return Operation{}, fault.Field("reason", "operation_reason_missing", "Say why the operation is ended.")
	}
	var op Operation
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		var err error
		// This waits for a settlement in flight. A later one finds the operation rejected.
		if op, err = lock(ctx, tx, id); err != nil {
			return err
		}
		if op.Status != Pending {
			return fault.Newf(fault.Conflict, "operation_settled", "The operation is {status} already.", fault.Params{"status": op.Status})
		}
		if err := s.Reject(tx, op, errEnded()); err != nil {
			return err
		}
		if err := cancelJobs.Run(ctx, tx, postgres.Args{"operation": id}); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			At: s.Clock.Now(), Actor: actor.Operator(), Action: "operation.reject", Subject: op.Subject,
			Details: map[string]any{"operation": op.ID, "kind": op.Kind, "reason": reason},
		})
	})
	return op, err
}

// errEnded returns the error that the actor of an ended operation receives.
func errEnded() *fault.Error {
	return fault.New(fault.Conflict, "operation_stopped",
		"This was stopped by our team and nothing has changed. Please try again, or contact support.")
}

// Sweep enqueues a new job for every pending operation without a live one, such as one whose job
// was cancelled or discarded, and returns the number of such operations, at most a hundred.
// Operations of a kind without a job are rejected. Any number of workers may run it concurrently:
// if two of them enqueue a job, the second job finds the operation settled.
func (s *Service) Sweep(ctx context.Context) (int, error) {
	var found []Operation
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		var err error
		if found, err = stranded.Many(ctx, tx, postgres.Args{"queue": jobs.QueueMoney}); err != nil {
			return err
		}
		for _, op := range found {
			if err := s.requeue(ctx, tx, op); err != nil {
				return err
			}
		}
		return nil
	})
	return len(found), err
}

func (s *Service) requeue(ctx context.Context, tx *postgres.Tx, op Operation) error {
	if _, err := jobs.ForOperation(op.Kind, op.ID); err != nil {
		return s.Reject(tx, op, ErrMalformed())
	}
	if op.RequestID != nil {
		ctx = tracing.WithRequestID(ctx, *op.RequestID)
	}
	return s.enqueue(ctx, tx, op)
}
