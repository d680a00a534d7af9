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
	"amanat/queue/jobs"
)

// Cancellation is the result of Cancel: an operation if the buyer is refunded at once, otherwise
// the deal with a request that the seller must answer.
type Cancellation struct {
	Operation *operations.Operation
	Deal      Detail
}

// Cancel cancels an open deal for one of its parties. The seller's cancellation refunds the buyer
// in full at once; before acceptance it is the same as declining. So does the buyer's, even with a
// request open, when they may leave: past the exit time of a deal never delivered, or once its
// seller is disabled. Otherwise the buyer's is a request to the seller; it undoes a delivery, and
// repeating it while it is open changes nothing. Codes: NotFound, Conflict if the deal is not open,
// for the buyer once a dispute is decided, after three requests, and while an operation is pending.
func (s *Service) Cancel(ctx context.Context, userID, id uuid.UUID, key *idempotency.Key) (Cancellation, error) {
	d, err := s.Get(ctx, userID, id)
	if err != nil {
		return Cancellation{}, err
	}
	// A replayed key returns its first result, even if the buyer may leave by now, or may not any
	// more: the request it made, or the operation it requested as it stands now.
	if op, used, err := operations.Replayed(ctx, s.DB, key, id); err != nil || used {
		return Cancellation{Operation: op, Deal: d}, err
	}
	reason := Reason("")
	switch {
	case userID == d.Seller.ID && !d.Accepted():
		reason = ReasonDeclined
	case userID == d.Seller.ID:
		reason = ReasonSeller
	case d.mayLeaveDisabled(), d.CloseReason == ReasonSellerDisabled:
		reason = ReasonSellerDisabled
	case d.mayExit(s.Clock.Now()), d.CloseReason == ReasonExit:
		reason = ReasonExit
	}
	if reason != "" {
		op, err := s.requestRefund(ctx, actor.User(userID), id, reason, key)
		return Cancellation{Operation: &op}, err
	}
	asked, err := s.requestCancellation(ctx, userID, id, key)
	return Cancellation{Deal: asked}, err
}

func (s *Service) requestCancellation(ctx context.Context, buyer, id uuid.UUID, key *idempotency.Key) (Detail, error) {
	return s.changed(ctx, buyer, id, func(tx *postgres.Tx, d Deal) error {
		if _, replayed, err := idempotency.Reserve(ctx, tx, key, id, s.Clock.Now()); err != nil || replayed {
			return err
		}
		switch {
		case !d.Status.Open():
			return errState("cancelled", d)
		case d.Ruled:
			return errRuled()
		case d.CancellationRequested:
			return nil
		case d.Requests >= maxRequests:
			return errTooManyRequests()
		}
		if err := checkNotBusy(ctx, tx, id); err != nil {
			return err
		}
		now := s.Clock.Now()
		if d.Status == Delivered {
			d.takeBack(now)
		}
		d.CancellationRequested, d.CancellationAskedAt, d.CancellationDeclined = true, &now, false
		d.Requests++
		return s.apply(ctx, tx, d, change{
			actor: actor.User(buyer), line: catalog.LineCancelAsked, notices: []notice{{d.Seller.ID, catalog.DealCancelAsked}},
		})
	})
}

// takeBack undoes a delivery: the seller has to deliver again.
func (d *Deal) takeBack(now time.Time) {
	d.Status, d.Delivered, d.DeliveredAt, d.Shipment, d.ResetAt = Active, false, nil, Shipment{}, &now
	if now.After(d.DueAt) {
		d.Status = Late
	}
}

func errTooManyRequests() error {
	return fault.New(fault.Conflict, "requests_used_up", "Please open a support request")
}

// ResetDelivery rejects a delivery that is not what was agreed; text says what should be changed.
// Only the buyer may do it, while the deal is Delivered; repeating it changes nothing. Codes:
// NotFound, Forbidden, Invalid if the text is too long, Conflict in any other status, after three
// requests, and while an operation is pending.
func (s *Service) ResetDelivery(ctx context.Context, userID, id uuid.UUID, text string) (Detail, error) {
	changes := Words{Text: text}.normalized()
	if err := changes.checkLength(); err != nil {
		return Detail{}, err
	}
	return s.changeWithMessage(ctx, userID, id, changes, func(tx *postgres.Tx, d Deal) error {
		switch {
		case userID != d.Buyer.ID:
			return errBuyerOnly()
		case d.Status != Delivered && d.Status.Open() && d.ResetAt != nil:
			return nil
		case d.Status != Delivered:
			return errState("reset", d)
		case d.Requests >= maxRequests:
			return errTooManyRequests()
		}
		if err := checkNotBusy(ctx, tx, id); err != nil {
			return err
		}
		d.takeBack(s.Clock.Now())
		d.Requests++
		return s.apply(ctx, tx, d, change{
			actor: actor.User(userID), line: catalog.LineReset, said: changes, notices: []notice{{d.Seller.ID, catalog.DealReset}},
		})
	})
}

