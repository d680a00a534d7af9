package accounts

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

// change sets columns of a user.
func (f fixture) change(t *testing.T, user User, columns string, args ...any) {
	t.Helper()
	_, err := f.owner.Exec(t.Context(), "update users set "+columns+" where id = $1", append([]any{user.ID}, args...)...)
	require.NoError(t, err)
}

// entersMailCode enters a mailed code in the session and returns its new token.
func (f fixture) entersMailCode(t *testing.T, token Token) Token {
	t.Helper()
	user, session, err := f.Authenticate(t.Context(), token)
	require.NoError(t, err)
	code := newMailCode()
	require.NoError(t, insertMailedToken(t.Context(), f.jobDB, user.ID, forOwner, codeToken(user.ID, code), f.clock.Now()))
	fresh, err := f.ConfirmMailCode(t.Context(), user, session, code)
	require.NoError(t, err)
	return fresh
}

// requireRefused checks the reason of a refusal; "" is none.
func requireRefused(t *testing.T, reason string, err error) {
	t.Helper()
	if reason == "" {
		require.NoError(t, err)
		return
	}
	require.NotNil(t, fault.As(err), "want %s, got %v", reason, err)
	require.Equal(t, reason, fault.As(err).Reason)
}

// Whatever holds a withdrawal makes the owner prove who they are before they release money.
func TestCheckRelease(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.hashCheaply()
	opened, err := f.Signup(t.Context(), input("rahim"), Client{})
	require.NoError(t, err)
	release := func(token, browser Token) error {
		t.Helper()
		user, session, err := f.Authenticate(t.Context(), token)
		require.NoError(t, err)
		return f.CheckRelease(t.Context(), user, session, browser)
	}
	home := func() error { t.Helper(); return release(opened.Session, opened.Browser) }
	require.NoError(t, home(), "the browser of the sign-up is not new")

	f.change(t, opened.User, "is_verified = true")
	for _, column := range []string{"password_reset_at", "second_factor_reset_at", "factor_added_at"} {
		f.change(t, opened.User, column+" = $2", f.clock.Now().Add(-fresh+time.Minute))
		requireRefused(t, "mail_code_needed", home())
		f.change(t, opened.User, column+" = $2", f.clock.Now().Add(-fresh))
		require.NoError(t, home(), column)
	}
	f.change(t, opened.User, "email_changed_at = $2", f.clock.Now().Add(-fresh+time.Minute))
	requireRefused(t, "release_later", home())
	f.change(t, opened.User, "email_changed_at = $2", f.clock.Now().Add(-fresh))
	require.NoError(t, home())

	thief, err := f.login(t, "rahim", "river-stone", "192.0.2.1", "")
	require.NoError(t, err)
	requireRefused(t, "mail_code_needed", release(thief.Session, thief.Browser))
	requireRefused(t, "mail_code_needed", release(thief.Session, "made-up"))
	session := f.entersMailCode(t, thief.Session)
	require.NoError(t, release(session, thief.Browser))
	requireRefused(t, "mail_code_needed", release(f.freshLogin(t, "rahim"), "made-up"))
	f.clock.Advance(FactorConfirmed)
	requireRefused(t, "mail_code_needed", release(session, thief.Browser))

	f.change(t, opened.User, "is_verified = false")
	requireRefused(t, "release_unverified", release(session, thief.Browser))
	var since time.Time
	require.NoError(t, f.owner.QueryRow(t.Context(), "select created_at from known_browsers where token_hash = $1", thief.Browser.hash()).
		Scan(&since))
	require.Contains(t, fault.As(release(session, thief.Browser)).Message, clock.Moment(since.Add(fresh)).String(), "when they may")
	f.clock.Advance(fresh - FactorConfirmed - time.Minute)
	session = f.freshLogin(t, "rahim") // the other has been idle
	requireRefused(t, "release_unverified", release(session, thief.Browser))
	f.clock.Advance(time.Minute)
	require.NoError(t, release(session, thief.Browser))

	f.holdsOff = true
	require.NoError(t, release(session, "made-up"))
}

