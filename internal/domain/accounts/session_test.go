package accounts

import (
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/testing/dbtest"
	"amanat/queue/jobs"
)

func TestLogin(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, _ := f.signup(t, "rahim")
	login := func(username, password string) error {
		_, err := f.Login(t.Context(), LoginInput{Username: username, Password: password}, Client{})
		return err
	}
	require.NoError(t, login("RA.HIM ", "river-stone"))
	requireFault(t, login("", "river-stone"), fault.Invalid, "Username is required.")
	requireFault(t, login("rahim", ""), fault.Invalid, "Password is required.")
	requireFault(t, login("rahim", "Secret1"), fault.InvalidCredentials, "Invalid credentials")
	requireFault(t, login("nobody", "river-stone"), fault.InvalidCredentials, "Invalid credentials")

	_, err := f.Disable(t.Context(), "rahim")
	require.NoError(t, err)
	requireFault(t, login("rahim", "river-stone"), fault.Forbidden, "This account has been disabled. Please contact support.")
	requireFault(t, login("rahim", "secret2"), fault.InvalidCredentials, "Invalid credentials")
	require.Empty(t, f.sessions(t, user.ID))
}

func (f fixture) sessions(t *testing.T, userID uuid.UUID) int {
	t.Helper()
	var n int
	require.NoError(t, f.owner.QueryRow(t.Context(), "select count(*) from sessions where user_id = $1", userID).Scan(&n))
	return n
}

func TestLogin_replaces_session(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, first := f.signup(t, "rahim")
	opened, err := f.Login(t.Context(), LoginInput{Username: "rahim", Password: "river-stone", Previous: first}, Client{})
	require.NoError(t, err)
	second := opened.Session
	require.NotEqual(t, first, second)
	requireSignedOut(t, f, first)
	_, _, err = f.Authenticate(t.Context(), second)
	require.NoError(t, err)

	ended, err := f.Logout(t.Context(), second)
	require.NoError(t, err)
	require.Equal(t, &user.ID, ended)
	ended, err = f.Logout(t.Context(), second)
	require.NoError(t, err, "nothing to end")
	require.Nil(t, ended)
	requireSignedOut(t, f, second)
	require.Zero(t, f.sessions(t, user.ID))
}

func requireSignedOut(t *testing.T, f fixture, token Token) {
	t.Helper()
	_, _, err := f.Authenticate(t.Context(), token)
	requireFault(t, err, fault.Unauthenticated, "Please log in to continue.")
}

func TestAuthenticate_idle_session(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, token := f.signup(t, "rahim")
	for range 3 { // stays open when used every 23 hours
		f.clock.Advance(23 * time.Hour)
		_, _, err := f.Authenticate(t.Context(), token)
		require.NoError(t, err)
	}
	f.clock.Advance(24 * time.Hour)
	requireSignedOut(t, f, token)
}

func TestAuthenticate_session_after_two_weeks(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, token := f.signup(t, "rahim")
	for range 27 {
		f.clock.Advance(12 * time.Hour)
		_, _, err := f.Authenticate(t.Context(), token)
		require.NoError(t, err)
	}
	f.clock.Advance(12 * time.Hour)
	requireSignedOut(t, f, token)
	_, err := f.Login(t.Context(), LoginInput{Username: "rahim", Password: "river-stone"}, Client{})
	require.NoError(t, err)
	require.Equal(t, 1, f.sessions(t, user.ID), "a login deletes expired sessions")
}

func TestRemoveEndedSessions(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	offset := clock.NewOffset(0)
	inserter, err := jobs.NewInserter(db.API(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	api := New(Options{DB: db.API(), Clock: offset, Jobs: inserter})
	worker := &Cleaner{DB: db.Worker(), Clock: offset, SessionClock: offset}
	_, err = api.Signup(t.Context(), input("rahim"), Client{})
	require.NoError(t, err)
	offset.Advance(20 * time.Hour)
	living, err := api.Signup(t.Context(), input("karim"), Client{})
	require.NoError(t, err)
	offset.Advance(5 * time.Hour)
	removed, err := worker.RemoveEndedSessions(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, removed)
	_, _, err = api.Authenticate(t.Context(), living.Session)
	require.NoError(t, err)
}

func TestAuthenticate_touches_once_a_minute(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, token := f.signup(t, "rahim")
	lastSeen := func() time.Time {
		_, _, err := f.Authenticate(t.Context(), token)
		require.NoError(t, err)
		var at time.Time
		require.NoError(t, f.owner.QueryRow(t.Context(), "select last_seen_at from sessions where user_id = $1", user.ID).Scan(&at))
		return at
	}
	first := lastSeen()
	require.Equal(t, first, lastSeen())
	f.clock.Advance(time.Minute)
	require.GreaterOrEqual(t, lastSeen().Sub(first), time.Minute)
}

func TestConfirmPassword(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, token := f.signup(t, "rahim")
	user, session, err := f.Authenticate(t.Context(), token)
	require.NoError(t, err)
	require.True(t, f.confirmed(user, session, 15*time.Minute), "signing in counts")
	f.clock.Advance(15 * time.Minute)
	require.False(t, f.confirmed(user, session, 15*time.Minute))
	require.True(t, f.confirmed(user, session, 0), "never required")

	_, err = f.ConfirmPassword(t.Context(), user, session, "", Proof{})
	requireFault(t, err, fault.Invalid, "Password is required.")
	_, err = f.ConfirmPassword(t.Context(), user, session, "wrong", Proof{})
	requireFault(t, err, fault.Invalid, "Incorrect password.")
	fresh, err := f.ConfirmPassword(t.Context(), user, session, "river-stone", Proof{})
	require.NoError(t, err)
	requireSignedOut(t, f, token)
	_, same, err := f.Authenticate(t.Context(), fresh)
	require.NoError(t, err)
	require.Equal(t, session.ID, same.ID, "its sockets stay")
	require.True(t, f.confirmed(user, same, 15*time.Minute))
}

// Of two concurrent confirmations only one returns a token; otherwise the browser might keep the
// one that is no longer valid.
func TestConfirmPassword_rotates_token_once(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, token := f.signup(t, "rahim")
	user, session, err := f.Authenticate(t.Context(), token)
	require.NoError(t, err)
	fresh, err := f.ConfirmPassword(t.Context(), user, session, "river-stone", Proof{})
	require.NoError(t, err)
	f.clock.Advance(15 * time.Minute)
	none, err := f.ConfirmPassword(t.Context(), user, session, "river-stone", Proof{})
	require.NoError(t, err)
	require.Empty(t, none)
	_, session, err = f.Authenticate(t.Context(), fresh)
	require.NoError(t, err)
	require.True(t, f.confirmed(user, session, 15*time.Minute))
}

func TestEndOtherSessions(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, token := f.signup(t, "rahim")
	other, err := f.login(t, "rahim", "river-stone", "192.0.2.1", "")
	require.NoError(t, err)
	_, stranger := f.signup(t, "karim")
	_, session, err := f.Authenticate(t.Context(), token)
	require.NoError(t, err)
	require.NoError(t, f.EndOtherSessions(t.Context(), user.ID, session.ID))
	requireSignedOut(t, f, other.Session)
	for _, lives := range []Token{token, stranger} {
		_, _, err := f.Authenticate(t.Context(), lives)
		require.NoError(t, err)
	}
}
