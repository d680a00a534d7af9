package chat_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/chat"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
)

// framePublisher records published frames by user.
type framePublisher struct {
	frames map[uuid.UUID][]realtime.Frame
}

func (s *framePublisher) PublishFrame(userID uuid.UUID, frame realtime.Frame) {
	s.frames[userID] = append(s.frames[userID], frame)
}

func (s *framePublisher) PublishAdmins(realtime.Frame) {}

func newUsers(t *testing.T, db *dbtest.DB, n int) []uuid.UUID {
	t.Helper()
	users := make([]uuid.UUID, n)
	for i := range users {
		users[i] = uuid.Must(uuid.NewV7())
		_, err := db.Owner().Exec(t.Context(), `
			insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
			values ($1, $2, $2, '', $2, now(), now())`, users[i], fmt.Sprintf("person%d", i))
		require.NoError(t, err)
	}
	return users
}

// newConversation inserts a conversation with the given number of messages, written alternately, at
// the given time.
func newConversation(t *testing.T, db *dbtest.DB, a, b uuid.UUID, messages int, at time.Time) uuid.UUID {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	_, err := db.Owner().Exec(t.Context(), `
		insert into conversations (id, user_a, user_b, started_by, last_seq, answered, created_at, updated_at)
		values ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid), $2, $4::bigint, $4::bigint > 1, $5, $5)`, id, a, b, messages, at)
	require.NoError(t, err)
	return id
}

