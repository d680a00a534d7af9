package workers

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

func (m *model) mayExit(d *modelDeal) bool {
	return d.open() && !d.onceDelivered && !m.now.Before(d.from().Add(day))
}

func (m *model) close(d *modelDeal, status deals.Status, toBuyer, toSeller money.Cents) {
	m.wallets[d.buyer] += toBuyer
	m.wallets[d.seller] += toSeller
	d.refunded = toBuyer
	rest := d.price - toBuyer - toSeller
	if status == deals.Completed {
		rewarded := map[uuid.UUID]bool{}
		for _, party := range []uuid.UUID{d.buyer, d.seller} {
			referrer, ok := m.brought[party]
			if ok && referrer != d.buyer && referrer != d.seller && !rewarded[referrer] {
				rewarded[referrer] = true
				m.wallets[referrer] += (d.price - toBuyer) / 100
				rest -= (d.price - toBuyer) / 100
			}
		}
	}
	m.fees += rest
	d.status = status
	d.endDispute()
	m.replan(d)
}

func (m *model) lateness(d *modelDeal) {
	if d.status == deals.Active && m.now.After(d.due) {
		d.status = deals.Late
	}
}

func (m *model) takeBack(d *modelDeal) {
	d.status, d.resetAt, d.shipped, d.arrivedAt = deals.Active, m.now, false, time.Time{}
	m.lateness(d)
}

// arrived is the buyer saying that the shipment arrived. It can only bring the deadline forward.
func (m *model) arrived(d *modelDeal, buyer bool) fault.Code {
	switch {
	case !buyer:
		return fault.Forbidden
	case !d.shipped:
		return fault.Conflict
	case d.next != deals.ActionComplete || !d.arrivedAt.IsZero():
		return ""
	}
	ends := d.nextAt
	if d.frozen() {
		ends = ends.Add(m.now.Sub(d.frozenAt))
	}
	if !m.now.Add(d.inspection).Before(ends) {
		m.counts["inspection begun before"]++
		return ""
	}
	m.counts["inspection begun"]++
	d.arrivedAt = m.now
	m.replan(d)
	return ""
}

