package api_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/devtools/localstack"
	"amanat/internal/lib/ratelimit"
)

const passkeyWrong = "This passkey did not work. Please try again."

func TestPasskeys(t *testing.T) {
	t.Parallel()
	f := newNamedFixture(t)
	catcher := f.catchMail()
	rahim := f.member("rahim")
	phone, laptop := f.device(), f.device()
	const path = "/auth/second-factor/passkeys"

	rahim.provesOwnership()
	answer := phone.made(rahim.post(path+"/options", nil))
	rahim.post(path, fields{"name": " \u200b", "credential": answer}).refused(400, "invalid", "Please name the passkey.")
	rahim.post(path, fields{"name": strings.Repeat("x", 51), "credential": answer}).
		refused(400, "invalid", "The name must be at most 50 characters.")
	rahim.post(path, fields{"name": "Phone"}).refused(400, "invalid", passkeyWrong)
	var added api.NewPasskey
	rahim.post(path, fields{"name": "My  phone", "credential": answer}).want(http.StatusCreated).into(&added)
	require.Equal(t, "My phone", added.Passkey.Name)
	require.Nil(t, added.Passkey.LastUsedAt)
	require.Len(t, added.Codes, 10, "the first factor")
	f.mailed(catcher, "rahim@example.com", "Two-step login was turned on.")
	rahim.post(path, fields{"name": "Again", "credential": answer}).refused(400, "invalid", "That took too long. Please try again.")

	options := rahim.post(path+"/options", nil)
	require.Contains(t, string(options.body), `"excludeCredentials":[{`)
	require.Contains(t, string(options.body), `"residentKey":"required"`)
	require.Contains(t, string(options.body), `"userVerification":"required"`)
	rahim.post(path, fields{"name": "Copy", "credential": phone.made(options)}).
		refused(409, "duplicate", "This passkey is registered already.")
	second := rahim.addsPasskey(laptop, "Laptop")
	require.Nil(t, second.Codes)
	f.mailed(catcher, "rahim@example.com", "A passkey was added to your account.")

	var renamed api.Passkey
	one := path + "/" + second.Passkey.ID.String()
	rahim.do(http.MethodPatch, one, fields{"name": "Work"}).want(200).into(&renamed)
	require.Equal(t, "Work", renamed.Name)
	rahim.do(http.MethodPatch, one, fields{}).refused(400, "invalid", "Please name the passkey.")
	f.member("karim").do(http.MethodDelete, one, nil).refused(404, "not_found", "Passkey not found.")
	rahim.do(http.MethodDelete, one, nil).want(200)
	rahim.do(http.MethodDelete, one, nil).refused(404, "not_found", "Passkey not found.")
	f.mailed(catcher, "rahim@example.com", "A passkey was removed from your account.")
	require.Len(t, rahim.factor().Passkeys, 1)
	require.Contains(t, f.log.String(), `"event":"passkey removed"`)

	for range 9 {
		rahim.addsPasskey(f.device(), "Another")
	}
	rahim.post(path+"/options", nil).refused(409, "conflict", "You can have at most 10 passkeys.")
}

