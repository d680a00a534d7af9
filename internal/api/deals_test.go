package api_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

const tooManyRequests = "Please open a support request"

// act returns the path of an action on a deal.
func act(action string, deal api.DealDetail) string {
	return "/deals/" + action + "/" + deal.ID.String()
}

// acts does an action on a deal and requires the answer's message and the deal's new status.
func (b *browser) acts(action string, deal api.DealDetail, message, status string) api.DealChange {
	b.t.Helper()
	var change api.DealChange
	b.post(act(action, deal), nil).want(200).into(&change)
	require.Equal(b.t, []string{message, status, status}, []string{change.Message, change.Status, change.Deal.Status})
	require.Equal(b.t, change.Deal.CancellationRequested, change.CancellationRequested)
	require.Equal(b.t, change.Deal.CancellationDeclined, change.CancellationDeclined)
	return change
}

func (b *browser) see(deal api.DealDetail) api.DealDetail {
	b.t.Helper()
	var seen api.DealDetail
	b.get("/deals/" + deal.ID.String()).want(200).into(&seen)
	return seen
}

// closed requires the close reason and the refund of a deal; "" means no refund.
func closed(t *testing.T, deal api.DealDetail, reason, refund string) {
	t.Helper()
	require.NotNil(t, deal.ClosedAt)
	require.NotNil(t, deal.CloseReason)
	require.Equal(t, reason, string(*deal.CloseReason))
	if refund == "" {
		require.Nil(t, deal.Refund)
	} else {
		require.Equal(t, refund, deal.Refund.String())
	}
	require.Nil(t, deal.NextAction)
	require.Nil(t, deal.NextActionAt)
	require.Nil(t, deal.ExitAt)
}

// active returns a deal that the seller has accepted and the buyer has paid, due in seven days.
func (b *browser) active(seller *browser, price float64) api.DealDetail {
	b.t.Helper()
	deal := b.agreed(seller, price)
	return b.acts("pay", deal, "Deal activated!", "Active").Deal
}

// later advances the clock. Sessions expire meanwhile, so the given browsers log in again.
func (f *fixture) later(step time.Duration, browsers ...*browser) {
	f.t.Helper()
	f.clock.Advance(step)
	for _, b := range browsers {
		b.post("/auth/login", fields{"username": b.user.Username, "password": password}).want(200)
	}
}

const day = 24 * time.Hour

func TestAcceptCancellation_takes_fee(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100.01)
	seller.post(act("accept-cancellation", deal), nil).
		refused(409, "conflict", "There is no cancellation request to accept.")

	asked := buyer.acts("cancel", deal, "Cancellation request sent", "Active")
	require.True(t, asked.CancellationRequested)
	require.Equal(t, 2, asked.Deal.RequestsLeft)
	require.Equal(t, "refund_unanswered", string(*asked.Deal.NextAction))
	again := buyer.acts("cancel", deal, "Cancellation request sent", "Active")
	require.Equal(t, 2, again.Deal.RequestsLeft, "asking twice is asking once")
	require.Equal(t, asked.Deal.NextActionAt, again.Deal.NextActionAt)

	buyer.post(act("accept-cancellation", deal), nil).refused(403, "forbidden", "Only the seller can do this.")
	buyer.post(act("decline-cancellation", deal), nil).refused(403, "forbidden", "Only the seller can do this.")
	seller.post(act("deliver", deal), nil).refused(409, "conflict", "Answer the cancellation request first.")
	buyer.requireWallet("399.99", "100.01", "0.00")

	accepted := seller.acts("accept-cancellation", deal, "Deal cancelled and buyer refunded (2% fee taken)", "Cancelled")
	closed(t, accepted.Deal, "accepted", "98.01")
	require.False(t, accepted.CancellationRequested)
	buyer.requireWallet("498.00", "0.00", "0.00")
	seller.requireWallet("0.00", "0.00", "0.00")

	// A second click gets the same answer.
	seller.acts("accept-cancellation", deal, "Deal cancelled and buyer refunded (2% fee taken)", "Cancelled")
	const ended = "This deal is Cancelled, so it cannot be "
	buyer.post(act("cancel", deal), nil).refused(409, "conflict", ended+"cancelled.")
	buyer.post(act("complete", deal), nil).refused(409, "conflict", ended+"completed.")
	buyer.post(act("reset-delivery", deal), nil).refused(409, "conflict", ended+"reset.")
	seller.post(act("decline-cancellation", deal), nil).refused(409, "conflict", ended+"kept.")
	seller.post(act("deliver", deal), nil).refused(409, "conflict", ended+"delivered.")
	buyer.requireWallet("498.00", "0.00", "0.00")
}

