package notifications_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/notifications"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/webpush"
	"amanat/internal/testing/pushtest"
)

// pushFixture has readers with a browser each, called after them.
type pushFixture struct {
	fixture
	service *pushtest.Service
	pushes  *notifications.Pusher
	clock   *clock.Offset
}

func newPushFixture(t *testing.T) *pushFixture {
	t.Helper()
	f := &pushFixture{fixture: newFixture(t), service: pushtest.New(t), clock: clock.NewOffset(0)}
	f.Clock = f.clock
	f.pushes = &notifications.Pusher{DB: f.db.Worker(), Clock: f.clock, Send: f.service.Sender()}
	f.subscribe(t, f.reader, "rahim")
	f.subscribe(t, f.second, "karim")
	return f
}

// subscribe adds a browser with a session to a user.
func (f *pushFixture) subscribe(t *testing.T, user uuid.UUID, name string) notifications.Device {
	t.Helper()
	browser := notifications.Browser{SessionID: f.session(t, user), UserAgent: name}
	device, err := f.Subscribe(t.Context(), user, browser, given(f.service.Subscribe(name)))
	require.NoError(t, err)
	return device
}

func (f *pushFixture) tell(t *testing.T, reader uuid.UUID, kind catalog.Kind, link string) {
	t.Helper()
	params := catalog.Params{"username": "karim", "amount": "100.00", "payout": "98.00", "title": "A channel", "note": "My secret"}
	require.NoError(t, postgres.WithTx(t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		return f.Notify(t.Context(), tx, reader, kind, params, link)
	}))
}

func (f *pushFixture) sweep(t *testing.T) []notifications.Failure[int64] {
	t.Helper()
	failures, err := f.pushes.Sweep(t.Context())
	require.NoError(t, err)
	return failures
}

// choose saves settings of the reader, changed from those that they have.
func (f *pushFixture) choose(t *testing.T, change func(s *notifications.Settings)) {
	t.Helper()
	settings, err := f.Settings(t.Context(), f.reader)
	require.NoError(t, err)
	change(&settings)
	require.NoError(t, f.SaveSettings(t.Context(), f.reader, settings))
}

// waiting returns how many pushes wait, and how many of these are due.
func (f *pushFixture) waiting(t *testing.T) [2]int {
	t.Helper()
	return [2]int{f.count(t, `select count(*) from due_pushes`), f.count(t, `select count(*) from due_pushes where due_at <= now()`)}
}

// shown is a payload.
type shown struct{ Title, Body, Link, Tag, Lang string }

func (f *pushFixture) last(t *testing.T) (s shown) {
	t.Helper()
	got := f.service.Received()
	require.NotEmpty(t, got)
	got[len(got)-1].Into(t, &s)
	return s
}

// A push tells no amounts and nothing that users wrote, unless its reader wants that.
func TestPusher_Sweep(t *testing.T) {
	t.Parallel()
	f := newPushFixture(t)
	f.tell(t, f.reader, catalog.DealPaid, "/deal/1")
	require.Empty(t, f.sweep(t))
	require.Len(t, f.service.Received(), 1)
	require.Equal(t, "rahim", f.service.Received()[0].Browser)
	got := f.last(t)
	require.Equal(t, "Your deals", got.Title)
	require.Equal(t, "There is news about one of your deals.", got.Body)
	require.Equal(t, "/deal/1", got.Link)
	require.Equal(t, "en", got.Lang)
	require.Equal(t, f.service.Received()[0].Header.Get("Topic"), got.Tag)
	require.Equal(t, [2]int{}, f.waiting(t))
	require.Empty(t, f.sweep(t))
	require.Len(t, f.service.Received(), 1)

	f.tell(t, f.reader, catalog.DealDelivered, "/deal/2")
	f.sweep(t)
	require.Equal(t, "karim delivered. Check it, then release the money.", f.last(t).Body)
	require.NotEqual(t, got.Tag, f.last(t).Tag)

	f.choose(t, func(s *notifications.Settings) { s.Details = true })
	f.exec(t, `update users set language = 'bn' where id = @id`, postgres.Args{"id": f.reader})
	f.tell(t, f.reader, catalog.DealPaid, "/deal/1")
	f.sweep(t)
	require.Equal(t, "আপনার ডিল", f.last(t).Title)
	require.Contains(t, f.last(t).Body, "$১০০.০০")
	require.Contains(t, f.last(t).Body, "A channel")
	require.Equal(t, "bn", f.last(t).Lang)
	devices, err := f.Devices(t.Context(), f.reader)
	require.NoError(t, err)
	require.NotNil(t, devices[0].LastUsedAt)
}

