package operations

import (
	"context"

	"amanat/internal/lib/postgres"
	"amanat/internal/lib/tracing"
	"amanat/queue/jobs"
)

// Sweep enqueues a new job for every pending operation without a live one, such as one whose job
// was cancelled or discarded, and returns the number of such operations, at most a hundred.
// Operations of a kind without a job are rejected. Any number of workers may run it concurrently:
// if two of them enqueue a job, the second job finds the operation settled.
func (s *Service) Sweep(ctx context.Context) (int, error) {
	var found []Operation
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		var err error
		if found, err = stranded(ctx, tx); err != nil {
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