// act applies an action to the model and returns "", or returns the code of its refusal.
func (m *model) act(name string, d *modelDeal, actor uuid.UUID, admin bool) fault.Code {
	m.lateness(d)
	force := name == "force complete" || name == "force cancel"
	if d.removed || (!admin || !force) && actor != d.buyer && actor != d.seller {
		return fault.NotFound
	}
	buyer, seller, fee := actor == d.buyer, actor == d.seller, money.Fee(d.price)
	switch name {
	case "pay":
		switch {
		case !buyer:
			return fault.Forbidden
		case d.status != deals.Pending && d.paidBy == actor:
			return ""
		case d.status != deals.Pending, m.partyDisabled(d):
			return fault.Conflict
		case m.held[actor]:
			return fault.Forbidden
		case d.countered():
			m.counts["pay countered"]++
			return fault.Conflict
		case m.wallets[actor] < d.price:
			return fault.InsufficientBalance
		}
		m.wallets[actor] -= d.price
		d.status, d.activated, d.paidBy = deals.Active, m.now, actor
		if len(d.freezing) > 0 {
			d.frozenAt = m.now
		}
	case "deliver", "ship":
		switch {
		case !seller:
			return fault.Forbidden
		case d.status == deals.Delivered:
			return ""
		case d.status != deals.Active && d.status != deals.Late, d.asked():
			return fault.Conflict
		}
		d.status, d.deliveredAt, d.onceDelivered = deals.Delivered, m.now, true
		d.accepted, d.shipped = true, name == "ship"
	case "arrived":
		return m.arrived(d, buyer)
	case "counter":
		return m.counter(d, actor)
	case "take":
		return m.take(d, actor)
	case "drop":
		return m.drop(d, actor)
	case "agree":
		return m.agree(d, seller)
	case "remove":
		if seller && !d.accepted && d.status != deals.Pending {
			return m.declinePaid(d, actor)
		}
		if d.status != deals.Pending {
			return fault.Conflict
		}
		d.removed = true
	case "complete", "force complete":
		switch {
		case name == "complete" && !buyer:
			return fault.Forbidden
		case !d.open() && d.completedBy == actor:
			return ""
		case !d.open(), force && d.ruled():
			return fault.Conflict
		case name == "complete" && m.held[actor]:
			m.counts["complete held"]++
			return fault.Forbidden
		}
		d.completedBy = actor
		m.close(d, deals.Completed, 0, d.price-fee)
	case "force cancel":
		if !d.open() {
			return refusedUnless(d.exited == actor && d.exitedBy == name)
		}
		if d.ruled() {
			return fault.Conflict
		}
		d.exited, d.exitedBy = actor, name
		m.close(d, deals.Cancelled, d.price, 0)
	case "cancel":
		return m.cancel(d, actor, seller)
	case "accept":
		switch {
		case !seller:
			return fault.Forbidden
		case !d.open() || !d.asked():
			return refusedUnless(d.exited == actor && d.exitedBy == name)
		case d.ruled():
			m.counts["accept ruled"]++
			return fault.Conflict
		}
		d.exited, d.exitedBy = actor, name
		if m.mayExit(d) {
			m.counts["accept past the exit"]++
			fee = 0
		}
		m.close(d, deals.Cancelled, d.price-fee, 0)
	case "decline":
		switch {
		case !seller:
			return fault.Forbidden
		case !d.open():
			return fault.Conflict
		case !d.asked():
			return refusedUnless(d.declined)
		}
		d.askedAt, d.declined = time.Time{}, true
	case "reset":
		switch {
		case !buyer:
			return fault.Forbidden
		case d.status != deals.Delivered && d.open() && !d.resetAt.IsZero() && d.resetAt.After(d.deliveredAt):
			return ""
		case d.status != deals.Delivered, d.requests == 3:
			return fault.Conflict
		}
		m.takeBack(d)
		d.requests++
	case "dispute":
		return m.openDispute(d, actor) // no deadline changes
	case "support":
		if d.support[actor] {
			return fault.Conflict
		}
		d.support[actor] = true
		if d.froze[actor] {
			m.counts["support again"]++
			return ""
		}
		d.freezing[actor] = true
		if d.open() && !d.frozen() {
			d.frozenAt = m.now
		}
		return "" // no deadline changes
	}
	m.replan(d)
	return ""
}

func (m *model) cancel(d *modelDeal, actor uuid.UUID, seller bool) fault.Code {
	switch {
	case seller && !d.accepted:
		return m.declinePaid(d, actor)
	case !d.open():
		return refusedUnless(d.exited == actor && d.exitedBy == "cancel")
	case seller:
		d.exited, d.exitedBy = actor, "cancel"
		m.close(d, deals.CancelledBySeller, d.price, 0)
	case d.ruled():
		m.counts["cancel ruled"]++
		return fault.Conflict
	case m.disabled[d.seller] && !d.onceDelivered:
		d.exited, d.exitedBy = actor, "cancel"
		m.counts["cancel disabled seller"]++
		m.close(d, deals.Cancelled, d.price, 0)
	case m.mayExit(d):
		d.exited, d.exitedBy = actor, "cancel"
		m.close(d, deals.CancelledByBuyer, d.price, 0)
	case d.asked():
		return ""
	case d.requests == 3:
		return fault.Conflict
	default:
		if d.status == deals.Delivered {
			m.takeBack(d)
		}
		d.askedAt, d.declined = m.now, false
		d.requests++
		m.replan(d)
	}
	return ""
}

func refusedUnless(again bool) fault.Code {
	if again {
		return ""
	}
	return fault.Conflict
}

// step draws an action and a deal and runs it. rapid prefers the first names and the last one, so
// the one that all others need and those that a random walk rarely reaches are there.
func (f *modelFixture) step(rt *rapid.T) {
	name := rapid.SampledFrom(slices.Concat([]string{"pay"}, modelStories, disputeStories, modelActions,
		[]string{"create", "create", "advance", "advance", "close support", "close dispute", "reset"},
		[]string{"disable", "enable", "enable", "hold", "release", "dispute"})).Draw(rt, "action")
	visible := slices.DeleteFunc(slices.Clone(f.model.deals), func(d *modelDeal) bool { return d.removed })
	live := slices.DeleteFunc(slices.Clone(visible), func(d *modelDeal) bool { return d.status != deals.Pending && !d.open() })
	switch {
	case name == "advance":
		f.advance(f.pause(rt), rapid.Bool().Draw(rt, "working"))
		return
	case name == "disable" || name == "enable" || name == "hold" || name == "release":
		f.standing(name, rapid.SampledFrom(f.concerned(name, visible)).Draw(rt, "who"))
		return
	case name == "create" || len(live) == 0:
		f.create(rt)
		return
	}
	// One of the latest deals, mostly one that is not over.
	from := live
	if rapid.IntRange(0, 4).Draw(rt, "over") == 4 {
		from = visible
	}
	f.act(rt, name, from[max(0, len(from)-1-rapid.IntRange(0, 3).Draw(rt, "deal"))])
}

