package operations

import (
	"context"
	"time"

	"amanat/internal/postgres"
	"amanat/queue/jobs"
)

const (
	strandedAfter = 15 * time.Second
	jobOverdue    = jobs.MoneyTimeout + 5*time.Second
	keysKeptFor   = 7 * 24 * time.Hour
	keysBatch     = 5_000
)

// Sweep gives every operation that has been pending for 15 s without a live job a new one, and returns how many. Any number of workers
// may run it at once. A job too many does no harm: it finds the operation settled.
func (s *Service) Sweep(ctx context.Context) (int, error) {
	var found []Operation
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		var err error
		found, err = stranded(ctx, tx, s.Clock.Now().Add(-strandedAfter))
		if err != nil {
			return err
		}
		for _, op := range found {
			if err := s.enqueue(ctx, tx, op); err != nil {
				return err
			}
		}
		return nil
	})
	return len(found), err
}

// ForgetKeys removes Idempotency-Keys older than seven days, in batches that are transactions of their own, and returns how many.
func (s *Service) ForgetKeys(ctx context.Context, q postgres.Querier) (int64, error) {
	return forgetKeys(ctx, q, s.Clock.Now().Add(-keysKeptFor))
}