// freshLogin signs the user in, in an unknown browser.
func (f fixture) freshLogin(t *testing.T, username string) Token {
	t.Helper()
	opened, err := f.login(t, username, "river-stone", "192.0.2.1", "")
	require.NoError(t, err)
	return opened.Session
}

// A factor proves who the user is once it is a day old.
func TestCheckRelease_factor(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.hashCheaply()
	rahim, _, codes := f.withApp(t, "rahim")
	waiting := f.challenges(t, "rahim")
	opened, err := f.LoginWithCode(t.Context(), SecondStep{Challenge: waiting, Proof: Proof{Code: codes[0]}}, Client{})
	require.NoError(t, err)
	f.change(t, rahim, "is_verified = true")
	release := func() error {
		t.Helper()
		user, session, err := f.Authenticate(t.Context(), opened.Session)
		require.NoError(t, err)
		return f.CheckRelease(t.Context(), user, session, "elsewhere")
	}
	requireRefused(t, "mail_code_needed", release())
	f.change(t, rahim, "factor_added_at = $2", f.clock.Now().Add(-fresh))
	require.NoError(t, release(), "the login has proved it")
	f.clock.Advance(FactorConfirmed)
	requireRefused(t, "password_again", release())
}

// Closing the account and reading its archive take what the user has to prove it with.
func TestCheckOwner(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.hashCheaply()
	rahim, token := f.signup(t, "rahim")
	check := func() error {
		t.Helper()
		user, session, err := f.Authenticate(t.Context(), token)
		require.NoError(t, err)
		return f.CheckOwner(t.Context(), user, session)
	}
	require.NoError(t, check(), "the password is all that they have")
	f.change(t, rahim, "is_verified = true")
	requireRefused(t, "mail_code_needed", check())
	f.change(t, rahim, "email_changed_at = $2", f.clock.Now())
	require.NoError(t, check(), "a new address proves nothing")
	f.clock.Advance(FactorConfirmed)
	requireRefused(t, "password_again", check())
	f.change(t, rahim, "email_changed_at = null")
	token = f.entersMailCode(t, token)
	require.NoError(t, check())
}

// The first factor takes a mailed code; a thief with the password would lock the owner out with it.
func TestCheckEnrolment(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.hashCheaply()
	rahim, token := f.signup(t, "rahim")
	check := func(token Token) error {
		t.Helper()
		user, session, err := f.Authenticate(t.Context(), token)
		require.NoError(t, err)
		return f.CheckEnrolment(t.Context(), user, session)
	}
	requireRefused(t, "verify_first", check(token))
	f.change(t, rahim, "is_verified = true, email_changed_at = $2", f.clock.Now())
	requireRefused(t, "email_too_new", check(token))
	requireRefused(t, "email_too_new", f.SendMailCode(t.Context(), User{ID: rahim.ID, IsVerified: true}))
	f.change(t, rahim, "email_changed_at = null")
	requireRefused(t, "mail_code_needed", check(token))
	require.NoError(t, check(f.entersMailCode(t, token)))
}

// A code works once, for its user and for fifteen minutes, and wrong ones count.
func TestConfirmMailCode(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.hashCheaply()
	f.limits.SecondFactor = limits.Password
	rahim, token := f.signup(t, "rahim")
	_, session, err := f.Authenticate(t.Context(), token)
	require.NoError(t, err)
	karim, _ := f.signup(t, "karim")
	mail := func(user User, code string) {
		t.Helper()
		require.NoError(t, insertMailedToken(t.Context(), f.jobDB, user.ID, forOwner, codeToken(user.ID, code), f.clock.Now()))
	}
	enter := func(code string) error {
		t.Helper()
		fresh, err := f.ConfirmMailCode(t.Context(), rahim, session, code)
		if err == nil {
			_, session, err = f.Authenticate(t.Context(), fresh)
			require.NoError(t, err)
			require.True(t, f.mailConfirmed(session))
		}
		return err
	}
	mail(rahim, "11112222")
	mail(karim, "33334444")
	requireFault(t, enter(" "), fault.Invalid, "Please enter the code.")
	requireFault(t, enter("33334444"), fault.Invalid, "This code is not right.")
	require.NoError(t, enter("১১১১ ২২২২"))
	requireFault(t, enter("11112222"), fault.Invalid, "This code is not right.")
	mail(rahim, "55556666")
	f.clock.Advance(15 * time.Minute)
	requireFault(t, enter("55556666"), fault.Invalid, "This code is not right.")
	for range 4 {
		require.Error(t, enter("00000000"))
	}
	mail(rahim, "77778888")
	requireFault(t, enter("77778888"), fault.RateLimited, "Too many attempts. Please try again later.")
}

