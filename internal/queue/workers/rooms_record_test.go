package workers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/domain/reports"
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
