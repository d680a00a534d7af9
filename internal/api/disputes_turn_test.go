package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

// turns are what the dispute of a deal waits for, as a list of deals shows it to a party.
func (b *browser) turns(deal api.DealDetail) [2]string {
	b.t.Helper()
	var list []api.Deal
	b.get("/deals/my-deals").want(200).into(&list)
	for _, d := range list {
		if d.ID == deal.ID && d.OpenDispute != nil {
			var turns [2]string
			for i, turn := range []*api.DisputeTurn{d.OpenDispute.BuyerTurn, d.OpenDispute.SellerTurn} {
				if turn != nil {
					turns[i] = string(*turn)
				}
			}
			return turns
		}
	}
	return [2]string{"no", "dispute"}
}

// Lists of deals say what a dispute waits for from each party.
func TestMyDeals_dispute_turns(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100)
	require.Equal(t, [2]string{"no", "dispute"}, buyer.turns(deal))
	x := buyer.disputes(deal)
	require.Equal(t, [2]string{"", "answer"}, buyer.turns(deal))
	require.Equal(t, buyer.turns(deal), seller.turns(deal))
	offer := buyer.offersSplit(x, 40)
	require.Equal(t, [2]string{"", "offer"}, buyer.turns(deal))
	buyer.do(http.MethodDelete, dispute(x, "offers/"+offer.ID.String()), nil).want(200)
	seller.post(dispute(x, "answer"), fields{"text": "It works."}).want(200)
	require.Equal(t, [2]string{"", ""}, buyer.turns(deal))
	seller.offersSplit(x, 10)
	require.Equal(t, [2]string{"offer", ""}, buyer.turns(deal))

	boss.rulesOn(x, 50).want(200)
	require.Equal(t, [2]string{"decision", "decision"}, buyer.turns(deal))
	seller.post(dispute(x, "accept"), nil).want(200)
	require.Equal(t, [2]string{"decision", ""}, buyer.turns(deal))
	buyer.post(dispute(x, "appeal"), fields{"text": "No."}).want(200)
	require.Equal(t, [2]string{"offer", ""}, buyer.turns(deal), "of an appeal only the offer is left")
	second := f.admin("second")
	second.post("/admin"+dispute(x, "appeal/decide"), ruling(60)).want(200)
	require.Equal(t, [2]string{"no", "dispute"}, buyer.turns(deal))
}
