package api_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/lib/clock"
)

func (b *browser) wallet() (wallet, inEscrow, pendingWithdrawal string) {
	b.t.Helper()
	var summary api.WalletSummary
	b.get("/wallet").want(200).into(&summary)
	return summary.Wallet.String(), summary.InEscrow.String(), summary.PendingWithdrawal.String()
}

func (b *browser) requireWallet(wallet, inEscrow, pendingWithdrawal string) {
	b.t.Helper()
	w, e, p := b.wallet()
	require.Equal(b.t, []string{wallet, inEscrow, pendingWithdrawal}, []string{w, e, p})
}

// setRate sets the exchange rate, which deposits and withdrawals need.
func (b *browser) setRate(rate float64) {
	b.t.Helper()
	b.do(http.MethodPut, "/admin/exchange-rate", fields{"usdToBdt": rate}).want(200)
}

// fund submits a deposit for b and approves it as boss.
func (b *browser) fund(boss *browser, amount float64) {
	b.t.Helper()
	var submitted api.DepositSubmitted
	b.post("/auth/deposit", fields{"amount": amount, "transactionId": transactionID(), "paymentMethod": "Bkash"}).want(201).into(&submitted)
	boss.post("/admin/deposit/approve/"+submitted.Deposit.ID.String(), fields{"amount": amount, "userId": b.user.ID}).want(200)
}

func transactionID() string { return uuid.NewString()[24:] }

// propose creates a deal as its buyer.
func (b *browser) propose(seller *browser, price float64) api.DealDetail {
	b.t.Helper()
	var deal api.DealDetail
	b.post("/deals/create", fields{
		"price": price, "description": "A channel", "deliveryDuration": 7, "buyerId": b.user.ID, "sellerId": seller.user.ID,
	}).want(201).into(&deal)
	return deal
}

// TestMainPath covers a deposit, a deal from proposal to completion, and a withdrawal.
func TestMainPath(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.work()
	boss, buyer, seller := f.admin("boss"), f.member("buyer"), f.member("seller")

	f.visitor().get("/exchange-rate").refused(503, "unavailable", "The exchange rate has not been set yet.")
	boss.setRate(120.25)
	require.JSONEq(t, `{"usdToBdt": 120.25}`, string(f.visitor().get("/exchange-rate").want(200).body))

	depositPath(t, boss, buyer)
	dealPath(t, buyer, seller)
	withdrawalPath(t, boss, seller)

	var stats api.PublicStats
	f.visitor().get("/public/public-stats").want(200).into(&stats)
	require.EqualValues(t, 500_00, stats.TotalDepositAmount)
}

func depositPath(t *testing.T, boss, buyer *browser) {
	t.Helper()
	var submitted api.DepositSubmitted
	report := fields{
		"amount": 500, "transactionId": " ab12cd34ef ", "paymentMethod": "Bkash", "convertedAmount": 1, "actionType": "withdraw",
	}
	buyer.post("/auth/deposit", report).
		refused(409, "rate_changed", "The exchange rate has changed. Please check the amount and try again.")
	report["convertedAmount"] = 60_500
	buyer.post("/auth/deposit", report).want(201).into(&submitted)
	require.True(t, submitted.Success)
	require.Equal(t, "Deposit submitted successfully!", submitted.Message)
	deposit := submitted.Deposit
	require.Equal(t, "pending", deposit.Status)
	require.Equal(t, "AB12CD34EF", deposit.TransactionID)
	require.EqualValues(t, 121, deposit.Rate, "rounded up")
	require.Equal(t, "60500.00", deposit.ConvertedAmount.String())
	require.Equal(t, "deposit", deposit.ActionType)
	require.Equal(t, "buyer@example.com", deposit.User.Email)
	buyer.requireWallet("0.00", "0.00", "0.00")
	buyer.post("/auth/deposit", fields{"amount": 500, "transactionId": "AB12CD34EF", "paymentMethod": "Bkash"}).
		refused(409, "duplicate", "You already reported this on "+clock.Moment(deposit.CreatedAt).String()+" ($500.00, being checked).")

	var queue struct {
		Deposits []struct {
			ID    uuid.UUID `json:"_id"`
			Claim any
		}
		Page, Pages, Total int
	}
	boss.get("/admin/deposits?status=pending").want(200).into(&queue)
	require.Len(t, queue.Deposits, 1)
	require.Nil(t, queue.Deposits[0].Claim)
	require.Equal(t, []int{1, 1, 1}, []int{queue.Page, queue.Pages, queue.Total})
	boss.post("/admin/deposits/"+deposit.ID.String()+"/claim", nil).want(200)
	approve := func() reply {
		return boss.post("/admin/deposit/approve/"+deposit.ID.String(), fields{"amount": 500, "userId": buyer.user.ID})
	}
	require.Contains(t, string(approve().want(200).body), `"message":"Balance updated successfully"`)
	buyer.requireWallet("500.00", "0.00", "0.00")
	require.Equal(t, "already_handled", decodeFailure(t, approve().want(409)).Code)

	var history api.DepositHistory
	buyer.get("/auth/deposit/history?page=1&limit=10").want(200).into(&history)
	require.True(t, history.Success)
	require.Len(t, history.Deposits, 1)
	require.Equal(t, "completed", history.Deposits[0].Status)
}

