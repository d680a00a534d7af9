package accounts

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/ratelimit"
)

// mailedToken stores a token as the worker does when it sends a link.
func (f fixture) mailedToken(t *testing.T, userID uuid.UUID, p purpose) Token {
	t.Helper()
	token := newToken()
	require.NoError(t, insertMailedToken(t.Context(), f.jobDB, userID, p, token, f.clock.Now()))
	return token
}

// outbox records sent messages and fails the first fail calls.
type outbox struct {
	fail int
	sent []mailer.Message
}

func (o *outbox) Send(_ context.Context, m mailer.Message) error {
	o.sent = append(o.sent, m)
	if o.fail--; o.fail >= 0 {
		return errors.New("the server said nothing")
	}
	return nil
}

// queuedMails returns the account emails queued for the user, newest first.
func (f fixture) queuedMails(t *testing.T, userID uuid.UUID) []catalog.Kind {
	t.Helper()
	rows, err := f.owner.Query(t.Context(), `
		select args->>'mail_kind' from river.river_job where kind = 'mail' and args->>'subject_id' = $1 order by id desc`, userID.String())
	require.NoError(t, err)
	defer rows.Close()
	var mails []catalog.Kind
	for rows.Next() {
		var mail catalog.Kind
		require.NoError(t, rows.Scan(&mail))
		mails = append(mails, mail)
	}
	require.NoError(t, rows.Err())
	return mails
}

func tokenIn(t *testing.T, m mailer.Message, path string) Token {
	t.Helper()
	_, rest, found := strings.Cut(m.Text, "https://amanat.test"+path+"#token=")
	require.True(t, found, m.Text)
	token, _, _ := strings.Cut(rest, "\n")
	unescaped, err := url.QueryUnescape(token)
	require.NoError(t, err)
	return Token(unescaped)
}

func (f fixture) worker(box *outbox) *Mailer {
	return &Mailer{DB: f.jobDB, Clock: f.clock, Mail: box, PublicURL: "https://amanat.test"}
}

func (f fixture) cleaner() *Cleaner {
	return &Cleaner{DB: f.jobDB, Clock: f.clock, SessionClock: f.clock}
}

func TestResetPassword(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, session := f.signup(t, "rahim")
	asked, err := f.RequestReset(t.Context(), " RAHIM@example.com", Client{})
	require.NoError(t, err)
	require.Equal(t, user.ID, asked.ID)
	require.Equal(t, []catalog.Kind{catalog.MailReset, catalog.MailVerify}, f.queuedMails(t, user.ID))

	box := &outbox{fail: 1}
	require.Error(t, f.worker(box).Send(t.Context(), user.ID, catalog.MailReset, nil))
	require.NoError(t, f.worker(box).Send(t.Context(), user.ID, catalog.MailReset, nil))
	require.Equal(t, "rahim@example.com", box.sent[1].To)
	require.Equal(t, "Choose a new password", box.sent[1].Subject)
	require.Empty(t, box.sent[1].Unsubscribe)
	_, err = f.owner.Exec(t.Context(), `update users set withdrawals_stopped_at = now(), withdrawals_held_at = now()`)
	require.NoError(t, err)
	first, second := tokenIn(t, box.sent[0], "/reset-password"), tokenIn(t, box.sent[1], "/reset-password")

	// The link of an email that was delivered despite the reported failure works too.
	_, _, err = f.ResetPassword(t.Context(), ResetInput{Password: "12345", Token: first})
	requireFault(t, err, fault.Invalid, "Password must be at least 6 characters long.")
	_, _, err = f.ResetPassword(t.Context(), ResetInput{Password: "another1", Token: first})
	require.NoError(t, err, "a refused password does not use the link up")
	for _, used := range []Token{first, second, "", "nonsense"} {
		_, _, err = f.ResetPassword(t.Context(), ResetInput{Password: "another2", Token: used})
		requireFault(t, err, fault.Invalid, "Invalid or missing token")
	}
	requireSignedOut(t, f, session)
	_, err = f.login(t, "rahim", "river-stone", "192.0.2.1", "")
	requireFault(t, err, fault.InvalidCredentials, "Invalid credentials")
	_, err = f.login(t, "rahim", "another1", "192.0.2.1", "")
	require.NoError(t, err)
	require.Equal(t, catalog.MailPassword, f.queuedMails(t, user.ID)[0])
	var stopped, held bool
	require.NoError(t, f.owner.QueryRow(t.Context(),
		`select withdrawals_stopped_at is not null, withdrawals_held_at is not null from users where password_reset_at is not null`).
		Scan(&stopped, &held))
	require.Equal(t, []bool{false, true}, []bool{stopped, held}, "a reset does not end an operator's hold")
}

