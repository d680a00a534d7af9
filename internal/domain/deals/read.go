package deals

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/postgres"
)

// Get returns a deal to its buyer or seller, with the timeline in their language. NotFound for anybody else.
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

// ListBetween returns the deals of two users with each other that are in one of some statuses, of all without any, newest first and with
// the beginnings of their descriptions, and how many there are. The caller has checked that the reader is one of them.
func (s *Service) ListBetween(ctx context.Context, one, other uuid.UUID, statuses []Status, page postgres.Page) ([]Deal, int, error) {
	return listBetween(ctx, s.DB, one, other, statuses, page, s.Clock.Now())
}

// OpenTotals returns how many of a user's deals are open and the sum of their prices.
func (s *Service) OpenTotals(ctx context.Context, userID uuid.UUID) (count int, total money.Cents, err error) {
	return openTotals(ctx, s.DB, userID)
}

// ListByUser returns a user's deals as ListBetween does. The caller has checked that the reader may see them.
func (s *Service) ListByUser(ctx context.Context, userID uuid.UUID, statuses []Status, page postgres.Page) ([]Deal, int, error) {
	return listDeals(ctx, s.DB, userID, statuses, page, s.Clock.Now())
}
