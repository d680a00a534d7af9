package workers

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/money"
)

// Nobody works from the second day until the time to check is over: what fell due meanwhile waits for a day after the warning.
func TestAfterAnOutageTheClockWarnsFirst(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		begin   func(f *clockFixture)
		warning string
		status  deals.Status
		buyer   money.Cents
	}{
		"completion": {func(f *clockFixture) { f.do(f.deals.Deliver(f.t.Context(), f.seller, f.id)) }, "deal_completes_soon", deals.Completed, 900_00},
		"refund":     {func(f *clockFixture) { f.cancel(f.buyer) }, "deal_unanswered_soon", deals.Cancelled, 998_00},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newClockFixture(t)
			c.begin(f)
			warnings := func() int { return f.count(`select count(*) from notifications where kind = $1`, c.warning) }
			f.after(2*day - time.Minute)
			require.Zero(t, warnings())
			f.outage(day + 2*time.Minute)
			require.True(t, f.now().Status.Open())
			require.Equal(t, 2, warnings())
			require.WithinDuration(t, f.clock.Now().Add(day), *f.now().NextActionAt, time.Minute, "and both see when")
			f.after(day - time.Minute)
			require.True(t, f.now().Status.Open())
			f.after(time.Minute)
			require.Equal(t, c.status, f.now().Status)
			require.Equal(t, c.buyer, f.balance(f.buyer))
			require.Equal(t, 2, warnings(), "once")
		})
	}
}

// Past the exit the buyer could leave for the price: consent costs nothing then, as silence does.
func TestAnAcceptedRequestPastTheExitCostsNothing(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	f.after(7*day + time.Hour)
	f.cancel(f.buyer)
	f.after(day)
	op := f.settled(f.deals.RequestAcceptCancellation(t.Context(), f.seller, f.id, nil))
	require.Contains(t, string(op.Result), deals.MessageRefunded)
	f.ends(deals.Cancelled, deals.ReasonAccepted, 1000_00, 0)
	back, _ := f.now().Refund()
	require.Equal(t, price, back)
}

// What was delivered once has no exit: its buyer agrees to the fee whenever the seller accepts.
func TestAnAcceptedRequestOnceDeliveredCostsTheFee(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	f.do(f.deals.Deliver(t.Context(), f.seller, f.id))
	f.do(f.deals.ResetDelivery(t.Context(), f.buyer, f.id))
	f.clock.Advance(8*day + time.Hour)
	f.cancel(f.buyer)
	op := f.settled(f.deals.RequestAcceptCancellation(t.Context(), f.seller, f.id, nil))
	require.Contains(t, string(op.Result), deals.MessageAccepted)
	f.ends(deals.Cancelled, deals.ReasonAccepted, 998_00, 0)
}
