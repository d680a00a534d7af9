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
		begin   func(b *clockBench)
		warning string
		status  deals.Status
		buyer   money.Cents
	}{
		"completion": {func(b *clockBench) { b.do(b.deals.Deliver(b.t.Context(), b.seller, b.id)) }, "deal_completes_soon", deals.Completed, 900_00},
		"refund":     {func(b *clockBench) { b.cancel(b.buyer) }, "deal_unanswered_soon", deals.Cancelled, 998_00},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newClockBench(t)
			c.begin(b)
			warnings := func() int { return b.count(`select count(*) from notifications where kind = $1`, c.warning) }
			b.after(2*day - time.Minute)
			require.Zero(t, warnings())
			b.outage(day + 2*time.Minute)
			require.True(t, b.now().Status.Open())
			require.Equal(t, 2, warnings())
			require.WithinDuration(t, b.clock.Now().Add(day), *b.now().NextActionAt, time.Minute, "and both see when")
			b.after(day - time.Minute)
			require.True(t, b.now().Status.Open())
			b.after(time.Minute)
			require.Equal(t, c.status, b.now().Status)
			require.Equal(t, c.buyer, b.balance(b.buyer))
			require.Equal(t, 2, warnings(), "once")
		})
	}
}

// Past the exit the buyer could leave for the price: consent costs nothing then, as silence does.
func TestAnAcceptedRequestPastTheExitCostsNothing(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	b.after(7*day + time.Hour)
	b.cancel(b.buyer)
	b.after(day)
	op := b.settled(b.deals.RequestAcceptCancellation(t.Context(), b.seller, b.id, nil))
	require.Contains(t, string(op.Result), deals.MessageRefunded)
	b.ends(deals.Cancelled, deals.ReasonAccepted, 1000_00, 0)
	back, _ := b.now().Refund()
	require.Equal(t, price, back)
}

// What was delivered once has no exit: its buyer agrees to the fee whenever the seller accepts.
func TestAnAcceptedRequestOnceDeliveredCostsTheFee(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	b.do(b.deals.Deliver(t.Context(), b.seller, b.id))
	b.do(b.deals.ResetDelivery(t.Context(), b.buyer, b.id))
	b.clock.Advance(8*day + time.Hour)
	b.cancel(b.buyer)
	op := b.settled(b.deals.RequestAcceptCancellation(t.Context(), b.seller, b.id, nil))
	require.Contains(t, string(op.Result), deals.MessageAccepted)
	b.ends(deals.Cancelled, deals.ReasonAccepted, 998_00, 0)
}
