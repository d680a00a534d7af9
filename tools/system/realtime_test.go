package system

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// A client that shares no code with ours, connected to the other node, receives its user's events
// at once, and no others.
func TestSocket_events(t *testing.T) {
	t.Parallel()
	s := newSystem(t, released)
	east, west := s.startAPI(), s.startAPI()
	s.serve(east, west)
	sender, receiver, other := s.member("nusrat"), s.member("rakib"), s.member("sadia")
	conversation := sender.startConversation(receiver, "Assalamu alaikum")
	// Presence is shown only in conversations that were answered.
	_, err := s.db.Owner().Exec(t.Context(), `update conversations set answered = true`)
	require.NoError(t, err)
	nusrat := sender.wsClient(east.site, "")
	start := nusrat.hello()
	// Clients may send a user ID; the server ignores it.
	stranger := other.wsClient(west.site, "?userId="+receiver.ID.String())
	stranger.hello()
	rakib := receiver.wsClient(west.site, "?since=0")
	require.EqualValues(t, 1, rakib.hello())
	require.EqualValues(t, 1, rakib.frame("newMessage").Seq, "what was missed follows")
	requireOnline(t, nusrat, receiver.ID)

	// An event from one node to the other.
	sender.post("/messages", fields{"conversationId": conversation, "text": "Is the channel for sale?"}).want(http.StatusCreated)
	message, popUp := rakib.frame("newMessage"), rakib.frame("receiveMessage")
	require.EqualValues(t, 2, message.Seq)
	require.Contains(t, string(message.Data), "Is the channel for sale?")
	require.Zero(t, popUp.Seq, "it is not in the log")
	require.Contains(t, string(popUp.Data), "Is the channel for sale?")
	require.Equal(t, start+1, nusrat.frame("newMessage").Seq)

	// Messages from clients.
	rakib.send("typing", fields{"conversationId": conversation})
	// Dropped: too soon after the last.
	rakib.send("typing", fields{"conversationId": conversation})
	typing := nusrat.frame("typing")
	require.Zero(t, typing.Seq)
	require.JSONEq(t, `{"conversationId": "`+conversation.String()+`", "userId": "`+receiver.ID.String()+`"}`, string(typing.Data))
	rakib.send("markAsRead", fields{"conversationId": conversation})
	require.EqualValues(t, 3, rakib.frame("messageRead").Seq)
	require.Equal(t, start+2, nusrat.frame("messageRead").Seq)
	rakib.send("ping", nil)
	rakib.frame("pong")

	// A user outside the conversation receives not_found and no events.
	stranger.send("typing", fields{"conversationId": conversation})
	for range 2 {
		problem := stranger.frame("problem")
		require.Contains(t, string(problem.Data), `"not_found"`)
		stranger.send("markAsRead", fields{"conversationId": conversation})
	}
	stranger.frame("problem")
	stranger.send("ping", nil)
	stranger.frame("pong")

	// Rakib resumes at the position where the connection broke.
	rakib.order(fields{"close": true})
	rakib.closed(1005)
	sender.post("/messages", fields{"conversationId": conversation, "text": "Hello?"}).want(http.StatusCreated)
	rakib = receiver.wsClient(east.site, "?since=3")
	require.EqualValues(t, 4, rakib.hello())
	require.EqualValues(t, 4, rakib.frame("newMessage").Seq)

	receiver.post("/auth/logout", nil).want(http.StatusOK)
	rakib.closed(4001)
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
