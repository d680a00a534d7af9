package deals

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
)

// Limits on open deals that the seller has not accepted yet.
const (
	maxUnacceptedPerPair  = 10
	maxUnacceptedPerBuyer = 50
)

// Accepted reports whether the seller has agreed to the deal: by creating, accepting or delivering
// it.
func (d Deal) Accepted() bool { return d.AcceptedAt != nil }

// Accept records the seller's agreement to a deal that the buyer created. Accepting again changes
// nothing. Codes: NotFound, Forbidden for the buyer, Conflict if the deal is closed, a
// counter-offer is open or an operation is pending.
func (s *Service) Accept(ctx context.Context, userID, id uuid.UUID) (Detail, error) {
	return s.changed(ctx, userID, id, func(tx *postgres.Tx, d Deal) error {
		switch {
		case userID != d.Seller.ID:
			return errSellerOnly()
		case d.Status != Pending && !d.Status.Open():
			return errState("accepted", d)
		case d.Accepted():
			return nil
		case d.CounterofferBy != nil:
			return errCounterofferOpen()
		}
		if err := checkNotBusy(ctx, tx, id); err != nil {
			return err
		}
		now := s.Clock.Now()
		d.AcceptedAt = &now
		return s.apply(ctx, tx, d, change{
			actor: actor.User(userID), line: catalog.LineAccepted, notices: []notice{{d.Buyer.ID, catalog.DealAccepted}},
		})
	})
}

// Removal is the result of Remove: an operation if the buyer gets money back; without one the deal
// is removed.
type Removal struct {
	Operation *operations.Operation
}

// Remove declines or withdraws a deal. A Pending deal is removed for both parties: its creator
// withdraws it, the other party declines it. The seller may also decline a paid deal that they have
// not accepted, at any time: the buyer is refunded in full. Codes: NotFound, Conflict if the deal
// is otherwise paid or an operation is pending.
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

// RemovePending withdraws and declines the Pending deals of a user. One that cannot be removed now,
// such as one that is being paid, stays.
func (s *Service) RemovePending(ctx context.Context, userID uuid.UUID) error {
	pending, err := findPending(ctx, s.DB, userID)
	if err != nil {
		return err
	}
	for _, id := range pending {
		err := s.change(ctx, userID, id, func(tx *postgres.Tx, d Deal) error { return s.remove(ctx, tx, userID, d, nil) })
		if code := fault.CodeOf(err); err != nil && code != fault.NotFound && code != fault.Conflict {
			return err
		}
	}
	return nil
}

// declinable reports whether the user may decline the paid deal or has already done so.
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
	if err := checkNotBusy(ctx, tx, d.ID); err != nil {
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

// offer returns the other party's notice of a new deal. Only the seller of a deal that the buyer
// created has to accept it.
func (d Deal) offer() notice {
	if d.Accepted() {
		return notice{d.Buyer.ID, catalog.DealOffered}
	}
	return notice{d.Seller.ID, catalog.DealOfferedToSeller}
}

// paidNotice returns the seller's notice of the payment and of what they can do next.
func (d Deal) paidNotice() notice {
	if d.Accepted() {
		return notice{d.Seller.ID, catalog.DealPaid}
	}
	return notice{d.Seller.ID, catalog.DealPaidUnaccepted}
}

// checkOfferLimits fails with Conflict if too many deals wait for their seller's acceptance. Its
// locks serialize creations by one buyer and between the same two users, so that concurrent ones
// are counted too.
func checkOfferLimits(ctx context.Context, tx *postgres.Tx, buyer, seller uuid.UUID) error {
	ofBuyer, err := checkPairLimit(ctx, tx, buyer, seller)
	if err == nil && ofBuyer >= maxUnacceptedPerBuyer {
		err = fault.New(fault.Conflict, "own_deals_waiting",
			"Fifty of your deals wait to be accepted. Wait for an answer to some of them first.")
	}
	return err
}

// checkPairLimit is the part of checkOfferLimits about two users. It returns how many deals of the
// buyer wait.
func checkPairLimit(ctx context.Context, tx *postgres.Tx, buyer, seller uuid.UUID) (ofBuyer int, err error) {
	if err := lockOffers(ctx, tx, buyer, seller); err != nil {
		return 0, err
	}
	ofPair, ofBuyer, err := countUnaccepted(ctx, tx, buyer, seller)
	if err == nil && ofPair >= maxUnacceptedPerPair {
		err = fault.New(fault.Conflict, "pair_deals_waiting", "Ten deals between you two wait to be accepted. Wait for an answer to them first.")
	}
	return ofBuyer, err
}
