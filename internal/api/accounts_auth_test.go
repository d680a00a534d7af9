package api_test

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/devtools/localstack"
	"amanat/internal/lib/ratelimit"
	"amanat/queue/jobs"
)

func TestSignup_refused(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.member("taken")
	for _, test := range []struct {
		body                 any
		field, code, message string
		status               int
	}{
		{"", "username", "invalid", "Username is required.", 400},
		{fields{"username": 5}, "username", "invalid", "username must be a text.", 400},
		{
			fields{"username": "TAKEN", "email": "new@example.com", "password": "river-stone"},
			"username", "duplicate", "Username is already taken.", 409,
		},
		{
			fields{"username": "new", "email": "TAKEN@example.com", "password": "river-stone"},
			"email", "duplicate", "Email is already registered.", 409,
		},
	} {
		failure := f.visitor().post("/auth/signup", test.body).refused(test.status, test.code, test.message)
		require.Equal(t, map[string]string{test.field: test.message}, failure.Fields)
	}
	f.visitor().post("/auth/signup", "{").refused(400, "invalid", "The request body is not valid JSON.")
	f.visitor().post("/auth/signup", "[]").refused(400, "invalid", "The request body must be a JSON object.")
}

func TestSignup_returns_user(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b := f.visitor()
	reply := b.post("/auth/signup", fields{
		"username": "Ra. him", "email": "rahim@example.com", "password": "river-stone", "referredBy": nil, "isAdmin": true, "wallet": 5,
	}).want(http.StatusCreated)
	var user map[string]json.RawMessage
	reply.into(&user)
	require.JSONEq(t, `"Rahim"`, string(user["username"]))
	require.JSONEq(t, `"rahim@example.com"`, string(user["email"]))
	require.JSONEq(t, `""`, string(user["profilePic"]))
	require.JSONEq(t, `"en"`, string(user["language"]))
	require.Equal(t, "false", string(user["isAdmin"]), "what the client says of itself is ignored")
	require.Equal(t, "false", string(user["isVerified"]))
	require.Equal(t, "0.00", string(user["wallet"]))
	require.Regexp(t, `^"[0-9a-f-]{36}"$`, string(user["_id"]))
	require.Regexp(t, `^"\d{4}-\d\d-\d\dT[0-9:.]+Z"$`, string(user["createdAt"]))
	require.Equal(t, "0", string(user["eventSeq"]), "nothing has happened yet")
	names := []string{
		"_id", "username", "email", "profilePic", "isStaff", "language", "isAdmin", "isVerified", "wallet", "createdAt",
		"secondFactor", "eventSeq", "terms",
	}
	require.ElementsMatch(t, names, slices.Collect(maps.Keys(user)))

	var me map[string]json.RawMessage
	b.get("/auth/me").want(http.StatusOK).into(&me)
	require.Regexp(t, `^"[2-9A-Z]{8}"$`, string(me["referralCode"]))
	require.Equal(t, "true", string(me["mailNotices"]))
	require.ElementsMatch(t, append(names, "referralCode", "mailNotices", "pendingEmail"), slices.Collect(maps.Keys(me)))
	var check map[string]json.RawMessage
	b.get("/auth/check").want(http.StatusOK).into(&check)
	require.Equal(t, user, check)
}

func TestSession(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.member("rahim")
	b := f.visitor()
	b.get("/auth/check").refused(401, "unauthenticated", "Please log in to continue.")
	b.post("/auth/login", fields{"username": "rahim", "password": "wrong!"}).refused(401, "invalid_credentials", "Invalid credentials")
	b.post("/auth/login", fields{"username": "nobody", "password": "wrong!"}).refused(401, "invalid_credentials", "Invalid credentials")
	b.post("/auth/login", fields{"username": "rahim"}).refused(400, "invalid", "Password is required.")

	cookie := b.post("/auth/login", fields{"username": "RAHIM", "password": password}).want(200).header.Get("Set-Cookie")
	require.Regexp(t, `^amanat=[A-Za-z0-9_-]{43}; Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax$`, cookie)
	b.get("/auth/check").want(200)

	stolen := strings.Split(cookie, ";")[0]
	logout := b.post("/auth/logout", nil).want(200)
	require.JSONEq(t, `{"message": "Logout successfully!", "outcome": "logged_out"}`, string(logout.body))
	require.Contains(t, logout.header.Get("Set-Cookie"), "Max-Age=0")
	b.get("/auth/check").refused(401, "unauthenticated", "Please log in to continue.")
	b.post("/auth/logout", nil).want(200)
	f.visitor().do(http.MethodGet, "/auth/check", nil, "Cookie", stolen).
		refused(401, "unauthenticated", "Please log in to continue.")

	b.post("/auth/login", fields{"username": "rahim", "password": password}).want(200)
	f.clock.Advance(24 * time.Hour)
	b.get("/auth/check").refused(401, "unauthenticated", "Please log in to continue.")
}