func TestPartners(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	users := newUsers(t, db, 5)
	now := clock.System{}.Now()
	newConversation(t, db, users[0], users[1], 3, now)
	newConversation(t, db, users[2], users[0], 2, now.Add(-time.Hour))
	newConversation(t, db, users[3], users[0], 0, now) // no messages
	newConversation(t, db, users[1], users[4], 2, now)
	newConversation(t, db, users[0], users[4], 1, now) // not answered
	found, err := chat.Partners(db.API())(t.Context(), []uuid.UUID{users[0], users[1], users[3]})
	require.NoError(t, err)
	require.Len(t, found, 2)
	require.Equal(t, []uuid.UUID{users[1], users[2]}, found[users[0]], "the latest first")
	slices.SortFunc(found[users[1]], func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	require.Equal(t, []uuid.UUID{users[0], users[4]}, found[users[1]])
}

func TestType(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	published := &framePublisher{frames: map[uuid.UUID][]realtime.Frame{}}
	service := &chat.Service{DB: db.API(), Clock: clock.System{}, Events: &realtime.Log{Clock: clock.System{}, Publish: published}}
	users := newUsers(t, db, 3)
	conversation := newConversation(t, db, users[0], users[1], 1, clock.System{}.Now())
	for _, id := range []uuid.UUID{conversation, uuid.New(), {}} {
		require.Equal(t, fault.NotFound, fault.CodeOf(service.Type(t.Context(), users[2], id)))
	}
	require.Empty(t, published.frames)
	require.NoError(t, service.Type(t.Context(), users[1], conversation))
	require.Len(t, published.frames, 1)
	frame := published.frames[users[0]][0]
	require.Equal(t, "typing", frame.Type)
	require.Zero(t, frame.Seq)
	var typing chat.Typing
	require.NoError(t, json.Unmarshal(frame.Data, &typing))
	require.Equal(t, chat.Typing{ConversationID: conversation, UserID: users[1]}, typing)
}

// presenceRecorder records calls of PartnersChanged.
type presenceRecorder struct{ added [][]uuid.UUID }

func (m *presenceRecorder) PartnersChanged(users ...uuid.UUID) { m.added = append(m.added, users) }

// Only the first answer makes two users see whether the other is online.
func TestSend_first_answer(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	presence := &presenceRecorder{}
	service := &chat.Service{
		DB: db.API(), Clock: clock.System{}, Presence: presence, Pushes: quietPresence{},
		Events: &realtime.Log{Clock: clock.System{}, Publish: &framePublisher{frames: map[uuid.UUID][]realtime.Frame{}}},
	}
	users := newUsers(t, db, 2)
	conversation := newConversation(t, db, users[0], users[1], 0, clock.System{}.Now())
	for _, step := range []struct {
		sender int
		met    int
	}{{0, 0}, {0, 0}, {1, 1}, {0, 1}, {1, 1}} {
		_, err := service.Send(t.Context(), users[step.sender], &conversation, chat.Draft{Text: "Hello"}, nil)
		require.NoError(t, err)
		require.Len(t, presence.added, step.met)
	}
	require.ElementsMatch(t, users, presence.added[0])
}

// quietPublisher publishes nothing, so that calls may be concurrent.
type quietPublisher struct{}

func (*quietPublisher) PublishFrame(uuid.UUID, realtime.Frame) {}
func (*quietPublisher) PublishAdmins(realtime.Frame)           {}

// quietPresence is a Presence for concurrent calls.
type quietPresence struct{}

func (quietPresence) PartnersChanged(...uuid.UUID) {}

func (quietPresence) PushMessage(*postgres.Tx, uuid.UUID, uuid.UUID, uuid.UUID) {}

// A block ends what two partners see of each other, and its end restores it.
func TestBlock_presence_and_typing(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	presence, published := &presenceRecorder{}, &framePublisher{frames: map[uuid.UUID][]realtime.Frame{}}
	service := &chat.Service{
		DB: db.API(), Clock: clock.System{}, Presence: presence, Pushes: quietPresence{},
		Events: &realtime.Log{Clock: clock.System{}, Publish: published},
	}
	users := newUsers(t, db, 2)
	conversation := newConversation(t, db, users[0], users[1], 2, clock.System{}.Now())
	partners := func() int {
		t.Helper()
		found, err := chat.Partners(db.API())(t.Context(), users)
		require.NoError(t, err)
		return len(found[users[0]]) + len(found[users[1]])
	}
	typed := func() int {
		t.Helper()
		before := len(published.frames[users[0]]) + len(published.frames[users[1]])
		require.NoError(t, service.Type(t.Context(), users[0], conversation))
		require.NoError(t, service.Type(t.Context(), users[1], conversation))
		return len(published.frames[users[0]]) + len(published.frames[users[1]]) - before
	}
	require.Equal(t, []int{2, 2}, []int{partners(), typed()})
	require.NoError(t, service.Block(t.Context(), users[0], users[1]))
	require.Len(t, presence.added, 1)
	require.Equal(t, []int{0, 0}, []int{partners(), typed()}, "in both directions")
	require.NoError(t, service.Unblock(t.Context(), users[0], users[1]))
	require.Len(t, presence.added, 2)
	require.Equal(t, []int{2, 2}, []int{partners(), typed()})
}

// Of a message and a block at the same time, the message comes first or is refused: both users'
// logs have no message after the block.
func TestBlock_while_sending(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	service := &chat.Service{
		DB: db.API(), Clock: clock.System{}, Presence: quietPresence{}, Pushes: quietPresence{},
		Events: &realtime.Log{Clock: clock.System{}, Publish: &quietPublisher{}},
	}
	for range 5 {
		pair := []uuid.UUID{}
		for range 2 {
			id := uuid.Must(uuid.NewV7())
			_, err := db.Owner().Exec(t.Context(), `
				insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
				values ($1, 'u' || left($2, 30), $2, '', $2, now(), now())`, id, id.String())
			require.NoError(t, err)
			pair = append(pair, id)
		}
		var sending sync.WaitGroup
		for range 3 {
			sending.Go(func() {
				_, _ = service.Start(t.Context(), pair[1], chat.Opening{ReceiverID: &pair[0], Draft: chat.Draft{Text: "Hello"}}, nil)
			})
		}
		require.NoError(t, service.Block(t.Context(), pair[0], pair[1]))
		sending.Wait()
		_, err := service.Start(t.Context(), pair[1], chat.Opening{ReceiverID: &pair[0], Draft: chat.Draft{Text: "Hello"}}, nil)
		require.Equal(t, fault.Forbidden, fault.CodeOf(err))
		for _, userID := range pair {
			var after int
			require.NoError(t, db.Owner().QueryRow(t.Context(), `
				select count(*) from user_events e
				 where e.user_id = $1 and e.type = 'newMessage'
				   and e.seq > (select seq from user_events b where b.user_id = $1 and b.type = 'blockChanged')`, userID).Scan(&after))
			require.Zero(t, after)
		}
	}
}

// The context of a message near the beginning or the end of a conversation is what there is.
func TestInspectAround(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	presence := &presenceRecorder{}
	service := &chat.Service{
		DB: db.API(), Clock: clock.System{}, Presence: presence, Pushes: quietPresence{},
		Events: &realtime.Log{Clock: clock.System{}, Publish: &framePublisher{frames: map[uuid.UUID][]realtime.Frame{}}},
	}
	users := newUsers(t, db, 3)
	conversation := newConversation(t, db, users[0], users[1], 0, clock.System{}.Now().Add(-time.Hour))
	var ids []uuid.UUID
	for range 25 {
		sent, err := service.Send(t.Context(), users[0], &conversation, chat.Draft{Text: "Hello"}, nil)
		require.NoError(t, err)
		ids = append(ids, sent.Message.ID)
	}
	for at, want := range map[int][]uuid.UUID{0: ids[:11], 12: ids[2:23], 24: ids[14:]} {
		seen, err := service.InspectAround(t.Context(), users[2], ids[at])
		require.NoError(t, err)
		got := []uuid.UUID{}
		for _, m := range seen {
			got = append(got, m.ID)
		}
		require.Equal(t, want, got)
	}
	_, err := service.InspectAround(t.Context(), users[2], uuid.New())
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
}
