package api

import (
	"context"
	"encoding/json"
	"time"

	"amanat/internal/chat"
	"amanat/internal/fault"
	"amanat/internal/limit"
	"amanat/internal/realtime"
)

// socketFrames answers the frames of clients.
type socketFrames struct {
	chat   *chat.Service
	typing *limit.Limiter
}

// typing is how often the other of a conversation is told that somebody is writing. The UI shows it for three seconds.
var typing = limit.Limit{Name: "typing", Rate: limit.Rate{Count: 1, Per: 2 * time.Second}}

// receive answers a frame that a socket of the person has sent; it is for realtime.Hooks. Codes, which the person is told: NotFound when he
// is in no such conversation. realtime.ErrGarbage when no such frame is known.
func (f *socketFrames) receive(ctx context.Context, person realtime.Person, frameType string, data json.RawMessage) error {
	var about AboutConversation
	switch frameType {
	case realtime.TypeMarkAsRead, realtime.TypeTyping:
		if err := json.Unmarshal(data, &about); err != nil {
			return fault.New(fault.NotFound, "Conversation not found.") // a malformed id is one that nothing has
		}
	default:
		return realtime.ErrGarbage
	}
	if frameType == realtime.TypeTyping {
		if !f.typing.Allow(ctx, typing.For(person.UserID.String()+about.ConversationID.String())).Allowed {
			return nil // the other has just been told
		}
		return f.chat.Type(ctx, person.UserID, about.ConversationID)
	}
	_, err := f.chat.MarkRead(ctx, person.UserID, about.ConversationID)
	return err
}
