package api_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

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

	buyer.requireWallet("399.99", "100.01", "0.00")

	accepted := seller.acts("accept-cancellation", deal, "Deal cancelled and buyer refunded (2% fee taken)", "Cancelled")
	closed(t, accepted.Deal, "accepted", "98.01")
	require.False(t, accepted.CancellationRequested)
	buyer.requireWallet("498.00", "0.00", "0.00")
	seller.requireWallet("0.00", "0.00", "0.00")

	// A second click gets the same answer.
	seller.acts("accept-cancellation", deal, "Deal cancelled and buyer refunded (2% fee taken)", "Cancelled")
	buyer.post(act("complete", deal), nil).refused(409, "conflict", "This deal is Cancelled, so it cannot be completed.")
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
	require.Equal(t, deal.DueAt.Add(day), *deal.ExitAt)
	require.Equal(t, 3, deal.InspectionDays, "by default")
	buyer.post(act("reset-delivery", deal), nil).refused(409, "conflict", "This deal is Active, so it cannot be reset.")
	delivered := seller.acts("deliver", deal, "Seller has delivered the deal", "Delivered").Deal
	require.Equal(t, "complete", string(*delivered.NextAction))
	require.Equal(t, delivered.DeliveredAt.Add(3*day), *delivered.NextActionAt)
	require.Nil(t, delivered.ExitAt, "what was delivered once cannot be left")

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

func TestArrived(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100)
	arrived := "/deals/" + deal.ID.String() + "/arrived"
	buyer.post(arrived, nil).refused(409, "conflict", "Nothing is on its way to you.")
	seller.post(act("deliver", deal), fields{"trackingNumber": "DA77"}).refused(400, "invalid", "Choose the courier.")
	var sent api.DealChange
	seller.post(act("deliver", deal), fields{"text": "Here", "courier": "Pathao", "trackingNumber": "DA77"}).want(200).into(&sent)
	by := sent.Deal.DeliveredAt.Add(5 * day)
	require.Equal(t, &api.Shipment{Courier: "Pathao", TrackingNumber: "DA77", ArrivesBy: &by}, sent.Deal.Shipment)
	require.Equal(t, sent.Deal.DeliveredAt.Add(8*day), *sent.Deal.NextActionAt)

	buyer.support(deal, "It may take longer.").want(201)
	f.clock.Advance(time.Hour)
	require.True(t, buyer.see(deal).Shipment.ArrivesBy.After(by), "the clock stands still")
	var first, again api.DealChange
	buyer.post(arrived, nil).want(200).into(&first)
	require.Equal(t, "Marked as arrived", first.Message)
	require.NotNil(t, first.Deal.Shipment.ArrivedAt)
	require.Nil(t, first.Deal.Shipment.ArrivesBy)
	buyer.post(arrived, nil).want(200).into(&again)
	require.Equal(t, first.Deal, again.Deal, "changes nothing")
	require.Equal(t, []string{"deal_arrived"}, seller.kinds()[:1])
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
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.propose(seller, 100)
	require.Nil(t, deal.AcceptedAt)
	require.Equal(t, "deal_offered_to_seller", seller.kinds()[0])
	var change api.DealChange
	seller.do(http.MethodPut, accept(deal), nil).want(200).into(&change)
	require.Equal(t, "Deal accepted", change.Message)
	require.Equal(t, "Pending", change.Status)
	require.NotNil(t, change.Deal.AcceptedAt)
	require.Equal(t, []string{"line_created", "line_accepted"}, lines(change.Deal))
	require.Equal(t, "deal_accepted", buyer.kinds()[0])

	paid := buyer.acts("pay", deal, "Deal activated!", "Active").Deal
	require.Equal(t, "deal_paid", seller.kinds()[0])
	seller.do(http.MethodDelete, remove(paid), nil).refused(409, "conflict", "This deal is Active, so it cannot be removed.")
	for range 2 { // a second click gets the same answer
		cancelled := seller.acts("cancel", deal, "Deal cancelled and buyer refunded", "Cancelled by Seller")
		closed(t, cancelled.Deal, "seller", "100.00")
	}
	seller.do(http.MethodPut, accept(deal), nil).
		refused(409, "conflict", "This deal is Cancelled by Seller, so it cannot be accepted.")
}

// The seller may decline a paid deal that they never accepted: the buyer receives a full refund and
// no score changes.
func TestDeclineDeal_paid(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.acts("pay", buyer.propose(seller, 100.01), "Deal activated!", "Active").Deal
	require.Equal(t, "deal_paid_unaccepted", seller.kinds()[0])
	var told api.Message
	for range 2 { // a second click gets the same answer
		seller.do(http.MethodDelete, remove(deal), nil).want(200).into(&told)
		require.Equal(t, "Deal cancelled and buyer refunded", told.Message)
	}
	declined := buyer.see(deal)
	require.Equal(t, "Cancelled by Seller", declined.Status)
	require.Nil(t, declined.AcceptedAt)
	closed(t, declined, "declined", "100.01")
	require.Equal(t, "line_declined", lines(declined)[2])
	require.Equal(t, "deal_declined_paid", buyer.kinds()[0])
	buyer.requireWallet("500.00", "0.00", "0.00")
	for _, b := range []*browser{buyer, seller} {
		require.Nil(t, buyer.profile(b).SuccessScore, "nobody is judged for what only one wanted")
	}
}

func (b *browser) profile(of *browser) api.Profile {
	b.t.Helper()
	var profile api.Profile
	b.get("/auth/profile/" + of.user.Username).want(200).into(&profile)
	return profile
}

// A repeated request is answered in the same way, for unpaid and for paid deals, and does not make
// a deal again that was declined.
func TestDeclineDeal_idempotency_key(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	draft := fields{"price": 10, "description": "A", "deliveryDuration": 1, "buyerId": buyer.user.ID, "sellerId": seller.user.ID}
	var gone api.DealDetail
	buyer.post("/deals/create", draft, "Idempotency-Key", "create").want(201).into(&gone)
	seller.do(http.MethodDelete, remove(gone), nil).want(200)
	buyer.post("/deals/create", draft, "Idempotency-Key", "create").refused(404, "not_found", "Deal not found.")
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
