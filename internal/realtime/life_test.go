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

func TestHub_ended_sessions(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 2)
	n, elsewhere := f.healthyProcess(), f.healthyProcess()
	publisher := realtime.NewRedis(f.client(f.redis.URL), discardLogger())
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
	f.appendEvents(f.log, f.users[0], 1)
	second.requireSeqs(1, 1)

	// Recheck finds an ended session if Redis lost the control message.
	f.mu.Lock()
	f.ended[second.session] = true
	f.mu.Unlock()
	require.NoError(t, n.hub.Recheck(t.Context()))
	require.NoError(t, elsewhere.hub.Recheck(t.Context()))
	second.requireClosed(4001)
	f.appendEvents(f.log, f.users[1], 1)
	other.requireSeqs(1, 1)
}

// Hooks are called for the first, further and last sockets in order, and never before hello.
func TestHooks_presence(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1)
	user := f.users[0]
	events := make(chan string, 100)
	var n *process
	n = f.healthyProcess(func(o *realtime.Options) {
		o.Hooks = realtime.Hooks{
			Joined: func(p realtime.Identity) { n.hub.Send(p.UserID, realtime.TypeOnlineUsers, nil); events <- "joined" },
			Socket: func(uuid.UUID) { events <- "socket" },
			Left:   func(uuid.UUID) { events <- "left" },
		}
	})
	first := n.connect(user, "")
	require.Equal(t, "joined", <-events)
	first.hello()
	require.Equal(t, realtime.TypeOnlineUsers, first.next().Type)
	second := n.connect(user, "")
	require.Equal(t, "socket", <-events)
	require.NoError(t, first.conn.Close())
	require.Eventually(t, func() bool { return n.metric("amanat_realtime_sockets") == 1 }, waitTimeout, time.Millisecond)
	require.Equal(t, []uuid.UUID{user}, n.hub.Users())
	require.NoError(t, second.conn.Close())
	require.Equal(t, "left", <-events)
	require.Empty(t, n.hub.Users())
	require.Zero(t, n.metric("amanat_realtime_users"))
	n.connect(user, "")
	require.Equal(t, "joined", <-events)
}

// A user who reconnects immediately receives events: the channel is released later than the socket.
func TestHub_reconnects(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1)
	n := f.healthyProcess()
	user := f.users[0]
	for i := range int64(20) {
		c := n.connect(user, "")
		require.Equal(t, i, c.hello().Seq)
		f.appendEvents(f.log, user, 1)
		c.requireSeqs(i+1, i+1)
		require.NoError(t, c.conn.Close())
	}
	subscribed := func() int {
		channels, err := f.client(f.redis.URL).PubSubNumSub(context.Background(), "rt:u:"+user.String()).Result()
		require.NoError(t, err)
		return int(channels["rt:u:"+user.String()])
	}
	require.Equal(t, 1, subscribed())
	require.Eventually(t, func() bool { return subscribed() == 0 }, waitTimeout, 20*time.Millisecond)
	c := n.connect(user, "20")
	c.hello()
	f.appendEvents(f.log, user, 1)
	c.requireSeqs(21, 21)
	require.Zero(t, n.metric("amanat_realtime_events_healed_total"), "all events arrived over Redis")
}

func TestDrain(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 15)
	n := f.healthyProcess()
	var pages []*client
	for i := range 150 { // more than one batch
		c := n.connect(f.users[i%15], "")
		c.hello()
		pages = append(pages, c)
	}
	stalled, err := n.dial(f.users[0], "") // replaces the oldest, and does not read
	require.NoError(t, err)
	pages[0].requireClosed(4003)
	ctx, cancel := context.WithTimeout(t.Context(), waitTimeout)
	defer cancel()
	started := time.Now()
	var draining sync.WaitGroup
	draining.Go(func() { n.hub.Drain(ctx) })
	for _, c := range pages[1:] {
		c.requireClosed(websocket.CloseServiceRestart)
	}
	draining.Wait()
	require.Less(t, time.Since(started), waitTimeout/2, "a socket that does not answer is not waited for")
	require.Zero(t, n.metric("amanat_realtime_sockets"))
	url := "ws" + n.server.URL[len("http"):] + "/?user=" + uuid.NewString() + "&session=" + uuid.NewString()
	_, response, err := websocket.DefaultDialer.Dial(url, nil)
	require.Error(t, err)
	require.Equal(t, http.StatusServiceUnavailable, response.StatusCode)
	n.stop()
	_ = stalled.conn.Close()
}
