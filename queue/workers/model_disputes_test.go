package workers

import (
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

// modelDispute is the dispute of a deal that has not ended.
type modelDispute struct {
	by       uuid.UUID
	freezes  bool
	decided  bool
	appealed bool
	gets     money.Cents // the buyer, by the decision
	dueAt    time.Time
}

// holds reports whether a support request or dispute of a party that has not frozen the deal
// before, or a decision, keeps the deal frozen.
func (d *modelDeal) holds() bool {
	return len(d.freezing) > 0 || d.dispute != nil && (d.dispute.decided || d.dispute.freezes)
}

// ruled reports whether an admin has decided the dispute of the deal.
func (d *modelDeal) ruled() bool { return d.dispute != nil && d.dispute.decided }

// openDispute is a party opening a dispute.
func (m *model) openDispute(d *modelDeal, by uuid.UUID) fault.Code {
	if !d.open() || d.dispute != nil || d.disputes[by] == 3 {
		return fault.Conflict
	}
	d.dispute = &modelDispute{by: by, freezes: !d.froze[by]}
	d.disputes[by]++
	switch {
	case d.frozen():
	case d.froze[by]:
		m.counts["dispute again"]++
	default:
		d.frozenAt = m.now
	}
	return ""
}

// endDispute ends the dispute of a deal, if there is one.
func (d *modelDeal) endDispute() {
	if d.dispute != nil {
		if d.dispute.freezes {
			d.froze[d.dispute.by] = true
		}
		d.dispute = nil
	}
}

// settle divides the price: the fee is that of what the seller gets.
func (m *model) settle(d *modelDeal, buyerGets money.Cents) {
	rest := d.price - buyerGets
	status := deals.Completed
	if rest == 0 {
		status = deals.Cancelled
	}
	m.close(d, status, buyerGets, rest-money.Fee(rest))
}

// decide is an admin's decision. The deal stands still until it is carried out.
func (m *model) decide(d *modelDeal, buyerGets money.Cents) {
	d.dispute.decided, d.dispute.gets, d.dispute.dueAt = true, buyerGets, m.now.Add(72*time.Hour)
	if !d.frozen() {
		d.frozenAt = m.now
	}
}

// carryOut does what the sweep does with a decision whose time has come.
func (m *model) carryOut(d *modelDeal) {
	x := d.dispute
	switch {
	case x == nil || !x.decided || x.appealed || m.now.Before(x.dueAt):
	case m.now.Sub(x.dueAt) > time.Hour:
		m.counts["decision put off"]++
		x.dueAt = m.now.Add(day)
	default:
		m.counts["clock decision"]++
		m.settle(d, x.gets)
	}
}

// disputeID returns the ID of the dispute of a deal that has not ended.
func (f *modelFixture) disputeID(d *modelDeal) (id uuid.UUID) {
	f.t.Helper()
	require.NoError(f.t, f.db.Owner().QueryRow(f.t.Context(),
		`select id from disputes where deal_id = $1 and ended_at is null`, d.id).Scan(&id))
	return id
}

// closeDispute closes the dispute of a deal for the one who opened it, unless it is decided.
func (f *modelFixture) closeDispute(d *modelDeal) {
	if d.dispute == nil || d.dispute.decided {
		return
	}
	_, err := f.deals.CloseDispute(f.t.Context(), d.dispute.by, f.disputeID(d))
	require.NoError(f.t, err)
	d.endDispute()
	if !d.holds() && !d.suspended && d.frozen() {
		f.model.thaw(d)
	}
	f.counts["close dispute done"]++
}

// disputeStories are the names of playDispute.
var disputeStories = []string{"offer", "decide", "decide and accept", "decide and appeal"}

// playDispute brings the dispute of a deal forward.
func (f *modelFixture) playDispute(rt *rapid.T, name string, d *modelDeal) {
	if d.dispute == nil || f.model.partyDisabled(d) { // a disabled user cannot log in
		return
	}
	f.clock.Advance(time.Second)
	f.model.now = f.clock.Now()
	id, gets := f.disputeID(d), money.Cents(rapid.Int64Range(0, int64(d.price)).Draw(rt, "buyer gets"))
	if name == "offer" {
		f.acceptOffer(rt, d, id, gets)
		return
	}
	if !d.dispute.decided {
		_, err := f.deals.DecideDispute(f.t.Context(), f.admin, id, ruling(gets), nil)
		require.NoError(rt, err)
		f.model.decide(d, gets)
		f.counts["decide done"]++
	}
	switch name {
	case "decide and accept":
		for _, party := range []uuid.UUID{d.buyer, d.seller} {
			if d.dispute.appealed {
				return
			}
			_, err := f.deals.AcceptDecision(f.t.Context(), party, id, nil)
			require.NoError(rt, err)
		}
		f.model.settle(d, d.dispute.gets)
		f.counts["accept decision done"]++
	case "decide and appeal":
		f.appeal(rt, d, id, gets)
	}
}

// acceptOffer makes an offer for one party and accepts it for the other.
func (f *modelFixture) acceptOffer(rt *rapid.T, d *modelDeal, id uuid.UUID, gets money.Cents) {
	from, to := d.buyer, d.seller
	if rapid.Bool().Draw(rt, "of the seller") {
		from, to = to, from
	}
	made, err := f.deals.MakeOffer(f.t.Context(), from, id, gets, nil)
	require.NoError(rt, err)
	_, err = f.deals.AcceptOffer(f.t.Context(), to, id, made.Offers[len(made.Offers)-1].ID, nil)
	switch {
	case f.model.held[d.buyer] && gets < d.price && to == d.buyer:
		require.Equal(rt, fault.Forbidden, fault.CodeOf(err))
		f.counts["offer held"]++
	case f.model.held[d.buyer] && gets < d.price:
		require.Equal(rt, fault.Conflict, fault.CodeOf(err))
	default:
		require.NoError(rt, err)
		f.model.settle(d, gets)
		f.counts["offer done"]++
	}
}

// appeal appeals for a party, and half the time decides the appeal as another admin.
func (f *modelFixture) appeal(rt *rapid.T, d *modelDeal, id uuid.UUID, gets money.Cents) {
	if !d.dispute.appealed {
		_, err := f.deals.AppealDispute(f.t.Context(), rapid.SampledFrom([]uuid.UUID{d.buyer, d.seller}).Draw(rt, "who"), id, "No.", nil)
		require.NoError(rt, err)
		d.dispute.appealed = true
	}
	if rapid.Bool().Draw(rt, "final") {
		f.decideAppeal(d, id, gets)
	}
}

func (f *modelFixture) decideAppeal(d *modelDeal, id uuid.UUID, gets money.Cents) {
	_, err := f.deals.DecideDisputeAppeal(f.t.Context(), f.second, id, ruling(gets), nil)
	require.NoError(f.t, err)
	f.model.settle(d, gets)
	f.counts["decide appeal done"]++
}
