package workers

import (
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/fault"
)

// agree is the seller's acceptance of a deal that the buyer created.
func (m *model) agree(d *modelDeal, seller bool) fault.Code {
	switch {
	case !seller:
		return fault.Forbidden
	case d.status != deals.Pending && !d.open():
		return fault.Conflict
	case d.accepted:
	case d.countered():
		return fault.Conflict
	default:
		d.accepted = true
		m.replan(d)
	}
	return ""
}

// declinePaid is the seller declining a paid deal that they never accepted. The buyer is refunded
// in full.
func (m *model) declinePaid(d *modelDeal, seller uuid.UUID) fault.Code {
	const declined = "declined"
	if !d.open() {
		return refusedUnless(d.exited == seller && d.exitedBy == declined)
	}
	d.exited, d.exitedBy = seller, declined
	m.close(d, deals.CancelledBySeller, d.price, 0)
	return ""
}

// acceptance returns what a seller can do with a deal that they have not accepted.
func acceptance(d *modelDeal) []move {
	if d.accepted {
		return nil
	}
	moves := []move{{"agree", false}, {"remove", false}}
	if d.status == deals.Pending {
		moves = append(moves, move{"agree", false})
	}
	return moves
}

// mayOffer reports whether the buyer may create one more deal that the seller has to accept.
func (m *model) mayOffer(buyer, seller uuid.UUID) bool {
	ofPair, ofMaker := 0, 0
	for _, d := range m.deals {
		if d.accepted || d.removed || d.status != deals.Pending && !d.open() {
			continue
		}
		if d.buyer == buyer {
			ofMaker++
		}
		if d.buyer == buyer && d.seller == seller || d.buyer == seller && d.seller == buyer {
			ofPair++
		}
	}
	return ofPair < 10 && ofMaker < 50
}

// checkScores compares the completed and finished deals of all users. A deal that its seller never
// accepted, or that costs less than $1, does not count.
func (f *modelFixture) checkScores(rt *rapid.T) {
	for _, user := range f.users {
		completed, finished := 0, 0
		for _, d := range f.model.deals {
			over := d.status != deals.Pending && !d.open()
			if !over || !d.accepted || d.price < 1_00 || d.buyer != user && d.seller != user {
				continue
			}
			finished++
			if d.status == deals.Completed && 2*d.refunded <= d.price {
				completed++
			}
		}
		standing, err := (&reports.Service{DB: f.db.API()}).Standing(f.t.Context(), user, reports.Period{})
		require.NoError(rt, err)
		require.Equal(rt, []int{completed, finished}, []int{standing.Completed, standing.Finished}, "completed and finished deals")
	}
}
