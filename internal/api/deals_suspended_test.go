package api_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

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

func TestPayAndCompleteDeal_held_user(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	active, pending := buyer.active(seller, 50), buyer.propose(seller, 7)
	set := func(column, value string) {
		_, err := f.owner.Exec(t.Context(), `update users set `+column+` = `+value+` where id = $1`, buyer.user.ID)
		require.NoError(t, err)
	}
	refused := func(text string) {
		t.Helper()
		buyer.post(act("pay", pending), nil).refused(403, "forbidden", text)
		buyer.post(act("complete", active), nil).refused(403, "forbidden", text)
	}
	set("withdrawals_stopped_at", "now()") // by "This was not me"
	refused("Your account is on hold until you reset your password with a link that we mail you.")
	set("withdrawals_held_at", "now()") // by an admin
	refused("Your account is on hold. Please contact our support.")
	set("withdrawals_stopped_at", "null")
	refused("Your account is on hold. Please contact our support.")
}
