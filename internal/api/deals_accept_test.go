package api_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

func accept(deal api.DealDetail) string { return "/deals/accept/" + deal.ID.String() }
func remove(deal api.DealDetail) string { return "/deals/" + deal.ID.String() }

// agreed returns a deal that b made as the buyer and the seller has accepted.
func (b *browser) agreed(seller *browser, price float64) api.DealDetail {
	b.t.Helper()
	var change api.DealChange
	seller.do(http.MethodPut, accept(b.propose(seller, price)), nil).want(200).into(&change)
	return change.Deal
}

// kinds returns the kinds of the user's notifications, newest first.
func (b *browser) kinds() []string {
	b.t.Helper()
	var list api.NotificationList
	b.get("/notifications").want(200).into(&list)
	kinds := make([]string, len(list.Notifications))
	for i, n := range list.Notifications {
		kinds[i] = n.Kind
	}
	return kinds
}

func lines(deal api.DealDetail) []string {
	kinds := make([]string, len(deal.Timeline))
	for i, line := range deal.Timeline {
		kinds[i] = line.Kind
	}
	return kinds
}

func TestAcceptDeal(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	require.NotNil(t, seller.proposeToBuyer(buyer, 5).AcceptedAt, "who makes a deal agrees to it")

	deal := buyer.propose(seller, 100)
	require.Nil(t, deal.AcceptedAt)
	require.Equal(t, "deal_offered_to_seller", seller.kinds()[0])
	f.member("stranger").do(http.MethodPut, accept(deal), nil).refused(404, "not_found", "Deal not found.")
	buyer.do(http.MethodPut, accept(deal), nil).refused(403, "forbidden", "Only the seller can do this.")
	var first, again api.DealChange
	seller.do(http.MethodPut, accept(deal), nil).want(200).into(&first)
	require.Equal(t, "Deal accepted", first.Message)
	require.Equal(t, "Pending", first.Status)
	f.clock.Advance(time.Minute)
	seller.do(http.MethodPut, accept(deal), nil).want(200).into(&again)
	require.Equal(t, first.Deal.AcceptedAt, again.Deal.AcceptedAt, "accepting twice is accepting once")
	require.Equal(t, []string{"line_created", "line_accepted"}, lines(again.Deal))
	require.Equal(t, "deal_accepted", buyer.kinds()[0])

	paid := buyer.acts("pay", deal, "Deal activated!", "Active").Deal
	require.Equal(t, "deal_paid", seller.kinds()[0])
	seller.do(http.MethodDelete, remove(paid), nil).refused(409, "conflict", "This deal is Active, so it cannot be removed.")
	seller.acts("cancel", deal, "Deal cancelled and buyer refunded", "Cancelled by Seller")
	seller.do(http.MethodPut, accept(deal), nil).
		refused(409, "conflict", "This deal is Cancelled by Seller, so it cannot be accepted.")
}

func TestDeliverDeal_accepts(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.propose(seller, 100)
	paid := buyer.acts("pay", deal, "Deal activated!", "Active").Deal
	require.Nil(t, paid.AcceptedAt, "the buyer may pay before")
	require.Equal(t, "deal_paid_unaccepted", seller.kinds()[0])
	delivered := seller.acts("deliver", deal, "Seller has delivered the deal", "Delivered").Deal
	require.Equal(t, delivered.DeliveredAt, delivered.AcceptedAt)
	seller.do(http.MethodDelete, remove(deal), nil).refused(409, "conflict", "This deal is Delivered, so it cannot be removed.")
}

// The seller may decline a paid deal that they never accepted: the buyer receives a full refund and
// no score changes.
func TestDeclineDeal_paid(t *testing.T) {
	t.Parallel()
	for name, decline := range map[string]func(seller *browser, deal api.DealDetail) reply{
		"delete": func(seller *browser, deal api.DealDetail) reply {
			return seller.do(http.MethodDelete, remove(deal), nil)
		},
		"cancel": func(seller *browser, deal api.DealDetail) reply { return seller.post(act("cancel", deal), nil) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, buyer, seller := newFixtureWithUsers(t)
			deal := buyer.acts("pay", buyer.propose(seller, 100.01), "Deal activated!", "Active").Deal
			buyer.do(http.MethodDelete, remove(deal), nil).refused(409, "conflict", "This deal is Active, so it cannot be removed.")
			var told api.Message
			for range 2 { // a second click gets the same answer
				decline(seller, deal).want(200).into(&told)
				require.Equal(t, "Deal cancelled and buyer refunded", told.Message)
			}
			declined := buyer.see(deal)
			require.Equal(t, "Cancelled by Seller", declined.Status)
			require.Nil(t, declined.AcceptedAt)
			closed(t, declined, "declined", "100.01")
			require.Equal(t, "line_declined", lines(declined)[2])
			require.Equal(t, "deal_declined_paid", buyer.kinds()[0])
			buyer.requireWallet("500.00", "0.00", "0.00")
			seller.requireWallet("0.00", "0.00", "0.00")
			seller.do(http.MethodPut, accept(deal), nil).
				refused(409, "conflict", "This deal is Cancelled by Seller, so it cannot be accepted.")
			for _, b := range []*browser{buyer, seller} {
				require.Nil(t, buyer.profile(b).SuccessScore, "nobody is judged for what only one wanted")
			}
		})
	}
}

