package api_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/domain/notifications"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/money"
	"amanat/internal/realtime"
)

func counteroffers(deal api.DealDetail) string {
	return "/deals/" + deal.ID.String() + "/counteroffers"
}

func counteroffer(deal api.DealDetail, step string) string {
	return counteroffers(deal) + "/" + deal.Counteroffer.ID.String() + step
}

// counters proposes another price for a deal.
func (b *browser) counters(deal api.DealDetail, price float64) api.DealDetail {
	b.t.Helper()
	var change api.DealChange
	b.post(counteroffers(deal), fields{
		"price": price, "description": deal.Description, "deliveryDuration": 5, "inspectionDays": deal.InspectionDays, "text": "Please.",
	}).want(201).into(&change)
	require.Equal(b.t, "Counter-offer sent", change.Message)
	return change.Deal
}

func TestCounteroffers(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.propose(seller, 100)
	require.Equal(t, 1, deal.Terms)
	require.Nil(t, deal.Counteroffer)

	asked := seller.counters(deal, 120)
	require.Equal(t, money.Cents(100_00), asked.Price)
	require.Equal(t, &seller.user.ID, asked.CounterofferBy)
	o := *asked.Counteroffer
	require.Equal(t, []money.Cents{120_00, 2_40, 117_60}, []money.Cents{o.Price, o.Fee, o.Payout})
	require.Equal(t, "Please.", o.Text)
	require.Equal(t, "deal_counteroffer", buyer.kinds()[0])
	buyer.post("/deals/pay/"+deal.ID.String(), nil).
		refused(409, "conflict", "A counter-offer waits for an answer. Accept, decline or withdraw it first.")
	seller.post(counteroffer(asked, "/accept"), nil).
		refused(403, "forbidden", "You made this counter-offer. The other party can answer it.")

	var change api.DealChange
	buyer.post(counteroffer(asked, "/decline"), nil).want(200).into(&change)
	require.Equal(t, "Counter-offer declined", change.Message)
	seller.do(http.MethodDelete, counteroffer(seller.counters(deal, 130), ""), nil).want(200).into(&change)
	require.Equal(t, "Counter-offer withdrawn", change.Message)
	require.Equal(t, money.Cents(100_00), change.Deal.Price)
	require.Nil(t, change.Deal.Counteroffer)
	require.Nil(t, change.Deal.CounterofferBy)
	bid := buyer.counters(deal, 110)
	buyer.post(counteroffer(asked, "/accept"), nil).refused(409, "conflict", "This counter-offer is not open any more.")
	seller.post(counteroffer(bid, "/accept"), nil).want(200).into(&change)
	require.Equal(t, "Counter-offer accepted", change.Message)
	require.Equal(t, []any{money.Cents(110_00), 2, 5}, []any{change.Deal.Price, change.Deal.Terms, change.Deal.DeliveryDuration})
	require.NotNil(t, change.Deal.AcceptedAt)
	seller.post(counteroffer(bid, "/decline"), nil).refused(409, "conflict", "This counter-offer is not open any more.")
	buyer.do(http.MethodDelete, counteroffer(bid, ""), nil).refused(409, "conflict", "This counter-offer is not open any more.")
	require.Equal(t, "line_counteroffer_accepted", change.Deal.Timeline[len(change.Deal.Timeline)-1].Kind)

	buyer.post("/deals/pay/"+deal.ID.String(), fields{"terms": 1}).
		refused(409, "conflict", "The terms of this deal have changed. Please read them again.")
	buyer.post(pay(deal), fields{"terms": "two"}).refused(400, "invalid", "terms must be a whole number.")
	buyer.post("/deals/pay/"+deal.ID.String(), fields{"terms": 2}).want(200)
	seller.post(counteroffers(deal), fields{"price": 60, "description": "A channel", "deliveryDuration": 5, "inspectionDays": 3}).
		refused(409, "conflict", "This deal is Active, so it cannot be changed.")
	_, escrow, _ := buyer.wallet()
	require.Equal(t, "110.00", escrow)
}

func TestCounteroffers_rate_limited(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.DealLimit = ratelimit.Rate{Count: 1, Per: time.Hour} })
	buyer, seller := f.member("buyer"), f.member("seller")
	deal := seller.proposeToBuyer(buyer, 50)
	buyer.counters(deal, 40)
	terms := fields{"price": 41, "description": "A channel", "deliveryDuration": 5, "inspectionDays": 3}
	buyer.post(counteroffers(deal), terms).refused(429, "rate_limited", textTooMany)
}