func TestLoginPasskey(t *testing.T) {
	t.Parallel()
	f := newNamedFixture(t)
	rahim, karim := f.member("rahim"), f.member("karim")
	first, second, karims := f.device(), f.device(), f.device()
	rahim.addsPasskey(first, "Phone")
	rahim.addsPasskey(second, "Laptop")
	karim.addsPasskey(karims, "Phone")

	for _, d := range []*device{first, second} {
		b := f.entersPassword("rahim", "passkey,backup")
		b.post("/auth/login/passkey", fields{}).refused(400, "invalid", passkeyWrong)
		answer := d.signed(b.post("/auth/login/passkey/options", nil))
		var user api.User
		b.post("/auth/login/passkey", fields{"credential": answer}).want(200).into(&user)
		require.Equal(t, "rahim", user.Username)
		b.get("/auth/check").want(200)
		b.post("/auth/login/passkey", fields{"credential": answer}).refused(401, "login_expired", "Please log in again.")
	}
	require.NotNil(t, rahim.factor().Passkeys[1].LastUsedAt)

	b := f.entersPassword("rahim", "passkey,backup")
	stranger := karims.signed(b.post("/auth/login/passkey/options", nil))
	b.post("/auth/login/passkey", fields{"credential": stranger}).refused(400, "invalid", passkeyWrong)
	answer := first.signed(b.post("/auth/login/passkey/options", nil))
	response, _ := answer["response"].(map[string]any)
	response["signature"] = "AAAA"
	b.post("/auth/login/passkey", fields{"credential": answer}).refused(400, "invalid", passkeyWrong)
	answer = first.signed(b.post("/auth/login/passkey/options", nil))
	other := f.entersPassword("rahim", "passkey,backup")
	other.post("/auth/login/passkey/options", nil).want(200)
	other.post("/auth/login/passkey", fields{"credential": answer}).refused(400, "invalid", passkeyWrong) // of another ceremony
	b.post("/auth/login/passkey", fields{"credential": answer}).want(200)

	f.member("third").setsUpApp()
	f.entersPassword("third", "totp,backup").post("/auth/login/passkey/options", nil).refused(409, "conflict", "You have no passkey.")
	f.visitor().post("/auth/login/passkey/options", nil).refused(401, "login_expired", "Please log in again.")
}

// A device that does not verify its owner is no second factor.
func TestPasskey_unverified_owner(t *testing.T) {
	t.Parallel()
	f := newNamedFixture(t)
	rahim, careless := f.member("rahim"), f.device()
	careless.auth.Options.UserNotVerified = true
	rahim.provesOwnership()
	answer := careless.made(rahim.post("/auth/second-factor/passkeys/options", nil))
	rahim.post("/auth/second-factor/passkeys", fields{"name": "Key", "credential": answer}).refused(400, "invalid", passkeyWrong)

	d := f.device()
	rahim.addsPasskey(d, "Key")
	d.auth.Options.UserNotVerified = true
	v := f.visitor()
	v.post("/auth/passkey", fields{"credential": d.signed(v.post("/auth/passkey/options", nil))}).want(401)
}

func TestPasskeyLogin(t *testing.T) {
	t.Parallel()
	f := newNamedFixture(t, func(c *config.API) { c.Limits.PasskeyLoginLimit = ratelimit.Rate{Count: 9, Per: 15 * time.Minute} })
	rahim := f.member("rahim")
	known, unknown := f.device(), f.device()
	rahim.addsPasskey(known, "Phone")
	const unknownText = "This passkey is not known here."

	v := f.visitor()
	answer := known.signed(v.post("/auth/passkey/options", nil))
	var user api.User
	v.post("/auth/passkey", fields{"credential": answer}).want(200).into(&user)
	require.Equal(t, "rahim", user.Username)
	v.post("/auth/second-factor/backup-codes", nil).want(200) // confirmed by both factors
	v.post("/auth/passkey", fields{"credential": answer}).refused(401, "login_expired", "Please log in again.")

	v = f.visitor()
	unknown.auth.Options.UserHandle = known.auth.Options.UserHandle
	v.post("/auth/passkey", fields{"credential": unknown.signed(v.post("/auth/passkey/options", nil))}).
		refused(401, "invalid_credentials", unknownText)
	v.post("/auth/passkey/options", nil).want(200)
	v.post("/auth/passkey", fields{}).refused(401, "invalid_credentials", unknownText)
	late := known.signed(v.post("/auth/passkey/options", nil))
	f.clock.Advance(10 * time.Minute)
	v.post("/auth/passkey", fields{"credential": late}).refused(401, "login_expired", "Please log in again.")

	// The challenge of a login without a user is no second step.
	v.post("/auth/passkey/options", nil).want(200)
	v.entersCode("123456").refused(401, "login_expired", "Please log in again.")

	boss := f.admin("boss")
	karim := f.member("karim")
	boss.decidesAbout(karim, rahim, fields{"action": "ban", "reason": "A scam"})
	v.post("/auth/passkey", fields{"credential": known.signed(v.post("/auth/passkey/options", nil))}).
		refused(403, "forbidden", "Your account is suspended: A scam")
	boss.post("/admin/users/"+rahim.user.ID.String()+"/disable", nil).want(200)
	v.post("/auth/passkey", fields{"credential": known.signed(v.post("/auth/passkey/options", nil))}).
		refused(403, "forbidden", "This account has been disabled. Please contact support.")
	limited := 0
	for range 12 {
		if v.post("/auth/passkey/options", nil).status == http.StatusTooManyRequests {
			limited++
		}
	}
	require.Positive(t, limited)
}

