package deals

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/postgres"
	"amanat/internal/realtime"
	"amanat/internal/texts"
)

// change is what one transition leaves behind beside the deal's new state.
type change struct {
	actor  uuid.UUID  // uuid.Nil: the clock
	line   texts.Kind // of the timeline; "" for none
	notice texts.Kind // to one party; "" for none
	to     uuid.UUID
}

// record writes the timeline, tells both parties' screens and notifies the one concerned, in the transaction of the change. d is the
// deal after the change.
func (s *Service) record(ctx context.Context, tx *postgres.Tx, d Deal, c change) error {
	params := texts.Params{
		"amount": d.Price.String(),
		"payout": d.Payout().String(),
	}
	switch c.actor {
	case d.Buyer.ID:
		params["username"] = d.Buyer.Username
	case d.Seller.ID:
		params["username"] = d.Seller.Username
	}
	if c.line != "" {
		if err := insertEvent(ctx, tx, d.ID, c.line, c.actor, params, s.Clock.Now()); err != nil {
			return err
		}
	}
	for _, p := range []uuid.UUID{d.Buyer.ID, d.Seller.ID} {
		s.Events.Append(tx, p, realtime.TypeDealUpdated, updated{ID: d.ID, Status: d.Status})
	}
	if c.notice == "" {
		return nil
	}
	return s.Notices.Notify(ctx, tx, c.to, c.notice, params, link(d.ID))
}

// updated is the event that makes an open screen read the deal again.
type updated struct {
	ID     uuid.UUID `json:"_id"`
	Status Status    `json:"status"`
}

// walletChanged tells a user's screens that his balance is another.
func (s *Service) walletChanged(tx *postgres.Tx, userID uuid.UUID) {
	s.Events.Append(tx, userID, realtime.TypeWalletUpdated, struct {
		At time.Time `json:"at"`
	}{s.Clock.Now()})
}
