package deals

import (
	"cmp"
	"context"
	"maps"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/realtime"
)

// noteParam is the event and notification parameter that holds the actor's message.
const noteParam = "note"

// change is what a transition records and sends beside the deal's new state.
type change struct {
	actor   actor.Actor
	line    catalog.Kind // timeline event; "" for none
	about   *uuid.UUID   // the user named in the texts, if not the actor
	refund  money.Cents
	note    string // the actor's message to both parties
	said    Words  // by a party to the other, with the change
	notices []notice
	params  catalog.Params // of the texts, besides those of every change
	link    string         // of the notices; "": the deal
}

type notice struct {
	to   uuid.UUID
	kind catalog.Kind
}

// apply ends every transition: it replans the next action, saves the deal and its timeline, and
// notifies both parties. d is the deal after the change; the caller holds its lock.
func (s *Service) apply(ctx context.Context, tx *postgres.Tx, d Deal, c change) error {
	now := s.Clock.Now()
	if d.Frozen() { // count the time frozen so far once, whatever the next action is
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
	if d.EscalatedAt != nil || d.SuspendedAt != nil { // in the admins' queue, or leaving it now
		s.Events.QueueChanged(tx, realtime.QueueDeals, d.ID)
	}
	if d.RemovedAt != nil && d.CounterofferBy != nil {
		queueEndCounteroffer(tx, d.ID, CounterofferClosed)
		d.CounterofferBy = nil
	}
	if !d.Status.Open() {
		if d.DisputeID != nil {
			if err := s.closeDispute(tx, &d, nil); err != nil {
				return err
			}
		}
		d.CancellationRequested, d.CancellationAskedAt = false, nil
		d.FrozenAt, d.EscalatedAt, d.SuspendedAt = nil, nil, nil
	}
	saveBeforeCommit(tx, d)
	if d.newlyLate && d.Status == Late { // the sweep will not find it anymore
		if err := s.publishLate(ctx, tx, d); err != nil {
			return err
		}
	}
	return s.publish(ctx, tx, d, c)
}

func (s *Service) publishLate(ctx context.Context, tx *postgres.Tx, d Deal) error {
	return s.publish(ctx, tx, d, change{actor: actor.System(), line: catalog.LineLate, notices: []notice{
		{d.Buyer.ID, catalog.DealLate}, {d.Seller.ID, catalog.DealLate},
	}})
}

// publish adds the timeline event, pushes the update to both parties' screens and sends the
// notices.
func (s *Service) publish(ctx context.Context, tx *postgres.Tx, d Deal, c change) error {
	params := catalog.Params{
		"amount": d.Price.String(),
		"payout": d.Payout().String(),
		"refund": c.refund.String(),
	}
	maps.Copy(params, c.params)
	named, isUser := c.actor.UserID()
	if c.about != nil {
		named, isUser = *c.about, true
	}
	if isUser && d.IsParty(named) {
		params["username"] = d.nameOf(named)
	}
	if note := cmp.Or(c.note, c.said.Text); note != "" {
		params[noteParam] = note
	}
	if c.line != "" {
		event, err := queueEvent(tx, d.ID, c.line, c.actor, params, s.Clock.Now())
		if err != nil {
			return err
		}
		if err := s.tell(ctx, tx, d, event, c); err != nil {
			return err
		}
	}
	for _, p := range []uuid.UUID{d.Buyer.ID, d.Seller.ID} {
		s.Events.Append(tx, p, realtime.TypeDealUpdated, DealUpdated{ID: d.ID, Status: d.Status})
	}
	params = maps.Clone(d.withTitle(params))
	switch {
	case c.said.Text != "" && d.agreed():
		params[noteParam] = catalog.Shorten(c.said.Text, catalog.InList)
	case c.said.Text != "":
		delete(params, noteParam)
	}
	if len(c.notices) > 0 {
		s.Notices.UseLanguage(tx, d.Buyer.ID, d.BuyerLanguage)
		s.Notices.UseLanguage(tx, d.Seller.ID, d.SellerLanguage)
	}
	for _, n := range c.notices {
		if err := s.Notices.Notify(ctx, tx, n.to, n.kind, params, cmp.Or(c.link, d.link())); err != nil {
			return err
		}
	}
	return nil
}

// DealUpdated is the realtime event that makes both parties' open screens reload the deal.
type DealUpdated struct {
	ID     uuid.UUID `json:"_id"`
	Status Status    `json:"status" enum:"Pending,Active,Late,Delivered,Completed,Cancelled,Cancelled by Buyer,Cancelled by Seller"`
}
