package api_test

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"amanat/internal/realtime"
)

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
