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

// realtimeFixture is a system with two apis and three people, of whom two have talked.
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
	f.conversation = f.nusrat.talk(f.rakib, "Assalamu alaikum")
	return f
}

// A client that shares no code with ours, at the other node, hears at once of what concerns its user, and of nothing else.
func TestAForeignClientHearsWhatIsItsUsers(t *testing.T) {
	t.Parallel()
	f := newRealtimeFixture(t)
	// They have talked before: whoever has never answered is not told of.
	_, err := f.db.Owner().Exec(t.Context(), `update conversations set answered = true`)
	require.NoError(t, err)
	nusrat := f.nusrat.foreign(f.east.site, "", nil)
	start := nusrat.hello()
	stranger := f.sadia.foreign(f.west.site, "?userId="+f.rakib.ID.String(), nil) // clients may say so; it proves nothing
	stranger.hello()
	rakib := f.rakib.foreign(f.west.site, "?since=0", nil)
	require.EqualValues(t, 2, rakib.hello())
	require.EqualValues(t, 1, rakib.frame("newMessage").Seq, "what was missed follows")
	require.EqualValues(t, 2, rakib.frame("receiveMessage").Seq)
	requireOnline(t, nusrat, f.rakib.ID)

	// From one node to the other.
	f.nusrat.post("/messages", fields{"conversationId": f.conversation, "text": "Is the channel for sale?"}).want(http.StatusCreated)
	for i, frame := range []*frame{rakib.frame("newMessage"), rakib.frame("receiveMessage")} {
		require.EqualValues(t, 3+i, frame.Seq)
		require.Contains(t, string(frame.Data), "Is the channel for sale?")
	}
	require.Equal(t, start+1, nusrat.frame("newMessage").Seq)

	// What clients say.
	rakib.say("typing", fields{"conversationId": f.conversation})
	rakib.say("typing", fields{"conversationId": f.conversation}) // too soon to be told
	typing := nusrat.frame("typing")
	require.Zero(t, typing.Seq)
	require.JSONEq(t, `{"conversationId": "`+f.conversation.String()+`", "userId": "`+f.rakib.ID.String()+`"}`, string(typing.Data))
	rakib.say("markAsRead", fields{"conversationId": f.conversation})
	require.EqualValues(t, 5, rakib.frame("messageRead").Seq)
	require.Equal(t, start+2, nusrat.frame("messageRead").Seq)
	rakib.say("ping", nil)
	rakib.frame("pong")

	// A stranger is told that there is no such conversation, and has heard of nothing else.
	stranger.say("typing", fields{"conversationId": f.conversation})
	for range 2 {
		problem := stranger.frame("problem")
		require.Contains(t, string(problem.Data), `"not_found"`)
		stranger.say("markAsRead", fields{"conversationId": f.conversation})
	}
	stranger.frame("problem")
	stranger.say("ping", nil)
	stranger.frame("pong")

	// Rakib resumes where the connection broke.
	rakib.order(fields{"close": true})
	rakib.closed(1005)
	f.nusrat.post("/messages", fields{"conversationId": f.conversation, "text": "Hello?"}).want(http.StatusCreated)
	rakib = f.rakib.foreign(f.east.site, "?since=5", nil)
	require.EqualValues(t, 7, rakib.hello())
	require.EqualValues(t, 6, rakib.frame("newMessage").Seq)
	require.EqualValues(t, 7, rakib.frame("receiveMessage").Seq)

	f.rakib.post("/auth/logout", nil).want(http.StatusOK)
	rakib.closed(4001)
}

// Admins hear at once what waits for them, at whichever node it was made; nobody else does.
func TestAdminsHearOfTheirQueues(t *testing.T) {
	t.Parallel()
	f := newRealtimeFixture(t)
	boss := f.admin("boss")
	admin, member := boss.foreign(f.east.site, "", nil), f.sadia.foreign(f.east.site, "", nil)
	admin.hello()
	member.hello()
	f.serve(f.west)
	f.nusrat.post("/auth/bug-report", fields{"subject": "Pay", "description": "Nothing happens."}).want(http.StatusCreated)
	changed := admin.frame("queueChanged")
	require.Zero(t, changed.Seq)
	require.Contains(t, string(changed.Data), `"queue":"bug-reports"`)
	member.say("ping", nil)
	member.frame("pong") // and nothing before it
}

// requireOnline waits until the socket is told that exactly this person is online.
func requireOnline(t *testing.T, f *foreign, want uuid.UUID) {
	t.Helper()
	for {
		var online []uuid.UUID
		require.NoError(t, json.Unmarshal(f.frame("getOnlineUsers").Data, &online))
		if slices.Equal(online, []uuid.UUID{want}) {
			return
		}
	}
}

func TestASocketIsRefusedToWhoMayNotHaveIt(t *testing.T) {
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
		f.nusrat.foreign(f.east.site, "", test.change).refused(test.status, test.code)
	}
}

func TestWhatASocketMayNotSay(t *testing.T) {
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
			socket := f.nusrat.foreign(f.east.site, "", nil)
			socket.hello()
			socket.order(fields{"send": test.text})
			socket.closed(test.code)
		})
	}
	t.Run("too much", func(t *testing.T) {
		t.Parallel()
		socket := f.rakib.foreign(f.west.site, "", nil)
		socket.hello()
		socket.order(fields{"json": fields{"type": "ping"}, "times": 100})
		socket.closed(4005)
	})
}
