package accounts

import (
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
	"amanat/internal/realtime"
)

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

func (l *endRecorder) QueueChanged(tx *postgres.Tx, queue realtime.Queue, id uuid.UUID) {
	if queue == realtime.QueueUsers {
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
	f.Service.sessions, f.queues = recorded, recorded
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
