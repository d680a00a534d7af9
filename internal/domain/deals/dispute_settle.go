package deals

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/ledger"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

const kindSettle = jobs.KindDealSettle

// settledBy says on whose authority the price of a deal is divided.
type settledBy string

const (
	settledByOffer  settledBy = "offer"  // a party accepts the other's offer
	settledByBoth   settledBy = "both"   // a party accepts the decision after the other
	settledByAppeal settledBy = "appeal" // the admin who has decided an appeal
	settledByClock  settledBy = "clock"  // the time to appeal is over, or the above was interrupted
)

type settleParams struct {
	By settledBy `json:"by"`
	Of uuid.UUID `json:"of"` // the offer or the decision
}

// settlement is what divides a price: an offer or a decision of a dispute.
type settlement struct {
	dispute  Dispute
	offer    *Offer
	decision *Decision
}

func (t settlement) split() Split {
	if t.offer != nil {
		return t.offer.Split
	}
	return t.decision.Split
}

// findSettlement reads what a settling carries out. Code NotFound.
func findSettlement(ctx context.Context, tx *postgres.Tx, d Deal, p settleParams) (settlement, error) {
	id, err := findDisputeOf(ctx, tx, d.ID, p.Of)
	if err != nil {
		return settlement{}, err
	}
	var t settlement
	if t.dispute, err = getDispute(ctx, tx, id); err != nil {
		return settlement{}, err
	}
	t.dispute.Deal = d
	if p.By == settledByOffer {
		o, err := getOffer(ctx, tx, id, p.Of)
		t.offer = &o
		return t, err
	}
	if t.decision = t.dispute.Decision; t.decision == nil || t.decision.ID != p.Of {
		return settlement{}, errDisputeStatus()
	}
	return t, nil
}

// settleable returns an error if the state of the deal and its dispute or the actor's role does not
// allow the settling. For settledByAppeal, the caller has checked that the actor is an admin.
func (t settlement) settleable(actor actor.Actor, p settleParams, now time.Time) error {
	d := t.dispute.Deal
	userID, isUser := actor.UserID()
	switch p.By {
	case settledByOffer, settledByBoth:
		if !isUser || !d.IsParty(userID) {
			return errNoDispute()
		}
	case settledByAppeal:
		if !isUser || d.IsParty(userID) || t.decision.By.ID != userID {
			return errOwnDeal()
		}
	case settledByClock:
		if isUser {
			return errUnknownRequest()
		}
	default:
		return errUnknownRequest()
	}
	switch {
	case !d.Status.Open():
		return errState("settled", d)
	case t.split() != split(d.Price, t.split().BuyerGets): // the api has written it
		return operations.ErrMalformed()
	case t.dispute.Status.Ended():
		return errDisputeEnded()
	case t.offer != nil:
		return t.acceptable(userID)
	case t.dispute.Status != DisputeDecided, p.By == settledByAppeal && !t.decision.Final:
		return errDisputeStatus()
	case p.By == settledByBoth && !t.decision.acceptedByBoth():
		return errDisputeStatus()
	case !t.dispute.isDue(now):
		return errNotYet()
	}
	return nil
}

// acceptable returns why a party may not accept the offer.
func (t settlement) acceptable(userID uuid.UUID) error {
	d := t.dispute.Deal
	if t.offer.MadeBy == userID {
		return fault.New(fault.Forbidden, "own_offer", "You cannot accept your own offer.")
	}
	if err := t.dispute.checkOffers(); err != nil {
		return err
	}
	switch {
	case t.offer.Status != OfferOpen:
		return errOfferGone()
	case d.partyDisabled(): // whoever made the offer may not have been its owner
		return fault.Newf(fault.Conflict, "offer_of_suspended", "The account of {name} is suspended, so this offer cannot be accepted.",
			fault.Params{"name": d.nameOf(d.disabledParty())})
	case d.buyerLocked() && t.offer.BuyerGets < d.Price && userID == d.Buyer.ID:
		return errLocked(d)
	case d.buyerLocked() && t.offer.BuyerGets < d.Price:
		return errNotYet()
	}
	return nil
}

// acceptedByBoth reports whether both parties have accepted the decision.
func (d Decision) acceptedByBoth() bool { return d.BuyerAcceptedAt != nil && d.SellerAcceptedAt != nil }

// isDue reports whether it is time to carry out the decision of the dispute.
func (x Dispute) isDue(now time.Time) bool { return x.CarryOutAt != nil && !now.Before(*x.CarryOutAt) }

// requestSettling requests that a settlement of a deal be carried out. dispute is the one whose
// page names it.
func (s *Service) requestSettling(
	ctx context.Context, actor actor.Actor, deal, dispute uuid.UUID, p settleParams, key *idempotency.Key,
) (operations.Operation, error) {
	request := operations.Request{Kind: kindSettle, Subject: operations.Deal(deal), Actor: actor, Params: p, Key: key}
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		s.Operations.Begin(ctx, tx, &request)
		d, err := s.dealFor(ctx, tx, actor, p.By == settledByAppeal, deal)
		if err != nil {
			return err
		}
		found, err := findSettlement(ctx, tx, d, p)
		if err != nil {
			return err
		}
		if found.dispute.ID != dispute {
			return errNoDispute()
		}
		if err := found.settleable(actor, p, s.Clock.Now()); err != nil {
			return err
		}
		return s.Operations.Enqueue(ctx, tx, &request)
	})
	return s.Operations.Answer(ctx, &request, err)
}

