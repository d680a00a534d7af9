package deals

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/operations"
)

// Get returns a deal to its buyer or seller, with the timeline in the reader's language. Any other
// user gets NotFound.
func (s *Service) Get(ctx context.Context, actor, id uuid.UUID) (Detail, error) {
	return s.Reading(actor, id).Deal(ctx)
}

// detail reads a deal with the timeline in the reader's language.
func (s *Service) detail(ctx context.Context, reader, id uuid.UUID) (Detail, error) {
	r := s.Reading(reader, id)
	if err := r.send(ctx); err != nil {
		return Detail{}, err
	}
	return r.detail, nil
}

// Reading is the reading of a deal for a user, which can be queued among other statements.
type Reading struct {
	service    *Service
	reader, id uuid.UUID
	queued     bool
	found      bool
	detail     Detail
}

// Reading returns a Reading of a deal for one of its parties.
func (s *Service) Reading(reader, id uuid.UUID) *Reading {
	return &Reading{service: s, reader: reader, id: id}
}

// Queue queues the statements of the reading. What an earlier call has read is forgotten.
func (r *Reading) Queue(q postgres.Queue) {
	r.queued, r.found, r.detail = true, false, Detail{}
	queueDeal(q, r.id, r.service.Clock.Now(), func(d Deal) { r.detail.Deal, r.found = d, true })
	queueListEvents(q, r.id, r.reader, func(rows []eventRow) {
		r.detail.Timeline = make([]Line, len(rows))
		for i, row := range rows {
			r.detail.Timeline[i] = Line{
				ID: row.ID, Kind: row.Kind, At: row.At, Actor: row.actor(),
				Text: catalog.Render(row.Language, row.Kind, row.Params), Note: row.Params[noteParam],
			}
		}
	})
	queueListPictures(q, r.id, func(event uuid.UUID, picture images.Attachment) {
		for i, line := range r.detail.Timeline {
			if line.ID == event {
				r.detail.Timeline[i].Pictures = append(line.Pictures, picture)
			}
		}
	})
	queueOpenCounteroffer(q, r.id, func(o Counteroffer) { r.detail.Counteroffer = &o })
	queueDisputeOf(q, r.id, func(latest DisputeRef) { r.detail.Dispute = &latest })
	operations.QueuePendingOn(q, operations.Deal(r.id), func(op operations.Operation) { r.detail.Operation = &op })
}

// Deal returns what was read last; it reads the deal if nothing has been queued. Code NotFound for
// users who are not a party.
func (r *Reading) Deal(ctx context.Context) (Detail, error) {
	if err := r.send(ctx); err != nil {
		return Detail{}, err
	}
	if !r.detail.IsParty(r.reader) {
		return Detail{}, errNotFound()
	}
	return r.detail, nil
}

// send reads the deal unless its statements have been queued. Code NotFound.
func (r *Reading) send(ctx context.Context) error {
	if !r.queued {
		var batch postgres.Batch
		r.Queue(&batch)
		if err := batch.Send(ctx, r.service.DB); err != nil {
			return err
		}
	}
	if !r.found {
		return errNotFound()
	}
	if o := r.detail.Counteroffer; o != nil {
		o.Text = r.detail.lastNote(catalog.LineCounteroffer)
	}
	return nil
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
