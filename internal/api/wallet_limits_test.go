package api_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
)

// trustLimits are small enough for the money of newFixtureWithUsers.
func trustLimits(c *config.API) {
	c.TrustLimits = config.TrustLimits{
		New: config.TrustLimit{Deal: 50_00, Paid: 80_00, Withdrawn: 20_00}, Basic: config.TrustLimit{Deal: 100_00, Paid: 150_00},
	}
}

func (b *browser) limits() api.WalletLimits {
	b.t.Helper()
	var limits api.WalletLimits
	b.get("/wallet/limits").want(200).into(&limits)
	return limits
}

func TestWalletLimits(t *testing.T) {
	t.Parallel()
	f := newFixture(t, trustLimits)
	f.work()
	boss, buyer, seller := f.admin("boss"), f.member("buyer"), f.member("seller")
	boss.setRate(120)
	buyer.fund(boss, 500)
	require.JSONEq(t, `{
		"level": "new", "perDeal": 50, "paid": {"limit": 80, "used": 0}, "withdrawn": {"limit": 20, "used": 0},
		"next": {"level": "basic", "perDeal": 100, "paid": 150, "withdrawn": null, "needs": [
			{"kind": "account_age", "have": 0, "need": 1}]}}`,
		string(buyer.get("/wallet/limits").want(200).body))

	refused := buyer.post("/deals/create", fields{
		"price": 50.01, "description": "A channel", "deliveryDuration": 7, "buyerId": buyer.user.ID, "sellerId": seller.user.ID,
	})
	refused.refused(409, "conflict", "Deals up to $50.00 are possible with your account now.")
	require.Contains(t, string(refused.body), `"reason":"limit_per_deal","params":{"limit":50.00}`)
	dear := seller.proposeToBuyer(buyer, 50.01) // the limit of its buyer counts when they pay
	buyer.post(pay(dear), nil).refused(409, "conflict", "Deals up to $50.00 are possible with your account now.")

	buyer.active(seller, 50)
	refused = buyer.post(pay(seller.proposeToBuyer(buyer, 30.01)), nil)
	refused.refused(409, "conflict", "You can pay up to $30.00 more today.")
	require.Contains(t, string(refused.body), `"reason":"limit_paid","params":{"left":30.00}`)
	buyer.withdraws(15, "01712345678")
	refused = buyer.post("/withdraw", fields{"amount": 5.01, "phonenumber": "01712345678", "paymentMethod": "Bkash"})
	refused.refused(409, "conflict", "You can withdraw up to $5.00 more today.")
	require.Contains(t, string(refused.body), `"reason":"limit_withdrawn","params":{"left":5.00}`)
	seen := buyer.limits()
	require.EqualValues(t, 50_00, seen.Paid.Used)
	require.EqualValues(t, 15_00, seen.Withdrawn.Used)

	f.later(24*time.Hour, buyer, seller)
	seen = buyer.limits()
	require.Equal(t, "basic", seen.Level)
	require.Nil(t, seen.Withdrawn.Limit)
	require.Zero(t, seen.Paid.Used)
	buyer.post(pay(dear), nil).want(200)
	buyer.withdraws(100, "01712345678")
	buyer.propose(seller, 100)
}

// Limits that are off are not shown, and neither is the way to higher ones.
func TestWalletLimits_off(t *testing.T) {
	t.Parallel()
	b := newFixture(t).member("member")
	require.JSONEq(t, `{
		"level": "new", "perDeal": null, "paid": {"limit": null, "used": 0}, "withdrawn": {"limit": null, "used": 0}, "next": null}`,
		string(b.get("/wallet/limits").want(200).body))
}
