package api_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/money/operations"
)

func (b *browser) reports(amount float64, transaction string) api.DepositSubmitted {
	b.t.Helper()
	var submitted api.DepositSubmitted
	b.post("/auth/deposit", fields{"amount": amount, "transactionId": transaction, "paymentMethod": "Bkash"}).want(201).into(&submitted)
	return submitted
}

// adminDeposit has the fields of a queued deposit that these tests check.
type adminDeposit struct {
	ID                   uuid.UUID `json:"_id"`
	Status               string
	Disputed             bool
	CreditRate           int
	CreditAmount         float64
	AwaitingConfirmation *struct {
		Amount float64
		Reason string
		By     struct{ Username string }
	}
	Disputes []struct {
		ID            uuid.UUID `json:"_id"`
		User          struct{ Username string }
		IsVerified    bool
		PaymentMethod string
		Amount        float64
		Status        string
	}
}

func (b *browser) queued(id uuid.UUID) adminDeposit {
	b.t.Helper()
	var queue struct{ Deposits []adminDeposit }
	b.get("/admin/deposits").want(200).into(&queue)
	for _, d := range queue.Deposits {
		if d.ID == id {
			return d
		}
	}
	b.t.Fatalf("deposit %s is not in the queue", id)
	return adminDeposit{}
}

func twoAdmins(c *config.API) { c.CreditSecondAdmin = 1000 }

func TestConfirmDeposit_second_admin(t *testing.T) {
	t.Parallel()
	f := newFixture(t, twoAdmins)
	stop := f.work()
	boss, second, buyer := f.admin("boss"), f.admin("second"), f.member("buyer")
	boss.setRate(120)
	var queue struct{ SecondAdminAbove float64 }
	boss.get("/admin/deposits").want(200).into(&queue)
	require.InDelta(t, 1000, queue.SecondAdminAbove, 0, "before it is asked for, an admin knows what a second one has to confirm")
	deposit := buyer.reports(1500, "AB12CD34EF").Deposit
	approve, confirm := "/admin/deposit/approve/"+deposit.ID.String(), "/admin/deposits/"+deposit.ID.String()+"/confirm"
	second.post(confirm, fields{"amount": 1500}).refused(409, "conflict", "No credit of this deposit waits for a second admin.")
	approval := fields{"amount": 1800, "userId": buyer.user.ID}
	boss.post(approve, approval).refused(400, "invalid", "Write a reason: the amount is not what the payment is worth.")
	approval["reason"] = "Bkash shows more"
	key := []string{"Idempotency-Key", "the-click"}
	first := boss.post(approve, approval, key...).want(200)
	require.JSONEq(t, string(first.body), string(boss.post(approve, approval, key...).want(200).body))
	var proposed struct {
		Message string
		Deposit adminDeposit
	}
	first.into(&proposed)
	require.Equal(t, "A second admin has to confirm this credit.", proposed.Message)
	require.Equal(t, "pending", proposed.Deposit.Status)
	require.InDelta(t, 1800, proposed.Deposit.AwaitingConfirmation.Amount, 0)
	require.Equal(t, "boss", second.queued(deposit.ID).AwaitingConfirmation.By.Username)
	buyer.requireWallet("0.00", "0.00", "0.00")

	boss.post(confirm, fields{"amount": 1800}).
		refused(403, "forbidden", "You proposed this credit. Another admin has to confirm it.")
	second.post(confirm, fields{"amount": 1500}).refused(400, "invalid", "Another credit is proposed now. Look at it again.")
	stop()
	var pending api.Underway
	second.post(confirm, fields{"amount": 1800}).want(http.StatusAccepted).into(&pending)
	require.Equal(t, "deposit_approve", pending.Operation.Kind)
	const busy = "Another action on this is being processed. Please wait a moment."
	boss.post(approve, approval).refused(409, "already_handled", "second is working on this request.")
	second.post("/admin/deposits/"+deposit.ID.String()+"/claim", nil).refused(409, "conflict", busy)
	f.work()
	require.Eventually(t, func() bool {
		var op operations.View
		second.get("/operations/" + pending.Operation.ID.String()).want(200).into(&op)
		return op.Status == operations.Done
	}, 10*time.Second, 20*time.Millisecond)
	buyer.requireWallet("1800.00", "0.00", "0.00")
	require.Equal(t, "already_handled", decodeFailure(t, second.post(confirm, fields{"amount": 1800}).want(409)).Code)

	next := buyer.reports(1500, "AB12CD34EG").Deposit.ID.String()
	boss.post("/admin/deposit/approve/"+next, fields{"amount": 1500, "userId": buyer.user.ID}).want(200)
	second.post("/admin/deposits/"+next+"/confirm", fields{"amount": 1500}).want(200)
	buyer.requireWallet("3300.00", "0.00", "0.00")
}

