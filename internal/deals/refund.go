package deals

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

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
func refundable(d Deal, actor uuid.UUID, reason Reason, now time.Time) error {
	switch reason {
	case ReasonAccepted, ReasonSeller:
		if actor != d.Seller.ID {
			return errForbidden("seller")
		}
	case ReasonExit:
		if actor != d.Buyer.ID {
			return errForbidden("buyer")
		}
	case ReasonAdmin:
		if d.IsParty(actor) {
			return errOwnDeal()
		}
	case ReasonUnanswered, ReasonOverdue, ReasonCompleted:
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

// Refund returns what the buyer of a closed deal got back, and false when it was completed or is not closed. The rest is the provider's
// fee: it is taken when the seller accepted, or did not answer before the buyer could leave by himself.
func (d Deal) Refund() (back money.Cents, refunded bool) {
	switch d.CloseReason {
	case "", ReasonCompleted:
		return 0, false
	case ReasonAccepted:
		return d.Payout(), true
	case ReasonUnanswered:
		if d.ClosedAt.Before(d.ExitAt()) {
			return d.Payout(), true
		}
	case ReasonSeller, ReasonExit, ReasonOverdue, ReasonAdmin:
	}
	return d.Price, true
}

// endsAs is the status a refunded deal ends in.
func (r Reason) endsAs() Status {
	switch r {
	case ReasonSeller:
		return CancelledBySeller
	case ReasonExit:
		return CancelledByBuyer
	case ReasonAccepted, ReasonUnanswered, ReasonOverdue, ReasonAdmin, ReasonCompleted:
	}
	return Cancelled
}

func (s *Service) requestRefund(
	ctx context.Context, actor, id uuid.UUID, reason Reason, key *operations.Key, admin bool,
) (operations.Operation, error) {
	r := moneyRequest{kind: jobs.KindDealRefund, actor: actor, id: id, params: refundParams{reason}, key: key, admin: admin}
	return s.request(ctx, r, func(_ context.Context, _ *postgres.Tx, d Deal) error {
		return refundable(d, actor, reason, s.Clock.Now())
	})
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
	now := s.Clock.Now() // one moment for the whole of it: the fee hangs on it
	if err := refundable(d, op.ActorID, p.Reason, now); err != nil {
		return nil, err
	}
	d.Status, d.ClosedAt, d.CloseReason = p.Reason.endsAs(), &now, p.Reason
	back, _ := d.Refund()
	escrow := ledger.Escrow(d.ID)
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
	s.Events.WalletUpdated(tx, d.Buyer.ID)
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
