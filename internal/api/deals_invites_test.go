package api_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/lib/ratelimit"
)

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
	buyer.post(invitePath(withdrawn)+"/join", nil).refused(404, "not_found", "Whoever made this link has withdrawn it.")
}

func TestInvites_validation(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	seller, buyer := f.member("seller"), f.member("buyer")
	for _, test := range []struct {
		change  fields
		message string
	}{
		{fields{"invite": nil}, "Select a user."},
		{fields{"invite": nil, "sellerId": ""}, "Select a user."},
		{fields{"price": nil}, "All fields are required."},
		{fields{"sellerId": "", "description": ""}, "All fields are required."},
		{fields{"sellerId": ""}, "Please select your role."},
		{fields{"deliveryDuration": nil}, "Please Choose Delivery Duration"},
		{fields{"buyerId": buyer.user.ID}, "Select a user or invite someone, not both."},
		{fields{"invite": fields{"email": "karim"}}, "Invalid email"},
		{fields{"invite": fields{"phone": "123"}}, "Phone number must start with '01' and be 11 digits."},
	} {
		draft := seller.invitation(fields{})
		for name, value := range test.change {
			draft[name] = value
		}
		seller.post("/deals/create", draft).refused(400, "invalid", test.message)
	}
	for range 20 {
		seller.invites(fields{})
	}
	seller.post("/deals/create", seller.invitation(fields{})).
		refused(409, "conflict", "Twenty of your links wait for someone to join. Withdraw one of them first.")
}

// The buyer's limit is checked when they make a link and when they join one.
func TestInvites_trust_limits(t *testing.T) {
	t.Parallel()
	f := newFixture(t, trustLimits)
	seller, buyer := f.member("seller"), f.member("buyer")
	draft := seller.invitation(fields{})
	draft["price"] = 9_000
	var made api.DealInvite
	seller.post("/deals/create", draft).want(201).into(&made)
	require.Equal(t, "conflict", decodeFailure(t, buyer.post(invitePath(made)+"/join", nil).want(409)).Code)
	delete(draft, "sellerId")
	draft["buyerId"] = buyer.user.ID
	require.Equal(t, "conflict", decodeFailure(t, buyer.post("/deals/create", draft).want(409)).Code)
}

// An invitation is mailed once, in the maker's language, without a word of the maker's own.
func TestInvites_mail(t *testing.T) {
	t.Parallel()
	f, mails := newFixtureWithData(t)
	seller := f.member("seller")
	made := seller.invites(fields{"email": "Nusrat@Example.com"})
	require.Equal(t, "Nusrat@example.com", made.Email)
	letter := f.mailed(mails, "Nusrat@example.com", "seller offers you a deal of $200.00 on Amanat")
	require.Contains(t, letter.Text, f.url+"/d/"+made.Code)
	require.NotContains(t, letter.Text, "channel")
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
		c.NewDivisor = 1
		c.InviteMailLimit = ratelimit.Rate{Count: 3, Per: 24 * time.Hour}
		c.InviteMailboxLimit = ratelimit.Rate{Count: 2, Per: 24 * time.Hour}
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
	f := newFixture(t, func(c *config.API) { c.DealLimit = ratelimit.Rate{Count: 1, Per: time.Hour} })
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
	for _, path := range []string{"/held/k7m2p9qa4x", "/held/anything"} {
		head = f.head(path)
		require.Equal(t, "Is the money held? | Amanat", head.title)
		require.Equal(t, "noindex", head.metas["robots"])
		f.siteCard(head)
	}
	seller.do(http.MethodDelete, invitePath(made), nil).want(200)
	gone := f.page(http.MethodGet, "/d/"+made.Code)
	require.Equal(t, 404, gone.status)
	require.Equal(t, "no session & more", f.parsed(gone).title)
}