// What a reader does not want, or has seen, is not sent.
func TestPusher_Sweep_unwanted(t *testing.T) {
	t.Parallel()
	for name, unwanted := range map[string]func(t *testing.T, f *pushFixture){
		"group off": func(t *testing.T, f *pushFixture) {
			t.Helper()
			f.choose(t, func(s *notifications.Settings) { s.Groups[0].Push = false })
		},
		"read": func(t *testing.T, f *pushFixture) {
			t.Helper()
			require.NoError(t, f.MarkAllRead(t.Context(), f.reader))
		},
		"a day old": func(_ *testing.T, f *pushFixture) { f.clock.Advance(25 * time.Hour) },
		"disabled": func(t *testing.T, f *pushFixture) {
			t.Helper()
			f.exec(t, `update users set disabled_at = now() where id = @id`, postgres.Args{"id": f.reader})
		},
		"browser removed": func(t *testing.T, f *pushFixture) {
			t.Helper()
			devices, err := f.Devices(t.Context(), f.reader)
			require.NoError(t, err)
			require.Equal(t, fault.NotFound, fault.CodeOf(f.RemoveDevice(t.Context(), f.second, devices[0].ID)))
			require.NoError(t, f.RemoveDevice(t.Context(), f.reader, devices[0].ID))
		},
		"browser of another user": func(t *testing.T, f *pushFixture) {
			t.Helper()
			f.exec(t, `update push_subscriptions set user_id = @other where user_id = @id`, postgres.Args{"id": f.reader, "other": f.second})
		},
		"no pushes any more": func(_ *testing.T, f *pushFixture) { f.pushes.Send = nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newPushFixture(t)
			f.tell(t, f.reader, catalog.DealPaid, "/deal/1")
			require.Equal(t, [2]int{1, 1}, f.waiting(t))
			unwanted(t, f)
			require.Empty(t, f.sweep(t))
			require.Empty(t, f.service.Received())
			require.Equal(t, [2]int{}, f.waiting(t))
		})
	}
}

// Of several about one deal, the newest is sent.
func TestPusher_Sweep_topics(t *testing.T) {
	t.Parallel()
	f := newPushFixture(t)
	f.tell(t, f.reader, catalog.DealPaid, "/deal/1")
	f.tell(t, f.reader, catalog.DealPaid, "/deal/2")
	f.tell(t, f.reader, catalog.DealDelivered, "/deal/1")
	f.tell(t, f.reader, catalog.DealCompletesSoon, "/deal/1") // another group
	require.Empty(t, f.sweep(t))
	var bodies []string
	for _, got := range f.service.Received() {
		var s shown
		got.Into(t, &s)
		bodies = append(bodies, s.Body)
	}
	require.ElementsMatch(t, []string{
		"There is news about one of your deals.", "karim delivered. Check it, then release the money.",
		"The time of one of your deals runs out soon.",
	}, bodies)
}

// A browser that has ended its subscription is forgotten, and does not stop others.
func TestPusher_Sweep_gone(t *testing.T) {
	t.Parallel()
	f := newPushFixture(t)
	f.subscribe(t, f.reader, "phone")
	f.service.Answer("rahim", 410, "")
	f.tell(t, f.reader, catalog.DealPaid, "/deal/1")
	require.Empty(t, f.sweep(t))
	require.Len(t, f.service.Received(), 1)
	require.Equal(t, "phone", f.service.Received()[0].Browser)
	devices, err := f.Devices(t.Context(), f.reader)
	require.NoError(t, err)
	require.Len(t, devices, 1)
	require.Equal(t, "phone", devices[0].UserAgent)
	require.Equal(t, [2]int{}, f.waiting(t))
}

