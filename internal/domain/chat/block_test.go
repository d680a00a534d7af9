package chat_test

import (
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
