package accounts

import (
	"crypto/sha256"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
)

const lockedText = "Too many attempts. Login is locked for now. Please try again later."

func (f fixture) login(t *testing.T, username, password, address string, browser Token) (SignedIn, error) {
	t.Helper()
	return f.Login(t.Context(), LoginInput{Username: username, Password: password, Browser: browser}, Client{Address: address})
}

// countHashes returns a function that reports how many passwords were hashed since the call.
func (f fixture) countHashes() func() int32 {
	var n atomic.Int32
	real := f.hasher.argon2
	f.hasher.argon2 = func(password, salt []byte, time, memory uint32, threads uint8, keyLen uint32) []byte {
		n.Add(1)
		return real(password, salt, time, memory, threads, keyLen)
	}
	return n.Load
}

// hashCheaply replaces argon2 with a fast hash, for tests of many logins that are not about
// hashing.
func (f fixture) hashCheaply() {
	f.hasher.argon2 = func(password, salt []byte, _, _ uint32, _ uint8, _ uint32) []byte {
		sum := sha256.Sum256(append(salt, password...))
		return sum[:]
	}
}

func TestLogin_hashes_once_when_refused(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.signup(t, "rahim")
	hashes := f.countHashes()
	_, err := f.login(t, "rahim", "wrong!", "192.0.2.1", "")
	requireFault(t, err, fault.InvalidCredentials, "Invalid credentials")
	require.EqualValues(t, 1, hashes())
	_, err = f.login(t, "nobody", "wrong!", "192.0.2.1", "")
	requireFault(t, err, fault.InvalidCredentials, "Invalid credentials")
	require.EqualValues(t, 2, hashes(), "an unknown name takes as long")
}

func TestLogin_locks_after_five_failures(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.signup(t, "rahim")
	hashes := f.countHashes()
	// Known and unknown names must behave alike.
	for _, username := range []string{"rahim", "nobody"} {
		before := hashes()
		for i := range 5 {
			_, err := f.login(t, username, "wrong!", fmt.Sprintf("192.0.2.%d", i), "")
			requireFault(t, err, fault.InvalidCredentials, "Invalid credentials")
		}
		_, err := f.login(t, "RA HIM", "river-stone", "192.0.2.9", "")
		if username == "nobody" {
			_, err = f.login(t, "Nobody.", "river-stone", "192.0.2.9", "")
		}
		requireFault(t, err, fault.Locked, lockedText)
		require.InDelta(t, 3*time.Minute, fault.As(err).RetryAfter, float64(5*time.Second))
		require.EqualValues(t, 5, hashes()-before, "refused before anything is hashed")
	}
	f.clock.Advance(3 * time.Minute)
	_, err := f.login(t, "rahim", "river-stone", "192.0.2.9", "")
	require.NoError(t, err)
}

// A thousand guesses from a hundred addresses do not lock the owner out of a browser the owner has
// used before, and an emailed link always lets the owner in.
func TestLogin_strangers_cannot_lock_owner_out(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	opened, err := f.Signup(t.Context(), input("rahim"), Client{Address: "203.0.113.7"})
	require.NoError(t, err)
	hashes := f.countHashes()
	refused := 0
	for i := range 1_000 {
		_, err := f.login(t, "rahim", fmt.Sprintf("guess-%d", i), fmt.Sprintf("198.51.100.%d", i%100), "")
		if fault.CodeOf(err) == fault.Locked {
			refused++
		} else {
			requireFault(t, err, fault.InvalidCredentials, "Invalid credentials")
		}
	}
	require.Equal(t, 995, refused)
	require.EqualValues(t, 5, hashes())

	_, err = f.login(t, "rahim", "river-stone", "203.0.113.7", "")
	requireFault(t, err, fault.Locked, lockedText)
	// Even behind an address that the attackers use.
	again, err := f.login(t, "rahim", "river-stone", "198.51.100.1", opened.Browser)
	require.NoError(t, err)
	require.Equal(t, opened.Browser, again.Browser)

	token := f.mailedToken(t, opened.User.ID, forReset)
	_, browser, err := f.ResetPassword(t.Context(), ResetInput{Password: "another1", Token: token})
	require.NoError(t, err)
	_, err = f.login(t, "rahim", "another1", "203.0.113.8", browser)
	require.NoError(t, err, "from the browser where the link was opened")
}

