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

// town is a system with two apis and three people, of whom two have talked.
type town struct {
	*system
	east, west           *process
	nusrat, rakib, sadia *person
	conversation         uuid.UUID
}

func openTown(t *testing.T) *town {
	t.Helper()
	w := &town{system: newSystem(t, released)}
	w.east, w.west = w.startAPI(), w.startAPI()
	w.serve(w.east, w.west)
	w.nusrat, w.rakib, w.sadia = w.member("nusrat"), w.member("rakib"), w.member("sadia")
	w.conversation = w.nusrat.talk(w.rakib, "Assalamu alaikum")
	return w
}

// A client that shares no code with ours, at the other node, hears at once of what concerns its user, and of nothing else.
func TestAForeignClientHearsWhatIsItsUsers(t *testing.T) {
	t.Parallel()
	w := openTown(t)
	// They have talked before: whoever has never answered is not told of.
	_, err := w.db.Owner().Exec(t.Context(), `update conversations set answered = true`)
	require.NoError(t, err)
	nusrat := w.nusrat.foreign(w.east.site, "", nil)
	start := nusrat.hello()
	stranger := w.sadia.foreign(w.west.site, "?userId="+w.rakib.ID.String(), nil) // clients may say so; it proves nothing
	stranger.hello()
	rakib := w.rakib.foreign(w.west.site, "?since=0", nil)
	require.EqualValues(t, 2, rakib.hello())
	require.EqualValues(t, 1, rakib.frame("newMessage").Seq, "what was missed follows")
	require.EqualValues(t, 2, rakib.frame("receiveMessage").Seq)
	requireOnline(t, nusrat, w.rakib.ID)

	// From one node to the other.
	w.nusrat.post("/messages", fields{"conversationId": w.conversation, "text": "Is the channel for sale?"}).want(http.StatusCreated)
	for i, f := range []*frame{rakib.frame("newMessage"), rakib.frame("receiveMessage")} {
		require.EqualValues(t, 3+i, f.Seq)
		require.Contains(t, string(f.Data), "Is the channel for sale?")
	}
	require.Equal(t, start+1, nusrat.frame("newMessage").Seq)

	// What clients say.
	rakib.say("typing", fields{"conversationId": w.conversation})
	rakib.say("typing", fields{"conversationId": w.conversation}) // too soon to be told
	typing := nusrat.frame("typing")
	require.Zero(t, typing.Seq)
	require.JSONEq(t, `{"conversationId": "`+w.conversation.String()+`", "userId": "`+w.rakib.ID.String()+`"}`, string(typing.Data))
	rakib.say("markAsRead", fields{"conversationId": w.conversation})
	require.EqualValues(t, 5, rakib.frame("messageRead").Seq)
	require.Equal(t, start+2, nusrat.frame("messageRead").Seq)
	rakib.say("ping", nil)
	rakib.frame("pong")

	// A stranger is told that there is no such conversation, and has heard of nothing else.
	stranger.say("typing", fields{"conversationId": w.conversation})
	for range 2 {
		problem := stranger.frame("problem")
		require.Contains(t, string(problem.Data), `"not_found"`)
		stranger.say("markAsRead", fields{"conversationId": w.conversation})
	}
	stranger.frame("problem")
	stranger.say("ping", nil)
	stranger.frame("pong")

	// Rakib resumes where the connection broke.
	rakib.order(fields{"close": true})
	rakib.closed(1005)
	w.nusrat.post("/messages", fields{"conversationId": w.conversation, "text": "Hello?"}).want(http.StatusCreated)
	rakib = w.rakib.foreign(w.east.site, "?since=5", nil)
	require.EqualValues(t, 7, rakib.hello())
	require.EqualValues(t, 6, rakib.frame("newMessage").Seq)
	require.EqualValues(t, 7, rakib.frame("receiveMessage").Seq)

	w.rakib.post("/auth/logout", nil).want(http.StatusOK)
	rakib.closed(4001)
}

// Admins hear at once what waits for them, at whichever node it was made; nobody else does.
func TestAdminsHearOfTheirQueues(t *testing.T) {
	t.Parallel()
	w := openTown(t)
	boss := w.admin("boss")
	admin, member := boss.foreign(w.east.site, "", nil), w.sadia.foreign(w.east.site, "", nil)
	admin.hello()
	member.hello()
	w.serve(w.west)
	w.nusrat.post("/auth/bug-report", fields{"subject": "Pay", "description": "Nothing happens."}).want(http.StatusCreated)
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
	w := openTown(t)
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
		w.nusrat.foreign(w.east.site, "", test.change).refused(test.status, test.code)
	}
}

func TestWhatASocketMayNotSay(t *testing.T) {
	t.Parallel()
	w := openTown(t)
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
			socket := w.nusrat.foreign(w.east.site, "", nil)
			socket.hello()
			socket.order(fields{"send": test.text})
			socket.closed(test.code)
		})
	}
	t.Run("too much", func(t *testing.T) {
		t.Parallel()
		socket := w.rakib.foreign(w.west.site, "", nil)
		socket.hello()
		socket.order(fields{"json": fields{"type": "ping"}, "times": 100})
		socket.closed(4005)
	})
}
