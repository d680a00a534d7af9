package api_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

// Admin calls that move money need a recently confirmed password, before any other check.
func TestAdmin_money_calls_need_fresh_password(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	var reported api.DepositSubmitted
	buyer.post("/auth/deposit", fields{"amount": 20, "transactionId": "9BX7K2M1QK", "paymentMethod": "Bkash"}).want(201).into(&reported)
	var asked api.WithdrawalSubmitted
	buyer.post("/withdraw", fields{"amount": 30, "phonenumber": "01712345678", "paymentMethod": "Bkash"}).want(201).into(&asked)
	deposit, withdrawal, deal := reported.Deposit.ID.String(), asked.Withdrawal.ID.String(), buyer.active(seller, 100)
	f.clock.Advance(15 * time.Minute)
	for _, path := range []string{
		"/admin/deposit/approve/" + deposit, "/admin/deposit/reject/" + deposit,
		"/admin/withdrawals/" + withdrawal + "/send", "/admin/withdrawals/" + withdrawal + "/reject",
		"/admin/deals/complete/" + deal.ID.String(), "/admin/deals/cancel/" + deal.ID.String(),
	} {
		boss.post(path, fields{}).refused(403, "password_required", "Please enter your password again.")
	}
}

// A 202 is not stored under the key: a retry with the same key returns the outcome.
func TestIdempotent_pending_operation(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.propose(seller, 100)
	tx, err := f.owner.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback(context.Background()) }) // t.Context() is already canceled
	_, err = tx.Exec(t.Context(), "select 1 from deals where id = $1 for update", deal.ID)
	require.NoError(t, err)
	key := []string{"Idempotency-Key", "pay-1"}
	buyer.post(pay(deal), nil, key...).want(http.StatusAccepted)
	require.NoError(t, tx.Rollback(t.Context()))
	var changed api.DealChange
	require.Eventually(t, func() bool {
		reply := buyer.post(pay(deal), nil, key...)
		if reply.status != http.StatusOK {
			return false
		}
		reply.into(&changed)
		return true
	}, 10*time.Second, 10*time.Millisecond)
	require.Equal(t, "Deal activated!", changed.Message)
}
