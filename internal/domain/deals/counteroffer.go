package deals

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
)

// maxCounteroffers limits the counter-offers of a deal (docs/rules.md#counteroffers).
const maxCounteroffers = 30

// CounterofferStatus is the state of a counter-offer.
type CounterofferStatus string

// Statuses of counter-offers. A deal has at most one that is open.
const (
	CounterofferOpen      CounterofferStatus = "open"
	CounterofferAccepted  CounterofferStatus = "accepted"
	CounterofferDeclined  CounterofferStatus = "declined"
	CounterofferWithdrawn CounterofferStatus = "withdrawn"
	CounterofferReplaced  CounterofferStatus = "replaced" // by a later one
	CounterofferClosed    CounterofferStatus = "closed"   // with the deal
)

// Counteroffer is other terms that a party has proposed for a Pending deal.
type Counteroffer struct {
	ID     uuid.UUID
	MadeBy uuid.UUID
	Terms
	Fee       money.Cents
	Text      string `db:"-"` // from its maker to the other party, or ""
	Status    CounterofferStatus
	CreatedAt time.Time
}

// Payout is what the seller receives on completion of a deal with these terms.
func (c Counteroffer) Payout() money.Cents { return c.Price - c.Fee }

// MakeCounteroffer proposes other terms for a Pending deal, with words for the other party or "".
// It replaces the open counter-offer of either party. Codes: NotFound; Invalid; Forbidden if one of
// the two has blocked the other; Conflict if the deal is paid, a party is disabled, there were too
// many, the user is the buyer and may not pay such a price yet, or an operation is pending;
// IdempotencyMismatch. A replay returns the deal.
func (s *Service) MakeCounteroffer(
	ctx context.Context, userID, id uuid.UUID, terms Terms, text string, key *idempotency.Key,
) (Detail, error) {
	terms.Description = sanitize.Text(terms.Description)
	said := Words{Text: text}.normalized()
	offerID, err := uuid.NewV7()
	if err != nil {
		return Detail{}, err
	}
	_, err = idempotency.Create(ctx, s.DB, key, offerID, s.Clock.Now(), func(tx *postgres.Tx) error {
		return s.saidIn(ctx, tx, userID, id, said, func(tx *postgres.Tx, d Deal) error {
			if err := (Draft{BuyerID: &d.Buyer.ID, SellerID: &d.Seller.ID, Terms: terms}).validate(userID); err != nil {
				return err
			}
			if err := said.checkLength(); err != nil {
				return err
			}
			if err := s.checkCounteroffer(ctx, tx, userID, d, terms); err != nil {
				return err
			}
			queueInsertCounteroffer(tx, d.ID, Counteroffer{
				ID: offerID, MadeBy: userID, Terms: terms, Fee: money.Fee(terms.Price), CreatedAt: s.Clock.Now(),
			})
			d.CounterofferBy = &userID
			return s.apply(ctx, tx, d, change{
				actor: actor.User(userID), line: catalog.LineCounteroffer, said: said, params: terms.params(),
				notices: []notice{{d.Other(userID).ID, catalog.DealCounteroffer}},
			})
		})
	})
	if err != nil {
		return Detail{}, err
	}
	return s.Get(ctx, userID, id)
}

// checkCounteroffer returns why a user cannot propose the terms for a deal.
func (s *Service) checkCounteroffer(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, d Deal, terms Terms) error {
	if err := s.checkNegotiable(ctx, tx, d); err != nil {
		return err
	}
	if err := checkBlocks(ctx, tx, userID, d.Other(userID).ID); err != nil {
		return err
	}
	made, open, err := listCounteroffers(ctx, tx, d.ID)
	switch {
	case err != nil:
		return err
	case made >= maxCounteroffers:
		return fault.New(fault.Conflict, "counteroffers_over_limit",
			"This deal has had thirty counter-offers. Withdraw it and make a new one.")
	case terms == d.Terms, open != nil && terms == open.Terms:
		return fault.Field("price", "counteroffer_same", "Change the price, the time or the description.")
	}
	if userID == d.Buyer.ID {
		return s.Limits.CheckPrice(ctx, tx, userID, terms.Price)
	}
	return nil
}

// checkNegotiable returns why the terms of a deal cannot change.
func (s *Service) checkNegotiable(ctx context.Context, tx *postgres.Tx, d Deal) error {
	switch {
	case d.Status != Pending:
		return errState("changed", d)
	case d.partyDisabled():
		return errPartyDisabled(d)
	}
	return checkNotBusy(ctx, tx, d.ID)
}

