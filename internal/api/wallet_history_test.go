package api_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

// history returns the opening balance and one line for each movement of the wallet.
func (b *browser) history(query string) (opening string, lines []string) {
	b.t.Helper()
	var h api.WalletHistory
	b.get("/wallet/history" + query).want(200).into(&h)
	require.True(b.t, h.Complete)
	for _, m := range h.Movements {
		lines = append(lines, fmt.Sprintf("%s %s %s", m.Kind, m.Amount, m.BalanceAfter))
	}
	return h.Opening.String(), lines
}

func TestWalletHistory(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	require.Contains(t, string(seller.get("/wallet/history").want(200).body), `"movements":[]`)
	f.later(10*day, boss, buyer, seller)
	deal, calledOff := buyer.active(seller, 100), buyer.active(seller, 50)
	buyer.acts("complete", deal, "Deal marked as completed", "Completed")
	seller.acts("cancel", calledOff, "Deal cancelled and buyer refunded", "Cancelled by Seller")
	var submitted api.WithdrawalSubmitted
	seller.post("/withdraw", fields{"amount": 40, "phonenumber": "01712345678", "paymentMethod": "Bkash"}).want(201).into(&submitted)
	boss.post("/admin/withdrawals/"+submitted.Withdrawal.ID.String()+"/reject", nil).want(200)

	opening, lines := buyer.history("")
	require.Equal(t, "0.00", opening)
	lately := []string{"deal_pay -100.00 400.00", "deal_pay -50.00 350.00", "deal_refund 50.00 400.00"}
	require.Equal(t, append([]string{"deposit_approve 500.00 500.00"}, lately...), lines)
	opening, lines = buyer.history("?days=5")
	require.Equal(t, "500.00", opening)
	require.Equal(t, lately, lines)

	opening, lines = seller.history("")
	require.Equal(t, "0.00", opening)
	require.Equal(t, []string{"deal_complete 98.00 98.00", "withdrawal_hold -40.00 58.00", "withdrawal_reject 40.00 98.00"}, lines)

	var h api.WalletHistory
	buyer.get("/wallet/history?days=5").want(200).into(&h)
	require.Equal(t, "deal:"+deal.ID.String(), h.Movements[0].Subject)
	require.WithinDuration(t, f.clock.Now(), h.To, time.Minute)
	require.Equal(t, 5*day, h.To.Sub(h.From))

	f.later(6*day, buyer)
	opening, lines = buyer.history("?days=5")
	require.Equal(t, "400.00", opening, "nothing has moved since")
	require.Empty(t, lines)
	for _, days := range []string{"0", "-1", "1.5", "many"} {
		buyer.get("/wallet/history?days="+days).refused(400, "invalid", "days must be a whole number from 1.")
	}
	buyer.get("/wallet/history?days=366").refused(400, "invalid", "days must be at most 365.")
}
