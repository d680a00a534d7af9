package systemtest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// realtimeFixture is a system with two apis and three users, two of whom have a conversation.
type realtimeFixture struct {
	*system
	east, west           *process
	nusrat, rakib, sadia *person
	conversation         uuid.UUID
}

func newRealtimeFixture(t *testing.T) *realtimeFixture {
	t.Helper()
	f := &realtimeFixture{system: newSystem(t, released)}
	f.east, f.west = f.startAPI(), f.startAPI()
	f.serve(f.east, f.west)
	f.nusrat, f.rakib, f.sadia = f.member("nusrat"), f.member("rakib"), f.member("sadia")
	f.conversation = f.nusrat.startConversation(f.rakib, "Assalamu alaikum")
	return f
}

// A client that shares no code with ours, connected to the other node, receives its user's events
// at once, and no others.
func TestSocket_events(t *testing.T) {
	t.Parallel()
	f := newRealtimeFixture(t)
	// Presence is shown only in conversations that were answered.
	_, err := f.db.Owner().Exec(t.Context(), `update conversations set answered = true`)
	require.NoError(t, err)
	nusrat := f.nusrat.wsClient(f.east.site, "", nil)
	start := nusrat.hello()
	// Clients may send a user ID; the server ignores it.
	stranger := f.sadia.wsClient(f.west.site, "?userId="+f.rakib.ID.String(), nil)
	stranger.hello()
	rakib := f.rakib.wsClient(f.west.site, "?since=0", nil)
	require.EqualValues(t, 1, rakib.hello())
	require.EqualValues(t, 1, rakib.frame("newMessage").Seq, "what was missed follows")
	requireOnline(t, nusrat, f.rakib.ID)

	// An event from one node to the other.
	f.nusrat.post("/messages", fields{"conversationId": f.conversation, "text": "Is the channel for sale?"}).want(http.StatusCreated)
	message, popUp := rakib.frame("newMessage"), rakib.frame("receiveMessage")
	require.EqualValues(t, 2, message.Seq)
	require.Contains(t, string(message.Data), "Is the channel for sale?")
	require.Zero(t, popUp.Seq, "it is not in the log")
	require.Contains(t, string(popUp.Data), "Is the channel for sale?")
	require.Equal(t, start+1, nusrat.frame("newMessage").Seq)

	// Messages from clients.
	rakib.send("typing", fields{"conversationId": f.conversation})
	// Dropped: too soon after the last.
	rakib.send("typing", fields{"conversationId": f.conversation})
	typing := nusrat.frame("typing")
	require.Zero(t, typing.Seq)
	require.JSONEq(t, `{"conversationId": "`+f.conversation.String()+`", "userId": "`+f.rakib.ID.String()+`"}`, string(typing.Data))
	rakib.send("markAsRead", fields{"conversationId": f.conversation})
	require.EqualValues(t, 3, rakib.frame("messageRead").Seq)
	require.Equal(t, start+2, nusrat.frame("messageRead").Seq)
	rakib.send("ping", nil)
	rakib.frame("pong")

	// A user outside the conversation receives not_found and no events.
	stranger.send("typing", fields{"conversationId": f.conversation})
	for range 2 {
		problem := stranger.frame("problem")
		require.Contains(t, string(problem.Data), `"not_found"`)
		stranger.send("markAsRead", fields{"conversationId": f.conversation})
	}
	stranger.frame("problem")
	stranger.send("ping", nil)
	stranger.frame("pong")

	// Rakib resumes at the position where the connection broke.
	rakib.order(fields{"close": true})
	rakib.closed(1005)
	f.nusrat.post("/messages", fields{"conversationId": f.conversation, "text": "Hello?"}).want(http.StatusCreated)
	rakib = f.rakib.wsClient(f.east.site, "?since=3", nil)
	require.EqualValues(t, 4, rakib.hello())
	require.EqualValues(t, 4, rakib.frame("newMessage").Seq)

	f.rakib.post("/auth/logout", nil).want(http.StatusOK)
	rakib.closed(4001)
}

// Admins receive changes of their queues at once, from either node; other users do not.
func TestSocket_queue_changed(t *testing.T) {
	t.Parallel()
	f := newRealtimeFixture(t)
	boss := f.admin("boss")
	admin, member := boss.wsClient(f.east.site, "", nil), f.sadia.wsClient(f.east.site, "", nil)
	admin.hello()
	member.hello()
	f.serve(f.west)
	f.nusrat.post("/auth/bug-report", fields{"subject": "Pay", "description": "Nothing happens."}).want(http.StatusCreated)
	changed := admin.frame("queueChanged")
	require.Zero(t, changed.Seq)
	require.Contains(t, string(changed.Data), `"queue":"bug-reports"`)
	member.send("ping", nil)
	// No frame came before the pong.
	member.frame("pong")
}

// requireOnline waits for a frame that lists exactly this user as online.
func requireOnline(t *testing.T, f *wsClient, want uuid.UUID) {
	t.Helper()
	for {
		var online []uuid.UUID
		require.NoError(t, json.Unmarshal(f.frame("getOnlineUsers").Data, &online))
		if slices.Equal(online, []uuid.UUID{want}) {
			return
		}
	}
}

func TestSocket_refused(t *testing.T) {
	t.Parallel()
	f := newRealtimeFixture(t)
	for _, test := range []struct {
		name   string
		change map[string]string
		status int
		code   string
	}{
		{"no cookie", map[string]string{"Cookie": ""}, http.StatusUnauthorized, "unauthenticated"},
		{"somebody's guess", map[string]string{"Cookie": "amanat=" + strings.Repeat("A", 43)}, http.StatusUnauthorized, "unauthenticated"},
		{"no origin", map[string]string{"Origin": ""}, http.StatusForbidden, "forbidden"},
		{"another site", map[string]string{"Origin": "http://evil.example"}, http.StatusForbidden, "forbidden"},
		{"another port", map[string]string{"Origin": "http://localhost:8081"}, http.StatusForbidden, "forbidden"},
		{"a longer name", map[string]string{"Origin": publicOrigin + ".evil.example"}, http.StatusForbidden, "forbidden"},
		{"no name", map[string]string{"Origin": "null"}, http.StatusForbidden, "forbidden"},
	} {
		f.nusrat.wsClient(f.east.site, "", test.change).refused(test.status, test.code)
	}
}

func TestSocket_invalid_messages(t *testing.T) {
	t.Parallel()
	f := newRealtimeFixture(t)
	for _, test := range []struct {
		name, text string
		code       int
	}{
		{"no JSON", "hello", 4004},
		{"no object", "[]", 4004},
		{"unknown type", `{"type": "shout", "data": {}}`, 4004},
		{"a server's type", `{"type": "newMessage", "data": {}}`, 4004},
		{"too long", `{"type": "ping", "data": "` + strings.Repeat("x", 4<<10) + `"}`, 1009},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			socket := f.nusrat.wsClient(f.east.site, "", nil)
			socket.hello()
			socket.order(fields{"send": test.text})
			socket.closed(test.code)
		})
	}
	t.Run("too much", func(t *testing.T) {
		t.Parallel()
		socket := f.rakib.wsClient(f.west.site, "", nil)
		socket.hello()
		socket.order(fields{"json": fields{"type": "ping"}, "times": 100})
		socket.closed(4005)
	})
}