func TestLogin_known_browser_bucket(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	opened, err := f.Signup(t.Context(), input("rahim"), Client{})
	require.NoError(t, err)
	for range 5 {
		_, err := f.login(t, "rahim", "wrong!", "192.0.2.1", opened.Browser)
		requireFault(t, err, fault.InvalidCredentials, "Invalid credentials")
	}
	_, err = f.login(t, "rahim", "river-stone", "192.0.2.1", opened.Browser)
	requireFault(t, err, fault.Locked, lockedText)
	_, err = f.login(t, "rahim", "river-stone", "192.0.2.1", "")
	require.NoError(t, err, "the bucket of unknown browsers is untouched")
}

func TestLogin_shared_browser(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.hashCheaply()
	rahim, err := f.Signup(t.Context(), input("rahim"), Client{})
	require.NoError(t, err)
	karim, err := f.Signup(t.Context(), SignupInput{
		Username: "karim", Email: "karim@example.com", Password: "river-stone", Browser: rahim.Browser,
	}, Client{})
	require.NoError(t, err)
	require.NotEqual(t, rahim.Browser, karim.Browser, "a token planted by another user is replaced")

	lock := func() {
		for i := range 12 {
			_, err := f.login(t, []string{"rahim", "karim"}[i%2], "wrong!", "198.51.100.1", "")
			require.Error(t, err)
		}
	}
	lock()
	_, err = f.login(t, "rahim", "river-stone", "192.0.2.1", rahim.Browser)
	requireFault(t, err, fault.Locked, lockedText)
	for _, username := range []string{"rahim", "karim"} { // one phone, two users
		_, err = f.login(t, username, "river-stone", "192.0.2.1", karim.Browser)
		require.NoError(t, err)
	}
	f.clock.Advance(BrowserLife + time.Hour)
	removed, err := f.cleaner().RemoveForgottenBrowsers(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, removed)
	lock()
	_, err = f.login(t, "rahim", "river-stone", "192.0.2.1", karim.Browser)
	requireFault(t, err, fault.Locked, lockedText)
}

func TestLogin_address_limit_counts_failures(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.hashCheaply()
	f.signup(t, "rahim")
	for range 40 {
		_, err := f.login(t, "rahim", "river-stone", "2001:db8:0:1::1", "")
		require.NoError(t, err)
	}
	for i := range 30 {
		_, err := f.login(t, fmt.Sprintf("nobody%d", i), "wrong!", fmt.Sprintf("2001:db8:0:1::%d", i), "")
		requireFault(t, err, fault.InvalidCredentials, "Invalid credentials")
	}
	_, err := f.login(t, "rahim", "river-stone", "2001:db8:0:1:ffff::", "")
	requireFault(t, err, fault.Locked, lockedText)
	_, err = f.login(t, "rahim", "river-stone", "2001:db8:0:2::1", "")
	require.NoError(t, err, "another network")
}

func TestLogin_forgets_oldest_browser(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.hashCheaply()
	opened, err := f.Signup(t.Context(), input("rahim"), Client{})
	require.NoError(t, err)
	for range maxBrowsers {
		f.clock.Advance(time.Second)
		_, err := f.login(t, "rahim", "river-stone", "192.0.2.1", "")
		require.NoError(t, err)
	}
	found, err := findCredentials(t.Context(), f.db, "rahim", opened.Browser)
	require.NoError(t, err)
	require.False(t, found.KnowsBrowser, "the one used longest ago is forgotten")
	var kept int
	require.NoError(t, f.owner.QueryRow(t.Context(), "select count(*) from known_browsers").Scan(&kept))
	require.Equal(t, maxBrowsers, kept)
}

func TestConfirmPassword_rate_limited(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, token := f.signup(t, "rahim")
	_, session, err := f.Authenticate(t.Context(), token)
	require.NoError(t, err)
	confirm := func(password string) error {
		_, err := f.ConfirmPassword(t.Context(), user, session, password, Proof{})
		return err
	}
	for range 10 {
		require.NoError(t, confirm("river-stone"), "only failures count")
	}
	for range 5 {
		requireFault(t, confirm("wrong!"), fault.Invalid, "Incorrect password.")
	}
	requireFault(t, confirm("river-stone"), fault.RateLimited, "Too many attempts. Please try again later.")
}