func TestDeclineCancellation(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100)
	seller.post(act("decline-cancellation", deal), nil).
		refused(409, "conflict", "There is no cancellation request to decline.")
	buyer.acts("cancel", deal, "Cancellation request sent", "Active")
	for range 2 { // declining again changes nothing
		declined := seller.acts("decline-cancellation", deal, "You have declined the cancellation request", "Active")
		require.False(t, declined.CancellationRequested)
		require.True(t, declined.CancellationDeclined)
	}
	require.True(t, buyer.see(deal).CancellationDeclined)
	require.Equal(t, "refund", string(*buyer.see(deal).NextAction))

	asked := buyer.acts("cancel", deal, "Cancellation request sent", "Active")
	require.False(t, asked.CancellationDeclined, "a new request, not yet declined")
	completed := buyer.acts("complete", deal, "Deal marked as completed", "Completed")
	closed(t, completed.Deal, "completed", "")
	seller.requireWallet("98.00", "0.00", "0.00")
}

func TestResetDelivery(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100)
	require.NotNil(t, deal.ExitAt)
	buyer.post(act("reset-delivery", deal), nil).refused(409, "conflict", "This deal is Active, so it cannot be reset.")
	delivered := seller.acts("deliver", deal, "Seller has delivered the deal", "Delivered").Deal
	require.Equal(t, "complete", string(*delivered.NextAction))
	require.Equal(t, delivered.DeliveredAt.Add(3*day), *delivered.NextActionAt)
	require.Nil(t, delivered.ExitAt, "what was delivered once cannot be left")

	seller.post(act("reset-delivery", deal), nil).refused(403, "forbidden", "Only the buyer can do this.")
	for range 2 { // resetting again changes nothing
		reset := buyer.acts("reset-delivery", deal, "Delivery reset", "Active").Deal
		require.False(t, reset.Delivered)
		require.Nil(t, reset.DeliveredAt)
		require.Nil(t, reset.ExitAt)
		require.Equal(t, 2, reset.RequestsLeft)
		require.Equal(t, "escalate", string(*reset.NextAction))
	}
	seller.acts("deliver", deal, "Seller has delivered the deal", "Delivered")
	asked := buyer.acts("cancel", deal, "Cancellation request sent", "Active")
	require.False(t, asked.Deal.Delivered, "asking for the money takes back the delivery")
}

func TestCancel_request_limit(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100)
	for left := 2; left >= 1; left-- {
		require.Equal(t, left, buyer.acts("cancel", deal, "Cancellation request sent", "Active").Deal.RequestsLeft)
		seller.acts("decline-cancellation", deal, "You have declined the cancellation request", "Active")
	}
	seller.acts("deliver", deal, "Seller has delivered the deal", "Delivered")
	require.Zero(t, buyer.acts("reset-delivery", deal, "Delivery reset", "Active").Deal.RequestsLeft)
	buyer.post(act("cancel", deal), nil).refused(409, "conflict", tooManyRequests)
	seller.acts("deliver", deal, "Seller has delivered the deal", "Delivered")
	buyer.post(act("reset-delivery", deal), nil).refused(409, "conflict", tooManyRequests)
	buyer.post(act("cancel", deal), nil).refused(409, "conflict", tooManyRequests)
	require.Equal(t, "Delivered", buyer.see(deal).Status)
}

