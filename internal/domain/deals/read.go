package deals

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/images"
	"amanat/internal/platform/postgres"
)

// Get returns a deal to its buyer or seller, with the timeline in the reader's language. Any other
// user gets NotFound.
func (s *Service) Get(ctx context.Context, actor, id uuid.UUID) (Detail, error) {
	detail, err := s.detail(ctx, actor, id)
	if err == nil && !detail.IsParty(actor) {
		return Detail{}, errNotFound()
	}
	return detail, err
}

// detail reads a deal with the timeline in the reader's language.
func (s *Service) detail(ctx context.Context, reader, id uuid.UUID) (Detail, error) {
	var batch postgres.Batch
	var detail Detail
	found := false
	queueDeal(&batch, id, s.Clock.Now(), func(d Deal) { detail.Deal, found = d, true })
	queueListEvents(&batch, id, reader, func(rows []eventRow) {
		detail.Timeline = make([]Line, len(rows))
		for i, r := range rows {
			detail.Timeline[i] = Line{
				ID: r.ID, Kind: r.Kind, At: r.At, Actor: r.actor(),
				Text: catalog.Render(r.Language, r.Kind, r.Params), Note: r.Params[noteParam],
			}
		}
	})
	queueListPictures(&batch, id, func(event uuid.UUID, picture images.Attachment) {
		for i, line := range detail.Timeline {
			if line.ID == event {
				detail.Timeline[i].Pictures = append(line.Pictures, picture)
			}
		}
	})
	queueOpenCounteroffer(&batch, id, func(o Counteroffer) { detail.Counteroffer = &o })
	queueDisputeOf(&batch, id, func(latest DisputeRef) { detail.Dispute = &latest })
	operations.QueuePendingOn(&batch, operations.Deal(id), func(op operations.Operation) { detail.Operation = &op })
	if err := batch.Send(ctx, s.DB); err != nil {
		return Detail{}, err
	}
	if !found {
		return Detail{}, errNotFound()
	}
	if o := detail.Counteroffer; o != nil {
		o.Text = detail.lastNote(catalog.LineCounteroffer)
	}
	return detail, nil
}

// lastNote returns what was said with the last event of a kind.
func (d Detail) lastNote(kind catalog.Kind) string {
	for _, line := range slices.Backward(d.Timeline) {
		if line.Kind == kind {
			return line.Note
		}
	}
	return ""
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
