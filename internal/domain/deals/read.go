package deals

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
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
	ofDeal := postgres.Args{"deal": r.id, "reader": r.reader}
	listEvents.QueueMany(q, ofDeal, func(lines []Line) error {
		r.detail.Timeline = lines
		return nil
	})
	listPictures.Queue(q, ofDeal, func(p shownPicture) {
		for i, line := range r.detail.Timeline {
			if line.ID == p.ShownBy {
				r.detail.Timeline[i].Pictures = append(line.Pictures, p.attachment())
			}
		}
	})
	openCounteroffer.Queue(q, ofDeal, func(o Counteroffer) { r.detail.Counteroffer = &o })
	disputeOf.Queue(q, ofDeal, func(latest DisputeRef) { r.detail.Dispute = &latest })
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
	open, err := openTotals.One(ctx, s.DB, postgres.Args{"user": userID})
	return open.Count, open.Total, err
}

// ListByUser returns a user's deals as ListBetween does. The caller has checked that the reader may
// see them.
func (s *Service) ListByUser(ctx context.Context, userID uuid.UUID, statuses []Status, page postgres.Page) ([]Deal, int, error) {
	return listDeals(ctx, s.DB, userID, statuses, page, s.Clock.Now())
}

// proofKept is how long a public proof stays after its deal is closed (docs/rules.md#public-proof).
const proofKept = 30 * day

// Proof is the switch of a deal's public page, which shows that its money is held.
type Proof struct {
	Shown     bool
	Code      string     // of the page, /held/{code}; "" unless it is shown
	ChangedBy *user.Ref  // nil if nobody has ever switched it on
	ChangedAt *time.Time // as ChangedBy
}

// Held is what everybody sees on a deal's public page: no names and no texts.
type Held struct {
	Amount   money.Cents
	Status   Status
	Since    time.Time
	ClosedAt *time.Time // nil while the money is held
}

// GetProof returns the switch of a deal's public page to its buyer or seller. Code NotFound for
// anyone else.
func (s *Service) GetProof(ctx context.Context, userID, id uuid.UUID) (Proof, error) {
	d, err := getDeal(ctx, s.DB, id, s.Clock.Now())
	if err == nil && !d.IsParty(userID) {
		err = errNotFound()
	}
	if err != nil {
		return Proof{}, err
	}
	p, err := getProof(ctx, s.DB, id)
	if d.proofEnded(s.Clock.Now()) {
		p.Shown, p.Code = false, ""
	}
	return p, err
}

// proofEnded reports whether the deal was closed so long ago that its public page is gone.
func (d Deal) proofEnded(now time.Time) bool {
	return d.ClosedAt != nil && now.Sub(*d.ClosedAt) >= proofKept
}

// SetProof switches the public page of a deal on or off; either party may. Each time it is switched
// on, it has a new code. Codes: NotFound, Conflict if it is switched on while no money is held.
func (s *Service) SetProof(ctx context.Context, userID, id uuid.UUID, shown bool) (Proof, error) {
	err := s.change(ctx, userID, id, func(tx *postgres.Tx, d Deal) error {
		p, err := getProof(ctx, tx, id)
		if err != nil || p.Shown == shown {
			return err
		}
		if shown && !d.Status.Open() {
			return fault.New(fault.Conflict, "proof_nothing_held", "There is nothing to prove: no money is held for this deal.")
		}
		code, err := newCode()
		if err != nil {
			return err
		}
		if err := saveProof(ctx, tx, id, code, shown, userID, s.Clock.Now()); err != nil {
			return err
		}
		line := catalog.LineProofOff
		if shown {
			line = catalog.LineProofOn
		}
		return s.publish(ctx, tx, d, change{actor: actor.User(userID), line: line})
	})
	if err != nil {
		return Proof{}, err
	}
	return s.GetProof(ctx, userID, id)
}

// FindHeld returns the public page with a code, to anybody. Code NotFound if there is none, if it
// is switched off, or if the deal was closed more than 30 days ago.
func (s *Service) FindHeld(ctx context.Context, code string) (Held, error) {
	held, err := findHeld(ctx, s.DB, code, s.Clock.Now())
	return held, postgres.IfNoRows(err, fault.New(fault.NotFound, "proof_not_found", "There is no proof at this address."))
}

// totalMonths is the number of months in Totals, including the current one.
const totalMonths = 6

// Statuses returns all statuses, in the order of a deal's life.
func Statuses() []Status {
	return []Status{Pending, Active, Late, Delivered, Completed, Cancelled, CancelledByBuyer, CancelledBySeller}
}

// Totals summarizes all deals of a user.
type Totals struct {
	Count     map[Status]int
	Completed []Month // the last six, oldest first
}

// Month is what was paid in a user's deals completed in a calendar month in Dhaka.
type Month struct {
	Begins time.Time
	Price  money.Cents
}

// Totals returns the totals over all deals of a user.
func (s *Service) Totals(ctx context.Context, userID uuid.UUID) (Totals, error) {
	now := s.Clock.Now()
	count, err := countByStatus(ctx, s.DB, userID, now)
	if err != nil {
		return Totals{}, err
	}
	today := now.In(clock.Dhaka)
	first := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, clock.Dhaka).AddDate(0, 1-totalMonths, 0)
	sums, err := completedByMonth(ctx, s.DB, userID, first)
	months := make([]Month, totalMonths)
	for i := range months {
		begins := first.AddDate(0, i, 0)
		months[i] = Month{Begins: begins, Price: sums[begins.Format(monthLayout)]}
	}
	return Totals{Count: count, Completed: months}, err
}