// invitation is a draft of a deal that b sells by a link.
func (b *browser) invitation(guest fields) fields {
	return fields{"price": 200, "description": "A channel\nwith videos", "deliveryDuration": 7, "sellerId": b.user.ID, "invite": guest}
}

// invites makes a link of b, the seller.
func (b *browser) invites(guest fields) (made api.DealInvite) {
	b.t.Helper()
	b.post("/deals/create", b.invitation(guest)).want(http.StatusCreated).into(&made)
	return made
}

func invitePath(i api.DealInvite) string { return "/invites/" + i.Code }

func TestInvites(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	buyer.fund(boss, 300)
	made := seller.invites(fields{"phone": "01712345678"})
	require.Equal(t, "Seller", made.Role)
	require.Equal(t, 7*24*time.Hour, made.ExpiresAt.Sub(made.CreatedAt))
	var mine []api.DealInvite
	seller.get("/invites").want(200).into(&mine)
	require.Equal(t, []api.DealInvite{made}, mine)
	require.JSONEq(t, `[]`, string(buyer.get("/invites").want(200).body))

	var seen api.InviteOffer
	shown := f.visitor().get(invitePath(made)).want(200)
	shown.into(&seen)
	require.Equal(t, "seller", seen.Maker.Username)
	require.EqualValues(t, 196_00, seen.Payout)
	require.NotContains(t, string(shown.body), "01712345678")
	require.False(t, seen.IsOwn)
	seller.get(invitePath(made)).want(200).into(&seen)
	require.True(t, seen.IsOwn)
	seller.post(invitePath(made)+"/join", nil).refused(403, "forbidden", "This is your own link. Send it to whoever the deal is with.")

	var deal api.DealDetail
	key := []string{"Idempotency-Key", "one-tap"}
	buyer.post(invitePath(made)+"/join", nil, key...).want(201).into(&deal)
	require.Equal(t, "Pending", deal.Status)
	require.NotNil(t, deal.AcceptedAt)
	buyer.post(invitePath(made)+"/join", nil, key...).want(201)
	buyer.post(pay(deal), nil).want(200)
	var updated struct{ Status string }
	seller.lastEvent("dealUpdated", &updated)
	require.Equal(t, "Active", updated.Status)
	require.Contains(t, seller.kinds(), "deal_joined")
	const used = "Someone has joined this deal already. Ask whoever sent the link for a new one."
	f.visitor().get(invitePath(made)).refused(404, "not_found", used)
	boss.post(invitePath(made)+"/join", nil).refused(404, "not_found", used)
	buyer.get(invitePath(made)).want(200).into(&seen)
	require.Equal(t, deal.ID, *seen.DealID)
	seller.do(http.MethodDelete, invitePath(made), nil).want(404)

	withdrawn := seller.invites(fields{})
	buyer.do(http.MethodDelete, invitePath(withdrawn), nil).want(404)
	seller.do(http.MethodDelete, invitePath(withdrawn), nil).want(200)
	buyer.post(invitePath(withdrawn)+"/join", nil).refused(404, "not_found", "Whoever made this link has cancelled it.")
}

// An invitation is mailed once, in the maker's language, without a word of the maker's own.
func TestInvites_mail(t *testing.T) {
	t.Parallel()
	f, mails := newFixtureWithData(t)
	seller := f.member("seller")
	made := seller.invites(fields{"email": "Nusrat@Example.com"})
	require.Equal(t, "Nusrat@example.com", made.Email)
	mail := f.mailed(mails, "Nusrat@example.com", "seller offers you a deal of $200.00 on Amanat")
	require.Contains(t, mail.Text, f.url+"/d/"+made.Code)
	require.NotContains(t, mail.Text, "channel")
	seller.do(http.MethodPut, "/auth/language", fields{"language": "bn"}).want(200)
	draft := seller.invitation(fields{"email": "karim@example.com"})
	draft["buyerId"] = draft["sellerId"]
	delete(draft, "sellerId")
	seller.post("/deals/create", draft).want(201)
	f.mailed(mails, "karim@example.com", "seller আমানতের মাধ্যমে আপনাকে $২০০.০০ দিতে চান")
}