// A counter that goes backwards shows that the key exists twice.
// Whether a passkey can be backed up changes on real devices.
func TestPasskey_backup_flag(t *testing.T) {
	t.Parallel()
	f := newNamedFixture(t)
	rahim, d := f.member("rahim"), f.device()
	rahim.addsPasskey(d, "Phone")
	for _, eligible := range []bool{true, false} {
		d.auth.Options.BackupEligible, d.auth.Options.BackupState = eligible, eligible
		v := f.visitor()
		v.post("/auth/passkey", fields{"credential": d.signed(v.post("/auth/passkey/options", nil))}).want(200)
		b := f.entersPassword("rahim", "passkey,backup")
		b.post("/auth/login/passkey", fields{"credential": d.signed(b.post("/auth/login/passkey/options", nil))}).want(200)
	}
}

func TestPasskey_copied(t *testing.T) {
	t.Parallel()
	f := newNamedFixture(t)
	rahim, d := f.member("rahim"), f.device()
	rahim.addsPasskey(d, "Phone")
	d.credential.Counter = 7
	const copied = "There seems to be a copy of this passkey. Use another way, and remove it."
	v := f.visitor()
	v.post("/auth/passkey", fields{"credential": d.signed(v.post("/auth/passkey/options", nil))}).want(200)

	d.credential.Counter = 3
	v = f.visitor()
	v.post("/auth/passkey", fields{"credential": d.signed(v.post("/auth/passkey/options", nil))}).refused(403, "forbidden", copied)
	b := f.entersPassword("rahim", "passkey,backup")
	b.post("/auth/login/passkey", fields{"credential": d.signed(b.post("/auth/login/passkey/options", nil))}).
		refused(403, "forbidden", copied)
	rahim.post("/auth/confirm-password", fields{"password": password, "credential": d.signed(rahim.post("/auth/confirm/options", nil))}).
		refused(403, "forbidden", copied)
	require.Equal(t, 3, strings.Count(f.log.String(), `"event":"passkey copied"`))
}

func TestConfirmPassword_with_passkey(t *testing.T) {
	t.Parallel()
	f := newNamedFixture(t)
	rahim, d := f.member("rahim"), f.device()
	rahim.post("/auth/confirm/options", nil).refused(409, "conflict", "You have no passkey.")
	rahim.addsPasskey(d, "Phone")
	f.clock.Advance(10 * time.Minute)
	rahim.post("/auth/second-factor/backup-codes", nil).refused(403, "password_required", again)
	confirm := func(answer map[string]any) reply {
		return rahim.post("/auth/confirm-password", fields{"password": password, "credential": answer})
	}
	answer := d.signed(rahim.post("/auth/confirm/options", nil))
	f.clock.Advance(5 * time.Minute)
	confirm(answer).refused(400, "invalid", "That took too long. Please try again.")
	answer = d.signed(rahim.post("/auth/confirm/options", nil))
	confirm(answer).want(200)
	confirm(answer).refused(400, "invalid", "That took too long. Please try again.")
	rahim.post("/auth/second-factor/backup-codes", nil).want(200)
}

// At a site without a name there are codes only.
func TestPasskeys_unavailable(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim := f.member("rahim")
	rahim.provesOwnership()
	const unavailable = "Passkeys do not work at this address of the site."
	for _, path := range []string{"/auth/passkey/options", "/auth/second-factor/passkeys/options", "/auth/confirm/options"} {
		rahim.post(path, nil).refused(409, "conflict", unavailable)
	}
	rahim.post("/auth/second-factor/passkeys", fields{"name": "Phone", "credential": fields{"id": "x"}}).refused(409, "conflict", unavailable)
	rahim.post("/auth/passkey", fields{"credential": fields{"id": "x"}}).refused(401, "login_expired", "Please log in again.")
}

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
	mail := f.mailed(catcher, "rahim@example.com", "Two-step login was turned on.")
	token := linkToken(t, mail, "/not-my-factor")
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
