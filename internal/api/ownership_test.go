package api_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/devtools/localstack"
)

const codeNeeded = "Please enter the code that we mail you."

// elsewhere returns a browser, new to the user, in which somebody has entered the user's password.
func (b *browser) elsewhere() *browser {
	b.t.Helper()
	thief := b.fixture.visitor()
	thief.post("/auth/login", fields{"username": b.user.Username, "password": password}).want(200).into(&thief.user)
	return thief
}

// mailsCode has a code mailed and reads it.
func (b *browser) mailsCode(catcher *localstack.MailCatcher) string {
	b.t.Helper()
	b.post("/auth/mail-code", nil).want(200)
	code := regexp.MustCompile(`\d{4} \d{4}`)
	var found string
	require.Eventually(b.t, func() bool {
		for _, m := range catcher.Mails() {
			if strings.HasPrefix(m.Subject, "Your code: ") && strings.HasPrefix(m.To, b.user.Username+"@") {
				found = code.FindString(m.Subject)
				require.Contains(b.t, m.Text, found)
			}
		}
		return found != ""
	}, 20*time.Second, 10*time.Millisecond)
	return found
}

func linkToken(t *testing.T, m localstack.Mail, path string) string {
	t.Helper()
	_, after, found := strings.Cut(m.Text, path+"#token=")
	require.True(t, found, m.Text)
	return strings.Fields(after)[0]
}

// Whoever has the password alone gives none of the escrow away: in a new browser, a release takes a
// mailed code. The owner is mailed about payment and release.
func TestComplete_new_browser(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	catcher := f.catchMail()
	f.trust(buyer)
	thief := buyer.elsewhere()
	deal := seller.proposeToBuyer(buyer, 100)
	thief.post(pay(deal), nil).want(200)
	paid := f.mailed(catcher, "buyer@example.com", "You paid $100.00 into escrow for the deal.")
	require.Contains(t, paid.Text, "Was this not you?")
	require.NotContains(t, f.notified(buyer), "payment_made", "the owner need not read what they did")

	thief.post(complete(deal), nil).refused(403, "mail_code_required", codeNeeded)
	f.visitor().post(complete(deal), nil).want(401)
	strange := f.member("strange").elsewhere()
	strange.post(complete(deal), nil).want(404)
	seller.elsewhere().post(complete(deal), nil).refused(403, "forbidden", "Only the buyer can do this.")
	thief.post("/auth/confirm-mail-code", fields{"code": "00000000"}).refused(400, "invalid", wrongCode)
	thief.post(complete(deal), nil).want(403)

	code := thief.mailsCode(catcher)
	thief.post("/auth/confirm-mail-code", fields{"code": code}).want(200)
	key := []string{"Idempotency-Key", "c1"}
	first := thief.post(complete(deal), nil, key...).want(200)
	f.mailed(catcher, "buyer@example.com", "You released $100.00 for the deal.")
	f.clock.Advance(11 * time.Minute)
	require.JSONEq(t, string(first.body), string(thief.post(complete(deal), nil, key...).want(200).body), "a repetition asks for nothing")
}

// notified returns the kinds of the user's unread notifications.
func (f *fixture) notified(b *browser) (kinds []string) {
	f.t.Helper()
	for _, n := range b.notifications("").Notifications {
		if !n.IsRead {
			kinds = append(kinds, n.Kind)
		}
	}
	return kinds
}

// In the browser of the sign-up, a first-day buyer releases money without a question.
func TestComplete_first_day(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	buyer.post(complete(buyer.active(seller, 100)), nil).want(200)
}

// An offer that gives the seller something is a release, for the buyer who makes it or accepts it.
func TestOffers_new_browser(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	f.trust(buyer, seller)
	x := buyer.disputed(seller, 100)
	thief := buyer.elsewhere()
	thief.post(dispute(x, "offers"), fields{"buyerGets": 99.99}).refused(403, "mail_code_required", codeNeeded)
	thief.post(dispute(x, "offers"), fields{"buyerGets": 100}).want(200)
	theirs := seller.elsewhere()
	some := theirs.offersSplit(x, 40)
	accept := func(o api.DisputeOffer) string { return dispute(x, "offers/"+o.ID.String()+"/accept") }
	thief.post(accept(some), nil).refused(403, "mail_code_required", codeNeeded)
	thief.post("/auth/confirm-mail-code", fields{"code": buyer.mailedCode()}).want(200)
	thief.post(accept(some), nil).want(200)

	y := buyer.disputed(seller, 100)
	nothing := theirs.offersSplit(y, 100)
	another := buyer.elsewhere()
	another.post(dispute(y, "offers/"+nothing.ID.String()+"/accept"), nil).want(200)
}

// A thief with the password turns no second factor on. If somebody has, the mail about it has a
// link with which the owner removes it.
func TestFactor_of_thief(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	f.admin("boss").setRate(120)
	rahim := f.member("rahim")
	f.trust(rahim)
	thief := rahim.elsewhere()
	thief.post("/auth/second-factor/totp", nil).refused(403, "mail_code_required", codeNeeded)
	thief.post("/auth/second-factor/passkeys/options", nil).refused(403, "mail_code_required", codeNeeded)

	thief.setsUpApp()
	rahim.get("/auth/check").want(401)
	letter := f.mailed(catcher, "rahim@example.com", "Two-step login was turned on.")
	token := linkToken(t, letter, "/not-my-factor")
	f.visitor().post("/auth/remove-factor", fields{"token": "made-up"}).refused(400, "invalid", "Invalid or missing token")
	f.visitor().post("/auth/remove-factor", fields{"token": token}).want(200)
	thief.get("/auth/check").want(401)
	require.Contains(t, f.log.String(), `"event":"second factor removed by link"`)
	back := rahim.elsewhere()
	require.False(t, back.user.SecondFactor)
	back.post("/withdraw", fields{"amount": 1, "phonenumber": "01712345678", "paymentMethod": "Bkash"}).
		refused(403, "forbidden", "Withdrawals are stopped until you reset your password with a link that we mail you.")
	reset := linkToken(t, f.mailed(catcher, "rahim@example.com", "Choose a new password"), "/reset-password")
	f.visitor().post("/auth/reset-password", fields{"password": "another-stone", "token": reset}).want(200)
}

// Closing the account and its archive take more than the password.
func TestOwner_calls(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim := f.member("rahim")
	f.trust(rahim)
	rahim.post("/auth/data-export", nil).refused(403, "mail_code_required", codeNeeded)
	rahim.leaves().refused(403, "mail_code_required", codeNeeded)
	rahim.provesOwnership()
	rahim.post("/auth/data-export", nil).want(http.StatusAccepted)
	rahim.leaves().want(200)
}

// A user has few codes mailed, and few guesses.
func TestMailCode_limits(t *testing.T) {
	t.Parallel()
	f := newFixture(t, deployed)
	rahim := f.member("rahim")
	rahim.post("/auth/mail-code", nil).refused(409, "conflict", "Please verify your email first.")
	f.trust(rahim)
	for range 6 {
		rahim.post("/auth/mail-code", nil).want(200)
	}
	rahim.post("/auth/mail-code", nil).want(http.StatusTooManyRequests)
	for range 5 {
		rahim.post("/auth/confirm-mail-code", fields{"code": "00000000"}).want(400)
	}
	rahim.post("/auth/confirm-mail-code", fields{"code": rahim.mailedCode()}).want(http.StatusTooManyRequests)
}
