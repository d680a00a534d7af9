package deals

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/money"
	"amanat/internal/operations"
	"amanat/internal/postgres"
	"amanat/internal/texts"
)

// Page is a slice of a longer list.
type Page struct {
	Limit, Offset int
}

// Get returns a deal to its buyer or seller, its timeline in his language. NotFound for anybody else.
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
			Text: texts.Render(r.Language, r.Kind, r.Params),
		}
	}
	op, pending, err := operations.PendingOn(ctx, q, operations.Deal(d.ID))
	if pending {
		detail.Operation = &op
	}
	return detail, err
}

// ListBetween returns the deals of two users with each other, newest first. The caller has checked that the reader is one of them.
func (s *Service) ListBetween(ctx context.Context, one, other uuid.UUID, page Page) ([]Deal, int, error) {
	return listBetween(ctx, s.DB, one, other, page, s.Clock.Now())
}

// OpenTotals returns how many of a user's deals are open and the sum of their prices.
func (s *Service) OpenTotals(ctx context.Context, userID uuid.UUID) (count int, total money.Cents, err error) {
	return openTotals(ctx, s.DB, userID)
}

// ListByUser returns a user's deals, newest first, and how many there are in all. The caller has checked that the reader may see them.
func (s *Service) ListByUser(ctx context.Context, userID uuid.UUID, page Page) ([]Deal, int, error) {
	return listDeals(ctx, s.DB, userID, page, s.Clock.Now())
}
