package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

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
			f.settled(f.deals.AcceptOffer(t.Context(), f.seller, f.dispute, f.offer(f.buyer, c.buyerGets), nil))
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
	_, err := f.deals.Cancel(ctx, f.buyer, f.id, nil)
	require.NoError(t, err)
	f.clock.Advance(20 * day) // the clock is frozen, but the buyer could leave
	f.decide(f.admin, 50_00)
	_, err = f.deals.RequestForceComplete(ctx, f.admin, f.id, nil)
	f.refused(fault.Conflict, decided, err)
	_, err = f.deals.RequestForceCancel(ctx, f.second, f.id, nil)
	f.refused(fault.Conflict, decided, err)
	_, err = f.deals.Cancel(ctx, f.buyer, f.id, nil)
	f.refused(fault.Conflict, decided, err)
	_, err = f.deals.RequestAcceptCancellation(ctx, f.seller, f.id, nil)
	f.refused(fault.Conflict, decided, err)
	_, err = f.deals.AppealDispute(ctx, f.buyer, f.dispute, "I got nothing.", nil)
	require.NoError(t, err)
	_, err = f.deals.RequestForceCancel(ctx, f.admin, f.id, nil)
	f.refused(fault.Conflict, decided, err)
	f.settled(cancelOperation(f.deals.Cancel(ctx, f.seller, f.id, nil)))
	require.Equal(t, deals.CancelledBySeller, f.now().Status)
	require.Equal(t, deals.DisputeClosed, f.room().Status)
	f.reconciled()
}

// Whoever made the offer may not have been the owner of the account that is suspended since.
func TestAcceptOffer_suspended(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	id := f.offer(f.seller, price)
	_, err := f.db.Owner().Exec(t.Context(), `update users set disabled_at = now() where id = $1`, f.seller)
	require.NoError(t, err)
	_, err = f.deals.AcceptOffer(t.Context(), f.buyer, f.dispute, id, nil)
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
		_, err := f.deals.AppealDispute(t.Context(), f.buyer, f.dispute, "No.", nil)
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
	_, err := f.deals.AppealDispute(t.Context(), f.buyer, f.dispute, "No.", nil)
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
	_, err := f.deals.CloseDispute(ctx, f.buyer, f.dispute)
	require.NoError(t, err)
	f.do(f.deals.Deliver(ctx, f.seller, f.id, deals.Words{}))
	require.NoError(t, f.deals.RequestSupport(ctx, f.seller, f.id, "She is silent.", nil))
	f.open()
	f.decide(f.admin, price)
	f.closeSupport()
	require.True(t, f.now().Frozen())
	f.after(3*day - time.Hour)
	require.Equal(t, deals.Delivered, f.now().Status)
	_, err = f.deals.AppealDispute(ctx, f.seller, f.dispute, "I delivered.", nil)
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
		require.NoError(t, f.deals.RequestSupport(ctx, who, f.id, "Help.", nil))
	}
	ask(f.buyer)
	_, err := f.deals.CloseDispute(ctx, f.buyer, f.dispute)
	require.NoError(t, err)
	require.True(t, f.now().Frozen(), "the request began while the dispute was open")
	f.closeSupport()
	require.False(t, f.now().Frozen())
	ask(f.buyer)
	require.False(t, f.now().Frozen())
	f.closeSupport()

	ask(f.seller)
	require.True(t, f.now().Frozen(), "the other party has not frozen it yet")
	x, err := f.deals.OpenDispute(ctx, f.seller, f.id, deals.DisputeAbuse, words("He threatens me."), nil)
	require.NoError(t, err)
	f.closeSupport()
	require.True(t, f.now().Frozen(), "the dispute was opened while the request was open")
	_, err = f.deals.CloseDispute(ctx, f.seller, x.ID)
	require.NoError(t, err)
	ask(f.seller)
	require.False(t, f.now().Frozen())
}

func TestOpenDispute_three_of_a_party(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	for range 2 {
		_, err := f.deals.CloseDispute(t.Context(), f.buyer, f.dispute)
		require.NoError(t, err)
		f.open()
	}
	_, err := f.deals.CloseDispute(t.Context(), f.buyer, f.dispute)
	require.NoError(t, err)
	_, err = f.deals.OpenDispute(t.Context(), f.buyer, f.id, deals.DisputeNotAsAgreed, words("Again."), nil)
	f.refused(fault.Conflict, "You have opened three disputes about this deal. Please open a support request.", err)
	_, err = f.deals.OpenDispute(t.Context(), f.seller, f.id, deals.DisputeAbuse, words("He threatens me."), nil)
	require.NoError(t, err, "the other party")
}
