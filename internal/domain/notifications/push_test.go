package notifications_test

import (
	"context"
	"fmt"
	"slices"
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

func (f *pushFixture) sweep(t *testing.T) []notifications.PushFailure {
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
	f.exec(t, `update users set language = 'bn' where id = @id`, pgx.NamedArgs{"id": f.reader})
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
			f.exec(t, `update users set disabled_at = now() where id = @id`, pgx.NamedArgs{"id": f.reader})
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
			f.exec(t, `update push_subscriptions set user_id = @other where user_id = @id`, pgx.NamedArgs{"id": f.reader, "other": f.second})
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
	givenUp := slices.IndexFunc(failures, func(p notifications.PushFailure) bool { return p.GivenUp })
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
