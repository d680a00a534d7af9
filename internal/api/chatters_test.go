package api_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/domain/chat"
	"amanat/internal/lib/ratelimit"
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

func (b *browser) blocks(other *browser) reply {
	b.t.Helper()
	return b.post("/users/"+other.user.ID.String()+"/block", nil)
}

func (b *browser) unblocks(other *browser) reply {
	b.t.Helper()
	return b.do(http.MethodDelete, "/users/"+other.user.ID.String()+"/block", nil)
}

// relation returns the block between b and another user as b sees it.
func (b *browser) relation(other *browser) string {
	b.t.Helper()
	var found api.Relation
	b.get("/users/" + other.user.ID.String() + "/relation").want(200).into(&found)
	return found.Block
}

const (
	textBlockedByYou  = "You blocked this user. Unblock them to send messages."
	textBlockedByThem = "You cannot send messages to this user."
)

func TestBlock(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim, boss := f.member("rahim"), f.member("karim"), f.admin("boss")
	rahim.blocks(rahim).refused(400, "invalid", "You cannot block yourself.")
	rahim.blocks(boss).refused(403, "forbidden", "You cannot block Amanat's staff.")
	for _, call := range []string{"POST", "DELETE"} {
		rahim.do(call, "/users/"+uuid.NewString()+"/block", nil).refused(404, "not_found", "User not found")
	}
	rahim.get("/users/"+uuid.NewString()+"/relation").refused(404, "not_found", "User not found")
	gone := f.member("gone")
	gone.leaves().want(200)
	rahim.blocks(gone).refused(404, "not_found", "User not found")
	require.Equal(t, "none", rahim.relation(karim))
	rahim.unblocks(karim).want(200)
	for range 2 {
		require.JSONEq(t, `{"message": "You blocked this user.", "outcome": "user_blocked"}`, string(rahim.blocks(karim).want(200).body))
	}
	require.Equal(t, "mine", rahim.relation(karim))
	require.Equal(t, "theirs", karim.relation(rahim))
	var told chat.BlockChanged
	require.Equal(t, 1, rahim.lastEvent("blockChanged", &told), "repeating it changes nothing")
	require.Equal(t, chat.BlockChanged{UserID: karim.user.ID, Block: chat.BlockMine}, told)
	require.Equal(t, 1, karim.lastEvent("blockChanged", &told))
	require.Equal(t, chat.BlockChanged{UserID: rahim.user.ID, Block: chat.BlockTheirs}, told)

	karim.blocks(rahim).want(200)
	require.Equal(t, "mine", rahim.relation(karim), "one's own block is shown")
	require.Equal(t, "mine", karim.relation(rahim))
	for range 2 {
		require.JSONEq(t, `{"message": "You unblocked this user.", "outcome": "user_unblocked"}`, string(rahim.unblocks(karim).want(200).body))
	}
	require.Equal(t, 3, rahim.lastEvent("blockChanged", &told))
	require.Equal(t, chat.BlockTheirs, told.Block)
	require.Equal(t, "theirs", rahim.relation(karim))
}

func TestBlock_list(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim, nadia := f.member("rahim"), f.member("karim"), f.member("nadia")
	require.JSONEq(t, `[]`, string(rahim.get("/users/blocked").want(200).body))
	rahim.blocks(karim).want(200)
	f.clock.Advance(time.Second)
	rahim.blocks(nadia).want(200)
	var list []api.BlockedUser
	r := rahim.get("/users/blocked?page=1&limit=1").want(200)
	r.into(&list)
	require.Equal(t, "2", r.header.Get("X-Total-Count"))
	require.Len(t, list, 1)
	require.Equal(t, nadia.user.Ref, list[0].User, "newest first")
	rahim.get("/users/blocked?page=0").refused(400, "invalid", "page must be a whole number from 1.")
	require.JSONEq(t, `[]`, string(karim.get("/users/blocked").want(200).body), "nobody sees who has blocked them")
}

