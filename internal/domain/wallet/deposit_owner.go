package wallet

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
)

// maxListedPending is how many of a user's pending deposits are listed.
const maxListedPending = 20

// OwnDeposit returns a deposit to the user who reported it. Code NotFound, for other users, too.
func (s *Service) OwnDeposit(ctx context.Context, owner, id uuid.UUID) (Deposit, error) {
	d, err := deposits.find(ctx, s.DB, id)
	if err == nil && d.User.ID != owner {
		err = errNoDeposit()
	}
	if err != nil {
		return Deposit{}, err
	}
	return d.Deposit, nil
}

// PendingDeposits returns a user's deposits that no admin has handled yet, newest first.
func (s *Service) PendingDeposits(ctx context.Context, owner uuid.UUID) ([]Deposit, error) {
	filter := depositFilter{userID: &owner, status: DepositPending, sort: NewestFirst}
	list, _, err := s.depositPage(ctx, filter, postgres.Page{Limit: maxListedPending})
	return depositsOf(list), err
}

// RetractDeposit fails a pending deposit that its user has reported by mistake, which frees the
// transaction ID. A deposit that the user has already retracted is returned as it is. Codes:
// NotFound for other users, Conflict if the deposit is handled, while it is being approved, or
// while its credit waits for a second admin.
func (s *Service) RetractDeposit(ctx context.Context, owner, id uuid.UUID) (Deposit, error) {
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		d, err := lockDeposit(ctx, tx, id)
		if err != nil {
			return err
		}
		if d.User.ID != owner {
			return errNoDeposit()
		}
		if d.ReasonCode == Retracted {
			return nil
		}
		return s.retract(ctx, tx, d)
	})
	if err != nil {
		return Deposit{}, err
	}
	return s.OwnDeposit(ctx, owner, id)
}

// retract fails a deposit that the caller has locked.
func (s *Service) retract(ctx context.Context, tx *postgres.Tx, d QueuedDeposit) error {
	switch {
	case d.Status != DepositPending:
		return fault.New(fault.Conflict, "deposit_handled", "This deposit has been handled already.")
	case d.Proposal != nil:
		return fault.New(fault.Conflict, "deposit_almost_credited", "An admin is about to credit this deposit, so it cannot be withdrawn.")
	}
	if err := checkNotBusy(ctx, tx, operations.Deposit(d.ID)); err != nil {
		return err
	}
	now := s.Clock.Now()
	d.Status, d.HandledAt, d.ReasonCode = DepositFailed, &now, Retracted
	if err := setDepositFailed(ctx, tx, d.Deposit, actor.System()); err != nil {
		return err
	}
	s.Events.WalletUpdated(tx, d.User.ID)
	s.Events.QueueChanged(tx, realtime.QueueDeposits, d.ID)
	return nil
}
