package deals_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/queue/jobs"
)

// roomFixture has a dispute that the buyer has opened.
type roomFixture struct {
	*tradeFixture
	second  uuid.UUID // another admin
	dispute uuid.UUID
}

func newRoomFixture(t *testing.T) *roomFixture {
	t.Helper()
	f := &roomFixture{tradeFixture: newTradeFixture(t)}
	f.second = f.base.user(t, "second")
	f.exec(`update users set is_admin = true where id = $1`, f.second)
	f.open()
	return f
}

// words are what somebody writes in a dispute.
func words(text string) deals.Statement { return deals.Statement{Words: deals.Words{Text: text}} }

// open opens a dispute about the deal of the fixture.
func (f *roomFixture) open() {
	f.t.Helper()
	x, err := f.OpenDispute(f.t.Context(), f.buyer, f.id, deals.DisputeNotAsAgreed, words("It has another owner."), nil)
	require.NoError(f.t, err)
	f.dispute = x.ID
}

func (f *roomFixture) room() deals.DisputeDetail {
	f.t.Helper()
	x, err := f.GetAnyDispute(f.t.Context(), f.dispute)
	require.NoError(f.t, err)
	return x
}

// offer makes an offer and returns its ID.
func (f *roomFixture) offer(by uuid.UUID, buyerGets money.Cents) uuid.UUID {
	f.t.Helper()
	x, err := f.MakeOffer(f.t.Context(), by, f.dispute, buyerGets, nil)
	require.NoError(f.t, err)
	return x.Offers[len(x.Offers)-1].ID
}

func (f *roomFixture) decide(admin uuid.UUID, buyerGets money.Cents) {
	f.t.Helper()
	_, err := f.DecideDispute(f.t.Context(), admin, f.dispute, ruling(buyerGets), nil)
	require.NoError(f.t, err)
}

func ruling(buyerGets money.Cents) deals.Ruling {
	return deals.Ruling{BuyerGets: buyerGets, Reason: "Half of it was delivered."}
}

func (f *roomFixture) kinds() []deals.EntryKind {
	f.t.Helper()
	var kinds []deals.EntryKind
	for _, e := range f.room().Thread {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

// settledWith checks how a dispute has ended the deal. The buyer had 900 dollars left.
func (f *roomFixture) settledWith(buyerGets, sellerGets, fee money.Cents) {
	f.t.Helper()
	d := f.now()
	status := deals.Completed
	if buyerGets == price {
		status = deals.Cancelled
	}
	require.Equal(f.t, status, d.Status)
	require.Equal(f.t, deals.ReasonSettled, d.CloseReason)
	require.Equal(f.t, fee, d.FeeTaken())
	require.Equal(f.t, sellerGets, d.Payout())
	back, refunded := d.Refund()
	require.Equal(f.t, buyerGets, back)
	require.Equal(f.t, buyerGets > 0, refunded)
	require.Equal(f.t, 900_00+buyerGets, f.balance(f.buyer))
	require.Equal(f.t, sellerGets, f.balance(f.seller))
	require.Equal(f.t, deals.DisputeSettled, f.room().Status)
	require.False(f.t, d.Frozen())
	f.reconciled()
}

func TestAcceptOffer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ buyerGets, sellerGets, fee money.Cents }{
		"all to the seller": {0, 98_00, 2_00},
		"divided":           {40_01, 58_79, 1_20},
		"all but a cent":    {99_99, 1, 0},
		"all to the buyer":  {100_00, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newRoomFixture(t)
			ctx := t.Context()
			replaced := f.offer(f.seller, 10_00)
			id := f.offer(f.seller, c.buyerGets)
			f.offer(f.buyer, 70_00)
			_, err := f.AcceptOffer(ctx, f.buyer, f.dispute, replaced, nil)
			f.refused(fault.Conflict, "This offer is not open any more.", err)
			_, err = f.AcceptOffer(ctx, f.seller, f.dispute, id, nil)
			f.refused(fault.Forbidden, "You cannot accept your own offer.", err)
			op := f.settled(f.AcceptOffer(ctx, f.buyer, f.dispute, id, nil))
			f.settledWith(c.buyerGets, c.sellerGets, c.fee)
			again := f.settled(f.AcceptOffer(ctx, f.buyer, f.dispute, id, nil))
			require.Equal(t, op.ID, again.ID, "a repeat returns the first")
			require.Equal(t, []deals.EntryKind{"opened", "offer", "offer", "offer", "accepted", "settled"}, f.kinds())
			var statuses []deals.OfferStatus
			for _, o := range f.room().Offers {
				statuses = append(statuses, o.Status)
			}
			require.Equal(t, []deals.OfferStatus{deals.OfferReplaced, deals.OfferAccepted, deals.OfferWithdrawn}, statuses)
			_, err = f.MakeOffer(ctx, f.buyer, f.dispute, 1, nil)
			f.refused(fault.Conflict, "This dispute has ended.", err)
		})
	}
}

