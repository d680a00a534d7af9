package realtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/fault"
	"amanat/internal/realtime"
)

// Sockets with different cursors join while events are written: each receives the events after its
// cursor, without gaps or duplicates.
func TestJoin_during_events(t *testing.T) {
	t.Parallel()
	const users, writers, each, pages = 4, 4, 60, 15
	f := newFixture(t, users)
	n := f.healthyProcess(func(o *realtime.Options) { o.Limits.Sockets = pages })
	var writing, reading sync.WaitGroup
	for i := range users * writers {
		writing.Go(func() { f.appendEvents(f.log, f.users[i%users], each) })
	}
	type opened struct {
		*client
		since int64
	}
	list := make(chan opened, users*pages)
	for _, user := range f.users {
		reading.Go(func() {
			for range pages / 3 { // three concurrent sockets per round
				head := f.head(user)
				for range 3 {
					since := rand.Int64N(head + 1)
					c, err := n.dial(user, "&since="+strconv.FormatInt(since, 10))
					if err != nil {
						t.Errorf("dial: %v", err)
						return
					}
					go c.listen()
					list <- opened{c, since}
				}
			}
		})
	}
	reading.Wait()
	writing.Wait()
	close(list)
	joinedAmid := 0
	for c := range list {
		hello := c.hello()
		first := c.since + 1
		if hello.Seq < writers*each {
			joinedAmid++
		}
		require.True(t, hello.Recovered)
		c.requireSeqs(first, writers*each)
	}
	require.Positive(t, joinedAmid, "no socket joined while events were written")
}

func TestJoin_resumes(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 2)
	n := f.healthyProcess()
	user, other := f.users[0], f.users[1]
	c := n.connect(user, "")
	require.Equal(t, realtime.Hello{Recovered: true}, c.hello(), "the log is empty")
	f.appendEvents(f.log, user, 3)
	f.appendEvents(f.log, other, 1)
	c.requireSeqs(1, 3)
	require.NoError(t, c.conn.Close())
	f.appendEvents(f.log, user, 2)

	fresh := n.connect(user, "")
	require.Equal(t, realtime.Hello{Recovered: true, Seq: 5}, fresh.hello(), "a new client gets the head of the log")
	again := n.connect(user, "3")
	require.Equal(t, realtime.Hello{Recovered: true, Seq: 5}, again.hello())
	again.requireSeqs(4, 5)
	current := n.connect(user, "5")
	require.Equal(t, realtime.Hello{Recovered: true, Seq: 5}, current.hello())
	f.appendEvents(f.log, user, 1)
	for _, c := range []*client{fresh, again, current} {
		c.requireSeqs(6, 6)
	}
}

func TestJoin_cannot_replay(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1)
	n := f.healthyProcess()
	user := f.users[0]
	f.appendEvents(f.unpublished, user, 301)
	whole := n.connect(user, "1")
	require.Equal(t, realtime.Hello{Recovered: true, Seq: 301}, whole.hello())
	whole.requireSeqs(2, 301)

	lost := []*client{n.connect(user, "0"), n.connect(user, "302")}
	_, err := f.db.Owner().Exec(t.Context(), `delete from user_events where seq <= 200`)
	require.NoError(t, err)
	lost = append(lost, n.connect(user, "199"))
	for _, c := range lost {
		require.Equal(t, realtime.Hello{Recovered: false, Seq: 301}, c.hello())
	}
	reaching := n.connect(user, "200")
	require.Equal(t, realtime.Hello{Recovered: true, Seq: 301}, reaching.hello())
	reaching.requireSeqs(201, 301)
	f.appendEvents(f.log, user, 1)
	for _, c := range append(lost, whole, reaching) {
		c.requireSeqs(302, 302)
	}
}

