package operations

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/platform/actor"
	"amanat/internal/platform/audit"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
)

// Stuck is an operation that should have settled by now, with what is known of its latest job.
type Stuck struct {
	ID        uuid.UUID
	Kind      string
	Subject   string
	Actor     string // username; "" for the clock
	CreatedAt time.Time
	JobState  string // "" without a job
	Attempts  int
	LastError string
}

// stuckAfter is longer than any operation takes to settle, whatever single process dies.
const stuckAfter = time.Minute

// ListStuck returns the operations that have been pending for more than a minute, the oldest first. It is for operators.
func (s *Service) ListStuck(ctx context.Context, q postgres.Querier) ([]Stuck, error) {
	return listStuck(ctx, q, s.Clock.Now().Add(-stuckAfter))
}

// End rejects a pending operation that cannot settle, so that its subject can be acted on again, and cancels its jobs: nothing moves. It is
// for operators; the api's login may not. Codes: NotFound, Invalid without a reason, Conflict when the operation has settled.
func (s *Service) End(ctx context.Context, id uuid.UUID, reason string) (Operation, error) {
	if reason == "" {
		return Operation{}, fault.Field("reason", "Say why the operation is ended.")
	}
	var op Operation
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		// The jobs first, as workers do: a settlement in flight holds its job and is waited for. One that begins later finds the operation
		// rejected and completes its job without effect.
		if err := cancelJobs(ctx, tx, id); err != nil {
			return err
		}
		var err error
		if op, err = lock(ctx, tx, id); err != nil {
			return err
		}
		if op.Status != Pending {
			return fault.Newf(fault.Conflict, "The operation is %s already.", op.Status)
		}
		if err := s.Reject(ctx, tx, op, errEnded()); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			At: s.Clock.Now(), Actor: actor.Operator(), Action: "operation.reject", Subject: op.Subject,
			Details: map[string]any{"operation": op.ID, "kind": op.Kind, "reason": reason},
		})
	})
	return op, err
}

// errEnded is what the actor of an ended operation is told.
func errEnded() *fault.Error {
	return fault.New(fault.Conflict, "This was stopped by our team and nothing has changed. Please try again, or contact support.")
}
