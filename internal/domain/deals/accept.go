package deals

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
	"amanat/internal/platform/actor"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
)

// How many deals that wait for their seller to accept may be open at a time.
const (
	maxUnacceptedOfPair  = 10
	maxUnacceptedOfMaker = 50
)

// Accepted tells whether the seller has agreed to the deal: by making it, accepting it or delivering.
func (d Deal) Accepted() bool { return d.AcceptedAt != nil }

// Accept says that the seller agrees to a deal that the buyer made. Accepting again changes nothing. Codes: NotFound, Forbidden for the
// buyer, Conflict when the deal is closed and while an operation is pending.
func (s *Service) Accept(ctx context.Context, userID, id uuid.UUID) (Detail, error) {
	return s.changed(ctx, userID, id, func(tx *postgres.Tx, d Deal) error {
		switch {
		case userID != d.Seller.ID:
			return errForbidden("seller")
		case d.Status != Pending && !d.Status.Open():
			return errState("accepted", d)
		case d.Accepted():
			return nil
		}
		if err := errBusy(ctx, tx, id); err != nil {
			return err
		}
		now := s.Clock.Now()
		d.AcceptedAt = &now
		return s.apply(ctx, tx, d, change{
			actor: actor.User(userID), line: catalog.LineAccepted, notices: []notice{{d.Buyer.ID, catalog.DealAccepted}},
		})
	})
}

// Removal is what Remove came to: an operation when the buyer gets money back, otherwise the deal is gone.
type Removal struct {
	Operation *operations.Operation
}

// Remove is asked for by a party that does not want the deal. A Pending one goes out of everybody's sight: whoever did not make it declines
// it, whoever did withdraws it. The seller may also decline one that they have not accepted and that is paid, at any time: the buyer gets
// everything back. Codes: NotFound, Conflict once it is paid otherwise and while an operation is pending.
func (s *Service) Remove(ctx context.Context, userID, id uuid.UUID, key *idempotency.Key) (Removal, error) {
	switch made, used, err := idempotency.Lookup(ctx, s.DB, key); {
	case err != nil, used && made == id:
		return Removal{}, err
	case used:
		op, err := s.Operations.Get(ctx, s.DB, userID, made)
		return Removal{Operation: &op}, err
	}
	paid := false
	err := s.change(ctx, userID, id, func(tx *postgres.Tx, d Deal) error {
		if paid = d.declinable(userID); paid {
			return nil
		}
		return s.remove(ctx, tx, userID, d, key)
	})
	if err != nil || !paid {
		return Removal{}, err
	}
	op, err := s.requestRefund(ctx, actor.User(userID), id, ReasonDeclined, key)
	return Removal{Operation: &op}, err
}

// declinable tells whether the user may refuse a paid deal or has done so.
func (d Deal) declinable(userID uuid.UUID) bool {
	return userID == d.Seller.ID && !d.Accepted() && d.Status != Pending
}

func (s *Service) remove(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, d Deal, key *idempotency.Key) error {
	if _, replayed, err := idempotency.Reserve(ctx, tx, key, d.ID, s.Clock.Now()); err != nil || replayed {
		return err
	}
	if d.Status != Pending {
		return errState("removed", d)
	}
	if err := errBusy(ctx, tx, d.ID); err != nil {
		return err
	}
	kind := catalog.DealDeclined
	if userID == d.CreatedBy {
		kind = catalog.DealWithdrawn
	}
	now := s.Clock.Now()
	d.RemovedAt = &now
	return s.apply(ctx, tx, d, change{actor: actor.User(userID), notices: []notice{{d.Other(userID).ID, kind}}})
}

// offer returns what the other party is told of a new deal. Only the seller of a deal that the buyer made has to accept it.
func (d Deal) offer() notice {
	if d.Accepted() {
		return notice{d.Buyer.ID, catalog.DealOffered}
	}
	return notice{d.Seller.ID, catalog.DealOfferedToSeller}
}

// paidNotice tells the seller that the money is there, and what they can do now.
func (d Deal) paidNotice() notice {
	if d.Accepted() {
		return notice{d.Seller.ID, catalog.DealPaid}
	}
	return notice{d.Seller.ID, catalog.DealPaidUnaccepted}
}

// errCrowded refuses one more deal that waits for its seller when there are too many. Creations by one buyer, and between the same two
// people, wait for each other here, so that those made side by side are counted, too. Code Conflict.
func errCrowded(ctx context.Context, tx *postgres.Tx, buyer, seller uuid.UUID) error {
	if err := lockOffers(ctx, tx, buyer, seller); err != nil {
		return err
	}
	ofPair, ofMaker, err := countUnaccepted(ctx, tx, buyer, seller)
	switch {
	case err != nil:
		return err
	case ofPair >= maxUnacceptedOfPair:
		return fault.New(fault.Conflict, "Ten deals between you two wait to be accepted. Wait for an answer to them first.")
	case ofMaker >= maxUnacceptedOfMaker:
		return fault.New(fault.Conflict, "Fifty of your deals wait to be accepted. Wait for an answer to some of them first.")
	}
	return nil
}
