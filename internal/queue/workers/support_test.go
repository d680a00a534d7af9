package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
)

// answer is what admins say to support requests.
const answer = "We have talked to both of you."

func TestSupportStopsTheClock(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	d := b.do(b.deals.Deliver(ctx, b.seller, b.id))
	due := *d.NextActionAt
	b.clock.Advance(2 * day) // one day is left
	require.NoError(t, b.deals.RequestSupport(ctx, b.buyer, b.id, "The channel is not mine yet.", nil))
	require.Equal(t, fault.Conflict, fault.CodeOf(b.deals.RequestSupport(ctx, b.buyer, b.id, "Hello?", nil)))
	require.NoError(t, b.deals.RequestSupport(ctx, b.seller, b.id, "He has it.", nil))
	b.after(10 * day)
	require.Equal(t, deals.Delivered, b.now().Status, "frozen")
	require.True(t, b.now().Frozen())

	requests, total, err := b.deals.ListSupport(ctx, postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 2, total)
	require.NoError(t, b.deals.CloseSupport(ctx, b.admin, requests[0].ID, answer))
	require.True(t, b.now().Frozen(), "the other's is still open")
	require.NoError(t, b.deals.CloseSupport(ctx, b.admin, requests[1].ID, answer))
	require.Equal(t, fault.AlreadyHandled, fault.CodeOf(b.deals.CloseSupport(ctx, b.admin, requests[1].ID, answer)))
	d = b.now()
	require.False(t, d.Frozen())
	require.WithinDuration(t, due.Add(10*day), *d.NextActionAt, time.Minute, "later by the time it stood still")
	b.after(day + time.Minute)
	b.ends(deals.Completed, deals.ReasonCompleted, 900_00, 98_00)
}

// closeSupport closes the oldest open request.
func (b *clockBench) closeSupport() {
	b.t.Helper()
	requests, _, err := b.deals.ListSupport(b.t.Context(), postgres.Page{Limit: 1})
	require.NoError(b.t, err)
	require.NoError(b.t, b.deals.CloseSupport(b.t.Context(), b.admin, requests[0].ID, answer))
}

func TestSupportSaysWhatBecomesOfTheClock(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	bothTold := func(want, wantLink string) {
		t.Helper()
		for _, party := range []uuid.UUID{b.buyer, b.seller} {
			text, link := b.told(party)
			require.Equal(t, [2]string{want, wantLink}, [2]string{text, link})
		}
	}
	page := func() string { return "/deal/" + b.id.String() }
	require.NoError(t, b.deals.RequestSupport(ctx, b.buyer, b.id, "He is silent.", nil))
	text, _ := b.told(b.seller)
	require.Equal(t, "nusrat asked our support for help with the deal of $100.00. Its clock stands still.", text)
	b.closeSupport()
	bothTold("The support request is closed and the deal of $100.00 goes on. "+answer, page())

	// A deal that was closed meanwhile does not go on, and one that is not paid has a clock that no request stops.
	require.NoError(t, b.deals.RequestSupport(ctx, b.buyer, b.id, "He is silent.", nil))
	b.settled(b.deals.RequestForceCancel(ctx, b.admin, b.id, nil))
	b.closeSupport()
	bothTold("The support request of nusrat about the deal of $100.00 is closed. "+answer, page())
	b.id = b.deal(b.buyer, b.seller, price).ID
	require.NoError(t, b.deals.RequestSupport(ctx, b.seller, b.id, "He does not pay.", nil))
	text, _ = b.told(b.buyer)
	require.Equal(t, "tanvir asked our support for help with the deal of $100.00.", text)
	detail, err := b.deals.Get(ctx, b.seller, b.id)
	require.NoError(t, err)
	require.False(t, detail.Frozen())
	require.Equal(t, catalog.LineSupportAsked, detail.Timeline[len(detail.Timeline)-1].Kind)

	_, err = b.deals.Remove(ctx, b.seller, b.id, nil)
	require.NoError(t, err)
	_, link := b.told(b.buyer)
	require.Equal(t, "/deal", link, "there is no page of the deal any more")
	b.closeSupport()
	bothTold("The support request of tanvir about the deal of $100.00 is closed. "+answer, "/deal")
}

// Help asked for before the payment stops the clock that the payment starts: else the same party could not stop it at all.
func TestSupportBeforeThePaymentStopsTheClock(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	b.fund(b.buyer, b.admin, price)
	b.id = b.deal(b.buyer, b.seller, price).ID
	require.NoError(t, b.deals.RequestSupport(ctx, b.buyer, b.id, "He wants another price.", nil))
	require.False(t, b.now().Frozen())
	b.settled(b.deals.RequestPay(ctx, b.buyer, b.id, nil))
	require.True(t, b.now().Frozen())
	b.do(b.deals.Deliver(ctx, b.seller, b.id))
	b.after(10 * day)
	require.Equal(t, deals.Delivered, b.now().Status)
	b.closeSupport()
	require.False(t, b.now().Frozen())
	b.after(3*day + time.Minute)
	require.Equal(t, deals.Completed, b.now().Status)
}

