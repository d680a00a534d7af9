package realtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/fault"
	"amanat/internal/realtime"
)

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
	require.Eventually(t, func() bool { return n.metric("amanat_realtime_sockets") == 3 }, waitTimeout, time.Millisecond)

	large := strings.Repeat("x", 64<<10)
	var slowest time.Duration
	for range 300 {
		started := time.Now()
		n.hub.Send(f.users[0], realtime.TypePong, large)
		f.log.Publish.PublishFrame(f.users[1], realtime.Frame{Type: realtime.TypePong, Data: json.RawMessage(`{}`)})
		require.Equal(t, realtime.TypePong, healthy.next().Type)
		require.Equal(t, realtime.TypePong, other.next().Type)
		slowest = max(slowest, time.Since(started))
	}
	require.Less(t, slowest, 5*time.Second)
	require.Eventually(t, func() bool { return n.metric("amanat_realtime_sockets") == 2 }, waitTimeout, time.Millisecond)
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(waitTimeout)))
	for err == nil {
		_, _, err = conn.ReadMessage()
	}
	var timeout net.Error
	require.False(t, errors.As(err, &timeout) && timeout.Timeout(), "the connection has ended: %v", err)
}