// A buyer whose money is on hold cannot give it to the seller, nor can the seller take it.
func TestAcceptOffer_buyer_held(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	ctx := t.Context()
	mine, theirs := f.offer(f.buyer, 40_00), f.offer(f.seller, 30_00)
	f.exec(`update users set withdrawals_held_at = now() where id = $1`, f.buyer)
	_, err := f.AcceptOffer(ctx, f.buyer, f.dispute, theirs, nil)
	f.refused(fault.Forbidden, "Your account is on hold.", err)
	_, err = f.AcceptOffer(ctx, f.seller, f.dispute, mine, nil)
	f.refused(fault.Conflict, "It is not yet time for this.", err)
	all := f.offer(f.seller, price)
	f.settled(f.AcceptOffer(ctx, f.buyer, f.dispute, all, nil))
	f.settledWith(price, 0, 0)
}

func TestDecideDispute_accepted_by_both(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	ctx := t.Context()
	_, err := f.AcceptDecision(ctx, f.buyer, f.dispute, nil)
	f.refused(fault.Conflict, "The dispute has changed meanwhile.", err)
	_, err = f.AppealDispute(ctx, f.buyer, f.dispute, "No.", nil)
	f.refused(fault.Conflict, "The dispute has changed meanwhile.", err)
	f.decide(f.admin, 50_00)
	for range 2 { // a repeat changes nothing
		accepted, err := f.AcceptDecision(ctx, f.seller, f.dispute, nil)
		require.NoError(t, err)
		require.Nil(t, accepted.Operation)
	}
	require.Equal(t, deals.DisputeDecided, f.room().Status)
	_, err = f.AppealDispute(ctx, f.seller, f.dispute, "No.", nil)
	f.refused(fault.Conflict, "You have accepted this decision.", err)
	accepted, err := f.AcceptDecision(ctx, f.buyer, f.dispute, nil)
	require.NoError(t, err)
	f.settled(*accepted.Operation, nil)
	f.settledWith(50_00, 49_00, 1_00)
	require.Equal(t, []deals.EntryKind{"opened", "decision", "accepted", "accepted", "settled"}, f.kinds())
	require.NotNil(t, f.room().Decision.CarriedOutAt)
	require.Equal(t, 1, f.count(`select count(*) from audit_log where action = 'dispute.decide'`))
	require.Equal(t, 1, f.count(`select count(*) from audit_log where action = 'dispute.carry_out'`))
}

// Without an appeal the clock carries the decision out after 72 hours, not earlier.
func TestSweep_carries_out_decision(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	f.decide(f.admin, 0)
	f.after(3*day - time.Minute)
	require.True(t, f.now().Status.Open())
	f.after(2 * time.Minute)
	f.settledWith(0, 98_00, 2_00)
	_, err := f.AppealDispute(t.Context(), f.buyer, f.dispute, "No.", nil)
	f.refused(fault.Conflict, "This dispute has ended.", err)
}

