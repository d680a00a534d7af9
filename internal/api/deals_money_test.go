package api_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/money/operations"
)

// newFixtureWithUsers returns a fixture with workers and an exchange rate, an admin, a buyer with
// money and a seller.
func newFixtureWithUsers(tb testing.TB, queues ...string) (f *fixture, boss, buyer, seller *browser) {
	tb.Helper()
	f = newFixture(tb)
	f.work(queues...)
	boss, buyer, seller = f.admin("boss"), f.member("buyer"), f.member("seller")
	boss.setRate(120)
	buyer.fund(boss, 500)
	return f, boss, buyer, seller
}

func pay(deal api.DealDetail) string      { return "/deals/pay/" + deal.ID.String() }
func complete(deal api.DealDetail) string { return "/deals/complete/" + deal.ID.String() }

// transfers counts the ledger transfers with a key.
func (f *fixture) transfers(key string) int {
	f.t.Helper()
	var n int
	require.NoError(f.t, f.owner.QueryRow(f.t.Context(), "select count(*) from ledger.transfers where key = $1", key).Scan(&n))
	return n
}

func TestPayDeal_concurrent(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.propose(seller, 120.5)
	const clicks = 20
	replies := make([]reply, clicks)
	var group sync.WaitGroup
	for i := range clicks {
		group.Go(func() {
			var headers []string
			if i%2 == 0 {
				// Some requests share a key, and some have none.
				headers = []string{"Idempotency-Key", fmt.Sprintf("click-%d", i/4)}
			}
			replies[i] = buyer.post(pay(deal), nil, headers...)
		})
	}
	group.Wait()
	underway := map[uuid.UUID]bool{}
	for _, r := range replies {
		switch r.status {
		case http.StatusOK:
			var change api.DealChange
			r.into(&change)
			require.Equal(t, "Active", change.Status)
		case http.StatusAccepted:
			var pending api.Underway
			r.into(&pending)
			underway[pending.Operation.ID] = true
		default:
			r.want(http.StatusOK)
		}
	}
	require.LessOrEqual(t, len(underway), 1, "one operation")
	buyer.requireWallet("379.50", "120.50", "0.00")
	require.Equal(t, 1, f.transfers("deal:"+deal.ID.String()+":pay"))
	var operations int
	require.NoError(t, f.owner.QueryRow(t.Context(), "select count(*) from operations where subject = $1", "deal:"+deal.ID.String()).
		Scan(&operations))
	require.Equal(t, 1, operations)
}

func TestPayDeal_insufficient_balance(t *testing.T) {
	t.Parallel()
	_, boss, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.propose(seller, 600.25)
	key := []string{"Idempotency-Key", "the-click"}
	failure := buyer.post(pay(deal), nil, key...).refused(409, "insufficient_balance", "Insufficient balance")
	require.Equal(t, "100.25", failure.Shortfall.String())
	buyer.requireWallet("500.00", "0.00", "0.00")
	buyer.fund(boss, 100.25)
	buyer.post(pay(deal), nil, key...).want(200) // a refused attempt does not use up the key
	buyer.requireWallet("0.00", "600.25", "0.00")
}

// While no worker can pay the deal, the call answers 202 with the operation, which the buyer and
// admins can read.
func TestPayDeal_pending_operation(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.propose(seller, 100)
	// The lock of a worker that died: the money workers wait for it.
	tx, err := f.owner.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback(context.Background()) }) // the test's context has ended
	_, err = tx.Exec(t.Context(), "select 1 from deals where id = $1 for update", deal.ID)
	require.NoError(t, err)

	var first, second api.Underway
	buyer.post(pay(deal), nil).want(http.StatusAccepted).into(&first)
	require.Equal(t, operations.Pending, first.Operation.Status)
	require.Equal(t, "deal:"+deal.ID.String(), first.Operation.Subject)
	buyer.post(pay(deal), nil).want(http.StatusAccepted).into(&second)
	require.Equal(t, first.Operation.ID, second.Operation.ID)

	path := "/operations/" + first.Operation.ID.String()
	var operation operations.View
	buyer.get(path).want(200).into(&operation)
	require.Equal(t, first.Operation, operation)
	boss.get(path).want(200)
	seller.get(path).refused(404, "not_found", "Operation not found.")
	var seen api.DealDetail
	seller.get("/deals/" + deal.ID.String()).want(200).into(&seen)
	require.Equal(t, first.Operation.ID, seen.Operation.ID)

	require.NoError(t, tx.Rollback(t.Context()))
	buyer.post(pay(deal), nil).want(200)
	buyer.get(path).want(200).into(&operation)
	require.Equal(t, operations.Done, operation.Status)
	require.Equal(t, "Deal activated!", operation.Result.Message)
	require.NotNil(t, operation.FinishedAt)
}