func TestSendLetter_stores_only_token_hash(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, _ := f.signup(t, "rahim")
	box := &outbox{}
	require.NoError(t, f.worker(box).Send(t.Context(), user.ID, catalog.MailReset, nil))
	token := tokenIn(t, box.sent[0], "/reset-password")
	var found int
	require.NoError(t, f.owner.QueryRow(t.Context(), `
		select (select count(*) from river.river_job j where j::text like '%' || $1 || '%')
		     + (select count(*) from mailed_tokens m where m::text like '%' || $1 || '%')`, string(token)).Scan(&found))
	require.Zero(t, found)
	require.Len(t, string(token), 43, "256 bits")
}

// The api cannot create links: an attacker who compromises it cannot take over accounts that way.
func TestInsertMailedToken_denied_to_api(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, _ := f.signup(t, "rahim")
	err := insertMailedToken(t.Context(), f.db, user.ID, forReset, newToken(), f.clock.Now())
	require.ErrorContains(t, err, "permission denied")
	f.mailedToken(t, user.ID, forReset)
	_, err = f.db.Exec(t.Context(), "update mailed_tokens set expires_at = expires_at + interval '1 day'")
	require.ErrorContains(t, err, "permission denied")
}

func TestResetPassword_expired_link(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, _ := f.signup(t, "rahim")
	token := f.mailedToken(t, user.ID, forReset)
	_, err := f.VerifyEmail(t.Context(), token)
	requireFault(t, err, fault.Invalid, "Invalid or missing token")
	f.clock.Advance(30 * time.Minute)
	_, _, err = f.ResetPassword(t.Context(), ResetInput{Password: "another1", Token: token})
	requireFault(t, err, fault.Invalid, "Invalid or missing token")
	removed, err := f.cleaner().RemoveExpiredTokens(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, removed)
}

func TestResetPassword_concurrent_uses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, _ := f.signup(t, "rahim")
	links := []Token{f.mailedToken(t, user.ID, forReset), f.mailedToken(t, user.ID, forReset)}
	var group sync.WaitGroup
	outcomes := make([]error, 8)
	for i := range outcomes {
		group.Go(func() {
			_, _, outcomes[i] = f.ResetPassword(t.Context(), ResetInput{Password: "another1", Token: links[i%2]})
		})
	}
	group.Wait()
	succeeded := 0
	for _, err := range outcomes {
		if err == nil {
			succeeded++
		} else {
			requireFault(t, err, fault.Invalid, "Invalid or missing token")
		}
	}
	require.Equal(t, 1, succeeded)
}

func TestRequestReset_refuses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, _ := f.signup(t, "rahim")
	ask := func(email string) error { _, err := f.RequestReset(t.Context(), email, Client{}); return err }
	requireFault(t, ask("  "), fault.Invalid, "Email is required.")
	requireFault(t, ask("nobody@example.com"), fault.NotFound, "No account has this email address.")
	for range 3 {
		require.NoError(t, ask("rahim@example.com"))
	}
	requireFault(t, ask("Rahim@example.com "), fault.RateLimited, "Too many attempts. Please try again later.")

	f.clock.Advance(time.Hour)
	link := f.mailedToken(t, user.ID, forReset)
	_, err := f.Disable(t.Context(), "rahim")
	require.NoError(t, err)
	requireFault(t, ask("rahim@example.com"), fault.NotFound, "No account has this email address.")
	_, _, err = f.ResetPassword(t.Context(), ResetInput{Password: "another1", Token: link})
	requireFault(t, err, fault.Invalid, "Invalid or missing token")
	box := &outbox{}
	require.NoError(t, f.worker(box).Send(t.Context(), user.ID, catalog.MailReset, nil))
	require.Empty(t, box.sent, "a disabled user has no use for it")
}

