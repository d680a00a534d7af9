package accounts

import (
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/realtime"
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

// ending records a call of SessionEnder: one session, or a user and the session excepted.
type ending struct {
	session, user uuid.UUID
	except        *uuid.UUID
}

// endRecorder records ended sessions and changed users.
type endRecorder struct {
	mu    sync.Mutex
	ended []ending
	users []uuid.UUID
}

func (l *endRecorder) SessionEnded(id uuid.UUID) { l.add(ending{session: id}) }

func (l *endRecorder) SessionsEnded(userID uuid.UUID, except *uuid.UUID) {
	l.add(ending{user: userID, except: except})
}

func (l *endRecorder) WorklistChanged(tx *postgres.Tx, list realtime.Worklist, id uuid.UUID) {
	if list == realtime.WorklistUsers {
		tx.AfterCommit(func() { l.users = append(l.users, id) })
	}
}

func (l *endRecorder) add(e ending) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = append(l.ended, e)
}

// take returns the endings recorded since the last call.
func (l *endRecorder) take() []ending {
	l.mu.Lock()
	defer l.mu.Unlock()
	recorded := l.ended
	l.ended = nil
	return recorded
}

func TestSessionEnder(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	recorded := &endRecorder{}
	f.Service.sessions, f.worklists = recorded, recorded
	ctx := t.Context()
	user, token := f.signup(t, "rahim")
	require.Empty(t, recorded.take())
	session := func(token Token) Session {
		_, found, err := f.Authenticate(ctx, token)
		require.NoError(t, err)
		return found
	}
	first := session(token)

	opened, err := f.Login(ctx, LoginInput{Username: "rahim", Password: "river-stone", Previous: token}, Client{})
	require.NoError(t, err)
	require.Equal(t, []ending{{session: first.ID}}, recorded.take(), "the previous session")
	second := session(opened.Session)
	_, err = f.Logout(ctx, opened.Session)
	require.NoError(t, err)
	require.Equal(t, []ending{{session: second.ID}}, recorded.take())
	_, err = f.Logout(ctx, opened.Session)
	require.NoError(t, err)
	require.Empty(t, recorded.take(), "there was none")

	opened, err = f.Login(ctx, LoginInput{Username: "rahim", Password: "river-stone"}, Client{})
	require.NoError(t, err)
	third := session(opened.Session)
	require.Error(t, f.EndSession(ctx, uuid.New(), third.ID))
	require.Empty(t, recorded.take(), "another user's session")
	_, err = f.ChangePassword(ctx, user, third, "", ChangeInput{Current: "wrong", New: "another1"})
	require.Error(t, err)
	require.Empty(t, recorded.take())
	_, err = f.ChangePassword(ctx, user, third, "", ChangeInput{Current: "river-stone", New: "another1"})
	require.NoError(t, err)
	require.Equal(t, []ending{{user: user.ID, except: &third.ID}}, recorded.take())
	require.NoError(t, f.EndSession(ctx, user.ID, third.ID))
	require.Equal(t, []ending{{session: third.ID}}, recorded.take())

	link := f.mailedToken(t, user.ID, forReset)
	_, _, err = f.ResetPassword(ctx, ResetInput{Password: "another2", Token: link})
	require.NoError(t, err)
	require.Equal(t, []ending{{user: user.ID}}, recorded.take())
	_, _, err = f.ResetPassword(ctx, ResetInput{Password: "another3", Token: link})
	require.Error(t, err)
	require.Empty(t, recorded.take(), "it was rolled back")

	admin, _ := f.signup(t, "boss")
	for range 2 {
		require.NoError(t, f.DisableUser(ctx, admin.ID, user.ID, "spam"))
	}
	require.Equal(t, []ending{{user: user.ID}}, recorded.take())
	require.NoError(t, f.EnableUser(ctx, admin.ID, user.ID))
	require.Equal(t, []uuid.UUID{user.ID, user.ID}, recorded.users, "disabled, enabled")
}

func TestSearch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	me, _ := f.signup(t, "rahima")
	for _, username := range []string{"Rahim", "abdur_rahim", "karim", "gone-rahim", "percent"} {
		f.signup(t, username)
	}
	_, err := f.Disable(t.Context(), "gone-rahim")
	require.NoError(t, err)
	find := func(query string) []string {
		found, err := f.Search(t.Context(), me.ID, query)
		require.NoError(t, err)
		require.NotNil(t, found)
		return usernames(found)
	}
	require.Equal(t, []string{"Rahim", "abdur_rahim"}, find(" RAHIM"), "begins with it, then contains it")
	require.Equal(t, []string{"abdur_rahim"}, find("r_rah"), "no wildcards")
	require.Equal(t, []string{"Rahim"}, find("Ra"), "two characters find beginnings")
	require.Empty(t, find("r_r"), "and so do queries without three consecutive letters")
	for _, nothing := range []string{"im", "r_", "%%", "r", "nobody", "রহিম"} {
		require.Empty(t, find(nothing), nothing)
	}
	for _, username := range strings.Fields("ma1 ma2 ma3 ma4 ma5 ma6 ma7 ma8 ma9 ma10 ma11") {
		f.signup(t, username)
	}
	require.Equal(t, []string{"ma1", "ma10", "ma11", "ma2", "ma3", "ma4", "ma5", "ma6", "ma7", "ma8"}, find("ma"))
}

// No query scans the whole table.
func TestSearch_uses_index(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	_, err := db.Owner().Exec(t.Context(), `
		insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
		select gen_random_uuid(), left(md5(n::text), 12), n || '@example.com', 'x', 'code' || n, '2026-11-20Z', '2026-11-20Z'
		  from generate_series(1, 2000) n`)
	require.NoError(t, err)
	db.Grow(10, "users")
	for query, index := range map[string]string{
		"ab": "users_username_beginning", "a_b": "users_username_beginning", "abc": "users_username_trigrams",
	} {
		plans := dbtest.Explain(t, db, func(pool *pgxpool.Pool) {
			service := New(Options{DB: pool, Clock: clock.System{}})
			for range 10 { // after five executions PostgreSQL may choose a generic plan
				_, err := service.Search(t.Context(), uuid.New(), query)
				require.NoError(t, err)
			}
		})
		require.Equal(t, 10, strings.Count(plans, index), query)
		require.NotContains(t, plans, "Seq Scan", query)
	}
}

func usernames(parties []user.Ref) []string {
	names := make([]string, len(parties))
	for i, p := range parties {
		names[i] = p.Username
	}
	return names
}
