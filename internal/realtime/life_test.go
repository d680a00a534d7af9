package realtime_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"amanat/internal/realtime"
)

func TestSocketsEndWithTheirSessions(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 2)
	n, elsewhere := f.started(), f.started()
	publisher := realtime.NewRedis(f.client(f.redis.URL), quiet())
	f.background(publisher.Run)
	first, second, third := n.connect(f.users[0], ""), n.connect(f.users[0], ""), elsewhere.connect(f.users[0], "")
	other := elsewhere.connect(f.users[1], "")
	for _, c := range []*client{first, second, third, other} {
		c.hello()
	}
	publisher.SessionEnded(first.session)
	first.requireClosed(4001)
	publisher.SessionsEnded(f.users[0], &second.session)
	third.requireClosed(4001)
	f.happen(f.log, f.users[0], 1)
	second.requireSeqs(1, 1)

	// Recheck finds an ended session if Redis lost the control message.
	f.mu.Lock()
	f.over[second.session] = true
	f.mu.Unlock()
	require.NoError(t, n.hub.Recheck(t.Context()))
	require.NoError(t, elsewhere.hub.Recheck(t.Context()))
	second.requireClosed(4001)
	f.happen(f.log, f.users[1], 1)
	other.requireSeqs(1, 1)
}

// Hooks report first and last sockets in order, and no socket before its hello.
func TestHooksTellWhoIsThere(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1)
	user := f.users[0]
	told := make(chan string, 100)
	var n *process
	n = f.started(func(o *realtime.Options) {
		o.Hooks = realtime.Hooks{
			Joined: func(p realtime.Identity) { n.hub.Send(p.UserID, realtime.TypeOnlineUsers, nil); told <- "joined" },
			Socket: func(uuid.UUID) { told <- "socket" },
			Left:   func(uuid.UUID) { told <- "left" },
		}
	})
	first := n.connect(user, "")
	require.Equal(t, "joined", <-told)
	first.hello()
	require.Equal(t, realtime.TypeOnlineUsers, first.next().Type)
	second := n.connect(user, "")
	require.Equal(t, "socket", <-told)
	require.NoError(t, first.conn.Close())
	require.Eventually(t, func() bool { return n.metric("amanat_realtime_sockets") == 1 }, patience, time.Millisecond)
	require.Equal(t, []uuid.UUID{user}, n.hub.Users())
	require.NoError(t, second.conn.Close())
	require.Equal(t, "left", <-told)
	require.Empty(t, n.hub.Users())
	require.Zero(t, n.metric("amanat_realtime_users"))
	n.connect(user, "")
	require.Equal(t, "joined", <-told)
}

// A user who reconnects immediately receives events: the channel is released later than the socket.
func TestComingAndGoing(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1)
	n := f.started()
	user := f.users[0]
	for i := range int64(20) {
		c := n.connect(user, "")
		require.Equal(t, i, c.hello().Seq)
		f.happen(f.log, user, 1)
		c.requireSeqs(i+1, i+1)
		require.NoError(t, c.conn.Close())
	}
	subscribed := func() int {
		channels, err := f.client(f.redis.URL).PubSubNumSub(context.Background(), "rt:u:"+user.String()).Result()
		require.NoError(t, err)
		return int(channels["rt:u:"+user.String()])
	}
	require.Equal(t, 1, subscribed())
	require.Eventually(t, func() bool { return subscribed() == 0 }, patience, 20*time.Millisecond)
	c := n.connect(user, "20")
	c.hello()
	f.happen(f.log, user, 1)
	c.requireSeqs(21, 21)
	require.Zero(t, n.metric("amanat_realtime_events_healed_total"), "all of it came over Redis")
}

func TestDrain(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 15)
	n := f.started()
	var pages []*client
	for i := range 150 { // more than one batch
		c := n.connect(f.users[i%15], "")
		c.hello()
		pages = append(pages, c)
	}
	stalled, err := n.dial(f.users[0], "") // replaces one, and reads nothing
	require.NoError(t, err)
	pages[0].requireClosed(4003)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	started := time.Now()
	var draining sync.WaitGroup
	draining.Go(func() { n.hub.Drain(ctx) })
	for _, c := range pages[1:] {
		c.requireClosed(websocket.CloseServiceRestart)
	}
	draining.Wait()
	require.Less(t, time.Since(started), patience/2, "who does not answer is not waited for")
	require.Zero(t, n.metric("amanat_realtime_sockets"))
	_, response, err := websocket.DefaultDialer.Dial("ws"+n.server.URL[len("http"):]+"/?user="+uuid.NewString()+"&session="+uuid.NewString(), nil)
	require.Error(t, err)
	require.Equal(t, http.StatusServiceUnavailable, response.StatusCode)
	n.stop()
	_ = stalled.conn.Close()
}