func TestSignup_secure_cookie_over_https(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.PublicURL = "https://amanat.example" })
	reply := f.visitor().post("/auth/signup", fields{"username": "rahim", "email": "r@example.com", "password": password}).want(201)
	require.Regexp(t, `^__Host-amanat=[A-Za-z0-9_-]{43}; Path=/; Max-Age=1209600; HttpOnly; Secure; SameSite=Lax$`,
		reply.header.Get("Set-Cookie"))
	require.NotEmpty(t, reply.header.Get("Strict-Transport-Security"))
}

func TestConfirmPassword_admin(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss := f.admin("boss")
	rate := func() reply { return boss.do(http.MethodPut, "/admin/exchange-rate", fields{"usdToBdt": 120.5}) }
	rate().want(200)
	f.clock.Advance(15 * time.Minute)
	rate().refused(403, "password_required", "Please enter your password again.")
	boss.get("/admin/deposits").want(200) // reading moves no money
	boss.post("/auth/confirm-password", fields{}).refused(400, "invalid", "Password is required.")
	boss.post("/auth/confirm-password", fields{"password": "wrong!"}).refused(400, "invalid", "Incorrect password.")
	rate().refused(403, "password_required", "Please enter your password again.")
	boss.post("/auth/confirm-password", fields{"password": password}).want(200)
	rate().want(200)

	never := newFixture(t, func(c *config.API) { c.AdminReauth = 0 })
	boss = never.admin("boss")
	never.clock.Advance(20 * time.Hour)
	rate().want(200)
}

func TestUserSearch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	me := f.member("rahima")
	other := f.member("rahim")
	require.JSONEq(t, `[]`, string(me.get("/wallet/search?query=r").want(200).body))
	require.JSONEq(t, `[]`, string(me.get("/wallet/search").want(200).body))
	require.JSONEq(t, `[{"_id": "`+other.user.ID.String()+`", "username": "rahim", "profilePic": "", "isStaff": false}]`,
		string(me.get("/wallet/search?query=RAH").want(200).body))
	me.get("/wallet/search?query=%00%00").refused(400, "invalid", "The request contains characters that cannot be stored.")
	me.get("/wallet/search?query=%ff%ff").refused(400, "invalid", "The request contains characters that cannot be stored.")
}

func TestReceivers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	require.JSONEq(t, `[
		{"paymentMethod": "Bkash", "number": "01700000001", "automatic": false, "checkout": false, "room": null, "fullUntil": null},
		{"paymentMethod": "Nagad", "number": "01800000002", "automatic": false, "checkout": false, "room": null, "fullUntil": null}]`,
		string(f.member("rahim").get("/wallet/receivers").want(200).body))
}

func TestPublicStats(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.member("rahim")
	var stats api.PublicStats
	f.visitor().get("/public/public-stats").want(200).into(&stats)
	require.Equal(t, api.PublicStats{TotalUsers: 1, UserOffset: 12499, USDOffset: 45499_00}, stats)
}

const (
	confirmSubject = "Confirm your new email address"
	undoSubject    = "Your email address is about to change"
	badToken       = "Invalid or missing token"
)

func (b *browser) me() (me api.Me) {
	b.t.Helper()
	b.get("/auth/me").want(200).into(&me)
	return me
}

// verified marks the address of the browser's user as verified.
func (b *browser) verified() *browser {
	b.t.Helper()
	_, err := b.fixture.owner.Exec(b.t.Context(), "update users set is_verified = true where id = $1", b.user.ID)
	require.NoError(b.t, err)
	return b
}

