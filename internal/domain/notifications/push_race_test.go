package notifications_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/notifications"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/webpush"
)

// session adds a session to a user.
func (f *pushFixture) session(t *testing.T, user uuid.UUID) uuid.UUID {
	t.Helper()
	session := uuid.New()
	f.exec(t, `
		insert into sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, password_confirmed_at)
		values (@id::uuid, @user, sha256(@id::uuid::text::bytea), now(), now(), now() + interval '14 days', now())`,
		pgx.NamedArgs{"id": session, "user": user})
	return session
}

// given returns a subscription as browsers send it.
func given(to webpush.Subscription) notifications.Subscription {
	encode := base64.RawURLEncoding.EncodeToString
	return notifications.Subscription{Endpoint: to.Endpoint, P256dh: encode(to.P256dh), Auth: encode(to.Auth)}
}

// chat adds a conversation between the reader and the second user, and returns a function that
// sends the reader a message there and pushes it.
func (f *pushFixture) chat(t *testing.T) (send func(text string)) {
	t.Helper()
	conversation, seq := uuid.New(), 0
	f.exec(t, `
		insert into conversations (id, user_a, user_b, started_by, last_seq, created_at, updated_at)
		values (@id, least(@one::uuid, @other::uuid), greatest(@one::uuid, @other::uuid), @other, 100, now(), now())`,
		pgx.NamedArgs{"id": conversation, "one": f.reader, "other": f.second})
	return func(text string) {
		t.Helper()
		seq++
		id := uuid.Must(uuid.NewV7())
		f.exec(t, `insert into messages (id, conversation_id, seq, sender_id, text, created_at) values (@id, @in, @seq, @sender, @text, now())`,
			pgx.NamedArgs{"id": id, "in": conversation, "seq": seq, "sender": f.second, "text": text})
		require.NoError(t, postgres.WithTx(t.Context(), f.db.API(), func(tx *postgres.Tx) error {
			f.PushMessage(tx, f.reader, conversation, id)
			return nil
		}))
	}
}

// wake makes all pushes due, as if their pauses had ended.
func (f *pushFixture) wake(t *testing.T) {
	t.Helper()
	f.exec(t, `update due_pushes set due_at = now()`, nil)
}

// A browser that is logged out while a sweep sends gets none of what the sweep has not sent yet.
func TestPusher_Sweep_logout(t *testing.T) {
	t.Parallel()
	f := newPushFixture(t)
	for i := range 30 {
		f.tell(t, f.reader, catalog.DealPaid, fmt.Sprintf("/deal/%d", i))
	}
	const beside = 16 // as many as are sent side by side
	var begun sync.WaitGroup
	begun.Add(beside)
	out := make(chan struct{})
	f.service.Before(func(string) {
		begun.Done()
		<-out
	})
	swept := make(chan error, 1)
	go func() {
		_, err := f.pushes.Sweep(context.WithoutCancel(t.Context()))
		swept <- err
	}()
	begun.Wait()
	f.exec(t, `delete from push_subscriptions where user_id = @id`, pgx.NamedArgs{"id": f.reader})
	close(out)
	require.NoError(t, <-swept)
	require.Len(t, f.service.Received(), beside, "those that were on their way")
	require.Equal(t, [2]int{}, f.waiting(t))
}

// A talkative sender does not put off the push, which shows the newest message.
func TestPushMessage(t *testing.T) {
	t.Parallel()
	f := newPushFixture(t)
	f.choose(t, func(s *notifications.Settings) { s.Details = true })
	send := f.chat(t)
	send("One")
	require.Empty(t, f.sweep(t))
	require.Equal(t, [2]int{1, 0}, f.waiting(t), "whoever has the page open reads it there")
	f.exec(t, `update due_pushes set due_at = now() + interval '1 s'`, nil)
	send("Two")
	require.Equal(t, 2, f.count(t, `select count(*) from due_pushes where due_at <= now() + interval '1 s'`))
	f.wake(t)
	require.Empty(t, f.sweep(t))
	require.Len(t, f.service.Received(), 1)
	require.Equal(t, "karim: Two", f.last(t).Body)
	require.Equal(t, [2]int{}, f.waiting(t))
}

