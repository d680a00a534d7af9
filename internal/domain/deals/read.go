package deals

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/postgres"
)

// Get returns a deal to its buyer or seller, with the timeline in the reader's language. Any other
// user gets NotFound.
func (s *Service) Get(ctx context.Context, actor, id uuid.UUID) (Detail, error) {
	d, err := getDeal(ctx, s.DB, id, s.Clock.Now())
	if err != nil {
		return Detail{}, err
	}
	if !d.IsParty(actor) {
		return Detail{}, errNotFound()
	}
	return s.detail(ctx, s.DB, actor, d)
}

func (s *Service) detail(ctx context.Context, q postgres.Querier, reader uuid.UUID, d Deal) (Detail, error) {
	rows, err := listEvents(ctx, q, d.ID, reader)
	if err != nil {
		return Detail{}, err
	}
	detail := Detail{Deal: d, Timeline: make([]Line, len(rows))}
	for i, r := range rows {
		detail.Timeline[i] = Line{
			ID: r.ID, Kind: r.Kind, At: r.At, Actor: r.actor(),
			Text: catalog.Render(r.Language, r.Kind, r.Params), Note: r.Params[noteParam],
		}
	}
	op, pending, err := operations.PendingOn(ctx, q, operations.Deal(d.ID))
	if pending {
		detail.Operation = &op
	}
	return detail, err
}

// ListBetween returns a page of the deals between two users, newest first and with shortened
// descriptions, and their total number. Non-empty statuses restrict it to deals in one of them. The
// caller has checked that the reader is one of the two.
func (s *Service) ListBetween(ctx context.Context, one, other uuid.UUID, statuses []Status, page postgres.Page) ([]Deal, int, error) {
	return listBetween(ctx, s.DB, one, other, statuses, page, s.Clock.Now())
}

// OpenTotals returns the number of a user's open deals and the sum of their prices.
func (s *Service) OpenTotals(ctx context.Context, userID uuid.UUID) (count int, total money.Cents, err error) {
	return openTotals(ctx, s.DB, userID)
}

// ListByUser returns a user's deals as ListBetween does. The caller has checked that the reader may
// see them.
func (s *Service) ListByUser(ctx context.Context, userID uuid.UUID, statuses []Status, page postgres.Page) ([]Deal, int, error) {
	return listDeals(ctx, s.DB, userID, statuses, page, s.Clock.Now())
}
