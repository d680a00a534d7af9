package api_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/lib/ratelimit"
)

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
	f := newFixture(t, func(c *config.API) { c.MailboxLimit = ratelimit.Rate{Count: 2, Per: time.Hour} })
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
	f := newFixture(t, func(c *config.API) { c.VerificationDayLimit = ratelimit.Rate{Count: 2, Per: 24 * time.Hour} })
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