// While an operation is pending on a deal, the user who requested it receives it again, and other
// actions are refused.
func TestCancel_pending_refund_blocks_deal(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	stop := f.work()
	boss, buyer, seller := f.admin("boss"), f.member("buyer"), f.member("seller")
	boss.setRate(120)
	buyer.fund(boss, 500)
	deal := buyer.active(seller, 100)
	buyer.acts("cancel", deal, "Cancellation request sent", "Active")
	stop()

	var first, again api.Underway
	seller.post(act("cancel", deal), nil).want(http.StatusAccepted).into(&first)
	seller.post(act("cancel", deal), nil).want(http.StatusAccepted).into(&again)
	require.Equal(t, first.Operation.ID, again.Operation.ID)
	require.Equal(t, first.Operation.ID, buyer.see(deal).Operation.ID)
	const busy = "Another action on this is being processed. Please wait a moment."
	for _, call := range []struct {
		by   *browser
		path string
	}{
		{seller, act("decline-cancellation", deal)},
		{buyer, act("complete", deal)},
		{boss, adminAct("complete", deal)},
		{boss, adminAct("cancel", deal)},
	} {
		call.by.post(call.path, nil).refused(409, "conflict", busy)
	}
	buyer.requireWallet("400.00", "100.00", "0.00")
}

func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	draft := fields{"price": 100, "description": "A", "deliveryDuration": 1, "buyerId": buyer.user.ID, "sellerId": seller.user.ID}
	key := []string{"Idempotency-Key", "k1"}
	first := buyer.post("/deals/create", draft, key...).want(201)
	again := buyer.post("/deals/create", draft, key...).want(201)
	require.JSONEq(t, string(first.body), string(again.body))
	draft["price"] = 101
	buyer.post("/deals/create", draft, key...).
		refused(409, "idempotency_mismatch", "This Idempotency-Key was used for another request.")
	buyer.post("/withdraw", draft, key...).refused(409, "idempotency_mismatch", "This Idempotency-Key was used for another request.")
	seller.post("/deals/create", draft, key...).want(201) // keys belong to their user
	require.Equal(t, 2, countDeals(t, f))

	var deal api.DealDetail
	first.into(&deal)
	key[1] = "k2"
	paid := buyer.post(pay(deal), nil, key...).want(200)
	seller.post("/deals/deliver/"+deal.ID.String(), nil).want(200)
	again = buyer.post(pay(deal), nil, key...).want(200)
	require.JSONEq(t, string(paid.body), string(again.body), "the same answer, though the deal has gone on")

	key[1] = "k3"
	order := fields{"amount": 10, "phonenumber": "01712345678", "paymentMethod": "Bkash"}
	withdrawn := buyer.post("/withdraw", order, key...).want(201)
	again = buyer.post("/withdraw", order, key...).want(201)
	require.JSONEq(t, string(withdrawn.body), string(again.body))
	buyer.requireWallet("390.00", "100.00", "10.00")

	key[1] = "k4"
	report := fields{"amount": 5, "transactionId": "SAME12345", "paymentMethod": "Nagad"}
	deposited := buyer.post("/auth/deposit", report, key...).want(201)
	again = buyer.post("/auth/deposit", report, key...).want(201)
	require.JSONEq(t, string(deposited.body), string(again.body))

	var submitted api.DepositSubmitted
	deposited.into(&submitted)
	approve := "/admin/deposit/approve/" + submitted.Deposit.ID.String()
	approval := fields{"amount": 5, "userId": buyer.user.ID}
	boss.post(approve, approval, key...).want(200)
	boss.post(approve, approval, key...).want(200) // a repeated click, not a second approval
	require.Equal(t, "already_handled", decodeFailure(t, boss.post(approve, approval).want(409)).Code)
	buyer.requireWallet("395.00", "100.00", "10.00")

	for _, malformed := range []string{" ", "a b", string(make([]byte, 0)), "ключ", longKey(201)} {
		buyer.post("/deals/create", draft, "Idempotency-Key", malformed).
			refused(400, "invalid", "The Idempotency-Key must be 1 to 200 visible ASCII characters.")
	}
	buyer.post("/deals/create", draft, "Idempotency-Key", longKey(200)).want(201)
}