func TestCancel_seller(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	pending := buyer.propose(seller, 7)
	for _, b := range []*browser{buyer, seller} {
		b.post(act("cancel", pending), nil).refused(409, "conflict", "This deal is Pending, so it cannot be cancelled.")
	}
	deal := buyer.active(seller, 100)
	seller.acts("deliver", deal, "Seller has delivered the deal", "Delivered")
	for range 2 { // a second click gets the same answer
		cancelled := seller.acts("cancel", deal, "Deal cancelled and buyer refunded", "Cancelled by Seller")
		closed(t, cancelled.Deal, "seller", "100.00")
	}
	buyer.requireWallet("500.00", "0.00", "0.00")
	buyer.post(act("cancel", deal), nil).refused(409, "conflict", "This deal is Cancelled by Seller, so it cannot be cancelled.")
}

func TestCancel_buyer_after_exit(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100)
	require.Equal(t, deal.DueAt.Add(day), *deal.ExitAt)
	f.later(7*day+time.Hour, buyer, seller)
	require.Equal(t, "Late", buyer.see(deal).Status)
	buyer.acts("cancel", deal, "Cancellation request sent", "Late")
	f.later(day, buyer, seller)
	// The open request does not matter.
	left := buyer.acts("cancel", deal, "Deal cancelled and buyer refunded", "Cancelled by Buyer")
	closed(t, left.Deal, "exit", "100.00")
	buyer.requireWallet("500.00", "0.00", "0.00")
	buyer.acts("cancel", deal, "Deal cancelled and buyer refunded", "Cancelled by Buyer")
	seller.post(act("accept-cancellation", deal), nil).
		refused(409, "conflict", "This deal is Cancelled by Buyer, so it cannot be cancelled.")
}

// A repeated request makes no second cancellation request, whatever has happened since, and gets
// the deal as it is now.
func TestCancel_idempotency_key(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100)
	key := []string{"Idempotency-Key", "ask"}
	var asked, again api.DealChange
	buyer.post(act("cancel", deal), nil, key...).want(200).into(&asked)
	require.True(t, asked.CancellationRequested)
	seller.acts("decline-cancellation", deal, "You have declined the cancellation request", "Active")
	buyer.post(act("cancel", deal), nil, key...).want(200).into(&again)
	require.Equal(t, asked.Outcome, again.Outcome)
	require.Equal(t, buyer.see(deal), again.Deal)
	require.Equal(t, 2, again.Deal.RequestsLeft)
	require.False(t, again.CancellationRequested)
	const mismatch = "This Idempotency-Key was used for another request."
	buyer.post(act("complete", deal), nil, key...).refused(409, "idempotency_mismatch", mismatch)

	buyer.acts("cancel", deal, "Cancellation request sent", "Active")
	key[1] = "accept"
	accepted := seller.post(act("accept-cancellation", deal), nil, key...).want(200)
	require.JSONEq(t, string(accepted.body), string(seller.post(act("accept-cancellation", deal), nil, key...).want(200).body))
	seller.post(act("cancel", deal), nil, key...).refused(409, "idempotency_mismatch", mismatch)
	buyer.requireWallet("498.00", "0.00", "0.00")
}

func TestCreateDeal_inspection_days(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	draft := fields{"price": 10, "description": "A", "deliveryDuration": 1, "buyerId": buyer.user.ID, "sellerId": seller.user.ID}
	var deal api.DealDetail
	for days, shown := range map[any]int{nil: 3, 1: 1, 30: 30} {
		draft["inspectionDays"] = days
		buyer.post("/deals/create", draft).want(http.StatusCreated).into(&deal)
		require.Equal(t, shown, deal.InspectionDays)
	}
	require.Equal(t, "expire", string(*deal.NextAction))
	require.Equal(t, deal.DueAt, *deal.NextActionAt)
	require.Equal(t, 3, deal.RequestsLeft)
	require.Nil(t, deal.ExitAt)
	for days, message := range map[any]string{
		0:   "The inspection period must be 1 to 30 days.",
		-1:  "The inspection period must be 1 to 30 days.",
		31:  "The inspection period must be 1 to 30 days.",
		2.5: "inspectionDays must be a whole number.",
	} {
		draft["inspectionDays"] = days
		failure := buyer.post("/deals/create", draft).refused(400, "invalid", message)
		require.Contains(t, failure.Fields, "inspectionDays")
	}
}

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