func TestChangePassword(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	opened, err := f.Signup(t.Context(), input("rahim"), Client{})
	require.NoError(t, err)
	other, err := f.login(t, "rahim", "river-stone", "192.0.2.1", "")
	require.NoError(t, err)
	user, session, err := f.Authenticate(t.Context(), opened.Session)
	require.NoError(t, err)
	var rotated Token
	change := func(current, fresh string) error {
		var err error
		rotated, err = f.ChangePassword(t.Context(), user, session, opened.Browser, ChangeInput{Current: current, New: fresh})
		return err
	}
	requireFault(t, change("", "another1"), fault.Invalid, "Password is required.")
	requireFault(t, change("river-stone", "12345"), fault.Invalid, "Password must be at least 6 characters long.")
	requireFault(t, change("river-stone", strings.Repeat("x", 201)), fault.Invalid, "Password must be at most 200 characters")
	err = change("wrong!", "another1")
	requireFault(t, err, fault.Invalid, "Incorrect password.")
	require.Contains(t, fault.As(err).Fields, "currentPassword")
	link := f.mailedToken(t, user.ID, forReset)
	require.NoError(t, change("river-stone", "another1"))
	_, _, err = f.ResetPassword(t.Context(), ResetInput{Password: "another2", Token: link})
	requireFault(t, err, fault.Invalid, "Invalid or missing token")

	_, same, err := f.Authenticate(t.Context(), rotated)
	require.NoError(t, err, "the session that did it goes on")
	require.Equal(t, session.ID, same.ID)
	requireSignedOut(t, f, opened.Session)
	requireSignedOut(t, f, other.Session)
	for browser, known := range map[Token]bool{opened.Browser: true, other.Browser: false} {
		found, err := findCredentials(t.Context(), f.db, "rahim", browser)
		require.NoError(t, err)
		require.Equal(t, known, found.KnowsBrowser)
	}
	require.Equal(t, catalog.MailPassword, f.queuedMails(t, user.ID)[0])
	_, err = f.login(t, "rahim", "another1", "192.0.2.1", "")
	require.NoError(t, err)
}

// An attacker who knows the old password starts to change it while the owner resets it or ends the
// session: the change fails.
func TestChangePassword_overtaken(t *testing.T) {
	t.Parallel()
	for name, overtake := range map[string]func(f fixture, user User, session Session) error{
		"another password": func(f fixture, user User, _ Session) error {
			_, _, err := f.ResetPassword(t.Context(), ResetInput{Password: "owners-new", Token: f.mailedToken(t, user.ID, forReset)})
			return err
		},
		"the session ended": func(f fixture, user User, session Session) error {
			return f.EndSession(t.Context(), user.ID, session.ID)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			_, token := f.signup(t, "rahim")
			user, session, err := f.Authenticate(t.Context(), token)
			require.NoError(t, err)
			f.hasher.queue = newHashQueue(2) // the other change hashes during this one
			real, once := f.hasher.argon2, sync.Once{}
			f.hasher.argon2 = func(password, salt []byte, time, memory uint32, threads uint8, keyLen uint32) []byte {
				key := real(password, salt, time, memory, threads, keyLen)
				if string(password) == "thiefs-new" {
					once.Do(func() { require.NoError(t, overtake(f, user, session)) })
				}
				return key
			}
			_, err = f.ChangePassword(t.Context(), user, session, "", ChangeInput{Current: "river-stone", New: "thiefs-new"})
			require.Error(t, err)
			f.hasher.argon2 = real
			_, err = f.login(t, "rahim", "thiefs-new", "192.0.2.1", "")
			requireFault(t, err, fault.InvalidCredentials, "Invalid credentials")
		})
	}
}

// A login that compared the old password must not open a session after the new one is set.
func TestLogin_password_changed_meanwhile(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, _ := f.signup(t, "rahim")
	real := f.hasher.argon2
	f.hasher.argon2 = func(password, salt []byte, time, memory uint32, threads uint8, keyLen uint32) []byte {
		key := real(password, salt, time, memory, threads, keyLen)
		_, err := f.owner.Exec(t.Context(), "update users set password_hash = 'another' where id = $1", user.ID)
		require.NoError(t, err)
		return key
	}
	_, err := f.login(t, "rahim", "river-stone", "192.0.2.1", "")
	requireFault(t, err, fault.InvalidCredentials, "Invalid credentials")
}

// One mailbox has one account, however the domain of its address is spelled.
func TestAddress_spellings(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.hashCheaply()
	f.limits.SignupAddress = ratelimit.Rate{Count: 100, Per: time.Hour}
	f.limits.ResetMailbox, f.limits.ResetAddress = f.limits.SignupAddress, f.limits.SignupAddress
	f.signup(t, "karim")
	karim, err := findByEmail(t.Context(), f.owner, input("karim").Email)
	require.NoError(t, err)
	spellings := []string{"i@পরীক্ষা.বাংলা", "I@XN--P5B5BS3A9AJ6G.xn--54b7fta0cc"}
	in := input("rahim")
	in.Email = spellings[0]
	_, err = f.Signup(t.Context(), in, Client{})
	require.NoError(t, err)
	for _, spelling := range spellings {
		in = input("another")
		in.Email = spelling
		_, err = f.Signup(t.Context(), in, Client{})
		requireFault(t, err, fault.Duplicate, "Email is already registered.")
		requireFault(t, f.RequestEmailChange(t.Context(), karim, spelling), fault.Duplicate, "Email is already registered.")
		found, err := f.RequestReset(t.Context(), spelling, Client{})
		require.NoError(t, err)
		require.Equal(t, "rahim", found.Username)
	}
}
