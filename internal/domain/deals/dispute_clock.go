package deals

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/postgres"
)

// remindOfAnswer reminds the party who has not answered a dispute. A dispute whose deal another
// transaction has locked is left for the next sweep.
func (s *Settler) remindOfAnswer(ctx context.Context, id uuid.UUID) (bool, error) {
	var reminded bool
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		dealID, err := findDealOfDispute(ctx, tx, id)
		if err != nil {
			return err
		}
		now := s.Clock.Now()
		d, ok, err := tryLockDeal(ctx, tx, dealID, now)
		if err != nil || !ok {
			return err
		}
		x, err := getDispute(ctx, tx, id)
		if err != nil || x.Status != DisputeOpen || x.AnsweredAt != nil {
			return err
		}
		x.Deal = d
		if reminded, err = setDisputeReminded(ctx, tx, id, now); err != nil || !reminded {
			return err
		}
		if !now.Before(x.AnswerDueAt) { // too late to remind of it, after an outage
			return nil
		}
		return s.tellDispute(ctx, tx, x, change{
			actor: actor.System(), notices: []notice{{d.Other(x.OpenedBy).ID, catalog.DealDisputeReminder}},
		})
	})
	return reminded && err == nil, err
}

// carryOut requests that a decision be carried out whose time has come, or puts it off after an
// outage.
func (s *Settler) carryOut(ctx context.Context, id uuid.UUID) (bool, error) {
	x, err := s.GetAnyDispute(ctx, id)
	if err != nil {
		return requested(err)
	}
	if x.Decision == nil {
		return false, nil
	}
	if x.missed(s.Clock.Now()) {
		return s.putOff(ctx, x.Deal.ID, id)
	}
	p := settleParams{By: settledByClock, Of: x.Decision.ID}
	r := moneyRequest{kind: kindSettle, actor: actor.System(), id: x.Deal.ID, params: p}
	_, err = s.requestSettling(ctx, r, p, id)
	return requested(err)
}

// missed reports whether no sweep has seen that the time to appeal was over, for an hour: the
// parties may not have been able to appeal either.
func (x Dispute) missed(now time.Time) bool {
	return x.isDue(now) && !x.Decision.Final && !x.Decision.acceptedByBoth() && now.Sub(*x.CarryOutAt) > time.Hour
}

// putOff gives the parties another day to appeal against a decision, as other actions that move
// money wait for a day after an outage.
func (s *Settler) putOff(ctx context.Context, dealID, id uuid.UUID) (bool, error) {
	return s.tryChange(ctx, dealID, func(tx *postgres.Tx, d Deal, now time.Time) (bool, error) {
		x, err := getDispute(ctx, tx, id)
		if err != nil || !x.missed(now) {
			return false, err
		}
		x.Deal = d
		if err := setPutOff(ctx, tx, x, now.Add(warnBefore)); err != nil {
			return false, err
		}
		return true, s.tellDispute(ctx, tx, x, change{actor: actor.System(), notices: []notice{
			{d.Buyer.ID, catalog.DealDecisionPutOff}, {d.Seller.ID, catalog.DealDecisionPutOff},
		}})
	})
}