func TestInvites_mail_limits(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) {
		c.Limits.NewDivisor = 1
		c.Limits.InviteMailLimit = ratelimit.Rate{Count: 3, Per: 24 * time.Hour}
		c.Limits.InviteMailboxLimit = ratelimit.Rate{Count: 2, Per: 24 * time.Hour}
	})
	rahim, karim := f.member("rahim"), f.member("karim")
	key := []string{"Idempotency-Key", "once"}
	for range 5 { // one link, and mistakes cost nothing
		rahim.post("/deals/create", rahim.invitation(fields{"email": "a@example.com"}), key...).want(201)
		rahim.post("/deals/create", rahim.invitation(fields{"email": "a"})).want(400)
	}
	karim.invites(fields{"email": "A+deal@example.com"})
	rahim.post("/deals/create", rahim.invitation(fields{"email": "a@example.com"})).refused(429, "rate_limited", textTooMany)
	rahim.invites(fields{"email": "b@example.com"})
	rahim.invites(fields{"email": "c@example.com"})
	rahim.post("/deals/create", rahim.invitation(fields{"email": "d@example.com"})).refused(429, "rate_limited", textTooMany)
	rahim.invites(fields{}) // needs no email
}

func TestJoin_rate_limited(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.DealLimit = ratelimit.Rate{Count: 1, Per: time.Hour} })
	seller, buyer := f.member("seller"), f.member("buyer")
	path := invitePath(seller.invites(fields{})) + "/join"
	buyer.post(path, nil).want(201)
	buyer.post(path, nil).refused(429, "rate_limited", textTooMany)
}

// A proof says what is true now, to everybody, and nothing of whom it is about.
func TestHeld(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 20)
	page := "/deals/" + deal.ID.String() + "/proof"
	require.JSONEq(t, `{"shown":false,"code":null,"changedBy":null,"changedAt":null}`, string(buyer.get(page).want(200).body))
	var proof api.DealProof
	buyer.do(http.MethodPut, page, fields{"shown": true}).want(200).into(&proof)
	seller.get(page).want(200).into(&proof)
	var held api.HeldMoney
	shown := f.visitor().get("/held/" + *proof.Code).want(200)
	shown.into(&held)
	require.Equal(t, "Active", held.Status)
	require.EqualValues(t, 20_00, held.Amount)
	for _, secret := range []string{"buyer", "seller", deal.ID.String(), deal.Description} {
		require.NotContains(t, string(shown.body), secret)
	}
	buyer.post(complete(deal), nil).want(200)
	require.Equal(t, shown.body, f.visitor().get("/held/"+*proof.Code).want(200).body, "kept for a moment")
	f.clock.Advance(2 * time.Second)
	f.visitor().get("/held/" + *proof.Code).want(200).into(&held)
	require.Equal(t, "Completed", held.Status)
	require.NotNil(t, held.ClosedAt)
	f.visitor().get("/held/k7m2p9qa4x").refused(404, "not_found", "There is no proof at this address.")
	seller.do(http.MethodPut, page, fields{"shown": false}).want(200)
	buyer.do(http.MethodPut, page, fields{"shown": true}).
		refused(409, "conflict", "There is nothing to prove: no money is held for this deal.")
}

// Links to deals and proofs have heads of their own, which search engines are to leave out.
func TestSharing_deals(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	seller := f.member("seller")
	made := seller.invites(fields{"email": "nusrat@example.com"})
	head := f.head("/d/" + made.Code)
	require.Equal(t, "A channel | Amanat", head.title)
	require.Equal(t, "seller offers you this deal for $200.00. You pay Amanat, and we pay seller when you confirm.", head.metas["description"])
	require.Equal(t, "noindex", head.metas["robots"])
	require.Empty(t, head.canonical)
	f.siteCard(head)
	require.NotContains(t, f.page(http.MethodGet, "/d/"+made.Code).body, "nusrat")
	for path, title := range map[string]string{
		"/held/k7m2p9qa4x": "Is the money held? | Amanat", "/held/anything": "Is the money held? | Amanat",
		"/check/anything": "Is the paper genuine? | Amanat",
	} {
		head = f.head(path)
		require.Equal(t, title, head.title)
		require.Equal(t, "noindex", head.metas["robots"])
		f.siteCard(head)
	}
	seller.do(http.MethodDelete, invitePath(made), nil).want(200)
	gone := f.page(http.MethodGet, "/d/"+made.Code)
	require.Equal(t, 404, gone.status)
	require.Equal(t, "no session & more", f.parsed(gone).title)
}

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
