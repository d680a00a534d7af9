package deals

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
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
	switch made, used, err := idempotency.Lookup(ctx, s.DB, key); {
	case err != nil, used && made == id:
		return Cancellation{Deal: d}, err
	case used:
		op, err := s.Operations.Get(ctx, s.DB, userID, made)
		return Cancellation{Operation: &op}, err
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
	d.Status, d.Delivered, d.DeliveredAt, d.ResetAt = Active, false, nil, &now
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
	return s.said(ctx, userID, id, changes, func(tx *postgres.Tx, d Deal) error {
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