func TestDecideDisputeAppeal(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	ctx := t.Context()
	_, err := f.DecideDisputeAppeal(ctx, f.second, f.dispute, ruling(price), nil)
	f.refused(fault.Conflict, "Nobody has appealed against this decision.", err)
	f.decide(f.admin, 0)
	_, err = f.AppealDispute(ctx, f.buyer, f.dispute, "It was never mine.", nil)
	require.NoError(t, err)
	_, err = f.AppealDispute(ctx, f.seller, f.dispute, "It was.", nil)
	f.refused(fault.Conflict, "There was an appeal against this decision already.", err)
	f.after(10 * day)
	require.True(t, f.now().Status.Open(), "an appeal waits for another admin")
	require.True(t, f.now().Frozen())
	_, err = f.DecideDisputeAppeal(ctx, f.admin, f.dispute, ruling(price), nil)
	f.refused(fault.Forbidden, "Another admin has to decide the appeal.", err)
	f.settled(f.DecideDisputeAppeal(ctx, f.second, f.dispute, ruling(price), nil))
	f.settledWith(price, 0, 0)
	x := f.room()
	require.True(t, x.Decision.Final)
	require.Equal(t, "It was never mine.", x.Appeal)
	require.Equal(t, []deals.EntryKind{"opened", "decision", "appeal", "decision", "settled"}, f.kinds())
	require.Equal(t, 1, f.count(`select count(*) from dispute_decisions where carried_out_at is not null`))
}

func TestDecideDispute_own_deal(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	ctx := t.Context()
	f.exec(`update users set is_admin = true where id in ($1, $2)`, f.buyer, f.seller)
	for _, party := range []uuid.UUID{f.buyer, f.seller} {
		_, err := f.ClaimDispute(ctx, party, f.dispute)
		f.refused(fault.Forbidden, "You cannot decide on your own deal.", err)
		_, err = f.DecideDispute(ctx, party, f.dispute, ruling(0), nil)
		f.refused(fault.Forbidden, "You cannot decide on your own deal.", err)
		_, err = f.DecideDisputeAppeal(ctx, party, f.dispute, ruling(0), nil)
		f.refused(fault.Forbidden, "You cannot decide on your own deal.", err)
	}
	require.Equal(t, deals.DisputeOpen, f.room().Status)
}

// While an admin works on a dispute, others cannot decide it; the parties can still end it.
func TestClaimDispute(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	ctx := t.Context()
	_, err := f.ClaimDispute(ctx, f.admin, f.dispute)
	require.NoError(t, err)
	_, err = f.ClaimDispute(ctx, f.second, f.dispute)
	f.refused(fault.AlreadyHandled, "boss is working on this request.", err)
	_, err = f.DecideDispute(ctx, f.second, f.dispute, ruling(0), nil)
	f.refused(fault.AlreadyHandled, "boss is working on this request.", err)
	f.clock.Advance(5*time.Minute + time.Second)
	f.decide(f.second, 0)
	_, err = f.DecideDispute(ctx, f.admin, f.dispute, ruling(price), nil)
	f.refused(fault.AlreadyHandled, "Already handled by second", err)
}

// What a dispute is opened with is refused as a whole.
func TestOpenDispute_refused(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	for text, said := range map[string]deals.Statement{
		"Write what happened.": words(" "),
		"One of the pictures is not there any more. Please add it again.": {
			Words: deals.Words{Text: "It is broken.", Pictures: []uuid.UUID{uuid.New()}},
		},
	} {
		_, err := f.OpenDispute(t.Context(), f.buyer, f.id, deals.DisputeOther, said, nil)
		f.refused(fault.Invalid, text, err)
	}
	_, err := f.OpenDispute(t.Context(), f.buyer, f.id, deals.DisputeAbuse, words("He threatens me."), nil)
	f.refused(fault.Invalid, "Choose what is wrong.", err)
	require.False(t, f.now().Frozen())
}

// The first dispute of a party freezes the deal, later ones do not; a decision always does.
func TestOpenDispute_freezes_deal(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	ctx := t.Context()
	_, err := f.OpenDispute(ctx, f.buyer, f.base.offer(t, f.seller).ID, deals.DisputeOther, words("He does not pay."), nil)
	f.refused(fault.Conflict, "This deal is Pending, so it cannot be disputed.", err)
	_, err = f.OpenDispute(ctx, f.seller, f.id, deals.DisputeAbuse, words("He threatens me."), nil)
	f.refused(fault.Conflict, "There is a dispute about this deal already.", err)
	f.do(f.Deliver(ctx, f.seller, f.id, deals.Words{}))
	f.after(20 * day)
	require.Equal(t, deals.Delivered, f.now().Status)
	require.True(t, f.now().Frozen())
	_, err = f.CloseDispute(ctx, f.seller, f.dispute)
	f.refused(fault.Forbidden, "Only the one who opened the dispute can close it.", err)
	_, err = f.CloseDispute(ctx, f.buyer, f.dispute)
	require.NoError(t, err)
	require.False(t, f.now().Frozen())
	f.open()
	require.False(t, f.now().Frozen(), "the buyer's second")
	f.decide(f.admin, 50_00)
	require.True(t, f.now().Frozen(), "decided")
	_, err = f.CloseDispute(ctx, f.buyer, f.dispute)
	f.refused(fault.Conflict, "An admin has decided this dispute.", err)
	f.after(3*day + time.Minute)
	f.settledWith(50_00, 49_00, 1_00)
}