// What someone has written whom the reader has blocked since is not shown.
func TestPushMessage_blocked(t *testing.T) {
	t.Parallel()
	f := newPushFixture(t)
	f.chat(t)("One")
	f.exec(t, `insert into blocks (blocker_id, blocked_id, created_at) values (@one, @other, now())`,
		pgx.NamedArgs{"one": f.reader, "other": f.second})
	f.wake(t)
	require.Empty(t, f.sweep(t))
	require.Empty(t, f.service.Received())
	require.Equal(t, [2]int{}, f.waiting(t))
}

// What waits for the end of quiet hours over midnight is sent once then: of each thing the newest.
func TestPusher_Sweep_after_quiet(t *testing.T) {
	t.Parallel()
	f := newPushFixture(t)
	f.choose(t, func(s *notifications.Settings) { s.Quiet = &notifications.Quiet{From: "22:00", To: "07:00"} })
	local := f.clock.Now().In(clock.Dhaka)
	f.clock.Advance(time.Date(local.Year(), local.Month(), local.Day()+1, 23, 0, 0, 0, clock.Dhaka).Sub(local))
	f.tell(t, f.reader, catalog.DealPaid, "/deal/1")
	f.tell(t, f.reader, catalog.DealDelivered, "/deal/2")
	require.Empty(t, f.sweep(t))
	f.clock.Advance(2 * time.Hour) // past midnight
	f.tell(t, f.reader, catalog.DealDelivered, "/deal/1")
	f.wake(t)
	require.Empty(t, f.sweep(t))
	require.Empty(t, f.service.Received())
	require.Equal(t, 2, f.count(t, `
		select count(*) from due_pushes where due_at between now() + interval '5 h 58 min' and now() + interval '6 h'`))

	f.clock.Advance(6 * time.Hour)
	f.wake(t)
	require.Empty(t, f.sweep(t))
	require.Len(t, f.service.Received(), 2)
	f.wake(t)
	require.Empty(t, f.sweep(t))
	require.Len(t, f.service.Received(), 2)
	require.Equal(t, [2]int{}, f.waiting(t))
}

// Two users who subscribe one browser at once both succeed, and it is the last one's.
func TestSubscribe_at_once(t *testing.T) {
	t.Parallel()
	f := newPushFixture(t)
	users := []uuid.UUID{f.reader, f.second}
	var sessions []uuid.UUID
	for _, user := range users {
		sessions = append(sessions, f.session(t, user))
	}
	shared := given(f.service.Subscribe("shared"))
	var calls sync.WaitGroup
	for i := range 40 {
		calls.Go(func() {
			device, err := f.Subscribe(context.WithoutCancel(t.Context()), users[i%2], notifications.Browser{SessionID: sessions[i%2]}, shared)
			if err != nil || device.SessionID != sessions[i%2] {
				t.Error(device, err)
			}
		})
	}
	calls.Wait()
	require.Equal(t, 1, f.count(t, `
		select count(*) from push_subscriptions p join sessions s on s.id = p.session_id and s.user_id = p.user_id
		 where p.endpoint like '%/shared'`))
}

// The limit of browsers holds for calls at once.
func TestSubscribe_limit(t *testing.T) {
	t.Parallel()
	f := newPushFixture(t)
	session := f.session(t, f.reader)
	var calls sync.WaitGroup
	for i := range 30 {
		body := given(f.service.Subscribe(fmt.Sprintf("browser%d", i)))
		calls.Go(func() {
			_, err := f.Subscribe(context.WithoutCancel(t.Context()), f.reader, notifications.Browser{SessionID: session}, body)
			if err != nil && fault.CodeOf(err) != fault.Conflict {
				t.Error(err)
			}
		})
	}
	calls.Wait()
	devices, err := f.Devices(t.Context(), f.reader)
	require.NoError(t, err)
	require.Len(t, devices, 10)
}

// Browsers name themselves as they like.
func TestSubscribe_user_agent(t *testing.T) {
	t.Parallel()
	f := newPushFixture(t)
	session := f.session(t, f.reader)
	for name, want := range map[string]string{
		"Br\xf6wser":                         "Brwser",
		"x" + strings.Repeat("আ", 200):       "x" + strings.Repeat("আ", 133),
		strings.Repeat("Mozilla/5.0 ", 1000): strings.Repeat("Mozilla/5.0 ", 33) + "Mozi",
		"":                                   "",
	} {
		browser := notifications.Browser{SessionID: session, UserAgent: name}
		device, err := f.Subscribe(t.Context(), f.reader, browser, given(f.service.Subscribe("one")))
		require.NoError(t, err)
		require.Equal(t, want, device.UserAgent)
	}
}