// Messages have at most 4,000 characters. A client that reads them as they arrive is not closed for
// being too slow.
func TestHub_long_messages(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1)
	n := f.healthyProcess()
	user, long := f.users[0], map[string]string{"text": strings.Repeat("ক", 4000)}
	f.appendPayload(f.unpublished, user, 150, long)
	back := n.connect(user, "0")
	require.Equal(t, realtime.Hello{Recovered: false, Seq: 150}, back.hello(), "too large to replay")
	short := n.connect(user, "110")
	require.Equal(t, realtime.Hello{Recovered: true, Seq: 150}, short.hello())
	short.requireSeqs(111, 150)

	f.appendPayload(f.unpublished, user, 150, long) // lost by Redis
	for _, c := range []*client{back, short} {
		c.requireSeqs(151, 300)
	}
	f.appendEvents(f.log, user, 1)
	for _, c := range []*client{back, short} {
		c.requireSeqs(301, 301)
	}
}

// Frames without a seq are sent as they arrive, do not move the cursor and reach only their
// receiver.
func TestHub_frames_without_seq(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 2)
	n, elsewhere := f.healthyProcess(), f.healthyProcess()
	user, other := f.users[0], f.users[1]
	first, second := n.connect(user, ""), elsewhere.connect(user, "")
	boss, stranger := n.connect(other, "", "&admin"), elsewhere.connect(other, "")
	for _, c := range []*client{first, second, boss, stranger} {
		c.hello()
	}
	publisher := realtime.NewRedis(f.client(f.redis.URL), discardLogger())
	f.background(publisher.Run)
	publisher.Publish("rt:u:"+user.String(), realtime.Frame{Version: 1, ID: uuid.New(), Type: realtime.TypeTyping, Data: []byte(`{}`)})
	for _, c := range []*client{first, second} {
		require.Equal(t, realtime.TypeTyping, c.next().Type)
	}
	n.hub.Send(user, realtime.TypeOnlineUsers, []uuid.UUID{other})
	sent := first.next()
	require.Equal(t, realtime.TypeOnlineUsers, sent.Type)
	require.JSONEq(t, fmt.Sprintf(`[%q]`, other), string(sent.Data))
	publisher.Publish("rt:admins", realtime.Frame{Version: 1, ID: uuid.New(), Type: realtime.TypeWorklistChanged, Data: []byte(`{}`)})
	require.Equal(t, realtime.TypeWorklistChanged, boss.next().Type)
	require.NoError(t, n.hub.Recheck(t.Context())) // f.sessions returns no admins
	publisher.Publish("rt:admins", realtime.Frame{Version: 1, ID: uuid.New(), Type: realtime.TypeWorklistChanged, Data: []byte(`{}`)})
	f.appendEvents(f.log, user, 1)
	first.requireSeqs(1, 1)
	second.requireSeqs(1, 1)
	f.appendEvents(f.log, other, 1)
	boss.requireSeqs(1, 1)
	stranger.requireSeqs(1, 1)
	require.ElementsMatch(t, []uuid.UUID{user, other}, n.hub.Users())
}

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
	require.Zero(t, n.metric("amanat_realtime_events_backfilled_total"), "all events arrived over Redis")
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

func TestHub_closes_misbehaving_clients(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1)
	n := f.healthyProcess()
	for name, c := range map[string]struct {
		kind, code int
		frames     []string
	}{
		"not JSON":      {websocket.TextMessage, 4004, []string{`{"type": `}},
		"not an object": {websocket.TextMessage, 4004, []string{`"ping"`}},
		"no type":       {websocket.TextMessage, 4004, []string{`{"data": {}}`}},
		"unknown type":  {websocket.TextMessage, 4004, []string{`{"type": "ping", "data": {}}`, `{"type": "newMessage", "data": {}}`}},
		"binary":        {websocket.BinaryMessage, 4004, []string{`{"type": "ping"}`}},
		"too large":     {websocket.TextMessage, websocket.CloseMessageTooBig, []string{`{"type": "` + strings.Repeat("x", 4<<10) + `"}`}},
		"too many":      {websocket.TextMessage, 4005, strings.Fields(strings.Repeat(`{"type":"ping"} `, 60))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := n.connect(f.users[0], "")
			client.t = t
			client.hello()
			for _, frame := range c.frames {
				if client.conn.WriteMessage(c.kind, []byte(frame)) != nil {
					break // closed already
				}
			}
			client.requireClosed(c.code)
		})
	}
}