// Every other ending of the deal closes its dispute.
func TestComplete_closes_dispute(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	id := f.offer(f.seller, 10_00)
	f.settled(f.RequestComplete(t.Context(), f.buyer, f.id, nil))
	f.ends(deals.Completed, deals.ReasonCompleted, 900_00, 98_00)
	x := f.room()
	require.Equal(t, deals.DisputeClosed, x.Status)
	require.Equal(t, deals.OfferWithdrawn, x.Offers[0].Status)
	require.Equal(t, []deals.EntryKind{"opened", "offer", "closed"}, f.kinds())
	_, err := f.AcceptOffer(t.Context(), f.buyer, f.dispute, id, nil)
	require.Equal(t, fault.Conflict, fault.CodeOf(err))
	_, err = f.AnswerDispute(t.Context(), f.seller, f.dispute, words("It is mine."), nil)
	f.refused(fault.Conflict, "This dispute has ended.", err)
}

// The other party is reminded once, a day before the time to answer is over, unless they answer.
func TestSweep_reminds_of_answer(t *testing.T) {
	t.Parallel()
	const reminders = `select count(*) from notifications where kind = 'deal_dispute_reminder' and user_id = $1`
	f := newRoomFixture(t)
	f.after(day - time.Minute)
	require.Zero(t, f.count(reminders, f.seller))
	f.after(time.Hour)
	f.after(day)
	require.Equal(t, 1, f.count(reminders, f.seller))
	require.Zero(t, f.count(reminders, f.buyer))
	_, err := f.AnswerDispute(t.Context(), f.seller, f.dispute, words("It was mine until today."), nil)
	require.NoError(t, err, "a late answer")
	_, err = f.AnswerDispute(t.Context(), f.seller, f.dispute, words("And it was."), nil)
	f.refused(fault.Duplicate, "You have answered already.", err)

	_, err = f.CloseDispute(t.Context(), f.buyer, f.dispute)
	require.NoError(t, err)
	f.open()
	_, err = f.AnswerDispute(t.Context(), f.seller, f.dispute, words("Again?"), nil)
	require.NoError(t, err)
	f.after(3 * day)
	require.Equal(t, 1, f.count(reminders, f.seller), "of the first dispute")
}

// Whatever the api's login stores as an operation, nobody gets what was not agreed or decided.
func TestSettleDispute_refuses(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	mine, stranger := f.offer(f.buyer, 40_00), f.base.user(t, "rakib")
	type word map[string]any
	ask := func(by string, of uuid.UUID, who actor.Actor) {
		t.Helper()
		f.rejected(operations.Request{
			Kind: jobs.KindDealSettle, Subject: operations.Deal(f.id), Actor: who, Params: word{"by": by, "of": of},
		})
	}
	ask("offer", mine, actor.User(f.buyer)) // their own
	ask("offer", mine, actor.User(stranger))
	ask("offer", mine, actor.User(f.admin))
	ask("offer", uuid.New(), actor.User(f.seller))
	ask("both", mine, actor.User(f.seller)) // an offer is no decision
	f.decide(f.admin, 0)
	decision := f.room().Decision.ID
	ask("clock", decision, actor.System()) // it is not due
	ask("both", decision, actor.User(f.seller))
	ask("appeal", decision, actor.User(f.admin))
	ask("appeal", decision, actor.User(f.second))
	_, err := f.AppealDispute(t.Context(), f.buyer, f.dispute, "No.", nil)
	require.NoError(t, err)
	f.clock.Advance(4 * day)
	ask("clock", decision, actor.System()) // it was appealed against
	require.True(t, f.now().Status.Open())
	f.reconciled()
}