func TestChangeEmail(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	rahim := f.member("rahim").verified()
	f.member("karim")

	for _, wrong := range []struct{ email, message string }{
		{" ", "Email is required."}, {"rahim.example.com", "Invalid email"}, {"RAHIM@example.com", "This is your email already."},
	} {
		failure := rahim.post("/auth/email", fields{"email": wrong.email}).refused(400, "invalid", wrong.message)
		require.Equal(t, map[string]string{"email": wrong.message}, failure.Fields)
	}
	rahim.post("/auth/email", fields{"email": "Karim@example.com"}).refused(409, "duplicate", "Email is already registered.")
	require.Nil(t, rahim.me().PendingEmail)

	rahim.post("/auth/email", fields{"email": " first@example.com "}).want(200)
	first := f.linkToken(f.mailed(catcher, "first@example.com", confirmSubject), "/confirm-email")
	rahim.post("/auth/email", fields{"email": "new@example.com"}).want(200)
	require.Equal(t, "new@example.com", *rahim.me().PendingEmail)
	link := f.linkToken(f.mailed(catcher, "new@example.com", confirmSubject), "/confirm-email")
	told := f.mailed(catcher, "rahim@example.com", undoSubject)
	require.Contains(t, told.Text, "If it was not you, use this link.")
	visitor := f.visitor()
	visitor.post("/auth/email/confirm", fields{"token": first}).refused(400, "invalid", badToken) // replaced
	visitor.post("/auth/email/confirm", fields{"token": "x"}).refused(400, "invalid", badToken)
	require.Equal(t, "rahim@example.com", rahim.me().Email)

	visitor.post("/auth/email/confirm", fields{"token": link}).want(200)
	visitor.post("/auth/email/confirm", fields{"token": link}).refused(400, "invalid", badToken)
	me := rahim.me()
	require.Equal(t, "new@example.com", me.Email)
	require.True(t, me.IsVerified)
	require.Nil(t, me.PendingEmail)
	require.Equal(t, "Your email address was changed to new@example.com.", rahim.notifications("").Notifications[0].Message)
	visitor.post("/auth/forgot-password", fields{"email": "rahim@example.com"}).want(404)
	require.Contains(t, f.log.String(), `"event":"email changed"`)
}

func TestChangeEmail_needs_confirmation(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim := f.member("rahim")
	f.clock.Advance(10 * time.Minute)
	rahim.post("/auth/email", fields{"email": "new@example.com"}).refused(403, "password_required", again)
	rahim.post("/auth/confirm-password", fields{"password": password}).want(200)
	rahim.post("/auth/email", fields{"email": "new@example.com"}).want(200)
}

// One mailbox gets few links, whoever asks for them.
func TestChangeEmail_limit(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.MailboxLimit = ratelimit.Rate{Count: 2, Per: time.Hour} })
	rahim := f.member("rahim")
	for _, email := range []string{"new@example.com", "new+1@example.com"} {
		rahim.post("/auth/email", fields{"email": email}).want(200)
	}
	f.member("karim").post("/auth/email", fields{"email": "NEW@example.com"}).
		refused(429, "rate_limited", "Too many attempts. Please try again later.")
}

// Each request mails two addresses, so one user cannot make many, whatever the mailboxes.
func TestChangeEmail_limit_of_user(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.VerificationDayLimit = ratelimit.Rate{Count: 2, Per: 24 * time.Hour} })
	rahim := f.member("rahim").verified()
	f.clock.Advance(24 * time.Hour) // no longer a new user
	rahim.post("/auth/login", fields{"username": "rahim", "password": password}).want(200)
	for _, email := range []string{"first@example.com", "second@example.net"} {
		rahim.post("/auth/email", fields{"email": email}).want(200)
	}
	rahim.post("/auth/email", fields{"email": "third@example.org"}).
		refused(429, "rate_limited", "Too many attempts. Please try again later.")
}

// An address that was never verified may belong to somebody else: it is not told, so that its owner
// cannot undo the change.
func TestChangeEmail_of_unverified_address(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	rahim := f.member("rahim")
	rahim.post("/auth/email", fields{"email": "new@example.com"}).want(200)
	link := f.linkToken(f.mailed(catcher, "new@example.com", confirmSubject), "/confirm-email")
	f.visitor().post("/auth/email/confirm", fields{"token": link}).want(200)
	require.True(t, rahim.me().IsVerified)
	for _, mail := range catcher.Mails() {
		require.NotEqual(t, undoSubject, mail.Subject)
	}
	f.visitor().post("/auth/signup", fields{"username": "owner", "email": "rahim@example.com", "password": password}).want(201)
}

func TestCancelEmailChange(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	rahim := f.member("rahim").verified()
	rahim.do("DELETE", "/auth/email", nil).want(200)
	rahim.post("/auth/email", fields{"email": "new@example.com"}).want(200)
	link := f.linkToken(f.mailed(catcher, "new@example.com", confirmSubject), "/confirm-email")
	rahim.do("DELETE", "/auth/email", nil).want(200)
	require.Nil(t, rahim.me().PendingEmail)
	f.visitor().post("/auth/email/confirm", fields{"token": link}).refused(400, "invalid", badToken)
}

