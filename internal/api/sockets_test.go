package api_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/config"
	"amanat/internal/realtime"
)

// handshake tries to open a socket; connection is nil if it is refused.
func (b *browser) handshake(query, origin string) (connection *websocket.Conn, answer reply) {
	b.t.Helper()
	header := http.Header{}
	if origin != "" {
		header.Set("Origin", origin)
	}
	path := "/ws" + query
	dialer := websocket.Dialer{Jar: b.http.Jar, HandshakeTimeout: 10 * time.Second}
	connection, response, err := dialer.DialContext(b.t.Context(), strings.Replace(b.fixture.url, "http", "ws", 1)+"/api"+path, header)
	require.NotNil(b.t, response, "%v", err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(b.t, err)
	answer = reply{b.t, response.StatusCode, response.Header, body}
	if connection == nil {
		theContract().requireDocumented(b.t, http.MethodGet, path, answer)
		return nil, answer
	}
	b.t.Cleanup(func() { _ = connection.Close() })
	theContract().meet("GET /ws 101")
	return connection, answer
}

// opensSocket opens a socket and returns it with its first frame.
func (b *browser) opensSocket(query string) (*websocket.Conn, realtime.Hello) {
	b.t.Helper()
	connection, answer := b.handshake(query, b.fixture.config.PublicURL)
	answer.want(http.StatusSwitchingProtocols)
	var hello realtime.Hello
	require.NoError(b.t, json.Unmarshal(b.hears(connection, realtime.TypeHello).Data, &hello))
	return connection, hello
}

// hears returns the next frame, which must have the given type and match its schema.
func (b *browser) hears(connection *websocket.Conn, frameType string) realtime.Frame {
	b.t.Helper()
	require.NoError(b.t, connection.SetReadDeadline(time.Now().Add(20*time.Second)))
	_, message, err := connection.ReadMessage()
	require.NoError(b.t, err)
	theContract().requireValid(b.t, "/components/schemas/ServerFrame", message)
	var frame realtime.Frame
	require.NoError(b.t, json.Unmarshal(message, &frame))
	require.Equal(b.t, frameType, frame.Type, string(message))
	return frame
}

func (b *browser) requireClosed(connection *websocket.Conn, code int) {
	b.t.Helper()
	require.NoError(b.t, connection.SetReadDeadline(time.Now().Add(20*time.Second)))
	for {
		if _, _, err := connection.ReadMessage(); err != nil {
			var closed *websocket.CloseError
			require.ErrorAs(b.t, err, &closed)
			require.Equal(b.t, code, closed.Code)
			return
		}
	}
}

func TestSocket_handshake(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.serveSockets()
	b := f.member("rahim")
	for _, origin := range []string{
		"", "null", "https://evil.example", f.url + ".evil.example", f.url + "/", "https" + strings.TrimPrefix(f.url, "http"),
		"http://127.0.0.1:1", // another port
	} {
		_, answer := b.handshake("", origin)
		answer.refused(403, "forbidden", "This request came from another site.")
		_, answer = f.visitor().handshake("", origin)
		answer.refused(401, "unauthenticated", "Please log in to continue.")
	}
	_, answer := f.visitor().handshake("", f.url)
	answer.refused(401, "unauthenticated", "Please log in to continue.")
	for _, since := range []string{"x", "-1", "1.5", "99999999999999999999"} {
		_, answer = b.handshake("?since="+since, f.url)
		answer.refused(400, "invalid", "since must be a whole number from 0.")
	}
	b.do(http.MethodGet, "/ws", nil, "Origin", f.url).refused(400, "invalid", "This address speaks WebSocket only.")
	_, hello := b.opensSocket("")
	require.Equal(t, realtime.Hello{Recovered: true}, hello)
	require.Eventually(t, func() bool { // the request is logged after the first frame
		return strings.Contains(f.log.String(), `"route":"/api/ws","status":101`)
	}, 10*time.Second, time.Millisecond)
	require.Contains(t, f.log.String(), `"event":"socket of another site refused"`)
}

// A socket delivers all events of its own user after since, and no events of other users.
func TestSocket_events(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.serveSockets()
	f.work()
	karim, rahim := f.member("karim"), f.member("rahim")
	stranger := f.member("stranger")
	require.Zero(t, karim.user.EventSeq)
	rahim.post("/messages/send-or-start", fields{"receiverId": karim.user.ID, "text": "Hello"}).want(201)
	karim.get("/auth/check").want(200).into(&karim.user)
	require.EqualValues(t, 1, karim.user.EventSeq)

	missed, hello := karim.opensSocket("?since=0")
	require.Equal(t, realtime.Hello{Recovered: true, Seq: 1}, hello)
	require.EqualValues(t, 1, karim.hears(missed, realtime.TypeNewMessage).Seq)
	// A user parameter does not deliver the events of another user.
	curious, _ := stranger.opensSocket("?since=0&userId=" + karim.user.ID.String() + "&user=" + karim.user.ID.String())
	current, _ := karim.opensSocket("?since=1&userId=" + stranger.user.ID.String())
	rahim.post("/messages/send-or-start", fields{"receiverId": karim.user.ID, "text": "Are you there?"}).want(201)
	for _, socket := range []*websocket.Conn{missed, current} {
		require.EqualValues(t, 2, karim.hears(socket, realtime.TypeNewMessage).Seq)
	}
	rahim.post("/messages/send-or-start", fields{"receiverId": stranger.user.ID, "text": "And you?"}).want(201)
	require.EqualValues(t, 1, stranger.hears(curious, realtime.TypeNewMessage).Seq, "the first thing that happens to the stranger")
	require.NoError(t, current.WriteMessage(websocket.TextMessage, []byte(`{"type": "ping", "data": {}}`)))
	karim.hears(current, realtime.TypePong)
}

func TestSocket_session_ended(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.serveSockets()
	b := f.member("rahim")
	gone, _ := b.opensSocket("")
	other := f.visitor()
	other.post("/auth/login", fields{"username": "rahim", "password": password}).want(200).into(&other.user)
	kept, _ := other.opensSocket("")
	require.NoError(t, f.hub.Recheck(t.Context()))
	b.post("/auth/logout", nil).want(200)
	require.NoError(t, f.hub.Recheck(t.Context()))
	b.requireClosed(gone, 4001)
	require.NoError(t, kept.WriteMessage(websocket.TextMessage, []byte(`{"type": "ping"}`)))
	other.hears(kept, realtime.TypePong)
	_, err := f.owner.Exec(t.Context(), `update users set disabled_at = now()`)
	require.NoError(t, err)
	require.NoError(t, f.hub.Recheck(t.Context()))
	other.requireClosed(kept, 4001)
}

func TestSocket_limits(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.Sockets, c.Limits.SocketFrameBytes = 2, 200 })
	f.serveSockets()
	b := f.member("rahim")
	oldest, _ := b.opensSocket("")
	second, _ := b.opensSocket("")
	b.opensSocket("")
	b.requireClosed(oldest, 4003)
	require.NoError(t, second.WriteMessage(websocket.TextMessage, []byte(`{"type": "ping", "data": "`+strings.Repeat("x", 200)+`"}`)))
	b.requireClosed(second, websocket.CloseMessageTooBig)
}