func longKey(n int) string {
	key := make([]byte, n)
	for i := range key {
		key[i] = 'k'
	}
	return string(key)
}

func countDeals(t *testing.T, f *fixture) int {
	t.Helper()
	var n int
	require.NoError(t, f.owner.QueryRow(t.Context(), "select count(*) from deals").Scan(&n))
	return n
}

func TestDealActions_repeated_and_out_of_turn(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.propose(seller, 100)
	buyer.post(complete(deal), nil).refused(409, "conflict", "This deal is Pending, so it cannot be completed.")
	seller.post(pay(deal), nil).refused(403, "forbidden", "Only the buyer can do this.")
	buyer.post(pay(deal), nil).want(200)
	buyer.post(pay(deal), nil).want(200) // a second click finds it paid
	buyer.do(http.MethodDelete, "/deals/"+deal.ID.String(), nil).want(409)
	buyer.post("/deals/deliver/"+deal.ID.String(), nil).refused(403, "forbidden", "Only the seller can do this.")
	buyer.post(complete(deal), nil).want(200)
	buyer.post(complete(deal), nil).want(200)
	seller.requireWallet("98.00", "0.00", "0.00")

	declined := seller.proposeToBuyer(buyer, 5)
	require.JSONEq(t, `{"message": "Deal declined and removed", "outcome": "deal_removed"}`,
		string(buyer.do(http.MethodDelete, "/deals/"+declined.ID.String(), nil).want(200).body))
	seller.get("/deals/" + declined.ID.String()).want(404)
}

func TestCreateDeal_validation(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller := f.member("buyer"), f.member("seller")
	for _, test := range []struct {
		change  fields
		message string
	}{
		{fields{"buyerId": "", "sellerId": ""}, "Select a user."},
		{fields{"sellerId": "someone"}, "Select a user."},
		{fields{"sellerId": uuid.NewString()}, "Select a user."},
		{fields{"price": nil, "description": ""}, "All fields are required."},
		{fields{"description": "  "}, "All fields are required."},
		{fields{"deliveryDuration": nil}, "Please Choose Delivery Duration"},
		{fields{"deliveryDuration": 100}, "The delivery duration must be 1 to 99 days."},
		{fields{"deliveryDuration": 1.5}, "deliveryDuration must be a whole number."},
		{fields{"price": "100"}, "price must be a number."},
		{fields{"price": 100.001}, "price may have at most two decimals."},
		{fields{"price": 1e30}, "price is too large."},
		{fields{"price": 1_000_000.01}, "The price must be between $0.01 and $1,000,000.00."},
		{fields{"price": -1}, "The price must be between $0.01 and $1,000,000.00."},
	} {
		draft := fields{"price": 100, "description": "A", "deliveryDuration": 1, "buyerId": buyer.user.ID, "sellerId": seller.user.ID}
		for name, value := range test.change {
			draft[name] = value
		}
		buyer.post("/deals/create", draft).refused(400, "invalid", test.message)
	}
	require.Zero(t, countDeals(t, f))
}