// The owner of the former address takes the account back from somebody who knows the password.
func TestUndoEmail(t *testing.T) {
	t.Parallel()
	f, _, rahim, _ := newFixtureWithUsers(t)
	catcher := f.catchMail()
	rahim.verified()
	rahim.post("/auth/email", fields{"email": "thief@example.com"}).want(200)
	link := f.linkToken(f.mailed(catcher, "thief@example.com", confirmSubject), "/confirm-email")
	undo := f.linkToken(f.mailed(catcher, "buyer@example.com", undoSubject), "/undo-email")
	visitor := f.visitor()
	visitor.post("/auth/email/confirm", fields{"token": link}).want(200)
	// A second change does not save the first.
	rahim.post("/auth/email", fields{"email": "thief2@example.com"}).want(200)
	link = f.linkToken(f.mailed(catcher, "thief2@example.com", confirmSubject), "/confirm-email")
	visitor.post("/auth/email/confirm", fields{"token": link}).want(200)
	thiefs := f.linkToken(f.mailed(catcher, "thief@example.com", undoSubject), "/undo-email")
	// Nobody else gets the address meanwhile.
	taken := fields{"username": "other", "email": "buyer@example.com", "password": password}
	visitor.post("/auth/signup", taken).refused(409, "duplicate", "Email is already registered.")
	f.member("karim").post("/auth/email", fields{"email": "Buyer@example.com"}).refused(409, "duplicate", "Email is already registered.")

	f.clock.Advance(7*24*time.Hour - time.Minute)
	visitor.post("/auth/email/undo", fields{"token": undo}).want(200)
	rahim.get("/auth/check").want(401)
	visitor.post("/auth/email/undo", fields{"token": undo}).refused(400, "invalid", badToken)
	visitor.post("/auth/email/undo", fields{"token": thiefs}).refused(400, "invalid", badToken)
	f.mailed(catcher, "buyer@example.com", "Choose a new password")
	thief := f.visitor()
	thief.post("/auth/login", fields{"username": "buyer", "password": password}).want(200)
	require.Equal(t, "buyer@example.com", thief.me().Email)
	thief.post("/withdraw", fields{"amount": 10, "phonenumber": "01712345678", "paymentMethod": "Bkash"}).
		refused(403, "forbidden", "Withdrawals are stopped until you reset your password with a link that we mail you.")
}

func TestUndoEmail_pending_change(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	rahim := f.member("rahim").verified()
	rahim.post("/auth/email", fields{"email": "thief@example.com"}).want(200)
	link := f.linkToken(f.mailed(catcher, "thief@example.com", confirmSubject), "/confirm-email")
	undo := f.linkToken(f.mailed(catcher, "rahim@example.com", undoSubject), "/undo-email")
	f.visitor().post("/auth/email/undo", fields{"token": undo}).want(200)
	f.visitor().post("/auth/email/confirm", fields{"token": link}).refused(400, "invalid", badToken)
	rahim.get("/auth/check").want(401)
}

func TestUndoEmail_too_late(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	rahim := f.member("rahim").verified()
	rahim.post("/auth/email", fields{"email": "new@example.com"}).want(200)
	link := f.linkToken(f.mailed(catcher, "new@example.com", confirmSubject), "/confirm-email")
	undo := f.linkToken(f.mailed(catcher, "rahim@example.com", undoSubject), "/undo-email")
	f.visitor().post("/auth/email/confirm", fields{"token": link}).want(200)
	f.clock.Advance(7 * 24 * time.Hour)
	f.visitor().post("/auth/email/undo", fields{"token": undo}).refused(400, "invalid", badToken)
	f.visitor().post("/auth/signup", fields{"username": "other", "email": "rahim@example.com", "password": password}).want(201)
}

// Two accounts that want one address: the first to open its link gets it.
func TestConfirmEmail_taken_meanwhile(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	rahim, karim := f.member("rahim"), f.member("karim")
	rahim.post("/auth/email", fields{"email": "new@example.com"}).want(200)
	first := f.linkToken(f.mailed(catcher, "new@example.com", confirmSubject), "/confirm-email")
	karim.post("/auth/email", fields{"email": "New@example.com"}).want(200)
	second := f.linkToken(f.mailed(catcher, "New@example.com", confirmSubject), "/confirm-email")
	f.visitor().post("/auth/email/confirm", fields{"token": second}).want(200)
	f.visitor().post("/auth/email/confirm", fields{"token": first}).refused(409, "duplicate", "Email is already registered.")
	require.Equal(t, "rahim@example.com", rahim.me().Email)
}

