package deals

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
)

// Filter selects deals for admins; zero values select all.
type Filter struct {
	Status    Status
	DealID    *uuid.UUID
	Escalated bool // only deals that wait for an admin's decision, escalated or suspended
}

// ListAll returns a page of deals for admins, with shortened descriptions, and the total number.
// They are sorted newest first, or longest wait first if only those that wait for a decision are
// selected. The caller has checked that the reader is an admin.
func (s *Service) ListAll(ctx context.Context, f Filter, page postgres.Page) ([]Deal, int, error) {
	return listAll(ctx, s.DB, f, page, s.Clock.Now())
}

// GetAny returns a deal to an admin, with the timeline in the admin's language. Code NotFound.
func (s *Service) GetAny(ctx context.Context, admin, id uuid.UUID) (Detail, error) {
	return s.detail(ctx, admin, id)
}

// RequestForceComplete requests an admin's release of an open deal's escrow. The caller has checked
// that the actor is an admin. Codes: NotFound, Forbidden for a party of the deal, Conflict.
func (s *Service) RequestForceComplete(ctx context.Context, admin, id uuid.UUID, key *idempotency.Key) (operations.Operation, error) {
	return s.requestComplete(ctx, actor.User(admin), id, byAdmin, key)
}

// RequestForceCancel requests an admin's full refund of an open deal. The caller has checked that
// the actor is an admin. Codes: NotFound, Forbidden for a party of the deal, Conflict.
func (s *Service) RequestForceCancel(ctx context.Context, admin, id uuid.UUID, key *idempotency.Key) (operations.Operation, error) {
	return s.requestRefund(ctx, actor.User(admin), id, ReasonAdmin, key)
}

// errOwnDeal says that admins may not decide on deals they are a party of.
func errOwnDeal() error {
	return fault.New(fault.Forbidden, "own_deal_decision", "You cannot decide on your own deal. Another admin has to.")
}

// Statement returns the deal of a statement for the operator, also a removed one, and records that
// it was read. It is for the operator's command line only. Code NotFound.
func (s *Service) Statement(ctx context.Context, id uuid.UUID) (d Deal, err error) {
	err = postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		if d, err = getIncludingRemoved(ctx, tx, id, s.Clock.Now()); err != nil {
			return err
		}
		return s.audited(ctx, tx, actor.Operator(), "deal.statement", d)
	})
	return d, err
}

// audited records what an admin or the operator does, in the transaction that does it.
func (s *Service) audited(ctx context.Context, tx *postgres.Tx, by actor.Actor, action string, d Deal) error {
	return audit.Record(ctx, tx, audit.Entry{
		At: s.Clock.Now(), Actor: by, Action: action, Subject: operations.Deal(d.ID),
		Details: map[string]any{"buyer": d.Buyer.ID, "seller": d.Seller.ID, "price": d.Price},
	})
}
