package wallet

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
)

const (
	// claimFor is how long a claim locks out other admins.
	claimFor = 5 * time.Minute
	// sendingFor is how long after a claim its admin may be sending the money, so that the owner
	// cannot cancel.
	sendingFor = 15 * time.Minute
)

// worklistEntry holds what handling a row needs of a deposit or a withdrawal alike.
type worklistEntry struct {
	id        uuid.UUID
	userID    uuid.UUID
	pending   bool
	handledBy *user.Ref
	handledAt *time.Time
	claim     *Claim
	operation **operations.Operation // the row's field for the pending operation
}

// checkSettle fails if the request is the admin's own (Forbidden) or already handled
// (AlreadyHandled). It does not check claims: the claim was checked when the operation was
// requested, and may have expired since.
func (e worklistEntry) checkSettle(admin uuid.UUID) error {
	switch {
	case e.userID == admin:
		return fault.New(fault.Forbidden, "own_request", "You cannot handle your own request.")
	case !e.pending && e.handledBy != nil:
		return fault.Newf(fault.AlreadyHandled, "handled_by", "Already handled by {name} at {time}.",
			fault.Params{"name": e.handledBy.Username, "time": clock.Moment(*e.handledAt)})
	case !e.pending:
		return fault.New(fault.AlreadyHandled, "handled", "Already handled.")
	}
	return nil
}

// checkHandle fails as checkSettle does, and while another admin's claim is valid (AlreadyHandled,
// naming that admin).
func (e worklistEntry) checkHandle(admin uuid.UUID, now time.Time) error {
	if err := e.checkSettle(admin); err != nil {
		return err
	}
	if e.claim != nil && e.claim.Admin.ID != admin && now.Before(e.claim.Until) {
		return fault.Newf(fault.AlreadyHandled, "claimed_by", "{name} is working on this request.", fault.Params{"name": e.claim.Admin.Username})
	}
	return nil
}

// worklist is a list of deposits or withdrawals that admins handle one by one. T is the row.
type worklist[T any] struct {
	queue    realtime.Queue
	subject  func(id uuid.UUID) string // of a row's operations
	get      func(ctx context.Context, q postgres.Querier, id uuid.UUID) (T, error)
	lock     func(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (T, error)
	setClaim func(ctx context.Context, tx *postgres.Tx, id, admin uuid.UUID, now, until time.Time) error
	entry    func(row *T) worklistEntry
}

// find returns a row with its pending operation, if any. Code NotFound.
func (l worklist[T]) find(ctx context.Context, q postgres.Querier, id uuid.UUID) (T, error) {
	row, err := l.get(ctx, q, id)
	if err != nil {
		return row, err
	}
	one := []T{row}
	err = l.attachPending(ctx, q, one)
	return one[0], err
}

// attachPending sets the pending operation of each row that has one.
func (l worklist[T]) attachPending(ctx context.Context, q postgres.Querier, list []T) error {
	subjects := make([]string, len(list))
	for i := range list {
		subjects[i] = l.subject(l.entry(&list[i]).id)
	}
	pending, err := operations.PendingOnAll(ctx, q, subjects)
	if err != nil {
		return err
	}
	for i := range list {
		if op, ok := pending[subjects[i]]; ok {
			*l.entry(&list[i]).operation = &op
		}
	}
	return nil
}

// claimRow claims a row for an admin in a transaction of its own. Claiming again renews the claim.
// Codes: NotFound, Forbidden for the admin's own request, AlreadyHandled, Conflict while an
// operation on the row is pending.
func claimRow[T any](ctx context.Context, s *Service, l worklist[T], admin, id uuid.UUID) error {
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		row, err := l.lock(ctx, tx, id)
		if err != nil {
			return err
		}
		now := s.Clock.Now()
		if err := l.entry(&row).checkHandle(admin, now); err != nil {
			return err
		}
		if err := checkNotBusy(ctx, tx, l.subject(id)); err != nil {
			return err
		}
		return claim(ctx, tx, s, l, admin, id, now)
	})
}

// claim claims a row that the caller has locked and that the admin may handle.
func claim[T any](ctx context.Context, tx *postgres.Tx, s *Service, l worklist[T], admin, id uuid.UUID, now time.Time) error {
	s.Events.QueueChanged(tx, l.queue, id)
	return l.setClaim(ctx, tx, id, admin, now, now.Add(claimFor))
}

// checkNotBusy returns a Conflict if an operation is pending on the subject. The caller holds the
// row's lock.
func checkNotBusy(ctx context.Context, tx *postgres.Tx, subject string) error {
	_, busy, err := operations.PendingOn(ctx, tx, subject)
	if err == nil && busy {
		err = operations.ErrBusy()
	}
	return err
}