// The links to a former address no longer work, and withdrawals wait a day.
func TestConfirmEmail_voids_links_and_holds_withdrawals(t *testing.T) {
	t.Parallel()
	f, _, rahim, _ := newFixtureWithUsers(t)
	catcher := f.catchMail()
	f.visitor().post("/auth/forgot-password", fields{"email": "buyer@example.com"}).want(200)
	reset := f.linkToken(f.mailed(catcher, "buyer@example.com", "Choose a new password"), "/reset-password")
	rahim.post("/auth/email", fields{"email": "new@example.com"}).want(200)
	link := f.linkToken(f.mailed(catcher, "new@example.com", confirmSubject), "/confirm-email")
	f.visitor().post("/auth/email/confirm", fields{"token": link}).want(200)
	f.visitor().post("/auth/reset-password", fields{"password": "another-stone", "token": reset}).refused(400, "invalid", badToken)
	require.Contains(t, rahim.withdraws(10, "01712345678").HeldReasons, "email_changed")
}

// catchMail starts a mail server and workers that send through it.
func (f *fixture) catchMail() *localstack.MailCatcher {
	f.t.Helper()
	catcher, err := localstack.StartMail(context.WithoutCancel(f.t.Context()), f.clock.Now)
	require.NoError(f.t, err)
	f.t.Cleanup(func() { _ = catcher.Stop() })
	f.smtpURL = catcher.URL()
	f.work(jobs.QueueMail)
	return catcher
}

// mailed waits for the newest mail to an address with a subject.
func (f *fixture) mailed(catcher *localstack.MailCatcher, to, subject string) localstack.Mail {
	f.t.Helper()
	var found localstack.Mail
	require.Eventually(f.t, func() bool {
		for _, m := range catcher.Mails() {
			if m.To == to && m.Subject == subject {
				found = m
				return true
			}
		}
		return false
	}, 20*time.Second, 10*time.Millisecond, subject)
	return found
}

// linkToken returns the token of the link in a mail.
func (f *fixture) linkToken(m localstack.Mail, path string) string {
	f.t.Helper()
	_, rest, found := strings.Cut(m.Text, f.url+path+"#token=")
	require.True(f.t, found, m.Text)
	return strings.Fields(rest)[0]
}

// cookies returns the values of the browser's cookies.
func (b *browser) cookies() (values []string) {
	b.t.Helper()
	for _, cookie := range b.http.Jar.Cookies(b.address()) {
		values = append(values, cookie.Value)
	}
	return values
}

// cookie returns the value of the named cookie, or "" if there is none.
func (b *browser) cookie(name string) string {
	b.t.Helper()
	for _, cookie := range b.http.Jar.Cookies(b.address()) {
		if cookie.Name == name {
			return cookie.Value
		}
	}
	return ""
}

func (b *browser) address() *url.URL {
	b.t.Helper()
	address, err := url.Parse(b.fixture.url)
	require.NoError(b.t, err)
	return address
}

func TestResetPassword(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	owner, elsewhere := f.member("rahim"), f.visitor()
	elsewhere.post("/auth/login", fields{"username": "rahim", "password": password}).want(200)

	b := f.visitor()
	b.post("/auth/forgot-password", nil).refused(400, "invalid", "Email is required.")
	b.post("/auth/forgot-password", fields{"email": "nobody@example.com"}).refused(404, "not_found", "No account has this email address.")
	asked := b.post("/auth/forgot-password", fields{"email": "RAHIM@example.com"}).want(200)
	require.JSONEq(t, `{"message": "Password reset link sent to your email.", "outcome": "reset_link_sent"}`, string(asked.body))
	token := f.linkToken(f.mailed(catcher, "rahim@example.com", "Choose a new password"), "/reset-password")

	done := b.post("/auth/reset-password", fields{"password": "another1", "token": token}).want(200)
	require.JSONEq(t, `{"message": "Password has been successfully reset.", "outcome": "password_reset"}`, string(done.body))
	owner.get("/auth/check").refused(401, "unauthenticated", "Please log in to continue.")
	elsewhere.get("/auth/check").refused(401, "unauthenticated", "Please log in to continue.")
	b.post("/auth/login", fields{"username": "rahim", "password": "another1"}).want(200)
	mail := f.mailed(catcher, "rahim@example.com", "Your password was changed")
	require.Contains(t, mail.Text, f.url+"/forgot-password")
}

