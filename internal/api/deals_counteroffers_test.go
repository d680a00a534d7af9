package api_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/money"
)

func counteroffers(deal api.DealDetail) string {
	return "/deals/" + deal.ID.String() + "/counteroffers"
}

func counteroffer(deal api.DealDetail, step string) string {
	return counteroffers(deal) + "/" + deal.Counteroffer.ID.String() + step
}

// counters proposes another price for a deal.
func (b *browser) counters(deal api.DealDetail, price float64) api.DealDetail {
	b.t.Helper()
	var change api.DealChange
	b.post(counteroffers(deal), fields{
		"price": price, "description": deal.Description, "deliveryDuration": 5, "inspectionDays": deal.InspectionDays, "text": "Please.",
	}).want(201).into(&change)
	require.Equal(b.t, "Counter-offer sent", change.Message)
	return change.Deal
}

func TestCounteroffers(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.propose(seller, 100)
	require.Equal(t, 1, deal.Terms)
	require.Nil(t, deal.Counteroffer)

	asked := seller.counters(deal, 120)
	require.Equal(t, money.Cents(100_00), asked.Price)
	require.Equal(t, &seller.user.ID, asked.CounterofferBy)
	o := *asked.Counteroffer
	require.Equal(t, []money.Cents{120_00, 2_40, 117_60}, []money.Cents{o.Price, o.Fee, o.Payout})
	require.Equal(t, "Please.", o.Text)
	require.Equal(t, "deal_counteroffer", buyer.kinds()[0])
	buyer.post("/deals/pay/"+deal.ID.String(), nil).
		refused(409, "conflict", "A counter-offer waits for an answer. Accept, decline or withdraw it first.")
	seller.post(counteroffer(asked, "/accept"), nil).
		refused(403, "forbidden", "You made this counter-offer. The other party can answer it.")

	var change api.DealChange
	bid := buyer.counters(deal, 110)
	buyer.post(counteroffer(asked, "/accept"), nil).refused(409, "conflict", "This counter-offer is not open any more.")
	seller.post(counteroffer(bid, "/accept"), nil).want(200).into(&change)
	require.Equal(t, "Counter-offer accepted", change.Message)
	require.Equal(t, []any{money.Cents(110_00), 2, 5}, []any{change.Deal.Price, change.Deal.Terms, change.Deal.DeliveryDuration})
	require.NotNil(t, change.Deal.AcceptedAt)
	require.Equal(t, []string{"line_created", "line_counteroffer", "line_counteroffer", "line_counteroffer_accepted"}, lines(change.Deal))

	buyer.post("/deals/pay/"+deal.ID.String(), fields{"terms": 1}).
		refused(409, "conflict", "The terms of this deal have changed. Please read them again.")
	buyer.post("/deals/pay/"+deal.ID.String(), fields{"terms": 2}).want(200)
	_, escrow, _ := buyer.wallet()
	require.Equal(t, "110.00", escrow)
}

func TestCounteroffers_ended(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := seller.proposeToBuyer(buyer, 50)
	asked := buyer.counters(deal, 40)
	var change api.DealChange
	seller.post(counteroffer(asked, "/decline"), nil).want(200).into(&change)
	require.Equal(t, "Counter-offer declined", change.Message)
	asked = buyer.counters(deal, 45)
	buyer.do(http.MethodDelete, counteroffer(asked, ""), nil).want(200).into(&change)
	require.Equal(t, "Counter-offer withdrawn", change.Message)
	require.Equal(t, money.Cents(50_00), change.Deal.Price)
	require.Nil(t, change.Deal.Counteroffer)
	require.Nil(t, change.Deal.CounterofferBy)
	buyer.post("/deals/pay/"+deal.ID.String(), fields{"terms": 1}).want(200)
}

func TestCounteroffers_refused(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := seller.proposeToBuyer(buyer, 50)
	asked := buyer.counters(deal, 40)
	buyer.do(http.MethodDelete, counteroffer(asked, ""), nil).want(200)
	seller.post(counteroffer(asked, "/decline"), nil).refused(409, "conflict", "This counter-offer is not open any more.")
	asked = buyer.counters(deal, 45)
	seller.post(counteroffer(asked, "/accept"), nil).want(200)
	buyer.do(http.MethodDelete, counteroffer(asked, ""), nil).refused(409, "conflict", "This counter-offer is not open any more.")
	buyer.post(pay(deal), fields{"terms": 2}).want(200)
	terms := fields{"price": 60, "description": "A channel", "deliveryDuration": 5, "inspectionDays": 3}
	seller.post(counteroffers(deal), terms).refused(409, "conflict", "This deal is Active, so it cannot be changed.")
	buyer.post(pay(deal), fields{"terms": "two"}).refused(400, "invalid", "terms must be a whole number.")
	seller.post(pay(deal), fields{"terms": "two"}).refused(403, "forbidden", "Only the buyer can do this.")
}

func TestCounteroffers_rate_limited(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.DealLimit = ratelimit.Rate{Count: 1, Per: time.Hour} })
	buyer, seller := f.member("buyer"), f.member("seller")
	deal := seller.proposeToBuyer(buyer, 50)
	buyer.counters(deal, 40)
	terms := fields{"price": 41, "description": "A channel", "deliveryDuration": 5, "inspectionDays": 3}
	buyer.post(counteroffers(deal), terms).refused(429, "rate_limited", textTooMany)
}
