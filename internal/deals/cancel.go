package deals

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/fault"
	"amanat/internal/operations"
	"amanat/internal/postgres"
	"amanat/internal/texts"
)

// Cancellation is what Cancel came to: an operation when money goes back at once, otherwise a request that the seller must answer.
type Cancellation struct {
	Operation *operations.Operation
	Deal      Detail
}

// Cancel is asked for by a party of an open deal. The seller's refunds in full at once. So does the buyer's when he may leave: past the
// exit time of a deal never delivered, also with a request open. Otherwise the buyer's is a request; it takes back a delivery, and asking
// again while it is open changes nothing. Codes: NotFound, Conflict when the deal is not open, after three requests and while an
// operation is pending.
func (s *Service) Cancel(ctx context.Context, actor, id uuid.UUID, key *operations.Key) (Cancellation, error) {
	d, err := s.Get(ctx, actor, id)
	if err != nil {
		return Cancellation{}, err
	}
	// A key that made a request means that request for ever, also when the buyer could leave by now; one that made an operation means what
	// became of that, also when he cannot leave any more.
	switch made, used, err := s.Operations.Made(ctx, s.DB, key); {
	case err != nil, used && made == id:
		return Cancellation{Deal: d}, err
	case used:
		op, err := s.Operations.Get(ctx, s.DB, actor, made)
		return Cancellation{Operation: &op}, err
	}
	reason := Reason("")
	switch {
	case actor == d.Seller.ID:
		reason = ReasonSeller
	case d.mayExit(s.Clock.Now()), d.CloseReason == ReasonExit:
		reason = ReasonExit
	}
	if reason != "" {
		op, err := s.requestRefund(ctx, actor, id, reason, key, false)
		return Cancellation{Operation: &op}, err
	}
	asked, err := s.askToCancel(ctx, actor, id, key)
	return Cancellation{Deal: asked}, err
}

func (s *Service) askToCancel(ctx context.Context, buyer, id uuid.UUID, key *operations.Key) (Detail, error) {
	return s.changed(ctx, buyer, id, func(tx *postgres.Tx, d Deal) error {
		if _, replayed, err := s.Operations.Reserve(ctx, tx, key, id); err != nil || replayed {
			return err
		}
		switch {
		case !d.Status.Open():
			return errState("cancelled", d)
		case d.CancellationRequested:
			return nil
		case d.Requests >= maxRequests:
			return errTooMany()
		}
		if err := errBusy(ctx, tx, id); err != nil {
			return err
		}
		now := s.Clock.Now()
		if d.Status == Delivered {
			d.takeBack(now)
		}
		d.CancellationRequested, d.CancellationAskedAt, d.CancellationDeclined = true, &now, false
		d.Requests++
		return s.apply(ctx, tx, d, change{
			actor: buyer, line: texts.LineCancelAsked, notices: []notice{{d.Seller.ID, texts.DealCancelAsked}},
		})
	})
}

// takeBack undoes a delivery: the seller has to deliver again.
func (d *Deal) takeBack(now time.Time) {
	d.Status, d.Delivered, d.DeliveredAt, d.ResetAt = Active, false, nil, &now
	if now.After(d.DueAt) {
		d.Status = Late
	}
}

func errTooMany() error { return fault.New(fault.Conflict, "Please open a support request") }

// ResetDelivery says that what was delivered is not what was agreed. Only the buyer may, of a Delivered deal; doing it again changes
// nothing. Codes: NotFound, Forbidden, Conflict otherwise, after three requests and while an operation is pending.
func (s *Service) ResetDelivery(ctx context.Context, actor, id uuid.UUID) (Detail, error) {
	return s.changed(ctx, actor, id, func(tx *postgres.Tx, d Deal) error {
		switch {
		case actor != d.Buyer.ID:
			return errForbidden("buyer")
		case d.Status != Delivered && d.Status.Open() && d.ResetAt != nil:
			return nil
		case d.Status != Delivered:
			return errState("reset", d)
		case d.Requests >= maxRequests:
			return errTooMany()
		}
		if err := errBusy(ctx, tx, id); err != nil {
			return err
		}
		d.takeBack(s.Clock.Now())
		d.Requests++
		return s.apply(ctx, tx, d, change{
			actor: actor, line: texts.LineReset, notices: []notice{{d.Seller.ID, texts.DealReset}},
		})
	})
}

// RequestAcceptCancellation asks to give the buyer his money back less the fee. Codes: NotFound, Forbidden for the buyer, Conflict
// without a request and while another operation is pending.
func (s *Service) RequestAcceptCancellation(ctx context.Context, actor, id uuid.UUID, key *operations.Key) (operations.Operation, error) {
	return s.requestRefund(ctx, actor, id, ReasonAccepted, key, false)
}

// DeclineCancellation refuses the buyer's request; the deal goes on. Declining again changes nothing. Codes: NotFound, Forbidden for the
// buyer, Conflict without a request and while an operation is pending.
func (s *Service) DeclineCancellation(ctx context.Context, actor, id uuid.UUID) (Detail, error) {
	return s.changed(ctx, actor, id, func(tx *postgres.Tx, d Deal) error {
		switch {
		case actor != d.Seller.ID:
			return errForbidden("seller")
		case !d.Status.Open():
			return errState("kept", d)
		case !d.CancellationRequested && d.CancellationDeclined:
			return nil
		case !d.CancellationRequested:
			return fault.New(fault.Conflict, "There is no cancellation request to decline.")
		}
		if err := errBusy(ctx, tx, id); err != nil {
			return err
		}
		d.CancellationRequested, d.CancellationAskedAt, d.CancellationDeclined = false, nil, true
		return s.apply(ctx, tx, d, change{
			actor: actor, line: texts.LineCancelDeclined, notices: []notice{{d.Buyer.ID, texts.DealCancelDeclined}},
		})
	})
}
