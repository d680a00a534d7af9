package deals

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
)

// MakeOffer offers the other party to divide the price: buyerGets goes back to the buyer. It
// replaces the open offer of the same party. Codes: NotFound, Invalid, Conflict when the dispute
// has ended or was finally decided, and while an operation is pending; IdempotencyMismatch. A
// replay returns the dispute.
func (s *Service) MakeOffer(
	ctx context.Context, userID, id uuid.UUID, buyerGets money.Cents, key *idempotency.Key,
) (DisputeDetail, error) {
	return s.writeInDispute(ctx, userID, id, key, false, func(tx *postgres.Tx, x Dispute) error {
		if err := checkBuyerGets(buyerGets, x.Deal.Price); err != nil {
			return err
		}
		if err := x.checkOffers(); err != nil {
			return err
		}
		if err := checkNotBusy(ctx, tx, x.Deal.ID); err != nil {
			return err
		}
		offerID, err := uuid.NewV7()
		if err != nil {
			return err
		}
		o := Offer{ID: offerID, MadeBy: userID, Split: split(x.Deal.Price, buyerGets), CreatedAt: s.Clock.Now()}
		queueInsertOffer(tx, id, o)
		if err := s.enter(ctx, tx, x, entry{author: &userID, kind: EntryOffer, offer: &offerID}); err != nil {
			return err
		}
		return s.tellDispute(ctx, tx, x, change{
			actor: actor.User(userID), params: o.params(), notices: []notice{{x.Deal.Other(userID).ID, catalog.DealDisputeOffer}},
		})
	})
}

// checkBuyerGets checks what is to go back to the buyer. Code Invalid.
func checkBuyerGets(buyerGets, price money.Cents) error {
	if buyerGets < 0 || buyerGets > price {
		return fault.Fieldf("buyerGets", "split_out_of_range", "The amount must be from 0 to the price, ${amount}.",
			fault.Params{"amount": price})
	}
	return nil
}

// checkOffers returns Conflict if no offers can be made or accepted any more.
func (x Dispute) checkOffers() error {
	switch {
	case x.Status.Ended():
		return errDisputeEnded()
	case x.Decision != nil && x.Decision.Final:
		return errDisputeStatus()
	}
	return nil
}

// params are the amounts of a split in texts.
func (s Split) params() catalog.Params {
	return catalog.Params{"refund": s.BuyerGets.String(), "payout": s.SellerGets.String()}
}

// WithdrawOffer withdraws an open offer of the user. Withdrawing it again changes nothing. Codes:
// NotFound, also for an offer of the other party; Conflict for an offer that was replaced or
// accepted, and while an operation is pending.
func (s *Service) WithdrawOffer(ctx context.Context, userID, id, offerID uuid.UUID) (DisputeDetail, error) {
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		return s.changeDispute(ctx, tx, userID, id, func(x Dispute) error {
			o, err := getOffer(ctx, tx, id, offerID)
			switch {
			case err != nil:
				return err
			case o.MadeBy != userID:
				return errNoOffer()
			case o.Status == OfferWithdrawn:
				return nil
			case o.Status != OfferOpen:
				return errOfferGone()
			}
			if err := checkNotBusy(ctx, tx, x.Deal.ID); err != nil {
				return err
			}
			queueSetOffer(tx, offerID, OfferWithdrawn)
			if err := s.enter(ctx, tx, x, entry{author: &userID, kind: EntryOfferWithdrawn, offer: &offerID}); err != nil {
				return err
			}
			return s.tellDispute(ctx, tx, x, change{actor: actor.User(userID)})
		})
	})
	if err != nil {
		return DisputeDetail{}, err
	}
	return s.GetDispute(ctx, userID, id)
}

func errNoOffer() error { return fault.New(fault.NotFound, "offer_not_found", "Offer not found.") }

func errOfferGone() error {
	return fault.New(fault.Conflict, "offer_gone", "This offer is not open any more.")
}

// AcceptOffer requests that the price be divided as the other party has offered. Codes: NotFound,
// Forbidden for one's own offer and for a buyer whose money is on hold, Conflict if the offer is
// not open, if a party is disabled, or if another operation is pending.
func (s *Service) AcceptOffer(ctx context.Context, userID, id, offerID uuid.UUID, key *idempotency.Key) (operations.Operation, error) {
	dealID, err := findDealOfDispute(ctx, s.DB, id)
	if err != nil {
		return operations.Operation{}, err
	}
	p := settleParams{By: settledByOffer, Of: offerID}
	r := moneyRequest{kind: kindSettle, actor: actor.User(userID), id: dealID, params: p, key: key}
	return s.requestSettling(ctx, r, p, id)
}