// A party of the deal who is an admin, too, does not end the other's call for help.
func TestAPartyClosesNoSupportRequest(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	require.NoError(t, b.deals.RequestSupport(ctx, b.buyer, b.id, "He is silent.", nil))
	requests, _, err := b.deals.ListSupport(ctx, postgres.Page{Limit: 1})
	require.NoError(t, err)
	for _, party := range []uuid.UUID{b.buyer, b.seller} {
		require.Equal(t, fault.Forbidden, fault.CodeOf(b.deals.CloseSupport(ctx, party, requests[0].ID, answer)))
	}
	require.True(t, b.now().Frozen())
	b.closeSupport()
}

// The seven days for delivering again stand still as well, whatever else happens to the deal.
func TestFrozenTimeIsNotTakenFromDeliveringAgain(t *testing.T) {
	t.Parallel()
	for name, during := range map[string]bool{"declined during the freeze": true, "declined after it": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newClockBench(t)
			ctx := t.Context()
			b.do(b.deals.Deliver(ctx, b.seller, b.id))
			d := b.do(b.deals.ResetDelivery(ctx, b.buyer, b.id))
			escalates := *d.NextActionAt
			require.NoError(t, b.deals.RequestSupport(ctx, b.buyer, b.id, "It is not what was agreed.", nil))
			b.clock.Advance(10 * day)
			decline := func() {
				b.cancel(b.buyer)
				b.do(b.deals.DeclineCancellation(ctx, b.seller, b.id))
			}
			if during {
				decline()
			}
			b.closeSupport()
			if !during {
				decline()
			}
			b.sweep()
			d = b.now()
			require.Nil(t, d.EscalatedAt)
			require.WithinDuration(t, escalates.Add(10*day), *d.NextActionAt, time.Minute)
		})
	}
}

func TestAfterSupportAtLeastADayIsLeft(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	b.do(b.deals.Deliver(ctx, b.seller, b.id))
	b.clock.Advance(3*day - time.Minute)
	require.NoError(t, b.deals.RequestSupport(ctx, b.buyer, b.id, "Wait.", nil))
	b.clock.Advance(time.Hour)
	b.closeSupport()
	require.WithinDuration(t, b.clock.Now().Add(day), *b.now().NextActionAt, time.Minute)
}

func TestPartiesMayEndAFrozenDeal(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	require.NoError(t, b.deals.RequestSupport(t.Context(), b.seller, b.id, "He is silent.", nil))
	b.after(8*day + time.Minute)
	require.Equal(t, deals.Late, b.now().Status, "becoming late moves no money")
	require.NotNil(t, b.cancel(b.buyer).Operation)
	b.ends(deals.CancelledByBuyer, deals.ReasonExit, 1000_00, 0)
}

func TestThreeRequestsAreEnough(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	for range 2 {
		b.cancel(b.buyer)
		b.cancel(b.buyer) // again is the same
		b.do(b.deals.DeclineCancellation(ctx, b.seller, b.id))
	}
	b.do(b.deals.Deliver(ctx, b.seller, b.id))
	b.do(b.deals.ResetDelivery(ctx, b.buyer, b.id))
	b.do(b.deals.ResetDelivery(ctx, b.buyer, b.id)) // again is the same
	_, err := b.deals.Cancel(ctx, b.buyer, b.id, nil)
	require.Equal(t, fault.Conflict, fault.CodeOf(err))
	require.ErrorContains(t, err, "Please open a support request")
	b.do(b.deals.Deliver(ctx, b.seller, b.id))
	_, err = b.deals.ResetDelivery(ctx, b.buyer, b.id)
	require.ErrorContains(t, err, "Please open a support request")
}

// Nobody holds a deal up for ever by asking again and again: what an admin has closed is answered.
func TestAskingAgainDoesNotStopTheClock(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	b.do(b.deals.Deliver(ctx, b.seller, b.id))
	require.NoError(t, b.deals.RequestSupport(ctx, b.buyer, b.id, "It does not open.", nil))
	b.closeSupport()
	due := *b.now().NextActionAt
	require.NoError(t, b.deals.RequestSupport(ctx, b.buyer, b.id, "Still not.", nil))
	d := b.now()
	require.False(t, d.Frozen())
	require.Equal(t, due, *d.NextActionAt)
	text, _ := b.told(b.seller)
	require.Equal(t, "nusrat asked our support again for help with the deal of $100.00. Its clock goes on.", text)

	require.NoError(t, b.deals.RequestSupport(ctx, b.seller, b.id, "Nobody tells me what is wrong.", nil))
	require.True(t, b.now().Frozen(), "the other's first one stops it")
	b.closeSupport() // the buyer's second
	require.True(t, b.now().Frozen())
	require.NoError(t, b.deals.RequestSupport(ctx, b.buyer, b.id, "And now?", nil))
	b.closeSupport() // the seller's first
	require.False(t, b.now().Frozen(), "the buyer's third holds nothing")
	b.after(3*day + time.Minute)
	b.ends(deals.Completed, deals.ReasonCompleted, 900_00, 98_00)
}

func TestNobodyCallsSupportWhileMoneyIsOnItsWay(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	resume := b.pause()
	asked, err := b.deals.RequestComplete(ctx, b.buyer, b.id, nil)
	require.NoError(t, err)
	err = b.deals.RequestSupport(ctx, b.seller, b.id, "Wait.", nil)
	require.Equal(t, fault.Conflict, fault.CodeOf(err))
	require.ErrorContains(t, err, "Another action on this is being processed.")
	resume()
	b.settled(asked, nil)
	require.NoError(t, b.deals.RequestSupport(ctx, b.seller, b.id, "Thank you.", nil))
}
