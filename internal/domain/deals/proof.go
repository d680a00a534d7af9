package deals

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

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