func decodeFailure(t *testing.T, r reply) failure {
	t.Helper()
	var f failure
	r.into(&f)
	return f
}

func dealPath(t *testing.T, buyer, seller *browser) {
	t.Helper()
	deal := seller.proposeToBuyer(buyer, 100.01)
	require.Equal(t, "Pending", deal.Status)
	require.Equal(t, "2.00", deal.Fee.String())
	require.Equal(t, "98.01", deal.Payout.String())
	require.Nil(t, deal.ActivatedAt)

	var change api.DealChange
	buyer.post("/deals/pay/"+deal.ID.String(), nil).want(200).into(&change)
	require.Equal(t, "Deal activated!", change.Message)
	require.Equal(t, "Active", change.Status)
	require.NotNil(t, change.Deal.ActivatedAt)
	require.Nil(t, change.Deal.Operation)
	buyer.requireWallet("399.99", "100.01", "0.00")

	seller.post("/deals/deliver/"+deal.ID.String(), nil).want(200).into(&change)
	require.Equal(t, "Seller has delivered the deal", change.Message)
	require.Equal(t, "Delivered", change.Status)
	require.True(t, change.Deal.Delivered)

	buyer.post("/deals/complete/"+deal.ID.String(), nil).want(200).into(&change)
	require.Equal(t, "Deal marked as completed", change.Message)
	require.Equal(t, "Completed", change.Status)
	buyer.requireWallet("399.99", "0.00", "0.00")
	seller.requireWallet("98.01", "0.00", "0.00")

	var seen struct {
		Timeline []struct {
			Kind, Message string
			Actor         *struct{ Username string }
		}
	}
	seller.get("/deals/" + deal.ID.String()).want(200).into(&seen)
	require.Len(t, seen.Timeline, 4)
	require.Equal(t, "seller", seen.Timeline[0].Actor.Username)
	require.Equal(t, "buyer", seen.Timeline[3].Actor.Username)
	require.NotEmpty(t, seen.Timeline[3].Message)

	list := buyer.get("/deals/my-deals?page=1&limit=10").want(200)
	require.Equal(t, "1", list.header.Get("X-Total-Count"))
	var deals []api.Deal
	list.into(&deals)
	require.Len(t, deals, 1)
	require.Equal(t, "Completed", deals[0].Status)
}

// proposeToBuyer creates a deal as its seller.
func (b *browser) proposeToBuyer(buyer *browser, price float64) api.DealDetail {
	b.t.Helper()
	var deal api.DealDetail
	b.post("/deals/create", fields{
		"price": price, "description": "A channel", "deliveryDuration": 7, "buyerId": buyer.user.ID, "sellerId": b.user.ID,
	}).want(201).into(&deal)
	return deal
}

func withdrawalPath(t *testing.T, boss, seller *browser) {
	t.Helper()
	order := fields{"amount": 50.5, "phonenumber": "01712345678", "paymentMethod": "Nagad", "actionType": "withdraw", "convertedAmount": 6060}
	var submitted api.WithdrawalSubmitted
	seller.post("/withdraw", order).want(201).into(&submitted)
	require.True(t, submitted.Success)
	require.Equal(t, "Withdrawal submitted successfully!", submitted.Message)
	withdrawal := submitted.Withdrawal
	require.Equal(t, "pending", withdrawal.Status)
	require.EqualValues(t, 120, withdrawal.Rate, "rounded down")
	require.Equal(t, "6060.00", withdrawal.ConvertedAmount.String())
	require.Equal(t, "Nagad", withdrawal.Method)
	seller.requireWallet("47.51", "0.00", "50.50")

	failure := seller.post("/withdraw", order).refused(409, "insufficient_balance", "Insufficient balance to withdraw")
	require.Equal(t, "2.99", failure.Shortfall.String())

	send := "/admin/withdrawals/" + withdrawal.ID.String() + "/send"
	boss.post(send, fields{"amount": 50}).refused(400, "invalid", "The amount must equal the request.")
	boss.post(send, fields{"amount": 50.50}).want(409) // held: the phone number is new
	seller.confirms(withdrawal.ID)
	require.Contains(t, string(boss.post(send, fields{"amount": 50.50, "transactionId": "payout01"}).want(200).body),
		`"message":"Withdrawal sent successfully. Balance updated."`)
	seller.requireWallet("47.51", "0.00", "0.00")

	var history api.WithdrawalHistory
	seller.get("/withdraw/history").want(200).into(&history)
	require.Len(t, history.Withdrawals, 1)
	require.Equal(t, "completed", history.Withdrawals[0].Status)
	require.Equal(t, "PAYOUT01", *history.Withdrawals[0].TransactionID)

	seller.post("/withdraw", fields{"amount": 40, "phonenumber": "01712345678", "paymentMethod": "Bkash"}).want(201).into(&submitted)
	seller.requireWallet("7.51", "0.00", "40.00")
	reject := "/admin/withdrawals/" + submitted.Withdrawal.ID.String() + "/reject"
	require.Contains(t, string(boss.post(reject, nil).want(200).body), `"message":"Withdrawal has been rejected."`)
	seller.requireWallet("47.51", "0.00", "0.00")
}