// RequestAcceptCancellation requests the refund of the price less the fee, or of all of it if the
// buyer may leave anyway. Codes: NotFound, Forbidden for the buyer, Conflict without a cancellation
// request and while another operation is pending.
func (s *Service) RequestAcceptCancellation(ctx context.Context, userID, id uuid.UUID, key *idempotency.Key) (operations.Operation, error) {
	return s.requestRefund(ctx, actor.User(userID), id, ReasonAccepted, key)
}

// DeclineCancellation declines the buyer's request; the deal goes on. Declining again changes
// nothing. Codes: NotFound, Forbidden for the buyer, Conflict without a request and while an
// operation is pending.
func (s *Service) DeclineCancellation(ctx context.Context, userID, id uuid.UUID) (Detail, error) {
	return s.changed(ctx, userID, id, func(tx *postgres.Tx, d Deal) error {
		switch {
		case userID != d.Seller.ID:
			return errSellerOnly()
		case !d.Status.Open():
			return errState("kept", d)
		case !d.CancellationRequested && d.CancellationDeclined:
			return nil
		case !d.CancellationRequested:
			return fault.New(fault.Conflict, "no_cancellation_to_decline", "There is no cancellation request to decline.")
		}
		if err := checkNotBusy(ctx, tx, id); err != nil {
			return err
		}
		d.CancellationRequested, d.CancellationAskedAt, d.CancellationDeclined = false, nil, true
		return s.apply(ctx, tx, d, change{
			actor: actor.User(userID), line: catalog.LineCancelDeclined, notices: []notice{{d.Buyer.ID, catalog.DealCancelDeclined}},
		})
	})
}

// Reason is why a deal was closed.
type Reason string

// Reasons. Those of a refund determine what the buyer gets back (docs/rules.md#deal-refund).
const (
	ReasonCompleted Reason = "completed" // by the buyer, an admin or the system
	// The seller accepted the cancellation request: less the fee until the buyer may leave anyway.
	ReasonAccepted   Reason = "accepted"
	ReasonUnanswered Reason = "unanswered" // the seller did not answer it: as accepted
	ReasonSeller     Reason = "seller"     // the seller cancelled without a request: in full
	ReasonDeclined   Reason = "declined"   // the seller never agreed to the deal: in full
	ReasonExit       Reason = "exit"       // the buyer left a never delivered deal: in full
	ReasonOverdue    Reason = "overdue"    // it was never delivered: in full
	ReasonAdmin      Reason = "admin"      // an admin cancelled it: in full

	// The buyer left a deal whose seller is disabled and has never delivered: in full.
	ReasonSellerDisabled Reason = "seller_disabled"

	ReasonSettled Reason = "settled" // a dispute was settled: the price was divided
)

type refundParams struct {
	Reason Reason `json:"reason"`
}

// refundable returns an error if the deal's state or the actor's role does not allow the refund.
// For ReasonAdmin, the caller has checked that the actor is an admin.
func refundable(d Deal, actor actor.Actor, reason Reason, now time.Time) error {
	switch reason {
	case ReasonAccepted, ReasonSeller, ReasonDeclined:
		if !actor.Is(d.Seller.ID) {
			return errSellerOnly()
		}
	case ReasonExit, ReasonSellerDisabled:
		if !actor.Is(d.Buyer.ID) {
			return errBuyerOnly()
		}
	case ReasonAdmin:
		if userID, isUser := actor.UserID(); !isUser || d.IsParty(userID) {
			return errOwnDeal()
		}
	case ReasonUnanswered, ReasonOverdue:
		if _, isUser := actor.UserID(); isUser {
			return errUnknownRequest()
		}
	case ReasonCompleted, ReasonSettled: // not refunds
		return errUnknownRequest()
	default:
		return errUnknownRequest()
	}
	switch {
	case !d.Status.Open():
		return errState("cancelled", d)
	case reason == ReasonDeclined && d.Accepted():
		return fault.New(fault.Conflict, "deal_already_accepted", "You have accepted this deal. You can cancel it instead.")
	case d.Ruled && reason.overrules():
		return errRuled()
	case reason == ReasonAccepted && !d.CancellationRequested:
		return fault.New(fault.Conflict, "no_cancellation_to_accept", "There is no cancellation request to accept.")
	case reason == ReasonExit && !d.mayExit(now), reason == ReasonSellerDisabled && !d.mayLeaveDisabled():
		return fault.New(fault.Conflict, "exit_too_early", "You cannot leave this deal yet.")
	case reason == ReasonUnanswered && !d.isDue(ActionRefundUnanswered, now), reason == ReasonOverdue && !d.isDue(ActionRefund, now):
		return errNotYet()
	}
	return nil
}

// overrules reports whether a refund for the reason could take from a party what the decision of a
// dispute gives them: all but a seller's own would.
func (r Reason) overrules() bool { return r != ReasonSeller && r != ReasonDeclined }

// Refund returns what the buyer of a closed deal got back, and false if that was nothing or the
// deal is not closed. It is the amount posted then, not computed from the current rules.
func (d Deal) Refund() (back money.Cents, refunded bool) {
	if d.Refunded == nil {
		return 0, false
	}
	return *d.Refunded, true
}