// A deal whose price mostly went back does not count as completed: two users could make a record up
// by it for next to no fee.
func TestAcceptOffer_record(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		buyerGets money.Cents
		completed int
		trade     reports.Trade
	}{
		"nothing back":       {0, 1, reports.Trade{Partners: 1, Volume: price}},
		"half back":          {price / 2, 1, reports.Trade{Partners: 1, Volume: price / 2}},
		"more than half":     {price/2 + 1, 0, reports.Trade{}},
		"all but one cent":   {price - 1, 0, reports.Trade{}},
		"all, and cancelled": {price, 0, reports.Trade{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newRoomFixture(t)
			f.settled(f.AcceptOffer(t.Context(), f.seller, f.dispute, f.offer(f.buyer, c.buyerGets), nil))
			records := &reports.Service{DB: f.db.API()}
			standing, err := records.Standing(t.Context(), f.seller, reports.Period{})
			require.NoError(t, err)
			require.Equal(t, reports.Standing{Completed: c.completed, Finished: 1}, standing)
			trade, err := records.Trade(t.Context(), f.buyer)
			require.NoError(t, err)
			require.Equal(t, c.trade, trade)
		})
	}
}

// A decision is not overruled by any other ending of the deal: neither by an admin, who may have
// decided it, nor by a buyer who could have left before, nor by a request to cancel.
func TestDecideDispute_binds(t *testing.T) {
	t.Parallel()
	const decided = "An admin has decided the dispute about this deal."
	f := newRoomFixture(t)
	ctx := t.Context()
	_, err := f.Cancel(ctx, f.buyer, f.id, nil)
	require.NoError(t, err)
	f.clock.Advance(20 * day) // the clock is frozen, but the buyer could leave
	f.decide(f.admin, 50_00)
	_, err = f.RequestForceComplete(ctx, f.admin, f.id, nil)
	f.refused(fault.Conflict, decided, err)
	_, err = f.RequestForceCancel(ctx, f.second, f.id, nil)
	f.refused(fault.Conflict, decided, err)
	_, err = f.Cancel(ctx, f.buyer, f.id, nil)
	f.refused(fault.Conflict, decided, err)
	_, err = f.RequestAcceptCancellation(ctx, f.seller, f.id, nil)
	f.refused(fault.Conflict, decided, err)
	_, err = f.AppealDispute(ctx, f.buyer, f.dispute, "I got nothing.", nil)
	require.NoError(t, err)
	_, err = f.RequestForceCancel(ctx, f.admin, f.id, nil)
	f.refused(fault.Conflict, decided, err)
	f.cancel(f.seller)
	require.Equal(t, deals.CancelledBySeller, f.now().Status)
	require.Equal(t, deals.DisputeClosed, f.room().Status)
	f.reconciled()
}

// Whoever made the offer may not have been the owner of the account that is suspended since.
func TestAcceptOffer_suspended(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	id := f.offer(f.seller, price)
	f.exec(`update users set disabled_at = now() where id = $1`, f.seller)
	_, err := f.AcceptOffer(t.Context(), f.buyer, f.dispute, id, nil)
	f.refused(fault.Conflict, "is suspended, so this offer cannot be accepted.", err)
	require.True(t, f.now().Status.Open())
}

// The time to appeal ends for the parties and for the clock at the same moment.
func TestAppealDispute_in_time(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	for before, text := range map[time.Duration]string{-time.Minute: "The time to appeal is over.", time.Minute: ""} {
		f.id = f.paid()
		f.open()
		f.decide(f.admin, 0)
		f.clock.Advance(3*day - before)
		_, err := f.AppealDispute(t.Context(), f.buyer, f.dispute, "No.", nil)
		if text == "" {
			require.NoError(t, err)
		} else {
			f.refused(fault.Conflict, text, err)
		}
	}
}