// The link of the mail that a factor is on gives the account back to its owner.
func TestRemoveFactor(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.hashCheaply()
	user, _, _ := f.withApp(t, "rahim")
	token := newToken()
	require.NoError(t, insertMailedToken(t.Context(), f.jobDB, user.ID, forFactor, token, f.clock.Now()))
	f.clock.Advance(7*24*time.Hour - time.Second)
	var disowned []uuid.UUID
	disown := func(_ context.Context, _ *postgres.Tx, owner uuid.UUID) error {
		disowned = append(disowned, owner)
		return nil
	}
	owner, err := f.RemoveFactor(t.Context(), token, disown)
	require.NoError(t, err)
	require.Equal(t, user.ID, owner)
	require.Equal(t, []uuid.UUID{user.ID}, disowned)
	require.Contains(t, f.notices.of(user.ID), catalog.FactorOff)
	var stopped, on bool
	require.NoError(t, f.owner.QueryRow(t.Context(), `
		select withdrawals_stopped_at is not null, second_factor_since is not null from users where id = $1`, user.ID).Scan(&stopped, &on))
	require.True(t, stopped)
	require.False(t, on)
	_, err = f.login(t, "rahim", "river-stone", "192.0.2.1", "")
	require.NoError(t, err, "the password is enough again")
	_, err = f.RemoveFactor(t.Context(), token, disown)
	requireFault(t, err, fault.Invalid, "Invalid or missing token")
}

func TestIsNewBrowser(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.hashCheaply()
	user, _ := f.signup(t, "rahim")
	requireNew := func(isNew bool, browser Token) {
		t.Helper()
		got, err := f.IsNewBrowser(t.Context(), user.ID, browser)
		require.NoError(t, err)
		require.Equal(t, isNew, got)
	}
	opened, err := f.login(t, "rahim", "river-stone", "192.0.2.1", "")
	require.NoError(t, err)
	requireNew(true, opened.Browser)
	f.clock.Advance(24 * time.Hour)
	requireNew(false, opened.Browser)
	requireNew(true, "")
	requireNew(true, "somebody's")
	again, err := f.login(t, "rahim", "river-stone", "192.0.2.1", opened.Browser)
	require.NoError(t, err)
	requireNew(false, again.Browser)

	f.signup(t, "karim")
	other, err := f.login(t, "karim", "river-stone", "192.0.2.1", "")
	require.NoError(t, err)
	f.clock.Advance(24 * time.Hour)
	requireNew(true, other.Browser)
}

func TestReleaseWithdrawals(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, _ := f.signup(t, "rahim")
	_, err := setWithdrawalsStopped(t.Context(), f.db, user.ID, f.clock.Now())
	require.NoError(t, err)
	stopped := func() (is bool) {
		require.NoError(t, f.db.QueryRow(t.Context(), `select withdrawals_stopped_at is not null from users where id = $1`, user.ID).Scan(&is))
		return is
	}
	operator := New(Options{DB: f.owner, Clock: f.clock})
	_, err = operator.HoldWithdrawals(t.Context(), "rahim")
	require.NoError(t, err)
	require.True(t, stopped())
	_, err = operator.ReleaseWithdrawals(t.Context(), "rahim")
	require.NoError(t, err)
	require.False(t, stopped())
}