// act runs an action on a deal.
func (f *modelFixture) act(rt *rapid.T, name string, d *modelDeal) {
	switch {
	case name == "close support":
		f.closeSupport(d)
		return
	case name == "close dispute":
		f.closeDispute(d)
		return
	case d.dispute != nil && !slices.Contains(disputeStories, name) && rapid.Bool().Draw(rt, "in the dispute"):
		f.playDispute(rt, rapid.SampledFrom(disputeStories).Draw(rt, "story"), d)
		return
	case slices.Contains(disputeStories, name):
		f.playDispute(rt, name, d)
		return
	case slices.Contains(modelStories, name):
		if slices.Contains(pendingStories, name) == (d.status == deals.Pending) {
			f.playStory(rt, name, d)
		}
		return
	}
	// Half the time an action that is possible; most others are refused.
	actor := rapid.SampledFrom([]uuid.UUID{d.buyer, d.seller, f.users[0]}).Draw(rt, "actor")
	if sensible := f.model.sensible(d); len(sensible) > 0 && rapid.Bool().Draw(rt, "sensible") {
		name, actor = rapid.SampledFrom(sensible).Draw(rt, "what").of(d)
	}
	f.play(rt, name, d, actor)
}

// play runs one action on the services and the model and compares their outcomes.
func (f *modelFixture) play(rt *rapid.T, name string, d *modelDeal, actor uuid.UUID) {
	admin := name == "force complete" || name == "force cancel"
	if admin {
		actor = f.admin
	}
	if d.removed || f.model.disabled[actor] { // a disabled user cannot log in
		return
	}
	f.clock.Advance(time.Second) // no two actions happen at the same time
	f.model.now = f.clock.Now()
	before := ""
	expected := f.model.act(name, d, actor, admin)
	if expected != "" {
		before = f.books()
	}
	err := f.try(name, d, actor)
	require.Equal(rt, expected, fault.CodeOf(err), "%s of a %s deal: %v", name, d.status, err)
	if expected != "" {
		require.Equal(rt, before, f.books(), "a refused %s changed something", name)
	}
	f.counts[name+" "+cmp.Or(string(expected), "done")]++
	if name == "remove" && expected == "" && !d.removed {
		f.counts["decline paid done"]++
	}
}

// playStory runs several actions that a random walk rarely puts in this order.
func (f *modelFixture) playStory(rt *rapid.T, name string, d *modelDeal) {
	switch name {
	case "accept late": // requested before the exit and accepted after it
		f.advanceTo(rt, d.from().Add(day-time.Hour))
		f.play(rt, "cancel", d, d.buyer)
		f.advanceTo(rt, d.from().Add(day+time.Minute))
		f.play(rt, "accept", d, d.seller)
	case "no answer":
		f.play(rt, "cancel", d, d.buyer)
		f.advanceTo(rt, d.nextAt.Add(time.Minute))
	case "hold at the deadline":
		f.play(rt, "deliver", d, d.seller)
		f.standing("hold", d.buyer)
		f.advanceTo(rt, d.nextAt.Add(time.Minute))
	case "an ended counter-offer":
		f.playAll(rt, d, move{"counter", true}, move{"take", true}, move{"drop", true}, move{"drop", false}, move{"take", false})
	case "paid before it is accepted":
		f.playAll(rt, d, move{"pay", true}, move{"remove", false})
	case "declined":
		f.playAll(rt, d, move{"cancel", true}, move{"decline", false})
	case "a party disabled for a time":
		f.standing("disable", d.seller)
		if rapid.Bool().Draw(rt, "cancel") {
			f.play(rt, "cancel", d, d.buyer)
		}
		f.advance(f.pause(rt), true)
		f.standing("enable", uuid.Nil)
	case "twice to support":
		f.playAll(rt, d, move{"support", true}, move{"support", true})
		f.closeSupport(d)
		f.play(rt, "support", d, d.buyer)
	case "a second dispute":
		f.play(rt, "dispute", d, d.seller)
		f.closeDispute(d)
		f.play(rt, "dispute", d, d.seller)
	case "on its way":
		f.play(rt, "ship", d, d.seller)
		f.advanceTo(rt, f.model.now.Add(rapid.SampledFrom([]time.Duration{6 * day, time.Hour}).Draw(rt, "way")))
		f.play(rt, "arrived", d, d.buyer)
	case "no new delivery":
		f.play(rt, "deliver", d, d.seller)
		f.play(rt, "reset", d, d.buyer)
		f.advanceTo(rt, d.nextAt.Add(time.Minute))
	}
}

