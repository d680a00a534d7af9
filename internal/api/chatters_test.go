package api_test

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/chat"
	"amanat/internal/realtime"
)

type started struct {
	Conversation chat.Conversation
	Message      *chat.DirectMessage
	Created      bool
}

// opens starts a conversation of b with other; more is added to the body.
func (b *browser) opens(other *browser, more fields) started {
	b.t.Helper()
	body := fields{"receiverId": other.user.ID}
	for name, value := range more {
		body[name] = value
	}
	var s started
	b.post("/messages/send-or-start", body).want(201).into(&s)
	return s
}

type sent struct {
	Message      chat.DirectMessage
	Conversation chat.Conversation
}

// says sends a message of b to a conversation.
func (b *browser) says(conversation uuid.UUID, text string) sent {
	b.t.Helper()
	var s sent
	b.post("/messages", fields{"conversationId": conversation, "text": text}).want(201).into(&s)
	return s
}

func (b *browser) inbox(query string) (list []chat.Conversation, total string) {
	b.t.Helper()
	r := b.get("/messages/conversations" + query).want(200)
	r.into(&list)
	return list, r.header.Get("X-Total-Count")
}

func (b *browser) conversation(id uuid.UUID) chat.Conversation {
	b.t.Helper()
	var c chat.Conversation
	b.get("/messages/conversations/" + id.String()).want(200).into(&c)
	return c
}

type history struct {
	Messages   []chat.DirectMessage
	NextBefore *uuid.UUID
}

func (h history) texts() []string {
	texts := []string{}
	for _, m := range h.Messages {
		texts = append(texts, m.Text)
	}
	return texts
}

func (b *browser) reads(conversation uuid.UUID, query string) history {
	b.t.Helper()
	var h history
	b.get("/messages/" + conversation.String() + query).want(200).into(&h)
	return h
}

func (b *browser) hasUnread() bool {
	b.t.Helper()
	var dot struct{ HasUnread bool }
	b.get("/messages/unread-dot").want(200).into(&dot)
	return dot.HasUnread
}

func (b *browser) marksRead(conversation uuid.UUID) chat.Conversation {
	b.t.Helper()
	var c chat.Conversation
	b.post("/messages/mark-as-read", fields{"conversationId": conversation}).want(200).into(&c)
	return c
}

type loggedEvent struct {
	Seq     int64
	Type    string
	Payload json.RawMessage
}

// events returns the logged events of b of the given types, oldest first.
func (b *browser) events(types ...string) []loggedEvent {
	b.t.Helper()
	rows, err := b.fixture.owner.Query(b.t.Context(),
		"select seq, type, payload from user_events where user_id = $1 and type = any($2) order by seq", b.user.ID, types)
	require.NoError(b.t, err)
	list, err := pgx.CollectRows(rows, pgx.RowToStructByName[loggedEvent])
	require.NoError(b.t, err)
	return list
}

// popUps records the published receiveMessage frames.
type popUps struct {
	mu    sync.Mutex
	shown map[uuid.UUID][]chat.ReceiveMessage // by receiver
}

func (p *popUps) note(userID uuid.UUID, frame realtime.Frame) {
	if p == nil || frame.Type != realtime.TypeReceiveMessage {
		return
	}
	var popUp chat.ReceiveMessage
	must(json.Unmarshal(frame.Data, &popUp))
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown == nil {
		p.shown = map[uuid.UUID][]chat.ReceiveMessage{}
	}
	p.shown[userID] = append(p.shown[userID], popUp)
}

// popUps returns the pop-ups that b has received.
func (b *browser) popUps() []chat.ReceiveMessage {
	p := b.fixture.popUps
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.shown[b.user.ID])
}

// lastEvent decodes the payload of b's last event of a type and returns how many there are.
func (b *browser) lastEvent(eventType string, payload any) int {
	b.t.Helper()
	list := b.events(eventType)
	require.NotEmpty(b.t, list, eventType)
	require.NoError(b.t, json.Unmarshal(list[len(list)-1].Payload, payload))
	return len(list)
}