func (b *browser) profile(of *browser) api.Profile {
	b.t.Helper()
	var profile api.Profile
	b.get("/auth/profile/" + of.user.Username).want(200).into(&profile)
	return profile
}

// A repeated request gets its first answer, for unpaid and for paid deals.
func TestDeclineDeal_idempotency_key(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	for name, deal := range map[string]api.DealDetail{
		"unpaid": buyer.propose(seller, 10),
		"paid":   buyer.acts("pay", buyer.propose(seller, 10), "Deal activated!", "Active").Deal,
	} {
		key := []string{"Idempotency-Key", "decline-" + name}
		first := seller.do(http.MethodDelete, remove(deal), nil, key...).want(200)
		require.JSONEq(t, string(first.body), string(seller.do(http.MethodDelete, remove(deal), nil, key...).want(200).body))
		f.loseResponses()
		again := seller.do(http.MethodDelete, remove(deal), nil, key...).want(200)
		require.JSONEq(t, string(first.body), string(again.body), "also when the answer was lost")
		seller.post(act("cancel", deal), nil, key...).
			refused(409, "idempotency_mismatch", "This Idempotency-Key was used for another request.")
	}
	buyer.requireWallet("500.00", "0.00", "0.00")
}

func TestDeclineDeal_pending_operation(t *testing.T) {
	t.Parallel()
	f := newFixture(t) // without workers
	buyer, seller := f.member("buyer"), f.member("seller")
	deal := buyer.propose(seller, 10)
	_, err := f.owner.Exec(t.Context(), `update deals set status = 'Active', activated_at = created_at where id = $1`, deal.ID)
	require.NoError(t, err)
	var underway api.Underway
	seller.do(http.MethodDelete, remove(deal), nil).want(202).into(&underway)
	require.Equal(t, "deal_refund", underway.Operation.Kind)
	seller.do(http.MethodPut, accept(deal), nil).
		refused(409, "conflict", "Another action on this is being processed. Please wait a moment.")
	buyer.do(http.MethodDelete, remove(deal), nil).refused(409, "conflict", "This deal is Active, so it cannot be removed.")
}

// A stranger with a dollar makes and pays deals that the seller never accepted, and cancels them
// when nothing was delivered.
func TestProfile_score_ignores_unaccepted_deals(t *testing.T) {
	t.Parallel()
	f, boss, _, victim := newFixtureWithUsers(t)
	friend, attacker := f.member("friend"), f.member("attacker")
	friend.fund(boss, 10)
	friend.trade(victim, 10)
	require.Equal(t, 100, *friend.profile(victim).SuccessScore)
	attacker.fund(boss, 1)

	const wave = 10 // the limit of deals that wait at once
	for range 3 {
		var made []api.DealDetail
		for range wave {
			var deal api.DealDetail
			attacker.post("/deals/create", fields{
				"price": 0.01, "description": "A", "deliveryDuration": 1, "buyerId": attacker.user.ID, "sellerId": victim.user.ID,
			}).want(201).into(&deal)
			made = append(made, attacker.acts("pay", deal, "Deal activated!", "Active").Deal)
		}
		f.later(49*time.Hour, attacker, victim)
		for _, deal := range made {
			attacker.acts("cancel", deal, "Deal cancelled and buyer refunded", "Cancelled by Buyer")
		}
	}
	attacker.requireWallet("1.00", "0.00", "0.00")
	require.Equal(t, 100, *attacker.profile(victim).SuccessScore)
	require.Nil(t, attacker.profile(attacker).SuccessScore)
	var dashboard api.Dashboard
	victim.get("/dashboard").want(200).into(&dashboard)
	require.Equal(t, []int{1, 1, 100}, []int{dashboard.CompletedDeals, dashboard.FinishedDeals, *dashboard.SuccessScore})

	// A deal that both accepted counts.
	victim.acts("cancel", friend.paidAgain(boss, victim), "Deal cancelled and buyer refunded", "Cancelled by Seller")
	require.Equal(t, 50, *attacker.profile(victim).SuccessScore)
}

// paidAgain deposits ten dollars and returns an accepted and paid deal for them.
func (b *browser) paidAgain(boss, seller *browser) api.DealDetail {
	b.t.Helper()
	b.post("/auth/login", fields{"username": b.user.Username, "password": password}).want(200)
	boss.post("/auth/login", fields{"username": boss.user.Username, "password": password}).want(200)
	b.fund(boss, 10)
	return b.active(seller, 10)
}

func TestProfile_partners_and_volume(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	require.Equal(t, "none", buyer.profile(seller).VolumeBand)
	require.Zero(t, buyer.profile(seller).Partners)
	buyer.trade(seller, 40)
	buyer.trade(seller, 59.99)
	traded := buyer.profile(seller)
	require.Equal(t, 1, traded.Partners, "twice with the same person")
	require.Equal(t, "under_100", traded.VolumeBand)

	third := f.member("third")
	seller.fund(boss, 1)
	seller.trade(third, 1) // as its buyer
	traded = buyer.profile(seller)
	require.Equal(t, 2, traded.Partners)
	require.Equal(t, "100_1000", traded.VolumeBand)
	require.Equal(t, "under_100", buyer.profile(buyer).VolumeBand)
}