// playAll runs actions of the parties one after the other, each when the one before is settled.
func (f *modelFixture) playAll(rt *rapid.T, d *modelDeal, moves ...move) {
	for _, m := range moves {
		name, actor := m.of(d)
		f.play(rt, name, d, actor)
		require.NoError(rt, f.drain())
	}
}

// advanceTo lets the time pass until at, unless it has passed.
func (f *modelFixture) advanceTo(rt *rapid.T, at time.Time) {
	if step := at.Sub(f.model.now); step > 0 {
		f.advance(step, true)
		f.check(rt)
	}
}

// concerned returns the users to disable or hold: all users, plus three more entries per open deal
// for its seller (disable) or its buyer (hold), who are affected by it.
func (f *modelFixture) concerned(name string, visible []*modelDeal) []uuid.UUID {
	users := slices.Clone(f.users[1:])
	for _, d := range visible {
		switch {
		case !d.open():
		case name == "disable":
			users = append(users, d.seller, d.seller, d.seller)
		case name == "hold":
			users = append(users, d.buyer, d.buyer, d.buyer)
		}
	}
	return users
}

func (f *modelFixture) closeSupport(d *modelDeal) {
	for user := range d.support {
		id, err := f.openSupport(d.id, user)
		require.NoError(f.t, err)
		require.NoError(f.t, f.deals.CloseSupport(f.t.Context(), f.admin, id, answer))
		f.model.closeSupport(d, user)
		f.counts["close support done"]++
		return
	}
}

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
var disputeStories = []string{"offer", "offer to a held buyer", "decide", "decide and wait", "decide and accept", "decide and appeal"}

// playDispute brings the dispute of a deal forward.
func (f *modelFixture) playDispute(rt *rapid.T, name string, d *modelDeal) {
	if d.dispute == nil || f.model.partyDisabled(d) { // a disabled user cannot log in
		return
	}
	f.clock.Advance(time.Second)
	f.model.now = f.clock.Now()
	id, gets := f.disputeID(d), money.Cents(rapid.Int64Range(0, int64(d.price)).Draw(rt, "buyer gets"))
	switch name {
	case "offer":
		f.acceptOffer(rt, d, id, gets, rapid.Bool().Draw(rt, "of the seller"))
		return
	case "offer to a held buyer":
		f.standing("hold", d.buyer)
		f.acceptOffer(rt, d, id, gets, true)
		return
	}
	if !d.dispute.decided {
		_, err := f.deals.DecideDispute(f.t.Context(), f.admin, id, ruling(gets), nil)
		require.NoError(rt, err)
		f.model.decide(d, gets)
		f.counts["decide done"]++
	}
	switch name {
	case "decide and wait": // the next sweep is in time, or two hours late
		late := rapid.SampledFrom([]time.Duration{time.Minute, 2 * time.Hour}).Draw(rt, "late")
		if step := d.dispute.dueAt.Add(late).Sub(f.model.now); step > 0 {
			f.advance(step, false)
			f.check(rt)
		}
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
func (f *modelFixture) acceptOffer(rt *rapid.T, d *modelDeal, id uuid.UUID, gets money.Cents, ofSeller bool) {
	from, to := d.buyer, d.seller
	if ofSeller {
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