func TestSocket_client_frames(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.serveSockets()
	karim, rahim, stranger := f.member("karim"), f.member("rahim"), f.member("stranger")
	var started struct {
		Conversation struct {
			ID uuid.UUID `json:"_id"`
		}
	}
	rahim.post("/messages/send-or-start", fields{"receiverId": karim.user.ID, "text": "Hello"}).want(201).into(&started)
	say := func(socket *websocket.Conn, frameType string, conversation any) {
		t.Helper()
		require.NoError(t, socket.WriteJSON(fields{"type": frameType, "data": fields{"conversationId": conversation}}))
	}
	foreign, _ := stranger.opensSocket("")
	for _, frameType := range []string{realtime.TypeMarkAsRead, realtime.TypeTyping} {
		for _, unknown := range []any{started.Conversation.ID, uuid.New(), "nonsense", 7} {
			say(foreign, frameType, unknown)
			var problem realtime.Problem
			require.NoError(t, json.Unmarshal(stranger.hears(foreign, realtime.TypeProblem).Data, &problem))
			require.Equal(t, realtime.Problem{Code: "not_found", Reason: "conversation_not_found", Message: "Conversation not found."}, problem)
		}
	}
	say(foreign, "shout", started.Conversation.ID)
	stranger.requireClosed(foreign, 4004)

	own, _ := karim.opensSocket("?since=1")
	say(own, realtime.TypeTyping, started.Conversation.ID)
	require.JSONEq(t, `{"hasUnread": true}`, string(karim.get("/messages/unread-dot").want(200).body))
	say(own, realtime.TypeMarkAsRead, started.Conversation.ID)
	require.EqualValues(t, 2, karim.hears(own, realtime.TypeMessageRead).Seq)
	require.JSONEq(t, `{"hasUnread": false}`, string(karim.get("/messages/unread-dot").want(200).body))
}

// meetings records the users announced on rt:presence since the last take.
type meetings struct {
	mu   sync.Mutex
	told []uuid.UUID
}

func (m *meetings) note(channel string, payload any) {
	if channel != "rt:presence" {
		return
	}
	encoded, err := json.Marshal(payload)
	must(err)
	var announced struct{ Tell []uuid.UUID }
	must(json.Unmarshal(encoded, &announced))
	m.mu.Lock()
	defer m.mu.Unlock()
	m.told = append(m.told, announced.Tell...)
}

func (m *meetings) take() []uuid.UUID {
	m.mu.Lock()
	defer m.mu.Unlock()
	told := m.told
	m.told = nil
	return told
}

// Users see each other's presence from the first reply on, whichever call sends it, and not before.
func TestPresence_after_first_reply(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim, nusrat := f.member("rahim"), f.member("karim"), f.member("nusrat")
	rahimAndKarim := []uuid.UUID{rahim.user.ID, karim.user.ID}

	id := rahim.opens(karim, nil).Conversation.ID // as the button of a profile does
	require.Empty(t, f.met.take(), "nobody has said anything")
	rahim.says(id, "Hello")
	rahim.says(id, "Are you there?")
	require.Empty(t, f.met.take(), "nobody has answered")
	karim.says(id, "Hello to you")
	require.ElementsMatch(t, rahimAndKarim, f.met.take())
	karim.opens(rahim, fields{"text": "How are you?"})
	require.Empty(t, f.met.take(), "they know each other")

	rahim.opens(nusrat, nil)
	key := []string{"Idempotency-Key", "one-click"}
	first := fields{"receiverId": rahim.user.ID, "text": "You looked for me?"}
	nusrat.post("/messages/send-or-start", first, key...).want(201)
	require.Empty(t, f.met.take(), "an empty conversation asks for nothing")
	rahim.opens(nusrat, fields{"text": "I did."})
	require.ElementsMatch(t, []uuid.UUID{rahim.user.ID, nusrat.user.ID}, f.met.take())
	nusrat.post("/messages/send-or-start", first, key...).want(201)
	require.Empty(t, f.met.take())

	karim.opens(nusrat, fields{"text": "Hello"})
	require.Empty(t, f.met.take())
}
