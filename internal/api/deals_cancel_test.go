package api_test

import (
	"net/http"
	"testing"
	"time"

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

// A repeated request gets its first answer, whatever has happened since, and makes no second
// cancellation request.
func TestCancel_idempotency_key(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100)
	key := []string{"Idempotency-Key", "ask"}
	asked := buyer.post(act("cancel", deal), nil, key...).want(200)
	seller.acts("decline-cancellation", deal, "You have declined the cancellation request", "Active")
	require.JSONEq(t, string(asked.body), string(buyer.post(act("cancel", deal), nil, key...).want(200).body))
	require.Equal(t, 2, buyer.see(deal).RequestsLeft)
	require.False(t, buyer.see(deal).CancellationRequested)
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
