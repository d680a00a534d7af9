package deals

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"amanat/internal/fault"
	"amanat/internal/ledger"
	"amanat/internal/money"
	"amanat/internal/operations"
	"amanat/internal/postgres"
	"amanat/internal/texts"
	"amanat/queue/jobs"
)

// Reason is why a deal was closed.
type Reason string

// Reasons. Those of a refund say who is owed what (DESIGN §3 rule 1).
const (
	ReasonCompleted  Reason = "completed"  // by the buyer, an admin or the clock
	ReasonAccepted   Reason = "accepted"   // the seller accepted the cancellation request: the fee is taken
	ReasonUnanswered Reason = "unanswered" // nobody answered it: as accepted, but in full once the buyer may leave anyway
	ReasonSeller     Reason = "seller"     // the seller cancelled by himself: in full
	ReasonExit       Reason = "exit"       // the buyer left a deal that was never delivered: in full
	ReasonOverdue    Reason = "overdue"    // it was never delivered: in full
	ReasonAdmin      Reason = "admin"      // an admin cancelled it: in full
)

type refundParams struct {
	Reason Reason `json:"reason"`
}

// refundable refuses a refund that the deal's state, or the actor's place in it, does not allow.
func (s *Service) refundable(d Deal, actor uuid.UUID, reason Reason) error {
	now := s.Clock.Now()
	switch reason {
	case ReasonAccepted, ReasonSeller:
		if actor != d.Seller.ID {
			return errForbidden("seller")
		}
	case ReasonExit:
		if actor != d.Buyer.ID {
			return errForbidden("buyer")
		}
	case ReasonUnanswered, ReasonOverdue, ReasonAdmin, ReasonCompleted:
	}
	switch {
	case !d.Status.Open():
		return errState("cancelled", d)
	case reason == ReasonAccepted && !d.CancellationRequested:
		return fault.New(fault.Conflict, "There is no cancellation request to accept.")
	case reason == ReasonExit && !d.mayExit(now):
		return fault.New(fault.Conflict, "You cannot leave this deal yet.")
	case reason == ReasonUnanswered && !d.isDue(ActionRefundUnanswered, now), reason == ReasonOverdue && !d.isDue(ActionRefund, now):
		return fault.New(fault.Conflict, "It is not yet time for this.")
	}
	return nil
}

// refund returns what the buyer gets back, the rest being the provider's fee, and the status the deal ends in.
func (s *Service) refund(d Deal, reason Reason) (back money.Cents, ends Status) {
	switch reason {
	case ReasonAccepted:
		return d.Payout(), Cancelled
	case ReasonUnanswered:
		if d.mayExit(s.Clock.Now()) {
			return d.Price, Cancelled
		}
		return d.Payout(), Cancelled
	case ReasonSeller:
		return d.Price, CancelledBySeller
	case ReasonExit:
		return d.Price, CancelledByBuyer
	case ReasonOverdue, ReasonAdmin, ReasonCompleted:
	}
	return d.Price, Cancelled
}

func (s *Service) requestRefund(
	ctx context.Context, actor, id uuid.UUID, reason Reason, key *operations.Key, admin bool,
) (operations.Operation, error) {
	r := moneyRequest{kind: jobs.KindDealRefund, actor: actor, id: id, params: refundParams{reason}, key: key, admin: admin}
	return s.request(ctx, r, func(_ context.Context, _ *postgres.Tx, d Deal) error { return s.refundable(d, actor, reason) })
}

// SettleRefund gives the escrow back and closes the deal, or refuses with a *fault.Error and has changed nothing.
func (s *Service) SettleRefund(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	var p refundParams
	if err := json.Unmarshal(op.Params, &p); err != nil {
		return nil, fmt.Errorf("params: %w", err)
	}
	d, err := s.lockForSettling(ctx, tx, op)
	if err != nil {
		return nil, err
	}
	if err := s.refundable(d, op.ActorID, p.Reason); err != nil {
		return nil, err
	}
	back, ends := s.refund(d, p.Reason)
	escrow := ledger.Escrow(d.ID)
	now := s.Clock.Now()
	err = ledger.Post(ctx, tx, ledger.Transfer{
		Key:  closeKey(d.ID),
		Kind: op.Kind,
		Legs: []ledger.Leg{
			ledger.Move(escrow, ledger.Wallet(d.Buyer.ID), back),
			ledger.Move(escrow, ledger.Fees(), d.Price-back),
		},
		Actor: op.ActorID, Reason: string(p.Reason), At: now,
	})
	if err != nil {
		return nil, err
	}
	if p.Reason == ReasonAdmin {
		if err := s.audited(ctx, tx, op.ActorID, "deal.cancel", d); err != nil {
			return nil, err
		}
	}
	d.Status, d.ClosedAt, d.CloseReason = ends, &now, p.Reason
	s.walletChanged(tx, d.Buyer.ID)
	message := MessageRefunded
	if back < d.Price {
		message = MessageAccepted
	}
	told := refundTexts[p.Reason]
	c := change{actor: op.ActorID, line: told.line, refund: back}
	for _, party := range []uuid.UUID{d.Buyer.ID, d.Seller.ID} {
		if party != op.ActorID {
			c.notices = append(c.notices, notice{to: party, kind: told.notice})
		}
	}
	return Result{message}, s.apply(ctx, tx, d, c)
}

var refundTexts = map[Reason]struct{ line, notice texts.Kind }{
	ReasonAccepted:   {texts.LineCancelAccepted, texts.DealCancelAccepted},
	ReasonUnanswered: {texts.LineUnanswered, texts.DealUnanswered},
	ReasonSeller:     {texts.LineSellerCancelled, texts.DealSellerCancelled},
	ReasonExit:       {texts.LineBuyerLeft, texts.DealBuyerLeft},
	ReasonOverdue:    {texts.LineOverdue, texts.DealOverdue},
	ReasonAdmin:      {texts.LineAdminCancelled, texts.DealAdminCancelled},
}