// While a block exists, neither writes to the other; what they wrote stays.
func TestBlock_messages(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim, nadia := f.member("rahim"), f.member("karim"), f.member("nadia")
	talk := rahim.opens(karim, fields{"text": "Hello"}).Conversation
	require.Equal(t, chat.NoBlock, talk.Block)
	rahim.blocks(karim).want(200)
	message := fields{"conversationId": talk.ID, "text": "Are you there?"}
	rahim.post("/messages", message).refused(403, "forbidden", textBlockedByYou)
	karim.post("/messages", message).refused(403, "forbidden", textBlockedByThem)
	rahim.post("/messages/send-or-start", fields{"receiverId": karim.user.ID, "text": "Hi"}).refused(403, "forbidden", textBlockedByYou)
	karim.post("/messages/send-or-start", fields{"receiverId": rahim.user.ID, "text": "Hi"}).refused(403, "forbidden", textBlockedByThem)
	require.Equal(t, []string{"Hello"}, karim.reads(talk.ID, "").texts())
	list, _ := karim.inbox("")
	require.Equal(t, chat.BlockTheirs, list[0].Block)
	require.False(t, list[0].Writable)
	again := rahim.opens(karim, nil)
	require.Equal(t, chat.BlockMine, again.Conversation.Block, "the conversation can still be opened")
	require.False(t, again.Conversation.Writable)

	nadia.blocks(rahim).want(200)
	rahim.post("/messages/send-or-start", fields{"receiverId": nadia.user.ID}).refused(403, "forbidden", textBlockedByThem)
	list, _ = rahim.inbox("")
	require.Len(t, list, 1, "no conversation begins")

	rahim.unblocks(karim).want(200)
	require.True(t, karim.says(talk.ID, "Here I am").Conversation.Writable)
}

// A block prevents new deals; those that exist go on.
func TestBlock_deals(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	pending, active := buyer.propose(seller, 20), buyer.active(seller, 30)
	seller.blocks(buyer).want(200)
	deal := fields{
		"price": 1, "description": "A channel", "deliveryDuration": 7, "buyerId": buyer.user.ID, "sellerId": seller.user.ID,
	}
	seller.post("/deals/create", deal).refused(403, "forbidden", "You blocked this user. Unblock them to make a deal.")
	buyer.post("/deals/create", deal).refused(403, "forbidden", "You cannot make a deal with this user.")
	buyer.post(pay(pending), nil).want(200)
	buyer.acts("complete", active, "Deal marked as completed", "Completed")
	seller.unblocks(buyer).want(200)
	buyer.post("/deals/create", deal).want(201)
}

func TestBlock_search(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim, boss := f.member("rahim"), f.member("karim"), f.admin("boss")
	rahim.blocks(karim).want(200)
	for _, query := range []string{"ka", "karim"} {
		require.JSONEq(t, `[]`, string(rahim.get("/wallet/search?query="+query).want(200).body))
	}
	for _, query := range []string{"ra", "rahim"} {
		require.JSONEq(t, `[]`, string(karim.get("/wallet/search?query="+query).want(200).body))
	}
	list, _ := boss.adminUsers("/search?query=rahim")
	require.Len(t, list, 1)
	rahim.unblocks(karim).want(200)
	require.Contains(t, string(karim.get("/wallet/search?query=rahim").want(200).body), "rahim")
}

func TestBlock_limit(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.BlockLimit = ratelimit.Rate{Count: 2, Per: time.Hour} })
	rahim, karim := f.member("rahim"), f.member("karim")
	rahim.blocks(karim).want(200)
	rahim.unblocks(karim).want(200)
	rahim.blocks(karim).refused(429, "rate_limited", textTooMany)
	rahim.unblocks(karim).refused(429, "rate_limited", textTooMany)
	karim.blocks(rahim).want(200)
}