func TestVerifyEmail(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	in := input("rahim")
	in.Language = "bn"
	opened, err := f.Signup(t.Context(), in, Client{})
	require.NoError(t, err)
	user := opened.User
	require.Equal(t, "bn", user.Language)
	require.Equal(t, []catalog.Kind{catalog.MailVerify}, f.queuedMails(t, user.ID))

	box := &outbox{}
	send := func() {
		require.NoError(t, f.worker(box).Send(t.Context(), user.ID, catalog.MailVerify, nil))
	}
	send()
	require.Equal(t, "আপনার ইমেইল যাচাই করুন।", box.sent[0].Subject)
	require.Contains(t, box.sent[0].HTML, "rahim")
	token := tokenIn(t, box.sent[0], "/verify-email")
	_, _, err = f.ResetPassword(t.Context(), ResetInput{Password: "another1", Token: token})
	requireFault(t, err, fault.Invalid, "Invalid or missing token")

	f.clock.Advance(24*time.Hour - time.Minute)
	verified, err := f.VerifyEmail(t.Context(), token)
	require.NoError(t, err)
	require.Equal(t, user.ID, verified)
	_, err = f.VerifyEmail(t.Context(), token)
	requireFault(t, err, fault.Invalid, "Invalid or missing token")
	signedIn, err := f.login(t, "rahim", "river-stone", "192.0.2.1", "")
	require.NoError(t, err)
	require.True(t, signedIn.User.IsVerified)
	requireFault(t, f.ResendVerification(t.Context(), signedIn.User), fault.Conflict, "Your email is already verified.")
	send()
	require.Len(t, box.sent, 1, "not sent once the address is verified")
}

func TestResendVerification(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, _ := f.signup(t, "rahim")
	old := f.mailedToken(t, user.ID, forVerify)
	f.clock.Advance(24 * time.Hour)
	_, err := f.VerifyEmail(t.Context(), old)
	requireFault(t, err, fault.Invalid, "Invalid or missing token")
	require.NoError(t, f.ResendVerification(t.Context(), user))
	require.Len(t, f.queuedMails(t, user.ID), 2)
}

func TestSignup_refused_sends_no_mail(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.signup(t, "rahim")
	_, err := f.Signup(t.Context(), input("rahim"), Client{})
	requireFault(t, err, fault.Duplicate, "Username is already taken.")
	var queued int
	require.NoError(t, f.owner.QueryRow(t.Context(), "select count(*) from river.river_job where kind = 'mail'").Scan(&queued))
	require.Equal(t, 1, queued)
}

func TestSettings(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, _ := f.signup(t, "rahim")
	require.True(t, user.MailNotices)
	changed, err := f.SetLanguage(t.Context(), user.ID, "bn")
	require.NoError(t, err)
	require.Equal(t, "bn", changed.Language)
	_, err = f.SetLanguage(t.Context(), user.ID, "fr")
	requireFault(t, err, fault.Invalid, "Language must be en or bn.")

	changed, err = f.SetMailNotices(t.Context(), user.ID, false)
	require.NoError(t, err)
	require.False(t, changed.MailNotices)
	changed, err = f.SetMailNotices(t.Context(), user.ID, true)
	require.NoError(t, err)
	require.True(t, changed.MailNotices)

	var token uuid.UUID
	require.NoError(t, f.owner.QueryRow(t.Context(), "select unsubscribe_token from users").Scan(&token))
	for range 2 {
		require.NoError(t, f.Unsubscribe(t.Context(), token.String()))
	}
	var wanted bool
	require.NoError(t, f.owner.QueryRow(t.Context(), "select mail_notices from users").Scan(&wanted))
	require.False(t, wanted)
	for _, wrong := range []string{"", "nonsense", uuid.NewString(), user.ID.String()} {
		requireFault(t, f.Unsubscribe(t.Context(), wrong), fault.Invalid, "Invalid or missing token")
	}
}

func TestSessions(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, token := f.signup(t, "rahim")
	stranger, _ := f.signup(t, "karim")
	_, err := f.Login(t.Context(), LoginInput{Username: "rahim", Password: "river-stone"}, Client{UserAgent: "phone", Address: "192.0.2.7"})
	require.NoError(t, err)
	list, err := f.Sessions(t.Context(), user.ID)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "phone", list[0].UserAgent)
	require.Equal(t, "192.0.2.7", list[0].Address)

	requireFault(t, f.EndSession(t.Context(), stranger.ID, list[1].ID), fault.NotFound, "Session not found.")
	require.NoError(t, f.EndSession(t.Context(), user.ID, list[1].ID))
	requireSignedOut(t, f, token)
	requireFault(t, f.EndSession(t.Context(), user.ID, list[1].ID), fault.NotFound, "Session not found.")

	f.clock.Advance(24 * time.Hour)
	list, err = f.Sessions(t.Context(), user.ID)
	require.NoError(t, err)
	require.Empty(t, list)
}
