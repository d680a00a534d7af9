package api_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/domain/notifications"
	"amanat/internal/realtime"
)

func between(one, other *browser) string {
	return "/deals/between/" + one.user.ID.String() + "/" + other.user.ID.String()
}

func TestDealsBetween(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss, buyer, seller, third := f.admin("boss"), f.member("buyer"), f.member("seller"), f.member("third")
	first, second := buyer.propose(seller, 1), seller.propose(buyer, 2)
	buyer.propose(third, 3)

	for _, reader := range []*browser{buyer, seller, boss} {
		for _, path := range []string{between(buyer, seller), between(seller, buyer)} {
			list := reader.get(path).want(200)
			var found []api.Deal
			list.into(&found)
			require.Len(t, found, 2)
			require.Equal(t, []uuid.UUID{second.ID, first.ID}, []uuid.UUID{found[0].ID, found[1].ID}, "newest first")
			require.Equal(t, "2", list.header.Get("X-Total-Count"))
		}
	}
	page := buyer.get(between(buyer, seller) + "?page=2&limit=1").want(200)
	var found []api.Deal
	page.into(&found)
	require.Len(t, found, 1)
	require.Equal(t, first.ID, found[0].ID)
	require.Equal(t, "2", page.header.Get("X-Total-Count"))

	third.get(between(buyer, seller)).refused(403, "forbidden", "You may see your own deals only.")
	require.JSONEq(t, `[]`, string(third.get(between(third, seller)).want(200).body))
	f.visitor().get(between(buyer, seller)).refused(401, "unauthenticated", "Please log in to continue.")
	for _, path := range []string{"x/" + buyer.user.ID.String(), buyer.user.ID.String() + "/undefined"} {
		buyer.get("/deals/between/"+path).refused(404, "not_found", "Not found.")
	}
	buyer.get(between(buyer, seller)+"?page=0").refused(400, "invalid", "page must be a whole number from 1.")
}

func TestActiveDeals(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	has := func(b *browser, wanted string) {
		t.Helper()
		require.JSONEq(t, wanted, string(b.get("/deals/active-deals").want(200).body))
	}
	has(buyer, `{"activeDeals": 0, "totalPrice": 0}`)
	buyer.get("/deals/my-deals?userId=nobody").refused(404, "not_found", "Not found.")
	buyer.propose(seller, 5)
	active := buyer.active(seller, 100.5)
	delivered := buyer.active(seller, 20)
	seller.acts("deliver", delivered, "Seller has delivered the deal", "Delivered")
	for _, b := range []*browser{buyer, seller} {
		has(b, `{"activeDeals": 2, "totalPrice": 120.5}`)
	}
	seller.acts("cancel", active, "Deal cancelled and buyer refunded", "Cancelled by Seller")
	has(buyer, `{"activeDeals": 1, "totalPrice": 20}`)
}

func (b *browser) referralStats() api.ReferralStats {
	b.t.Helper()
	var stats api.ReferralStats
	b.get("/deals/refer/stats").want(200).into(&stats)
	return stats
}

// A referrer earns 1% of the price of each deal that a referred buyer completes.
func TestReferral(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.work()
	boss, referrer, seller := f.admin("boss"), f.member("referrer"), f.member("seller")
	boss.setRate(120)
	var me api.Me
	referrer.get("/auth/me").want(200).into(&me)
	require.NotEmpty(t, me.ReferralCode)
	require.Equal(t, api.ReferralStats{}, referrer.referralStats())

	friend := f.visitor()
	friend.post("/auth/signup", fields{
		"username": "friend", "email": "friend@example.com", "password": password, "referredBy": me.ReferralCode,
	}).want(201).into(&friend.user)
	require.Equal(t, api.ReferralStats{TotalReferred: 1}, referrer.referralStats())
	require.Equal(t, api.ReferralStats{}, friend.referralStats())
	var told struct{ Notification notifications.Notification }
	require.Equal(t, 1, referrer.lastEvent(realtime.TypeNotification, &told))
	require.Equal(t, "friend joined with your link. You earn 1% of the price of every deal your friend completes.", told.Notification.Message)
	require.Equal(t, "/refer", told.Notification.Link)

	friend.fund(boss, 500)
	cancelled := friend.active(seller, 100)
	seller.acts("cancel", cancelled, "Deal cancelled and buyer refunded", "Cancelled by Seller")
	deal := friend.active(seller, 150.99)
	require.Equal(t, api.ReferralStats{TotalReferred: 1}, referrer.referralStats())
	friend.acts("complete", deal, "Deal marked as completed", "Completed")
	require.Eventually(t, func() bool {
		return referrer.referralStats() == api.ReferralStats{TotalReferred: 1, ReferralEarnings: 1_50}
	}, 10*time.Second, 20*time.Millisecond, "1%, rounded down")
	referrer.requireWallet("1.50", "0.00", "0.00")
	seller.requireWallet("147.97", "0.00", "0.00")
	f.visitor().get("/deals/refer/stats").refused(401, "unauthenticated", "Please log in to continue.")
}
