package deals_test

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

func TestDisableUser_suspends_open_deals(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	ctx := t.Context()
	unpaid := f.base.offer(t, f.seller)
	d := f.deliver()
	due := *d.NextActionAt
	f.after(2*day + time.Hour)
	f.disable(f.seller)

	d = f.now()
	require.NotNil(t, d.SuspendedAt)
	require.True(t, d.Frozen())
	require.True(t, d.SellerDisabled)
	for _, party := range []uuid.UUID{f.buyer, f.seller} {
		text, link := f.told(party)
		require.Equal(t, "The account of karim is suspended. The deal “A channel” of $100.00 is on hold, and Amanat will decide.", text)
		require.Equal(t, "/deal/"+f.id.String(), link)
	}
	require.Equal(t, 1, f.count(`select count(*) from deal_events where kind = $1`, catalog.LineSuspended))
	require.Equal(t, 1, f.count(`
		select count(*) from river.river_job where kind = 'admin_notice' and args->>'notice_kind' = 'admin_suspended'`))
	queue, total, err := f.ListAll(ctx, deals.Filter{Escalated: true}, postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 1, total, "an unpaid deal needs no decision")
	require.Equal(t, f.id, queue[0].ID)

	f.after(10 * day)
	require.Equal(t, deals.Delivered, f.now().Status, "the sweep pays no disabled user")
	_, err = f.Get(ctx, f.buyer, unpaid.ID)
	require.Equal(t, fault.NotFound, fault.CodeOf(err), "an unpaid deal expires as usual")

	f.enable(f.seller)
	d = f.now()
	require.Nil(t, d.SuspendedAt)
	require.False(t, d.Frozen())
	require.WithinDuration(t, due.Add(10*day), *d.NextActionAt, 2*time.Hour, "later by the suspended time, with at least a day left")
	require.False(t, d.NextActionAt.Before(f.clock.Now().Add(day-time.Minute)))
	text, _ := f.told(f.buyer)
	require.Equal(t, "The account of karim is active again, so the deal “A channel” of $100.00 is no longer on hold because of it.", text)
	f.after(day + time.Minute)
	f.ends(deals.Completed, deals.ReasonCompleted, 900_00, 98_00)
}

func TestCancel_disabled_seller(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	f.cancel(f.buyer) // leaving also works with an open cancellation request
	f.disable(f.seller)
	require.NotNil(t, f.cancel(f.buyer).Operation)
	f.ends(deals.Cancelled, deals.ReasonSellerDisabled, 1000_00, 0)
	text, _ := f.told(f.seller)
	require.Equal(t, "rahim cancelled the deal “A channel”: the account of the seller is suspended. $100.00 was refunded to the buyer.", text)
	require.Equal(t, 1, f.count(`select count(*) from deal_events where kind = $1`, catalog.LineSellerDisabled))
	f.enable(f.seller)
	require.NotNil(t, f.cancel(f.buyer).Operation, "repeated")

	f.id = f.paid()
	f.deliver()
	f.disable(f.seller)
	require.Nil(t, f.cancel(f.buyer).Operation, "admins decide about a deal that was once delivered")
	require.NotNil(t, f.now().SuspendedAt)
}

func TestEnableUser_deal_still_frozen(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	ctx := t.Context()
	require.NoError(t, f.RequestSupport(ctx, f.buyer, f.id, "Where is my seller?", nil))
	f.disable(f.seller)
	f.disable(f.buyer)
	f.closeSupport()
	require.True(t, f.now().Frozen(), "suspended still")
	f.enable(f.seller)
	require.NotNil(t, f.now().SuspendedAt, "the buyer is disabled still")
	f.enable(f.buyer)
	require.False(t, f.now().Frozen())

	require.NoError(t, f.RequestSupport(ctx, f.seller, f.id, "Where is my buyer?", nil))
	f.disable(f.buyer)
	f.enable(f.buyer)
	require.Nil(t, f.now().SuspendedAt)
	require.True(t, f.now().Frozen(), "the support request is open still")
	f.closeSupport()
	require.False(t, f.now().Frozen())
}

// If a user is disabled or enabled without their deals, by SQL or because a payment came in
// between, the next sweep suspends or resumes the deals.
func TestSweep_disabled_party(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	f.exec(`update users set disabled_at = now() where id = $1`, f.buyer)
	f.sweep()
	require.NotNil(t, f.now().SuspendedAt)
	f.sweep()
	require.Equal(t, 1, f.count(`select count(*) from deal_events where kind = $1`, catalog.LineSuspended), "once")
	f.exec(`update users set disabled_at = null where id = $1`, f.buyer)
	f.sweep()
	require.Nil(t, f.now().SuspendedAt)
	require.False(t, f.now().Frozen())
}
