package chat_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/chat"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
)

// unreadFixture has two users with a conversation.
type unreadFixture struct {
	*chat.Service
	t            *testing.T
	db           *dbtest.DB
	clock        *clock.Offset
	mails        *chat.Mailer
	one, other   uuid.UUID
	conversation uuid.UUID

	mu     sync.Mutex
	online []uuid.UUID
	told   []told
	fails  bool
}

type told struct {
	reader uuid.UUID
	kind   catalog.Kind
	from   string
	link   string
}

// Notify records a notice.
func (f *unreadFixture) Notify(
	_ context.Context, _ *postgres.Tx, reader uuid.UUID, kind catalog.Kind, params catalog.Params, link string,
) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fails {
		return errors.New("no notices")
	}
	f.told = append(f.told, told{reader, kind, params["username"], link})
	return nil
}

// Online returns those who are said to have a page open.
func (f *unreadFixture) Online(context.Context, []uuid.UUID) (map[uuid.UUID]struct{}, error) {
	online := map[uuid.UUID]struct{}{}
	for _, user := range f.online {
		online[user] = struct{}{}
	}
	return online, nil
}

func newUnreadFixture(t *testing.T) *unreadFixture {
	t.Helper()
	f := &unreadFixture{t: t, db: dbtest.New(t), clock: clock.NewStopped()}
	f.Service = &chat.Service{
		DB: f.db.API(), Clock: f.clock, Presence: quietPresence{}, Pushes: quietPresence{},
		Events: &realtime.Log{Clock: f.clock, Publish: &quietPublisher{}},
	}
	f.mails = &chat.Mailer{DB: f.db.Worker(), Clock: f.clock, Notices: f, Online: f}
	users := newUsers(t, f.db, 2)
	f.one, f.other = users[0], users[1]
	f.exec(`update users set is_verified = true`)
	f.conversation = newConversation(t, f.db, f.one, f.other, 0, f.clock.Now())
	return f
}

func (f *unreadFixture) exec(sql string, args ...any) {
	f.t.Helper()
	_, err := f.db.Owner().Exec(f.t.Context(), sql, args...)
	require.NoError(f.t, err)
}

func (f *unreadFixture) send(sender uuid.UUID) {
	f.t.Helper()
	_, err := f.Send(f.t.Context(), sender, &f.conversation, chat.Draft{Text: "Hello"}, nil)
	require.NoError(f.t, err)
}

// A message locks and reads the conversation, and is written with the COMMIT.
func TestSend_round_trips(t *testing.T) {
	t.Parallel()
	f := newUnreadFixture(t)
	db, trips := dbtest.Counted(t, f.db.API())
	f.DB = db
	f.send(f.one)
	require.Equal(t, 2, trips.Take())
}

// after lets time pass and returns how many people are told then.
func (f *unreadFixture) after(step time.Duration) int {
	f.t.Helper()
	f.clock.Advance(step)
	n, err := f.mails.TellUnread(f.t.Context())
	require.NoError(f.t, err)
	return n
}

// Whoever is away is told once of a conversation until they have read it.
func TestTellUnread(t *testing.T) {
	t.Parallel()
	f := newUnreadFixture(t)
	require.Zero(t, f.after(time.Hour))
	f.send(f.one)
	require.Zero(t, f.after(9*time.Minute))
	f.send(f.one) // the first one counts
	require.Equal(t, 1, f.after(time.Minute))
	require.Equal(t, []told{{f.other, catalog.MessagesUnread, "person0", "/inbox/" + f.conversation.String()}}, f.told)
	f.send(f.one)
	require.Zero(t, f.after(3*time.Hour), "told already")

	_, err := f.MarkRead(t.Context(), f.other, &f.conversation)
	require.NoError(t, err)
	require.Zero(t, f.after(time.Hour))
	f.send(f.one)
	require.Equal(t, 1, f.after(10*time.Minute), "read since")

	f.send(f.other) // an answer reads what came before
	require.Equal(t, 1, f.after(11*time.Minute))
	require.Equal(t, f.one, f.told[2].reader)
	require.Equal(t, "person1", f.told[2].from)
}

func TestTellUnread_not_wanted(t *testing.T) {
	t.Parallel()
	for name, unwanted := range map[string]func(f *unreadFixture){
		"online":       func(f *unreadFixture) { f.online = []uuid.UUID{f.other} },
		"group off":    func(f *unreadFixture) { f.exec(`update users set mail_off = '{messages}'`) },
		"unsubscribed": func(f *unreadFixture) { f.exec(`update users set mail_notices = false`) },
		"unverified":   func(f *unreadFixture) { f.exec(`update users set is_verified = false`) },
		"disabled":     func(f *unreadFixture) { f.exec(`update users set disabled_at = now()`) },
		"blocked":      func(f *unreadFixture) { require.NoError(f.t, f.Block(f.t.Context(), f.other, f.one)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newUnreadFixture(t)
			f.send(f.one)
			unwanted(f)
			require.Zero(t, f.after(time.Hour))
			require.Empty(t, f.told)
		})
	}
}

// Who closes the page later is told then, but not of what is a day old.
func TestTellUnread_later(t *testing.T) {
	t.Parallel()
	f := newUnreadFixture(t)
	f.send(f.one)
	f.online = []uuid.UUID{f.other}
	require.Zero(t, f.after(3*time.Hour))
	f.online = nil
	require.Equal(t, 1, f.after(time.Minute))

	_, err := f.MarkRead(t.Context(), f.other, &f.conversation)
	require.NoError(t, err)
	f.send(f.one)
	require.Zero(t, f.after(25*time.Hour))
}

// A failed notice is made up for by the next run.
func TestTellUnread_failed(t *testing.T) {
	t.Parallel()
	f := newUnreadFixture(t)
	f.send(f.one)
	f.fails = true
	f.clock.Advance(time.Hour)
	n, err := f.mails.TellUnread(t.Context())
	require.Error(t, err)
	require.Zero(t, n)
	f.fails = false
	require.Equal(t, 1, f.after(0))
}

// Several workers tell everybody once, however many there are.
func TestTellUnread_concurrent(t *testing.T) {
	t.Parallel()
	f := newUnreadFixture(t)
	f.exec(`
		with people as (
		  insert into users (id, username, email, password_hash, is_verified, referral_code, terms_accepted_at, created_at)
		  select gen_random_uuid(), 'many' || n, 'many' || n || '@example.com', '', true, 'many' || n, $1, $1 from generate_series(1, 250) n
		  returning id
		), talks as (
		  insert into conversations (id, user_a, user_b, started_by, last_seq, read_a, read_b, created_at, updated_at)
		  select gen_random_uuid(), least(id, $2), greatest(id, $2), $2, 1, case when id < $2 then 0 else 1 end,
		         case when id < $2 then 1 else 0 end, $1, $1 from people
		  returning id
		)
		insert into messages (id, conversation_id, seq, sender_id, text, created_at) select gen_random_uuid(), id, 1, $2, 'Hello', $1 from talks`,
		f.clock.Now(), f.one)
	f.clock.Advance(time.Hour)
	var runs sync.WaitGroup
	for range 3 {
		runs.Go(func() {
			if _, err := f.mails.TellUnread(context.WithoutCancel(t.Context())); err != nil {
				t.Error(err)
			}
		})
	}
	runs.Wait()
	require.Len(t, f.told, 250)
}