func TestPusher_Sweep_failed(t *testing.T) {
	t.Parallel()
	f := newPushFixture(t)
	f.service.Answer("rahim", 429, "600")
	f.service.Answer("karim", 403, "")
	f.tell(t, f.reader, catalog.DealPaid, "/deal/1")
	f.tell(t, f.second, catalog.DealPaid, "/deal/1")
	failures := f.sweep(t)
	require.Len(t, failures, 2)
	givenUp := slices.IndexFunc(failures, func(p notifications.Failure[int64]) bool { return p.GivenUp })
	require.GreaterOrEqual(t, givenUp, 0)
	require.False(t, failures[1-givenUp].GivenUp)
	require.Equal(t, 1, f.count(t, `
		select count(*) from due_pushes
		 where attempts = 1 and last_error <> '' and due_at between now() + interval '9 min' and now() + interval '10 min'`))
	f.service.Answer("rahim", 0, "")
	f.exec(t, `update due_pushes set due_at = now()`, nil)
	require.Empty(t, f.sweep(t))
	require.Len(t, f.service.Received(), 1)
}

// Two sweeps at once share the pushes.
func TestPusher_Sweep_concurrent(t *testing.T) {
	t.Parallel()
	f := newPushFixture(t)
	for i := range 230 {
		f.tell(t, f.reader, catalog.DealPaid, fmt.Sprintf("/deal/%d", i))
	}
	begun, all := make(chan struct{}, 1000), make(chan struct{})
	release := sync.OnceFunc(func() { close(all) })
	defer release()
	f.service.Before(func(string) {
		begun <- struct{}{}
		<-all
	})
	var sweeps sync.WaitGroup
	for range 2 {
		sweeps.Go(func() {
			if _, err := f.pushes.Sweep(context.WithoutCancel(t.Context())); err != nil {
				t.Error(err)
			}
		})
		for range notifications.PushSenders { // of this sweep: those of the first one wait
			<-begun
		}
	}
	require.Equal(t, 30, f.waiting(t)[1], "both have claimed a batch")
	release()
	sweeps.Wait()
	require.Len(t, f.service.Received(), 230)
	require.Equal(t, [2]int{}, f.waiting(t))
}

// A worker that dies between sending and recording sends the push once more, when its lease ends,
// with the same tag.
func TestPusher_Sweep_crash(t *testing.T) {
	t.Parallel()
	f := newPushFixture(t)
	f.tell(t, f.reader, catalog.DealPaid, "/deal/1")
	f.exec(t, `revoke delete on due_pushes from amanat_worker`, nil) // stands for the crash
	_, err := f.pushes.Sweep(t.Context())
	require.Error(t, err)
	f.exec(t, `grant delete on due_pushes to amanat_worker`, nil)
	tag := f.last(t).Tag
	require.Empty(t, f.sweep(t))
	require.Len(t, f.service.Received(), 1, "leased")
	f.exec(t, `update due_pushes set due_at = now()`, nil)
	require.Empty(t, f.sweep(t))
	require.Len(t, f.service.Received(), 2)
	require.Equal(t, tag, f.last(t).Tag)
	require.Equal(t, [2]int{}, f.waiting(t))
}

