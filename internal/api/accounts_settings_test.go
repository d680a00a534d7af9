package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

func TestSessions(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b, elsewhere, stranger := f.member("rahim"), f.visitor(), f.member("karim")
	elsewhere.post("/auth/login", fields{"username": "rahim", "password": password}, "User-Agent", "Phone").want(200)
	f.clock.Advance(time.Minute)
	var list []api.Session
	b.get("/auth/sessions").want(200).into(&list)
	require.Len(t, list, 2)
	require.True(t, list[0].Current)
	require.False(t, list[1].Current)
	require.Equal(t, "Phone", list[1].UserAgent)
	require.Equal(t, "127.0.0.1", list[1].Address)
	require.True(t, list[0].LastSeenAt.After(list[1].LastSeenAt))

	other := "/auth/sessions/" + list[1].ID.String()
	stranger.do(http.MethodDelete, other, nil).refused(404, "not_found", "Session not found.")
	require.JSONEq(t, `{"message": "Session ended.", "outcome": "session_ended"}`, string(b.do(http.MethodDelete, other, nil).want(200).body))
	b.do(http.MethodDelete, other, nil).refused(404, "not_found", "Session not found.")
	elsewhere.get("/auth/check").refused(401, "unauthenticated", "Please log in to continue.")
	b.get("/auth/check").want(200)
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b := f.visitor()
	b.post("/auth/signup", fields{"username": "rahim", "email": "rahim@example.com", "password": password, "language": "bn"}).
		want(201).into(&b.user)
	require.Equal(t, "bn", b.user.Language)
	var user api.User
	b.do(http.MethodPut, "/auth/language", fields{"language": "en"}).want(200).into(&user)
	require.Equal(t, "en", user.Language)
	b.do(http.MethodPut, "/auth/language", fields{"language": "fr"}).refused(400, "invalid", "Language must be en or bn.")
	b.do(http.MethodPut, "/auth/language", nil).refused(400, "invalid", "Language must be en or bn.")
	b.get("/auth/check").want(200).into(&user)
	require.Equal(t, "en", user.Language)
}

// A money notice is mailed with the state of the deal's escrow and an unsubscribe link. A user who
// has unsubscribed receives no more of them, but still receives emails about the account.
func TestMailNotices(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	boss, buyer, seller := f.admin("boss"), f.member("buyer"), f.member("seller")
	boss.setRate(120)
	f.trust(buyer, seller)
	buyer.fund(boss, 300)
	pays := func() api.DealDetail {
		deal := buyer.agreed(seller, 100)
		buyer.post(pay(deal), nil).want(200)
		return deal
	}
	deal := pays()
	letter := f.mailed(catcher, "seller@example.com", "buyer paid $100.00 into escrow for the deal. You can deliver now.")
	require.Contains(t, letter.Text, "Buyer buyer: $100.00 (Paid)")
	require.Contains(t, letter.Text, "Held by Amanat: $100.00 (Held until released)")
	require.Contains(t, letter.Text, "Seller seller: $98.00 (On completion)")
	require.Equal(t, "List-Unsubscribe=One-Click", letter.Header.Get("List-Unsubscribe-Post"))

	buyer.post(complete(deal), nil).want(200)
	completed := f.mailed(catcher, "seller@example.com", "buyer completed the deal. You received $98.00.")
	require.Contains(t, completed.Text, "Seller seller: $98.00 (Received)")
	seller.post(act("cancel", pays()), nil).want(200)
	cancelled := f.mailed(catcher, "buyer@example.com", "seller cancelled the deal. $100.00 was refunded to your balance.")
	require.Contains(t, cancelled.Text, "Buyer buyer: $100.00 (Refunded)")

	address := strings.Trim(letter.Header.Get("List-Unsubscribe"), "<>")
	path, found := strings.CutPrefix(address, f.url+"/api")
	require.True(t, found, address)
	v := f.visitor()
	v.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	looked := v.get(path).want(http.StatusSeeOther)
	page := looked.header.Get("Location")
	require.True(t, strings.HasPrefix(page, "/unsubscribe?token="), page)
	require.Contains(t, letter.Text, f.url+page)
	wants := func() bool {
		var me api.Me
		seller.get("/auth/me").want(200).into(&me)
		return me.MailNotices
	}
	require.True(t, wants(), "looking changes nothing")
	posted := v.do(http.MethodPost, path, "List-Unsubscribe=One-Click", "Content-Type", "application/x-www-form-urlencoded").want(200)
	require.JSONEq(t, `{"message": "You will get no more of these mails.", "outcome": "mails_stopped"}`, string(posted.body))
	require.False(t, wants())
	v.post("/mail/unsubscribe?token="+uuid.NewString(), nil).refused(400, "invalid", "Invalid or missing token")
	v.post("/mail/unsubscribe", nil).refused(400, "invalid", "Invalid or missing token")

	pays()
	seller.post("/auth/change-password", fields{"currentPassword": password, "newPassword": "another1"}).want(200)
	f.mailed(catcher, "seller@example.com", "Your password was changed")
	f.awaitMails()
	paid := 0
	for _, m := range catcher.Mails() {
		if m.To == "seller@example.com" && strings.Contains(m.Subject, "into escrow") {
			paid++
		}
	}
	require.Equal(t, 2, paid, "those before")

	var me api.Me
	seller.do(http.MethodPut, "/auth/mail-notices", fields{"enabled": true}).want(200).into(&me)
	require.True(t, me.MailNotices)
	seller.do(http.MethodPut, "/auth/mail-notices", nil).refused(400, "invalid", "enabled must be true or false.")
}

// An unverified address may belong to a stranger: it receives the emails about the account, but no
// money notices.
func TestMailNotices_unverified_address(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	boss, buyer, seller := f.admin("boss"), f.member("buyer"), f.member("seller")
	boss.setRate(120)
	f.trust(seller)
	buyer.fund(boss, 300)
	buyer.post(pay(seller.proposeToBuyer(buyer, 100)), nil).want(200)
	f.mailed(catcher, "seller@example.com", "buyer paid $100.00 into escrow for the deal. You can deliver now.")
	f.mailed(catcher, "buyer@example.com", "Please verify your email.")
	f.awaitMails()
	for _, letter := range catcher.Mails() {
		require.False(t, letter.To == "buyer@example.com" && letter.Subject != "Please verify your email.", letter.Subject)
	}
	require.Equal(t, "Your deposit of $300.00 is in your balance.", buyer.notifications("").Notifications[2].Message)
}

// awaitMails waits until every queued mail has been sent.
func (f *fixture) awaitMails() {
	f.t.Helper()
	require.Eventually(f.t, func() bool {
		var open int
		require.NoError(f.t, f.owner.QueryRow(f.t.Context(), `
			select (select count(*) from river.river_job where queue = 'mail' and kind <> 'mail_sweep' and finalized_at is null)
			     + (select count(*) from due_mails)`).Scan(&open))
		return open == 0
	}, 20*time.Second, 20*time.Millisecond)
}