func TestClaimWithdrawal_pending_payout(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	stop := f.work()
	boss, buyer := f.admin("boss"), f.member("buyer")
	boss.setRate(120)
	buyer.fund(boss, 100)
	var withdrawal api.WithdrawalSubmitted
	order := fields{"amount": 10, "phonenumber": "01712345678", "paymentMethod": "Bkash"}
	buyer.post("/withdraw", order).want(201).into(&withdrawal)
	buyer.confirms(withdrawal.Withdrawal.ID)
	stop()
	path := "/admin/withdrawals/" + withdrawal.Withdrawal.ID.String()
	boss.post(path+"/send", fields{"amount": 10}).want(202)
	boss.post(path+"/claim", nil).refused(409, "conflict", "Another action on this is being processed. Please wait a moment.")
}

func TestDeposit_disputed(t *testing.T) {
	t.Parallel()
	_, boss, buyer, seller := newFixtureWithUsers(t)
	first := seller.reports(20, "AB12CD34EF")
	require.Equal(t, "Deposit submitted successfully!", first.Message)
	second := buyer.reports(25, "ab12cd34ef")
	require.Equal(t, "Deposit submitted. Somebody else has reported the same transaction ID, so an admin will check both.", second.Message)
	require.True(t, second.Deposit.Disputed)
	var history api.DepositHistory
	seller.get("/auth/deposit/history").want(200).into(&history)
	require.True(t, history.Deposits[0].Disputed)

	seen := boss.queued(second.Deposit.ID)
	require.True(t, seen.Disputed)
	require.Len(t, seen.Disputes, 1)
	rival := seen.Disputes[0]
	require.Equal(t, first.Deposit.ID, rival.ID)
	require.Equal(t, []string{"seller", "Bkash", "pending"}, []string{rival.User.Username, rival.PaymentMethod, rival.Status})
	require.InDelta(t, 20, rival.Amount, 0)
	boss.post("/admin/deposit/approve/"+first.Deposit.ID.String(), fields{"amount": 20, "userId": seller.user.ID}).want(200)
	boss.post("/admin/deposit/approve/"+second.Deposit.ID.String(), fields{"amount": 25, "userId": buyer.user.ID}).
		refused(409, "conflict", "The payment with this transaction ID was credited to seller.")
}

func TestConvertedAmount_rate_changed(t *testing.T) {
	t.Parallel()
	_, boss, buyer, _ := newFixtureWithUsers(t)
	boss.setRate(120.5)
	const changed = "The exchange rate has changed. Please check the amount and try again."
	for path, body := range map[string]fields{
		"/auth/deposit": {"amount": 10, "transactionId": "AB12CD34EF", "paymentMethod": "Bkash"},
		"/withdraw":     {"amount": 10, "phonenumber": "01712345678", "paymentMethod": "Bkash"},
	} {
		right, wrong := 1210, 1200
		if path == "/withdraw" {
			right, wrong = wrong, right
		}
		body["convertedAmount"] = wrong
		buyer.post(path, body).refused(409, "rate_changed", changed)
		body["convertedAmount"] = right
		buyer.post(path, body).want(201)
	}
}

// A convertedAmount that is not a number is not compared.
func TestConvertedAmount_odd_values(t *testing.T) {
	t.Parallel()
	_, _, buyer, _ := newFixtureWithUsers(t)
	for path, body := range map[string]fields{
		"/auth/deposit": {"amount": 10, "transactionId": "AB12CD34EF", "paymentMethod": "Bkash"},
		"/withdraw":     {"amount": 10, "phonenumber": "01712345678", "paymentMethod": "Bkash"},
	} {
		for i, vague := range []any{nil, "1", "many", true, fields{}} {
			body["convertedAmount"] = vague
			if path == "/auth/deposit" {
				body["transactionId"] = "VAGUE0000" + string(rune('A'+i))
			}
			accepted := buyer.post(path, body).want(201)
			if path == "/withdraw" { // the number of waiting withdrawals is limited
				var asked api.WithdrawalSubmitted
				accepted.into(&asked)
				buyer.post("/withdraw/"+asked.Withdrawal.ID.String()+"/cancel", nil).want(200)
			}
		}
	}
}

func TestSetExchangeRate_large_change(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss := f.admin("boss")
	set := func(rate float64, confirm any) reply {
		return boss.do(http.MethodPut, "/admin/exchange-rate", fields{"usdToBdt": rate, "confirm": confirm})
	}
	set(100, nil).want(200) // the first
	set(110, false).want(200)
	set(99, nil).want(200)
	for _, far := range []float64{108.91, 89.09} {
		failure := decodeFailure(t, set(far, false).want(400))
		require.Equal(t, "invalid", failure.Code)
		require.Contains(t, failure.Fields, "confirm")
	}
	set(12.24, nil).refused(400, "invalid", "This changes the rate from 99.00 to 12.24, by more than 10%. Please confirm it.")
	set(12.24, "yes").refused(400, "invalid", "confirm must be true or false.")
	set(0.5, true).refused(400, "invalid", "Enter a valid rate")
	set(12.24, true).want(200)
}
