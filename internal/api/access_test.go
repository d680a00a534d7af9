package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

func TestDeals_hidden_from_strangers(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	stranger := f.member("stranger")
	deal := buyer.propose(seller, 100)
	for _, call := range []struct{ method, path string }{
		{http.MethodGet, "/deals/" + deal.ID.String()},
		{http.MethodDelete, "/deals/" + deal.ID.String()},
		{http.MethodPost, pay(deal)},
		{http.MethodPost, complete(deal)},
		{http.MethodPost, act("deliver", deal)},
		{http.MethodPost, act("cancel", deal)},
		{http.MethodPost, act("reset-delivery", deal)},
		{http.MethodPost, act("accept-cancellation", deal)},
		{http.MethodPost, act("decline-cancellation", deal)},
	} {
		stranger.do(call.method, call.path, nil).refused(404, "not_found", "Deal not found.")
	}
	require.JSONEq(t, `[]`, string(stranger.get("/deals/my-deals").want(200).body))
	stranger.get("/deals/my-deals?userId="+buyer.user.ID.String()).refused(403, "forbidden", "You may see your own deals only.")
	require.Equal(t, "1", boss.get("/deals/my-deals?userId="+buyer.user.ID.String()).want(200).header.Get("X-Total-Count"))
	require.NotContains(t, string(stranger.get("/auth/deposit/history").want(200).body), "_id")
}

// The checks run in this order: existence, role, password, body, state.
func TestApproveDeposit_order_of_checks(t *testing.T) {
	t.Parallel()
	f, boss, buyer, _ := newFixtureWithUsers(t)
	var submitted api.DepositSubmitted
	buyer.post("/auth/deposit", fields{"amount": 10, "transactionId": transactionID(), "paymentMethod": "Bkash"}).want(201).into(&submitted)
	approve := "/admin/deposit/approve/" + submitted.Deposit.ID.String()
	buyer.post(approve, "{").refused(403, "forbidden", "Only admins may do this.")
	boss.post("/admin/deposit/approve/"+uuid.NewString(), "{").refused(404, "not_found", "Deposit not found.")
	boss.post(approve, "{").refused(400, "invalid", "The request body is not valid JSON.")
	boss.post(approve, nil).refused(400, "invalid", "Enter a valid amount")
	boss.post(approve, fields{"amount": 0, "userId": buyer.user.ID}).refused(400, "invalid", "Enter a valid amount")
	boss.post(approve, fields{"amount": "10", "userId": buyer.user.ID}).refused(400, "invalid", "amount must be a number.")
	boss.post(approve, fields{"amount": 10, "userId": boss.user.ID}).refused(400, "invalid", "The deposit belongs to another user.")
	boss.post("/admin/deposit/reject/"+submitted.Deposit.ID.String(), fields{"reason": "No such payment"}).want(200)
	require.Equal(t, "already_handled",
		decodeFailure(t, boss.post(approve, fields{"amount": 10, "userId": buyer.user.ID}).want(409)).Code)

	other := f.admin("second")
	var mine api.DepositSubmitted
	other.post("/auth/deposit", fields{"amount": 10, "transactionId": transactionID(), "paymentMethod": "Bkash"}).want(201).into(&mine)
	own := mine.Deposit.ID.String()
	other.post("/admin/deposit/approve/"+own, fields{"amount": 10, "userId": other.user.ID}).
		refused(403, "forbidden", "You cannot handle your own request.")
	boss.post("/admin/deposits/"+own+"/claim", nil).want(200)
	third := f.admin("third")
	third.post("/admin/deposit/approve/"+own, fields{"amount": 10, "userId": other.user.ID}).
		refused(409, "already_handled", "boss is working on this request.")
}

func TestDepositAndWithdraw_validation(t *testing.T) {
	t.Parallel()
	_, _, buyer, _ := newFixtureWithUsers(t)
	for _, test := range []struct {
		body    fields
		message string
	}{
		{fields{}, "Please fill out all fields."},
		{fields{"transactionId": "AB12CD34", "paymentMethod": "Bkash"}, "Please fill out all fields."},
		{fields{"amount": 5, "paymentMethod": "Bkash"}, "Please fill out all fields."},
		{fields{"amount": 0, "transactionId": "AB12CD34", "paymentMethod": "Bkash"}, "Invalid amount or transaction ID"},
		{fields{"amount": 5, "transactionId": "   ", "paymentMethod": "Bkash"}, "Invalid amount or transaction ID"},
		{
			fields{"amount": 5, "transactionId": "AB12CD3", "paymentMethod": "Bkash"},
			"Invalid transaction ID format. It should be 8-12 alphanumeric characters.",
		},
		{fields{"amount": "5", "transactionId": "AB12CD34", "paymentMethod": "Bkash"}, "amount must be a number."},
		{fields{"amount": 5, "transactionId": "AB12CD34", "paymentMethod": "Cash"}, "Choose Bkash or Nagad."},
	} {
		buyer.post("/auth/deposit", test.body).refused(400, "invalid", test.message)
	}
	for _, test := range []struct {
		body    fields
		message string
	}{
		{fields{}, "Please fill out all fields."},
		{fields{"amount": 5, "paymentMethod": "Bkash"}, "Please fill out all fields."},
		{
			fields{"amount": 5, "phonenumber": "02712345678", "paymentMethod": "Bkash"},
			"Phone number must start with '01' and be 11 digits.",
		},
		{fields{"amount": 5.001, "phonenumber": "01712345678", "paymentMethod": "Bkash"}, "amount may have at most two decimals."},
		{fields{"amount": -5, "phonenumber": "01712345678", "paymentMethod": "Bkash"}, "Enter a valid amount"},
	} {
		buyer.post("/withdraw", test.body).refused(400, "invalid", test.message)
	}
}

func TestPaging(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss, buyer, seller := f.admin("boss"), f.member("buyer"), f.member("seller")
	boss.setRate(120)
	for range 3 {
		buyer.post("/auth/deposit", fields{"amount": 1, "transactionId": transactionID(), "paymentMethod": "Bkash"}).want(201)
		buyer.propose(seller, 1)
	}
	var history api.DepositHistory
	buyer.get("/auth/deposit/history?page=2&limit=2").want(200).into(&history)
	require.Len(t, history.Deposits, 1)
	require.Equal(t, api.Pages{Page: 2, Pages: 2, Total: 3}, history.Pages)
	require.Contains(t, string(buyer.get("/auth/deposit/history?page=9").want(200).body), `"deposits":[]`)
	var deals []api.Deal
	list := buyer.get("/deals/my-deals?page=2&limit=2").want(200)
	list.into(&deals)
	require.Len(t, deals, 1)
	require.Equal(t, "3", list.header.Get("X-Total-Count"))
	buyer.get("/deals/my-deals").want(200).into(&deals)
	require.Len(t, deals, 3)
	for _, query := range []string{"page=0", "page=-1", "page=x", "page=1.5", "limit=0", "limit=x", "page=99999999999999999999"} {
		field, _, _ := strings.Cut(query, "=")
		buyer.get("/auth/deposit/history?"+query).refused(400, "invalid", field+" must be a whole number from 1.")
	}
	buyer.get("/auth/deposit/history?limit=100000").want(200)
	boss.get("/admin/deposits?status=done").refused(400, "invalid", "status must be one of pending, completed, Failed.")
	boss.get("/admin/withdrawals?status=failed").want(200)
}
