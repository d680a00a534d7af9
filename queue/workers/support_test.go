package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

// answer is the admins' answer to support requests.
const answer = "We have talked to both of you."

// closeSupport closes the oldest open request.
func (f *clockFixture) closeSupport() {
	f.t.Helper()
	requests, _, err := f.deals.ListSupport(f.t.Context(), postgres.Page{Limit: 1})
	require.NoError(f.t, err)
	require.NoError(f.t, f.deals.CloseSupport(f.t.Context(), f.admin, requests[0].ID, answer))
}

func TestRequestSupport_notifications(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	bothTold := func(want, wantLink string) {
		t.Helper()
		for _, party := range []uuid.UUID{f.buyer, f.seller} {
			text, link := f.told(party)
			require.Equal(t, [2]string{want, wantLink}, [2]string{text, link})
		}
	}
	page := func() string { return "/deal/" + f.id.String() }
	require.NoError(t, f.deals.RequestSupport(ctx, f.buyer, f.id, "He is silent.", nil))
	text, _ := f.told(f.seller)
	require.Equal(t, "nusrat contacted support about the deal “A channel” of $100.00. Deadlines are paused.", text)
	f.closeSupport()
	bothTold("The support request is closed and the deal “A channel” of $100.00 goes on. "+answer, page())

	// A deal that was closed meanwhile does not resume, and a request does not freeze an unpaid
	// deal.
	require.NoError(t, f.deals.RequestSupport(ctx, f.buyer, f.id, "He is silent.", nil))
	f.settled(f.deals.RequestForceCancel(ctx, f.admin, f.id, nil))
	f.closeSupport()
	bothTold("The support request of nusrat about the deal “A channel” of $100.00 is closed. "+answer, page())
	f.id = f.deal(f.buyer, f.seller, price).ID
	require.NoError(t, f.deals.RequestSupport(ctx, f.seller, f.id, "He does not pay.", nil))
	text, _ = f.told(f.buyer)
	require.Equal(t, "tanvir contacted support about the deal of $100.00.", text)
	detail, err := f.deals.Get(ctx, f.seller, f.id)
	require.NoError(t, err)
	require.False(t, detail.Frozen())
	require.Equal(t, catalog.LineSupportAsked, detail.Timeline[len(detail.Timeline)-1].Kind)

	_, err = f.deals.Remove(ctx, f.seller, f.id, nil)
	require.NoError(t, err)
	_, link := f.told(f.buyer)
	require.Equal(t, "/deal", link, "there is no page of the deal any more")
	f.closeSupport()
	bothTold("The support request of tanvir about the deal of $100.00 is closed. "+answer, "/deal")
}

// An open request from before the payment freezes the deal when it is paid, since the same party
// could not freeze it later.
func TestRequestSupport_before_payment(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	f.fund(f.buyer, f.admin, price)
	f.id = f.deal(f.buyer, f.seller, price).ID
	require.NoError(t, f.deals.RequestSupport(ctx, f.buyer, f.id, "He wants another price.", nil))
	require.False(t, f.now().Frozen())
	f.settled(f.deals.RequestPay(ctx, f.buyer, f.id, deals.AnyTerms, nil))
	require.True(t, f.now().Frozen())
	f.do(f.deals.Deliver(ctx, f.seller, f.id, deals.Words{}))
	f.after(10 * day)
	require.Equal(t, deals.Delivered, f.now().Status)
	f.closeSupport()
	require.False(t, f.now().Frozen())
	f.after(3*day + time.Minute)
	require.Equal(t, deals.Completed, f.now().Status)
}

// The seven days for delivering again are extended by the frozen time, whatever else happens to the
// deal.
func TestCloseSupport_extends_redelivery_deadline(t *testing.T) {
	t.Parallel()
	for name, during := range map[string]bool{"declined during the freeze": true, "declined after it": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newClockFixture(t)
			ctx := t.Context()
			f.do(f.deals.Deliver(ctx, f.seller, f.id, deals.Words{}))
			d := f.do(f.deals.ResetDelivery(ctx, f.buyer, f.id, "Please change the colours."))
			escalates := *d.NextActionAt
			require.NoError(t, f.deals.RequestSupport(ctx, f.buyer, f.id, "It is not what was agreed.", nil))
			f.clock.Advance(10 * day)
			decline := func() {
				f.cancel(f.buyer)
				f.do(f.deals.DeclineCancellation(ctx, f.seller, f.id))
			}
			if during {
				decline()
			}
			f.closeSupport()
			if !during {
				decline()
			}
			f.sweep()
			d = f.now()
			require.Nil(t, d.EscalatedAt)
			require.WithinDuration(t, escalates.Add(10*day), *d.NextActionAt, time.Minute)
		})
	}
}

func TestCancel_frozen_deal(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	require.NoError(t, f.deals.RequestSupport(t.Context(), f.seller, f.id, "He is silent.", nil))
	f.after(8*day + time.Minute)
	require.Equal(t, deals.Late, f.now().Status, "becoming late moves no money")
	require.NotNil(t, f.cancel(f.buyer).Operation)
	f.ends(deals.CancelledByBuyer, deals.ReasonExit, 1000_00, 0)
}

// Only a party's first request freezes the deal, so that repeated requests cannot delay it forever.
func TestRequestSupport_repeated(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	f.do(f.deals.Deliver(ctx, f.seller, f.id, deals.Words{}))
	require.NoError(t, f.deals.RequestSupport(ctx, f.buyer, f.id, "It does not open.", nil))
	f.closeSupport()
	due := *f.now().NextActionAt
	require.NoError(t, f.deals.RequestSupport(ctx, f.buyer, f.id, "Still not.", nil))
	d := f.now()
	require.False(t, d.Frozen())
	require.Equal(t, due, *d.NextActionAt)
	text, _ := f.told(f.seller)
	require.Equal(t, "nusrat contacted support again about the deal “A channel” of $100.00. Deadlines are not paused.", text)

	require.NoError(t, f.deals.RequestSupport(ctx, f.seller, f.id, "Nobody tells me what is wrong.", nil))
	require.True(t, f.now().Frozen(), "the other's first one stops it")
	f.closeSupport() // the buyer's second
	require.True(t, f.now().Frozen())
	require.NoError(t, f.deals.RequestSupport(ctx, f.buyer, f.id, "And now?", nil))
	f.closeSupport() // the seller's first
	require.False(t, f.now().Frozen(), "the buyer's third holds nothing")
	f.after(3*day + time.Minute)
	f.ends(deals.Completed, deals.ReasonCompleted, 900_00, 98_00)
}

func TestRequestSupport_busy_while_operation_pending(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	resume := f.pause()
	asked, err := f.deals.RequestComplete(ctx, f.buyer, f.id, nil)
	require.NoError(t, err)
	err = f.deals.RequestSupport(ctx, f.seller, f.id, "Wait.", nil)
	require.Equal(t, fault.Conflict, fault.CodeOf(err))
	require.ErrorContains(t, err, "Another action on this is being processed.")
	resume()
	f.settled(asked, nil)
	require.NoError(t, f.deals.RequestSupport(ctx, f.seller, f.id, "Thank you.", nil))
}
