package workers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/reports"
	"amanat/internal/money"
	"amanat/internal/platform/fault"
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