// In quiet hours, only what cannot wait is sent. New settings count at once.
func TestPusher_Sweep_quiet(t *testing.T) {
	t.Parallel()
	f := newPushFixture(t)
	local := f.clock.Now().In(clock.Dhaka)
	f.choose(t, func(s *notifications.Settings) {
		s.Quiet = &notifications.Quiet{From: local.Add(-time.Hour).Format("15:04"), To: local.Add(2 * time.Hour).Format("15:04")}
	})
	f.tell(t, f.reader, catalog.DealPaid, "/deal/1")
	f.tell(t, f.reader, catalog.WithdrawalSent, "/balance")
	f.tell(t, f.reader, catalog.PasskeyAdded, "/security")
	f.tell(t, f.second, catalog.DealPaid, "/deal/1")
	require.NoError(t, f.TestPush(t.Context(), f.reader))
	require.Empty(t, f.sweep(t))
	require.Len(t, f.service.Received(), 4)
	require.Equal(t, [2]int{1, 0}, f.waiting(t))
	require.Equal(t, 1, f.count(t, `
		select count(*) from due_pushes
		 where attempts = 0 and due_at between now() + interval '118 min' and now() + interval '120 min'`))

	f.choose(t, func(s *notifications.Settings) { s.Quiet = nil })
	require.Equal(t, [2]int{1, 1}, f.waiting(t))
	require.Empty(t, f.sweep(t))
	require.Len(t, f.service.Received(), 5)
}

// A browser keeps its place when it subscribes again, and gets a new one with its next user.
func TestSubscribe(t *testing.T) {
	t.Parallel()
	f := newPushFixture(t)
	devices, err := f.Devices(t.Context(), f.reader)
	require.NoError(t, err)
	again := f.subscribe(t, f.reader, "rahim")
	require.Equal(t, devices[0].ID, again.ID)
	require.NotEqual(t, devices[0].SessionID, again.SessionID)

	f.tell(t, f.reader, catalog.DealPaid, "/deal/1")
	taken := f.subscribe(t, f.second, "rahim")
	require.NotEqual(t, devices[0].ID, taken.ID)
	require.Empty(t, f.sweep(t))
	require.Empty(t, f.service.Received(), "what waits for the former user is not shown to the next")
	devices, err = f.Devices(t.Context(), f.reader)
	require.NoError(t, err)
	require.Empty(t, devices)
}

// A call whose session was ended meanwhile adds no browser.
func TestSubscribe_ended_session(t *testing.T) {
	t.Parallel()
	f := newPushFixture(t)
	_, err := f.Subscribe(t.Context(), f.reader, notifications.Browser{SessionID: uuid.New()}, given(f.service.Subscribe("late")))
	require.Equal(t, fault.Unauthenticated, fault.CodeOf(err))
}

// Browsers that are not opened for three months get nothing more.
func TestPusher_RemoveOldSubscriptions(t *testing.T) {
	t.Parallel()
	f := newPushFixture(t)
	f.clock.Advance(89 * 24 * time.Hour)
	n, err := f.pushes.RemoveOldSubscriptions(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	f.subscribe(t, f.reader, "rahim")
	f.clock.Advance(2 * 24 * time.Hour)
	n, err = f.pushes.RemoveOldSubscriptions(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(1), n)
	devices, err := f.Devices(t.Context(), f.reader)
	require.NoError(t, err)
	require.Len(t, devices, 1)
}

// session adds a session to a user.
func (f *pushFixture) session(t *testing.T, user uuid.UUID) uuid.UUID {
	t.Helper()
	session := uuid.New()
	f.exec(t, `
		insert into sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, password_confirmed_at)
		values (@id::uuid, @user, sha256(@id::uuid::text::bytea), now(), now(), now() + interval '14 days', now())`,
		postgres.Args{"id": session, "user": user})
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
		postgres.Args{"id": conversation, "one": f.reader, "other": f.second})
	return func(text string) {
		t.Helper()
		seq++
		id := uuid.Must(uuid.NewV7())
		f.exec(t, `insert into messages (id, conversation_id, seq, sender_id, text, created_at) values (@id, @in, @seq, @sender, @text, now())`,
			postgres.Args{"id": id, "in": conversation, "seq": seq, "sender": f.second, "text": text})
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
	f.exec(t, `delete from push_subscriptions where user_id = @id`, postgres.Args{"id": f.reader})
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
		postgres.Args{"one": f.reader, "other": f.second})
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
