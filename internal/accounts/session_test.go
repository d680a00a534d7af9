package accounts

import (
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/clock"
	"amanat/internal/dbtest"
	"amanat/internal/fault"
	"amanat/queue/jobs"
)

func TestLogin(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user, _ := b.signup(t, "rahim")
	login := func(username, password string) error {
		_, err := b.Login(t.Context(), LoginInput{Username: username, Password: password}, Client{})
		return err
	}
	require.NoError(t, login("RA.HIM ", "secret1"))
	requireFault(t, login("", "secret1"), fault.Invalid, "Username is required.")
	requireFault(t, login("rahim", ""), fault.Invalid, "Password is required.")
	requireFault(t, login("rahim", "Secret1"), fault.InvalidCredentials, "Invalid credentials")
	requireFault(t, login("nobody", "secret1"), fault.InvalidCredentials, "Invalid credentials")

	_, err := b.Disable(t.Context(), "rahim")
	require.NoError(t, err)
	requireFault(t, login("rahim", "secret1"), fault.Forbidden, "This account has been disabled. Please contact support.")
	requireFault(t, login("rahim", "secret2"), fault.InvalidCredentials, "Invalid credentials")
	require.Empty(t, b.sessions(t, user.ID))
}

func (b bundle) sessions(t *testing.T, userID uuid.UUID) int {
	t.Helper()
	var n int
	require.NoError(t, b.owner.QueryRow(t.Context(), "select count(*) from sessions where user_id = $1", userID).Scan(&n))
	return n
}

func TestLoginReplacesTheSession(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user, first := b.signup(t, "rahim")
	opened, err := b.Login(t.Context(), LoginInput{Username: "rahim", Password: "secret1", Previous: first}, Client{})
	require.NoError(t, err)
	second := opened.Session
	require.NotEqual(t, first, second)
	requireSignedOut(t, b, first)
	_, _, err = b.Authenticate(t.Context(), second)
	require.NoError(t, err)

	ended, err := b.Logout(t.Context(), second)
	require.NoError(t, err)
	require.Equal(t, user.ID, ended)
	ended, err = b.Logout(t.Context(), second)
	require.NoError(t, err, "nothing to end")
	require.Zero(t, ended)
	requireSignedOut(t, b, second)
	require.Zero(t, b.sessions(t, user.ID))
}

func requireSignedOut(t *testing.T, b bundle, token Token) {
	t.Helper()
	_, _, err := b.Authenticate(t.Context(), token)
	requireFault(t, err, fault.Unauthenticated, "Please log in to continue.")
}

func TestSessionEndsWhenIdle(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, token := b.signup(t, "rahim")
	for range 3 { // used every 23 hours it lives on
		b.clock.Advance(23 * time.Hour)
		_, _, err := b.Authenticate(t.Context(), token)
		require.NoError(t, err)
	}
	b.clock.Advance(24 * time.Hour)
	requireSignedOut(t, b, token)
}

func TestSessionEndsAfterTwoWeeksHoweverBusy(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user, token := b.signup(t, "rahim")
	for range 27 {
		b.clock.Advance(12 * time.Hour)
		_, _, err := b.Authenticate(t.Context(), token)
		require.NoError(t, err)
	}
	b.clock.Advance(12 * time.Hour)
	requireSignedOut(t, b, token)
	_, err := b.Login(t.Context(), LoginInput{Username: "rahim", Password: "secret1"}, Client{})
	require.NoError(t, err)
	require.Equal(t, 1, b.sessions(t, user.ID), "a login clears away what has run out")
}

func TestEndedSessionsAreRemoved(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	offset := clock.NewOffset(0)
	inserter, err := jobs.NewInserter(db.API(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	api, worker := New(Options{DB: db.API(), Clock: offset, Jobs: inserter}), New(Options{DB: db.Worker(), Clock: offset})
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

func TestSessionIsTouchedOnceAMinute(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user, token := b.signup(t, "rahim")
	lastSeen := func() time.Time {
		_, _, err := b.Authenticate(t.Context(), token)
		require.NoError(t, err)
		var at time.Time
		require.NoError(t, b.owner.QueryRow(t.Context(), "select last_seen_at from sessions where user_id = $1", user.ID).Scan(&at))
		return at
	}
	first := lastSeen()
	require.Equal(t, first, lastSeen())
	b.clock.Advance(time.Minute)
	require.GreaterOrEqual(t, lastSeen().Sub(first), time.Minute)
}

func TestConfirmPassword(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, token := b.signup(t, "rahim")
	user, session, err := b.Authenticate(t.Context(), token)
	require.NoError(t, err)
	require.True(t, b.Confirmed(session, 15*time.Minute), "signing in counts")
	b.clock.Advance(15 * time.Minute)
	require.False(t, b.Confirmed(session, 15*time.Minute))
	require.True(t, b.Confirmed(session, 0), "never asked for")

	requireFault(t, b.ConfirmPassword(t.Context(), user, session, ""), fault.Invalid, "Password is required.")
	requireFault(t, b.ConfirmPassword(t.Context(), user, session, "wrong"), fault.Invalid, "Incorrect password.")
	require.NoError(t, b.ConfirmPassword(t.Context(), user, session, "secret1"))
	_, session, err = b.Authenticate(t.Context(), token)
	require.NoError(t, err)
	require.True(t, b.Confirmed(session, 15*time.Minute))
}