// After an outage that covered the end of the time to appeal, the parties have another day.
func TestSweep_puts_off_decision(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	f.decide(f.admin, 0)
	f.outage(3*day + 61*time.Minute)
	require.True(t, f.now().Status.Open())
	require.Equal(t, 2, f.count(`select count(*) from notifications where kind = 'deal_decision_put_off'`))
	x := f.room()
	require.Equal(t, f.clock.Now().Add(day).Unix()/60, x.Decision.DueAt.Unix()/60)
	require.Equal(t, x.Decision.DueAt, *x.CarryOutAt)
	f.after(day - time.Hour)
	require.True(t, f.now().Status.Open())
	f.after(time.Hour + time.Minute)
	f.settledWith(0, 98_00, 2_00)
	require.Equal(t, 2, f.count(`select count(*) from notifications where kind = 'deal_decision_put_off'`))

	f.id = f.paid()
	f.open()
	f.decide(f.admin, 0)
	f.outage(4 * day)
	_, err := f.AppealDispute(t.Context(), f.buyer, f.dispute, "No.", nil)
	require.NoError(t, err)

	f.id = f.paid()
	f.open()
	f.decide(f.admin, 0)
	f.outage(3*day + 59*time.Minute)
	require.Equal(t, deals.DisputeSettled, f.room().Status, "an hour is no outage")
}

// A decided dispute keeps the deal frozen also when it is a party's second and an answered support
// request would resume it.
func TestCloseSupport_dispute_decided(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	ctx := t.Context()
	_, err := f.CloseDispute(ctx, f.buyer, f.dispute)
	require.NoError(t, err)
	f.do(f.Deliver(ctx, f.seller, f.id, deals.Words{}))
	require.NoError(t, f.RequestSupport(ctx, f.seller, f.id, "She is silent.", nil))
	f.open()
	f.decide(f.admin, price)
	f.closeSupport()
	require.True(t, f.now().Frozen())
	f.after(3*day - time.Hour)
	require.Equal(t, deals.Delivered, f.now().Status)
	_, err = f.AppealDispute(ctx, f.seller, f.dispute, "I delivered.", nil)
	require.NoError(t, err)
	f.after(10 * day)
	require.Equal(t, deals.Delivered, f.now().Status, "the clock completes nothing")
}

// A party freezes a deal once, by a support request or by a dispute: what overlaps counts as one.
func TestOpenDispute_freezes_once_with_support(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	ctx := t.Context()
	ask := func(who uuid.UUID) {
		t.Helper()
		require.NoError(t, f.RequestSupport(ctx, who, f.id, "Help.", nil))
	}
	ask(f.buyer)
	_, err := f.CloseDispute(ctx, f.buyer, f.dispute)
	require.NoError(t, err)
	require.True(t, f.now().Frozen(), "the request began while the dispute was open")
	f.closeSupport()
	require.False(t, f.now().Frozen())
	ask(f.buyer)
	require.False(t, f.now().Frozen())
	f.closeSupport()

	ask(f.seller)
	require.True(t, f.now().Frozen(), "the other party has not frozen it yet")
	x, err := f.OpenDispute(ctx, f.seller, f.id, deals.DisputeAbuse, words("He threatens me."), nil)
	require.NoError(t, err)
	f.closeSupport()
	require.True(t, f.now().Frozen(), "the dispute was opened while the request was open")
	_, err = f.CloseDispute(ctx, f.seller, x.ID)
	require.NoError(t, err)
	ask(f.seller)
	require.False(t, f.now().Frozen())
}

func TestOpenDispute_three_of_a_party(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	for range 2 {
		offer := f.offer(f.seller, 10_00)
		_, err := f.CloseDispute(t.Context(), f.buyer, f.dispute)
		require.NoError(t, err)
		_, err = f.AcceptOffer(t.Context(), f.buyer, f.dispute, offer, nil)
		require.Equal(t, fault.Conflict, fault.CodeOf(err), "%v", err)
		f.open()
	}
	_, err := f.CloseDispute(t.Context(), f.buyer, f.dispute)
	require.NoError(t, err)
	_, err = f.OpenDispute(t.Context(), f.buyer, f.id, deals.DisputeNotAsAgreed, words("Again."), nil)
	f.refused(fault.Conflict, "You have opened three disputes about this deal. Please open a support request.", err)
	_, err = f.OpenDispute(t.Context(), f.seller, f.id, deals.DisputeAbuse, words("He threatens me."), nil)
	require.NoError(t, err, "the other party")
}
