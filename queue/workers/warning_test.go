package workers

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/money"
)

// No worker runs from the second day until after the deadline. The action then waits until a day
// after the warning.
func TestSweep_warns_after_outage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		begin   func(f *clockFixture)
		warning string
		status  deals.Status
		buyer   money.Cents
	}{
		"completion": {
			func(f *clockFixture) { f.do(f.deals.Deliver(f.t.Context(), f.seller, f.id, deals.Words{})) },
			"deal_completes_soon", deals.Completed, 900_00,
		},
		"refund": {
			func(f *clockFixture) { f.cancel(f.buyer) },
			"deal_unanswered_soon", deals.Cancelled, 998_00,
		},
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
			require.WithinDuration(t, f.clock.Now().Add(day), *f.now().NextActionAt, time.Minute, "the new deadline is shown")
			f.after(day - time.Minute)
			require.True(t, f.now().Status.Open())
			f.after(time.Minute)
			require.Equal(t, c.status, f.now().Status)
			require.Equal(t, c.buyer, f.balance(f.buyer))
			require.Equal(t, 2, warnings(), "once")
		})
	}
}

// Once the buyer may exit with a full refund, an accepted request costs no fee either, and neither
// does an unanswered one.
func TestRequestAcceptCancellation_after_exit(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	f.after(7*day + time.Hour)
	f.cancel(f.buyer)
	f.after(day)
	op := f.settled(f.deals.RequestAcceptCancellation(t.Context(), f.seller, f.id, nil))
	require.Contains(t, string(op.Result), `"`+deals.OutcomeRefunded.Code+`"`)
	f.ends(deals.Cancelled, deals.ReasonAccepted, 1000_00, 0)
	back, _ := f.now().Refund()
	require.Equal(t, price, back)
}

// A deal that was delivered once has no exit, so an accepted request always costs the fee.
func TestRequestAcceptCancellation_once_delivered(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	f.do(f.deals.Deliver(t.Context(), f.seller, f.id, deals.Words{}))
	f.do(f.deals.ResetDelivery(t.Context(), f.buyer, f.id, "Please change the colours."))
	f.clock.Advance(8*day + time.Hour)
	f.cancel(f.buyer)
	op := f.settled(f.deals.RequestAcceptCancellation(t.Context(), f.seller, f.id, nil))
	require.Contains(t, string(op.Result), `"`+deals.OutcomeAccepted.Code+`"`)
	f.ends(deals.Cancelled, deals.ReasonAccepted, 998_00, 0)
}