func TestVerifyEmail(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.VerificationLimit = ratelimit.Rate{Count: 1, Per: time.Minute} })
	catcher := f.catchMail()
	b := f.member("rahim")
	first := f.linkToken(f.mailed(catcher, "rahim@example.com", "Please verify your email."), "/verify-email")
	again := b.post("/auth/resend-verification", nil).want(200)
	require.JSONEq(t, `{"message": "Verification link sent to your email.", "outcome": "verification_link_sent"}`, string(again.body))
	limited := b.post("/auth/resend-verification", nil)
	limited.refused(429, "rate_limited", "Too many attempts. Please try again later.")
	limited.retryAfter(time.Minute)

	v := f.visitor()
	v.post("/auth/verify-email", nil).refused(400, "invalid", "Invalid or missing token")
	done := v.post("/auth/verify-email", fields{"token": first}).want(200)
	require.JSONEq(t, `{"message": "Your email is verified.", "outcome": "email_verified"}`, string(done.body))
	v.post("/auth/verify-email", fields{"token": first}).refused(400, "invalid", "Invalid or missing token")
	var user api.User
	b.get("/auth/check").want(200).into(&user)
	require.True(t, user.IsVerified)
	f.clock.Advance(time.Minute)
	b.post("/auth/resend-verification", nil).refused(409, "conflict", "Your email is already verified.")
}

func TestChangePassword(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	b, elsewhere := f.member("rahim"), f.visitor()
	elsewhere.post("/auth/login", fields{"username": "rahim", "password": password}).want(200)
	change := func(current, fresh string) reply {
		return b.post("/auth/change-password", fields{"currentPassword": current, "newPassword": fresh})
	}
	failure := change("wrong!", "another1").refused(400, "invalid", "Incorrect password.")
	require.Contains(t, failure.Fields, "currentPassword")
	change(password, "12345").refused(400, "invalid", "Password must be at least 6 characters long.")
	require.JSONEq(t, `{"message": "Your password has been changed.", "outcome": "password_changed"}`,
		string(change(password, "another1").want(200).body))
	b.get("/auth/check").want(200)
	elsewhere.get("/auth/check").refused(401, "unauthenticated", "Please log in to continue.")
	f.mailed(catcher, "rahim@example.com", "Your password was changed")
}

func TestSecurityLog_events_without_secrets(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	b := f.member("rahim")
	signedUp := b.cookies()
	b.post("/auth/login", fields{"username": "rahim", "password": "wrong-secret"}).want(401)
	b.post("/auth/login", fields{"username": "my-password-by-mistake", "password": "wrong-secret"}).want(401)
	b.post("/auth/forgot-password", fields{"email": "rahim@example.com"}).want(200)
	token := f.linkToken(f.mailed(catcher, "rahim@example.com", "Choose a new password"), "/reset-password")
	b.post("/auth/reset-password", fields{"password": "another-secret", "token": token}).want(200)
	b.post("/auth/login", fields{"username": "rahim", "password": "another-secret"}).want(200)
	b.get("/admin/bug-reports").want(403)
	b.post("/auth/change-password", fields{"currentPassword": "another-secret", "newPassword": "third-secret"}).want(200)
	b.post("/mail/unsubscribe?token=unsubscribe-secret", nil).want(400)
	b.do(http.MethodGet, "/mail/unsubscribe?token=unsubscribe-secret", nil)
	inUse := b.cookies()
	b.post("/auth/logout", nil).want(200)

	log := f.log.String()
	for _, event := range []string{
		"account opened", "login failed", "password reset asked for", "password reset", "login succeeded", "admin denied", "password changed",
		"session ended",
	} {
		require.Regexp(t, `"msg":"security"[^\n]*"event":"`+event+`","request_id":"[^"]+","address":"127.0.0.1"`, log)
	}
	require.Regexp(t, `"event":"login failed"[^\n]*"user_id":"`+b.user.ID.String(), log)
	secrets := []string{
		password, "wrong-secret", "another-secret", "third-secret", "unsubscribe-secret", "my-password-by-mistake", token, "rahim@example.com",
	}
	for _, secret := range append(secrets, append(signedUp, inUse...)...) {
		require.NotEmpty(t, secret)
		require.NotContains(t, log, secret)
	}
}
