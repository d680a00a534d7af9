package operations

import (
	"context"
	"time"

	"amanat/internal/platform/postgres"
	"amanat/internal/platform/tracing"
	"amanat/internal/queue/jobs"
)

const (
	strandedAfter = 15 * time.Second
	jobOverdue    = jobs.MoneyTimeout + 5*time.Second
)

// Sweep enqueues a new job for every operation that has been pending for 15 s without a live job,
// and returns the number of such operations. Operations of a kind without a job are rejected. Any
// number of workers may run it concurrently. A duplicate job is harmless: it finds the operation
// settled.
func (s *Service) Sweep(ctx context.Context) (int, error) {
	var found []Operation
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		var err error
		found, err = stranded(ctx, tx, s.Clock.Now().Add(-strandedAfter))
		if err != nil {
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
