package deals

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/money"
	"amanat/internal/platform/actor"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/postgres"
	"amanat/internal/realtime"
)

// noteParam is the parameter of an event and its notices that holds what somebody wrote.
const noteParam = "note"

// change is what one transition leaves behind beside the deal's new state.
type change struct {
	actor   actor.Actor
	line    catalog.Kind // of the timeline; "" for none
	about   *uuid.UUID   // whose name the texts carry, where it is not the actor's
	refund  money.Cents
	note    string // what the actor wrote to both parties
	notices []notice
}

type notice struct {
	to   uuid.UUID
	kind catalog.Kind
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
	if d.warnedOf(action, at) {
		at = *d.NextActionAt
	} else {
		d.WarnedAt = nil
	}
	d.NextAction, d.NextActionAt = action, &at
	if action == "" || d.RemovedAt != nil {
		d.NextAction, d.NextActionAt, d.WarnedAt = "", nil, nil
	}
	if d.EscalatedAt != nil || d.SuspendedAt != nil { // it is in the admins' queue, or leaves it now
		s.Events.QueueChanged(tx, realtime.QueueDeals, d.ID)
	}
	if !d.Status.Open() {
		d.CancellationRequested, d.CancellationAskedAt = false, nil
		d.FrozenAt, d.EscalatedAt, d.SuspendedAt = nil, nil, nil
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
	return s.tell(ctx, tx, d, change{actor: actor.System(), line: catalog.LineLate, notices: []notice{{d.Buyer.ID, catalog.DealLate}, {d.Seller.ID, catalog.DealLate}}})
}

// tell writes the timeline, moves both parties' screens and notifies those concerned.
func (s *Service) tell(ctx context.Context, tx *postgres.Tx, d Deal, c change) error {
	params := catalog.Params{
		"amount": d.Price.String(),
		"payout": d.Payout().String(),
		"refund": c.refund.String(),
	}
	named, isUser := c.actor.UserID()
	if c.about != nil {
		named, isUser = *c.about, true
	}
	if isUser && d.IsParty(named) {
		params["username"] = d.nameOf(named)
	}
	if c.note != "" {
		params[noteParam] = c.note
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