// AcceptCounteroffer gives a deal the terms that the other party has proposed. The seller has then
// agreed to the deal, and the delivery time begins anew. Accepting again changes nothing. Codes:
// NotFound; Forbidden for the maker; Conflict if the counter-offer is not open any more, the deal
// is paid, a party is disabled, the user is the buyer and may not pay such a price yet, or an
// operation is pending.
func (s *Service) AcceptCounteroffer(ctx context.Context, userID, id, offerID uuid.UUID) (Detail, error) {
	return s.endCounteroffer(ctx, userID, id, offerID, CounterofferAccepted, func(tx *postgres.Tx, d Deal, o Counteroffer) error {
		if userID == d.Buyer.ID {
			if err := s.Limits.CheckPrice(ctx, tx, userID, o.Price); err != nil {
				return err
			}
		}
		now := s.Clock.Now()
		if err := applyCounteroffer(ctx, tx, o.ID, now.Add(time.Duration(o.DeliveryDays)*day)); err != nil {
			return err
		}
		d, err := getDeal(ctx, tx, id, now)
		if err != nil {
			return err
		}
		d.CounterofferBy = nil
		if d.AcceptedAt == nil {
			d.AcceptedAt = &now
		}
		return s.apply(ctx, tx, d, change{
			actor: actor.User(userID), line: catalog.LineCounterofferAccepted, params: o.params(),
			notices: []notice{{o.MadeBy, catalog.DealCounterofferAccepted}},
		})
	})
}

// DeclineCounteroffer declines what the other party has proposed: the deal keeps its terms.
// Declining again changes nothing. Codes: NotFound; Forbidden for the maker; Conflict if the
// counter-offer is not open any more, the deal is paid or an operation is pending.
func (s *Service) DeclineCounteroffer(ctx context.Context, userID, id, offerID uuid.UUID) (Detail, error) {
	return s.dropCounteroffer(ctx, userID, id, offerID, CounterofferDeclined,
		catalog.LineCounterofferDeclined, catalog.DealCounterofferDeclined)
}

// WithdrawCounteroffer withdraws what the user has proposed: the deal keeps its terms. Withdrawing
// again changes nothing. Codes: NotFound; Forbidden for the other party; Conflict if the
// counter-offer is not open any more, the deal is paid or an operation is pending.
func (s *Service) WithdrawCounteroffer(ctx context.Context, userID, id, offerID uuid.UUID) (Detail, error) {
	return s.dropCounteroffer(ctx, userID, id, offerID, CounterofferWithdrawn,
		catalog.LineCounterofferWithdrawn, catalog.DealCounterofferWithdrawn)
}

// dropCounteroffer ends an open counter-offer with a status, and tells the other party.
func (s *Service) dropCounteroffer(
	ctx context.Context, userID, id, offerID uuid.UUID, status CounterofferStatus, line, notified catalog.Kind,
) (Detail, error) {
	return s.endCounteroffer(ctx, userID, id, offerID, status, func(tx *postgres.Tx, d Deal, o Counteroffer) error {
		queueEndCounteroffer(tx, id, status)
		d.CounterofferBy = nil
		return s.apply(ctx, tx, d, change{
			actor: actor.User(userID), line: line, params: o.params(), notices: []notice{{d.Other(userID).ID, notified}},
		})
	})
}

// endCounteroffer calls end with a deal and its open counter-offer, which the user may end with the
// status.
func (s *Service) endCounteroffer(
	ctx context.Context, userID, id, offerID uuid.UUID, status CounterofferStatus,
	end func(tx *postgres.Tx, d Deal, o Counteroffer) error,
) (Detail, error) {
	return s.changed(ctx, userID, id, func(tx *postgres.Tx, d Deal) error {
		o, err := getCounteroffer(ctx, tx, id, offerID)
		switch byMaker := o.MadeBy == userID; {
		case err != nil:
			return err
		case byMaker && status != CounterofferWithdrawn:
			return fault.New(fault.Forbidden, "counteroffer_own", "You made this counter-offer. The other party can answer it.")
		case !byMaker && status == CounterofferWithdrawn:
			return fault.New(fault.Forbidden, "counteroffer_of_other", "The other party made this counter-offer. You can accept or decline it.")
		case o.Status == status:
			return nil
		case o.Status != CounterofferOpen:
			return fault.New(fault.Conflict, "counteroffer_gone", "This counter-offer is not open any more.")
		}
		if err := s.checkNegotiable(ctx, tx, d); err != nil && (status == CounterofferAccepted || !d.partyDisabled()) {
			return err
		}
		return end(tx, d, o)
	})
}

func errCounterofferOpen() error {
	return fault.New(fault.Conflict, "counteroffer_open", "A counter-offer waits for an answer. Accept, decline or withdraw it first.")
}

func errTermsChanged() error {
	return fault.New(fault.Conflict, "terms_changed", "The terms of this deal have changed. Please read them again.")
}
