package deals

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"amanat/internal/money"
	"amanat/internal/postgres"
	"amanat/internal/realtime"
	"amanat/internal/texts"
)

// change is what one transition leaves behind beside the deal's new state.
type change struct {
	actor   uuid.UUID  // uuid.Nil: the clock
	line    texts.Kind // of the timeline; "" for none
	about   uuid.UUID  // whose name the texts carry, where it is not the actor's
	refund  money.Cents
	notices []notice
}

type notice struct {
	to   uuid.UUID
	kind texts.Kind
}

// apply ends every transition: it plans the clock anew, writes the deal, its timeline, and tells both parties. d is the deal after the
// change, under its lock.
func (s *Service) apply(ctx context.Context, tx *postgres.Tx, d Deal, c change) error {
	now := s.Clock.Now()
	if d.Frozen() { // time that has passed frozen counts once, whatever the clock now waits for
		d.countFrozen(now)
		d.FrozenAt = &now
	}
	action, at := d.plan()
	d.NextAction, d.NextActionAt, d.WarnedAt = action, &at, nil
	if action == "" || d.RemovedAt != nil {
		d.NextAction, d.NextActionAt = "", nil
	}
	if d.EscalatedAt != nil { // it is in the admins' queue, or leaves it now
		s.Events.Admins(tx, realtime.QueueDeals, d.ID)
	}
	if !d.Status.Open() {
		d.CancellationRequested, d.CancellationAskedAt, d.FrozenAt, d.EscalatedAt = false, nil, nil, nil
	}
	if err := saveDeal(ctx, tx, d); err != nil {
		return err
	}
	if d.turnedLate && d.Status == Late { // the sweep will not find it any more
		if err := s.tellLate(ctx, tx, d); err != nil {
			return err
		}
	}
	return s.tell(ctx, tx, d, c)
}

func (s *Service) tellLate(ctx context.Context, tx *postgres.Tx, d Deal) error {
	return s.tell(ctx, tx, d, change{line: texts.LineLate, notices: []notice{{d.Buyer.ID, texts.DealLate}, {d.Seller.ID, texts.DealLate}}})
}

// tell writes the timeline, moves both parties' screens and notifies those concerned.
func (s *Service) tell(ctx context.Context, tx *postgres.Tx, d Deal, c change) error {
	params := texts.Params{
		"amount": d.Price.String(),
		"payout": d.Payout().String(),
		"refund": c.refund.String(),
	}
	if named := cmp.Or(c.about, c.actor); d.IsParty(named) {
		params["username"] = d.nameOf(named)
	}
	if c.line != "" {
		if err := insertEvent(ctx, tx, d.ID, c.line, c.actor, params, s.Clock.Now()); err != nil {
			return err
		}
	}
	for _, p := range []uuid.UUID{d.Buyer.ID, d.Seller.ID} {
		s.Events.Append(tx, p, realtime.TypeDealUpdated, DealUpdated{ID: d.ID, Status: d.Status})
	}
	for _, n := range c.notices {
		if err := s.Notices.Notify(ctx, tx, n.to, n.kind, params, d.link()); err != nil {
			return err
		}
	}
	return nil
}

// DealUpdated is the event that makes the open screens of both parties read the deal again.
type DealUpdated struct {
	ID     uuid.UUID `json:"_id"`
	Status Status    `json:"status" enum:"Pending,Active,Late,Delivered,Completed,Cancelled,Cancelled by Buyer,Cancelled by Seller"`
}