// refundDue returns what the buyer gets back if the deal is closed now for the reason. The rest is
// the provider's fee: it is taken if the seller accepted, or did not answer, before the buyer could
// leave without consent.
func (d Deal) refundDue(reason Reason, now time.Time) money.Cents {
	switch reason {
	case ReasonAccepted, ReasonUnanswered:
		if d.FirstDeliveredAt != nil || now.Before(d.ExitAt()) {
			return d.Payout()
		}
	case ReasonCompleted, ReasonSeller, ReasonDeclined, ReasonExit, ReasonOverdue, ReasonAdmin, ReasonSellerDisabled,
		ReasonSettled:
	}
	return d.Price
}

// finalStatus returns the status that a refund for the reason leaves the deal in.
func (r Reason) finalStatus() Status {
	switch r {
	case ReasonSeller, ReasonDeclined:
		return CancelledBySeller
	case ReasonExit:
		return CancelledByBuyer
	case ReasonAccepted, ReasonUnanswered, ReasonOverdue, ReasonAdmin, ReasonSellerDisabled, ReasonCompleted, ReasonSettled:
	}
	return Cancelled
}

func (s *Service) requestRefund(
	ctx context.Context, actor actor.Actor, id uuid.UUID, reason Reason, key *idempotency.Key,
) (operations.Operation, error) {
	request := operations.Request{
		Kind: jobs.KindDealRefund, Subject: operations.Deal(id), Actor: actor, Params: refundParams{reason}, Key: key,
	}
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		s.Operations.Begin(ctx, tx, &request)
		d, err := s.dealFor(ctx, tx, actor, reason == ReasonAdmin, id)
		if err != nil {
			return err
		}
		if err := refundable(d, actor, reason, s.Clock.Now()); err != nil {
			return err
		}
		return s.Operations.Enqueue(ctx, tx, &request)
	})
	return s.Operations.Answer(ctx, &request, err)
}

// SettleRefund pays the escrow back and closes the deal. If it fails with a *fault.Error, it has
// changed nothing.
func (s *Settler) SettleRefund(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	var p refundParams
	if err := json.Unmarshal(op.Params, &p); err != nil {
		return nil, fmt.Errorf("params: %w", err)
	}
	locked, err := lockedFor(tx, op)
	if err != nil {
		return nil, err
	}
	d := locked.Deal
	now := s.Clock.Now() // read once: the fee depends on it
	if err := refundable(d, op.Actor, p.Reason, now); err != nil {
		return nil, err
	}
	d.Status, d.ClosedAt, d.CloseReason = p.Reason.finalStatus(), &now, p.Reason
	back := d.refundDue(p.Reason, now)
	d.Refunded = &back
	escrow := ledger.Escrow(d.ID)
	err = ledger.PostAtCommit(ctx, tx, ledger.Transfer{
		Key:  ledger.DealClose.Key(d.ID),
		Kind: op.Kind,
		Legs: []ledger.Leg{
			ledger.Move(escrow, ledger.Wallet(d.Buyer.ID), back),
			ledger.Move(escrow, ledger.Fees(), d.Price-back),
		},
		Actor: op.Actor, Reason: string(p.Reason), At: now,
	}, nil)
	if err != nil {
		return nil, err
	}
	saveRefunded.QueueOne(tx, postgres.Args{"id": d.ID, "back": back})
	if p.Reason == ReasonAdmin {
		if err := s.audited(ctx, tx, op.Actor, "deal.cancel", d); err != nil {
			return nil, err
		}
	}
	s.Events.WalletUpdated(tx, d.Buyer.ID)
	outcome := OutcomeRefunded
	if back < d.Price {
		outcome = OutcomeAccepted
	}
	texts := refundTexts[p.Reason]
	c := change{actor: op.Actor, line: texts.line, refund: back}
	for _, party := range []uuid.UUID{d.Buyer.ID, d.Seller.ID} {
		if !op.Actor.Is(party) {
			c.notices = append(c.notices, notice{to: party, kind: texts.notice})
		}
	}
	return operations.Result{Outcome: outcome}, s.apply(ctx, tx, d, c)
}

var refundTexts = map[Reason]struct{ line, notice catalog.Kind }{
	ReasonAccepted:   {catalog.LineCancelAccepted, catalog.DealCancelAccepted},
	ReasonUnanswered: {catalog.LineUnanswered, catalog.DealUnanswered},
	ReasonSeller:     {catalog.LineSellerCancelled, catalog.DealSellerCancelled},
	ReasonDeclined:   {catalog.LineDeclined, catalog.DealDeclinedPaid},
	ReasonExit:       {catalog.LineBuyerLeft, catalog.DealBuyerLeft},
	ReasonOverdue:    {catalog.LineOverdue, catalog.DealOverdue},
	ReasonAdmin:      {catalog.LineAdminCancelled, catalog.DealAdminCancelled},

	ReasonSellerDisabled: {catalog.LineSellerDisabled, catalog.DealSellerDisabled},
}
