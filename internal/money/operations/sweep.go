package operations

import (
	"context"
	"time"

	"amanat/internal/platform/postgres"
	"amanat/internal/queue/jobs"
)

const (
	strandedAfter = 15 * time.Second
	jobOverdue    = jobs.MoneyTimeout + 5*time.Second
)

// Sweep gives every operation that has been pending for 15 s without a live job a new one, and returns how many. One of a kind that no job
// settles is rejected. Any number of workers may run it at once. A job too many does no harm: it finds the operation settled.
func (s *Service) Sweep(ctx context.Context) (int, error) {
	var found []Operation
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		var err error
		found, err = stranded(ctx, tx, s.Clock.Now().Add(-strandedAfter))
		if err != nil {
			return err
		}
		for _, op := range found {
			if err := s.revive(ctx, tx, op); err != nil {
				return err
			}
		}
		return nil
	})
	return len(found), err
}

func (s *Service) revive(ctx context.Context, tx *postgres.Tx, op Operation) error {
	if _, err := jobs.ForOperation(op.Kind, op.ID); err != nil {
		return s.Reject(ctx, tx, op, ErrMalformed())
	}
	return s.enqueue(ctx, tx, op)
}