// SettleRule returns who may have the price of a deal divided.
func SettleRule(op operations.Operation) (operations.Authority, error) {
	var p settleParams
	if err := op.Decode(&p); err != nil {
		return "", err
	}
	switch p.By {
	case settledByOffer, settledByBoth:
		return operations.ByUser, nil
	case settledByAppeal:
		return operations.ByAdmin, nil
	case settledByClock:
		return operations.BySystem, nil
	}
	return "", operations.ErrMalformed()
}

// SettleDispute divides the escrow as an accepted offer or a decision says and closes the deal. If
// it fails with a *fault.Error, it has changed nothing.
func (s *Settler) SettleDispute(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	var p settleParams
	if err := json.Unmarshal(op.Params, &p); err != nil {
		return nil, fmt.Errorf("params: %w", err)
	}
	locked, err := lockedFor(tx, op)
	if err != nil {
		return nil, err
	}
	t, err := findSettlement(ctx, tx, locked.Deal, p)
	if err != nil {
		return nil, err
	}
	now := s.Clock.Now()
	if err := t.settleable(op.Actor, p, now); err != nil {
		return nil, err
	}
	if err := s.postSplit(ctx, tx, op, locked.Deal, t.split(), now); err != nil {
		return nil, err
	}
	if err := s.endSettled(tx, op, t, now); err != nil {
		return nil, err
	}
	d := locked.settled(t.split(), now)
	if t.offer == nil {
		if err := s.auditedSplit(ctx, tx, t, d); err != nil {
			return nil, err
		}
	}
	c := change{
		actor: op.Actor, line: catalog.LineDisputeSettled, params: t.split().params(), link: disputeLink(t.dispute.ID),
		notices: []notice{{d.Buyer.ID, catalog.DealDisputeSettled}, {d.Seller.ID, catalog.DealDisputeSettled}},
	}
	return operations.Result{Outcome: OutcomeSettled}, s.apply(ctx, tx, d, c)
}

// settled returns a deal as it is once its price was divided.
func (d Deal) settled(by Split, now time.Time) Deal {
	d.Status, d.ClosedAt, d.CloseReason, d.SettledFee, d.DisputeID = Completed, &now, ReasonSettled, &by.Fee, nil
	if by.BuyerGets > 0 {
		d.Refunded = &by.BuyerGets
	}
	if by.BuyerGets == d.Price {
		d.Status = Cancelled
	}
	return d
}

// postSplit posts how the price is divided, and saves it in the deal.
func (s *Settler) postSplit(ctx context.Context, tx *postgres.Tx, op operations.Operation, d Deal, by Split, now time.Time) error {
	var rewards money.Cents
	if by.Fee > 0 { // the referrers' share is one of the fee
		var err error
		if rewards, err = s.Rewards.Owe(ctx, tx, d.ID, d.Buyer.ID, d.Seller.ID, d.Price-by.BuyerGets, by.Fee); err != nil {
			return err
		}
	}
	escrow := ledger.Escrow(d.ID)
	err := ledger.PostAtCommit(ctx, tx, ledger.Transfer{
		Key:  ledger.DealClose.Key(d.ID),
		Kind: op.Kind,
		Legs: []ledger.Leg{
			ledger.Move(escrow, ledger.Wallet(d.Buyer.ID), by.BuyerGets),
			ledger.Move(escrow, ledger.Wallet(d.Seller.ID), by.SellerGets),
			ledger.Move(escrow, ledger.Fees(), by.Fee-rewards),
			ledger.Move(escrow, ledger.ReferralPayable(), rewards),
		},
		Actor: op.Actor, At: now,
	}, nil)
	if err != nil {
		return err
	}
	var back *money.Cents
	if by.BuyerGets > 0 {
		back = &by.BuyerGets
		s.Events.WalletUpdated(tx, d.Buyer.ID)
	}
	if by.SellerGets > 0 {
		s.Events.WalletUpdated(tx, d.Seller.ID)
	}
	saveSettled.QueueOne(tx, postgres.Args{"id": d.ID, "back": back, "fee": by.Fee})
	return nil
}

// endSettled ends the dispute of a settlement that is carried out.
func (s *Settler) endSettled(tx *postgres.Tx, op operations.Operation, t settlement, now time.Time) error {
	if t.offer != nil {
		accepter, _ := op.Actor.UserID()
		setOffer.QueueOne(tx, postgres.Args{"id": t.offer.ID, "status": OfferAccepted})
		if _, err := queueEntry(tx, t.dispute.ID, entry{author: &accepter, kind: EntryAccepted, offer: &t.offer.ID}, now); err != nil {
			return err
		}
	} else {
		setCarriedOut.QueueOne(tx, postgres.Args{"id": t.decision.ID, "now": now})
	}
	s.Events.WorklistChanged(tx, realtime.WorklistDisputes, t.dispute.ID)
	return s.endDispute(tx, t.dispute.ID, DisputeSettled, nil)
}

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
		if reminded, err = setDisputeReminded.Any(ctx, tx, postgres.Args{"id": id, "now": now}); err != nil || !reminded {
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
	_, err = s.requestSettling(ctx, actor.System(), x.Deal.ID, id, p, nil)
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