func TestHooks_receive(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1)
	type call struct {
		identity  realtime.Identity
		frameType string
		data      string
	}
	calls := make(chan call, 10)
	answers := map[string]error{
		"refused": fault.New(fault.RateLimited, "too_many_attempts", "Too many attempts."), "broken": errors.New("secret"), "fine": nil,
	}
	n := f.healthyProcess(func(o *realtime.Options) {
		o.Hooks.Receive = func(_ context.Context, p realtime.Identity, frameType string, data json.RawMessage) error {
			calls <- call{p, frameType, string(data)}
			return answers[frameType]
		}
	})
	c := n.connect(f.users[0], "", "&admin")
	c.hello()
	c.send(`{"type": "fine", "data": {"a": 1}, "more": 2}`)
	require.Equal(t, call{realtime.Identity{UserID: c.user, SessionID: c.session, Admin: true}, "fine", `{"a": 1}`}, <-calls)
	c.send(`{"type": "refused"}`)
	frame := c.next()
	require.Equal(t, realtime.TypeProblem, frame.Type)
	require.JSONEq(t, `{"code": "rate_limited", "reason": "too_many_attempts", "message": "Too many attempts."}`, string(frame.Data))
	c.send(`{"type": "broken"}`)
	require.JSONEq(t, `{"code": "internal", "reason": "internal", "message": "Something went wrong"}`, string(c.next().Data))
	c.send(`{"type": "ping"}`)
	require.Equal(t, realtime.TypePong, c.next().Type)
}

func TestJoin_socket_limit(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 2)
	n := f.healthyProcess()
	other := n.connect(f.users[1], "")
	other.hello()
	var pages []*client
	for range 12 {
		c := n.connect(f.users[0], "")
		c.hello()
		pages = append(pages, c)
	}
	pages[0].requireClosed(4003)
	pages[1].requireClosed(4003)
	f.appendEvents(f.log, f.users[0], 1)
	for _, c := range pages[2:] {
		c.requireSeqs(1, 1)
	}
	f.appendEvents(f.log, f.users[1], 1)
	other.requireSeqs(1, 1)
}

// A client that stops reading is closed; other sockets, even of the same user, are not affected.
func TestHub_closes_slow_sockets(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 2)
	n := f.healthyProcess()
	healthy, other := n.connect(f.users[0], ""), n.connect(f.users[1], "")
	healthy.hello()
	other.hello()
	dialer := websocket.Dialer{NetDialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetReadBuffer(4 << 10)
		}
		return conn, err
	}}
	session := uuid.New()
	conn, response, err := dialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(n.server.URL, "http")+
		"/?user="+f.users[0].String()+"&session="+session.String(), http.Header{})
	require.NoError(t, err)
	_ = response.Body.Close()
	t.Cleanup(func() { _ = conn.Close() })
	_, _, err = conn.ReadMessage() // hello: before it, a socket is sent nothing else
	require.NoError(t, err)

	large := strings.Repeat("x", 64<<10)
	for range 300 {
		n.hub.Send(f.users[0], realtime.TypePong, large)
		f.log.Publish.PublishFrame(f.users[1], realtime.Frame{Type: realtime.TypePong, Data: json.RawMessage(`{}`)})
		require.Equal(t, realtime.TypePong, healthy.next().Type)
		require.Equal(t, realtime.TypePong, other.next().Type)
	}
	require.InDelta(t, 1, n.metric("amanat_realtime_sockets_closed_total"), 0, "by what is sent, not by the end of a blocked write")
	require.Eventually(t, func() bool { return n.metric("amanat_realtime_sockets") == 2 }, waitTimeout, time.Millisecond)
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(waitTimeout)))
	for err == nil {
		_, _, err = conn.ReadMessage()
	}
	var timeout net.Error
	require.False(t, errors.As(err, &timeout) && timeout.Timeout(), "the connection has ended: %v", err)
}
