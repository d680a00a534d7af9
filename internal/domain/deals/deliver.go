package deals

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/operations"
)

// Deliver marks an open deal delivered, which also accepts it, with what the seller says and shows.
// Only the seller may do it; no money moves. Delivering again changes nothing. Codes: NotFound,
// Forbidden, Invalid with the first rule of the words that fails or if one of the pictures does not
// wait to be delivered with, Conflict in any other status, while a cancellation is requested, and
// while an operation is pending.
func (s *Service) Deliver(ctx context.Context, userID, id uuid.UUID, with Words) (Detail, error) {
	with = with.normalized()
	if err := with.checkDelivery(); err != nil {
		return Detail{}, err
	}
	return s.said(ctx, userID, id, with, func(tx *postgres.Tx, d Deal) error {
		if userID == d.Seller.ID && d.Status == Delivered {
			return nil
		}
		if err := d.checkDeliverable(userID); err != nil {
			return err
		}
		if err := checkNotBusy(ctx, tx, id); err != nil {
			return err
		}
		now := s.Clock.Now()
		d.Status, d.Delivered, d.DeliveredAt, d.ResetAt = Delivered, true, &now, nil
		if d.FirstDeliveredAt == nil {
			d.FirstDeliveredAt = &now
		}
		if !d.Accepted() { // delivery implies acceptance
			d.AcceptedAt = &now
		}
		return s.apply(ctx, tx, d, change{
			actor: actor.User(userID), line: catalog.LineDelivered, said: with, notices: []notice{{d.Buyer.ID, catalog.DealDelivered}},
		})
	})
}

// checkDeliverable returns why a user may not deliver the deal. Codes: Forbidden, Conflict.
func (d Deal) checkDeliverable(userID uuid.UUID) error {
	switch {
	case userID != d.Seller.ID:
		return errSellerOnly()
	case d.Status != Active && d.Status != Late:
		return errState("delivered", d)
	case d.CancellationRequested:
		return fault.New(fault.Conflict, "cancellation_unanswered", "Answer the cancellation request first.")
	}
	return nil
}

// changed is change followed by a fresh read of the deal.
func (s *Service) changed(
	ctx context.Context, userID, id uuid.UUID, transition func(tx *postgres.Tx, d Deal) error,
) (Detail, error) {
	if err := s.change(ctx, userID, id, transition); err != nil {
		return Detail{}, err
	}
	return s.Get(ctx, userID, id)
}

// change runs a transition that moves no money under the deal's lock. It returns NotFound unless
// the user is a party of the deal.
func (s *Service) change(ctx context.Context, userID, id uuid.UUID, transition func(tx *postgres.Tx, d Deal) error) error {
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		return s.changeIn(ctx, tx, userID, id, transition)
	})
}

// changeIn is change in the caller's transaction.
func (s *Service) changeIn(
	ctx context.Context, tx *postgres.Tx, userID, id uuid.UUID, transition func(tx *postgres.Tx, d Deal) error,
) error {
	d, err := lockDeal(ctx, tx, id, s.Clock.Now())
	if err != nil {
		return err
	}
	if !d.IsParty(userID) {
		return errNotFound()
	}
	return transition(tx, d)
}

// checkNotBusy returns operations.ErrBusy while an operation is pending on the deal. The caller
// holds the deal's lock, so an operation that a worker is settling cannot be missed.
func checkNotBusy(ctx context.Context, tx *postgres.Tx, id uuid.UUID) error {
	_, busy, err := operations.PendingOn(ctx, tx, operations.Deal(id))
	if err == nil && busy {
		err = operations.ErrBusy()
	}
	return err
}