// A deal that was removed is not made again by a repeated request.
func TestCreateDeal_repeated_after_removal(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	draft := fields{"price": 10, "description": "A", "deliveryDuration": 1, "buyerId": buyer.user.ID, "sellerId": seller.user.ID}
	key := []string{"Idempotency-Key", "one-click"}
	var deal api.DealDetail
	buyer.post("/deals/create", draft, key...).want(201).into(&deal)
	seller.do(http.MethodDelete, remove(deal), nil).want(200)
	buyer.post("/deals/create", draft, key...).refused(404, "not_found", "Deal not found.")
}

// A repeated request is answered in the same way, for unpaid and for paid deals.
func TestDeclineDeal_idempotency_key(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	for name, deal := range map[string]api.DealDetail{
		"unpaid": buyer.propose(seller, 10),
		"paid":   buyer.acts("pay", buyer.propose(seller, 10), "Deal activated!", "Active").Deal,
	} {
		key := []string{"Idempotency-Key", "decline-" + name}
		first := seller.do(http.MethodDelete, remove(deal), nil, key...).want(200)
		require.JSONEq(t, string(first.body), string(seller.do(http.MethodDelete, remove(deal), nil, key...).want(200).body))
		other := act("cancel", buyer.propose(seller, 10))
		seller.post(other, nil, key...).refused(409, "idempotency_mismatch", "This Idempotency-Key was used for another request.")
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

func TestDisableUser_suspends_deals(t *testing.T) {
	t.Parallel()
	_, boss, buyer, seller := newFixtureWithUsers(t)
	delivered, active, pending := buyer.active(seller, 100), buyer.active(seller, 50), buyer.propose(seller, 7)
	seller.acts("deliver", delivered, "Seller has delivered the deal", "Delivered")
	before := buyer.see(active)
	require.False(t, before.Suspended || before.BuyerSuspended || before.SellerSuspended)

	boss.post("/admin/users/"+seller.user.ID.String()+"/disable", fields{"reason": "fraud"}).want(200)
	ids, total := boss.adminDeals("?escalated=true")
	require.ElementsMatch(t, []uuid.UUID{delivered.ID, active.ID}, ids)
	require.Equal(t, "2", total)
	held := buyer.see(delivered)
	require.True(t, held.Suspended && held.Frozen && held.SellerSuspended)
	require.False(t, held.BuyerSuspended || held.Escalated)
	require.NotNil(t, held.SuspendedAt)
	require.Nil(t, held.NextActionAt)
	require.Equal(t, "line_suspended", held.Timeline[len(held.Timeline)-1].Kind)

	buyer.post(act("pay", pending), nil).refused(409, "conflict", "The account of seller is suspended, so this deal cannot be paid.")
	require.True(t, buyer.see(pending).SellerSuspended)
	buyer.acts("cancel", active, "Deal cancelled and buyer refunded", "Cancelled")
	closed(t, buyer.see(active), "seller_disabled", "50.00")
	boss.decides("cancel", delivered, "Deal cancelled and buyer refunded", "Cancelled")
	buyer.requireWallet("500.00", "0.00", "0.00")

	boss.post("/admin/users/"+seller.user.ID.String()+"/enable", nil).want(200)
	require.False(t, buyer.see(pending).SellerSuspended)
	buyer.acts("pay", pending, "Deal activated!", "Active")
}

func TestPayAndCompleteDeal_held_user(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	active, pending := buyer.active(seller, 50), buyer.propose(seller, 7)
	set := func(column, value string) {
		_, err := f.owner.Exec(t.Context(), `update users set `+column+` = `+value+` where id = $1`, buyer.user.ID)
		require.NoError(t, err)
	}
	refused := func(text string) {
		t.Helper()
		buyer.post(act("pay", pending), nil).refused(403, "forbidden", text)
		buyer.post(act("complete", active), nil).refused(403, "forbidden", text)
	}
	set("withdrawals_stopped_at", "now()") // by "This was not me"
	refused("Your account is on hold until you reset your password with a link that we mail you.")
	set("withdrawals_held_at", "now()") // by an admin
	refused("Your account is on hold. Please contact our support.")
	set("withdrawals_stopped_at", "null")
	refused("Your account is on hold. Please contact our support.")
}
