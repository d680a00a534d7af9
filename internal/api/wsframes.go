package api

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/google/uuid"

	"amanat/internal/chat"
	"amanat/internal/clock"
	"amanat/internal/fault"
	"amanat/internal/realtime"
)

// socketFrames answers the frames of clients.
type socketFrames struct {
	chat   *chat.Service
	typing typingPace
}

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
		if !f.typing.due(person.UserID, about.ConversationID) {
			return nil // the other has just been told
		}
		return f.chat.Type(ctx, person.UserID, about.ConversationID)
	}
	_, err := f.chat.MarkRead(ctx, person.UserID, about.ConversationID)
	return err
}

const (
	// typingEvery is how often the other of a conversation is told that somebody is writing. The UI shows it for three seconds.
	typingEvery = 2 * time.Second
	// typingKept bounds what is remembered of who was told when.
	typingKept = 4096
)

// typist is somebody who writes in a conversation.
type typist struct{ user, conversation uuid.UUID }

// typingPace remembers who was writing a moment ago. Its time is the machine's: it bounds work, not business.
type typingPace struct {
	mu   sync.Mutex
	last map[typist]time.Time
}

// due tells whether it is time to tell the other, and takes it that he is told now.
func (p *typingPace) due(user, conversation uuid.UUID) bool {
	now := clock.System{}.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	who := typist{user, conversation}
	if now.Sub(p.last[who]) < typingEvery {
		return false
	}
	if len(p.last) >= typingKept {
		for old, at := range p.last {
			if now.Sub(at) >= typingEvery {
				delete(p.last, old)
			}
		}
	}
	if p.last == nil {
		p.last = map[typist]time.Time{}
	}
	p.last[who] = now
	return true
}
