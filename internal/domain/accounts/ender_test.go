package accounts

import (
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/platform/postgres"
	"amanat/internal/realtime"
)

// ending is what a SessionEnder is told: a session, or a user and the session that is spared.
type ending struct {
	session, user uuid.UUID
	except        *uuid.UUID
}

// listener hears of the ends of sessions, and of changed users.
type listener struct {
	mu    sync.Mutex
	ended []ending
	users []uuid.UUID
}

func (l *listener) SessionEnded(id uuid.UUID) { l.add(ending{session: id}) }

func (l *listener) SessionsEnded(userID uuid.UUID, except *uuid.UUID) {
	l.add(ending{user: userID, except: except})
}

func (l *listener) QueueChanged(tx *postgres.Tx, queue realtime.Queue, id uuid.UUID) {
	if queue == realtime.QueueUsers {
		tx.AfterCommit(func() { l.users = append(l.users, id) })
	}
}

func (l *listener) add(e ending) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = append(l.ended, e)
}

// take returns what was heard since the last time.
func (l *listener) take() []ending {
	l.mu.Lock()
	defer l.mu.Unlock()
	heard := l.ended
	l.ended = nil
	return heard
}

func TestWhoeverServesSocketsHearsThatASessionIsOver(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	heard := &listener{}
	f.Service.sessions, f.queues = heard, heard
	ctx := t.Context()
	user, token := f.signup(t, "rahim")
	require.Empty(t, heard.take())
	session := func(token Token) Session {
		_, found, err := f.Authenticate(ctx, token)
		require.NoError(t, err)
		return found
	}
	first := session(token)

	opened, err := f.Login(ctx, LoginInput{Username: "rahim", Password: "river-stone", Previous: token}, Client{})
	require.NoError(t, err)
	require.Equal(t, []ending{{session: first.ID}}, heard.take(), "the session of before")
	second := session(opened.Session)
	_, err = f.Logout(ctx, opened.Session)
	require.NoError(t, err)
	require.Equal(t, []ending{{session: second.ID}}, heard.take())
	_, err = f.Logout(ctx, opened.Session)
	require.NoError(t, err)
	require.Empty(t, heard.take(), "there was none")

	opened, err = f.Login(ctx, LoginInput{Username: "rahim", Password: "river-stone"}, Client{})
	require.NoError(t, err)
	third := session(opened.Session)
	require.Error(t, f.EndSession(ctx, uuid.New(), third.ID))
	require.Empty(t, heard.take(), "it is not his")
	_, err = f.ChangePassword(ctx, user, third, "", ChangeInput{Current: "wrong", New: "another1"})
	require.Error(t, err)
	require.Empty(t, heard.take())
	_, err = f.ChangePassword(ctx, user, third, "", ChangeInput{Current: "river-stone", New: "another1"})
	require.NoError(t, err)
	require.Equal(t, []ending{{user: user.ID, except: &third.ID}}, heard.take())
	require.NoError(t, f.EndSession(ctx, user.ID, third.ID))
	require.Equal(t, []ending{{session: third.ID}}, heard.take())

	link := f.mailedToken(t, user.ID, forReset)
	_, _, err = f.ResetPassword(ctx, ResetInput{Password: "another2", Token: link})
	require.NoError(t, err)
	require.Equal(t, []ending{{user: user.ID}}, heard.take())
	_, _, err = f.ResetPassword(ctx, ResetInput{Password: "another3", Token: link})
	require.Error(t, err)
	require.Empty(t, heard.take(), "it was rolled back")

	admin, _ := f.signup(t, "boss")
	for range 2 {
		require.NoError(t, f.DisableUser(ctx, admin.ID, user.ID, "spam"))
	}
	require.Equal(t, []ending{{user: user.ID}}, heard.take())
	require.NoError(t, f.EnableUser(ctx, admin.ID, user.ID))
	require.Equal(t, []uuid.UUID{user.ID, user.ID}, heard.users, "disabled, enabled")
}
