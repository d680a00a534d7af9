package operations

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
	"amanat/internal/lib/tracing"
	"amanat/queue/jobs"
)

const (
	jobOverdue = jobs.MoneyTimeout + 5*time.Second
	// jobPostponed is more than the longest pause before a retry (docs/rules.md#money-calls).
	jobPostponed = 35 * time.Second
	// workerUnseen is four times the interval at which workers record that they live.
	workerUnseen = 8 * time.Second
)

// Sweep enqueues a new job for every pending operation without a live one, and returns the number
// of such operations, at most a hundred. Operations of a kind without a job are rejected. Any
// number of workers may run it concurrently.
//
// A job that is taken for dead may still be alive: its worker may be frozen, or cut off from the
// database. Both jobs are harmless, since each locks the operation, and the second one finds it
// settled.
func (s *Service) Sweep(ctx context.Context) (int, error) {
	var found []Operation
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		var err error
		found, err = stranded(ctx, tx, nil)
		if err != nil || len(found) == 0 {
			return err
		}
		// Another sweep may have enqueued their jobs after the statement began. They are locked
		// now, so that this one sees its jobs.
		ids := make([]uuid.UUID, len(found))
		for i, op := range found {
			ids[i] = op.ID
		}
		if found, err = stranded(ctx, tx, ids); err != nil {
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
