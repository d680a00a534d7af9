package workers

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/devtools/localstack"
	"amanat/internal/domain/chat"
	"amanat/internal/domain/notifications"
	"amanat/internal/realtime"
	"amanat/internal/testing/pushtest"
	"amanat/queue/jobs"
)

// pushed starts workers that send to a push service, at which a user has a browser.
func (f *fixture) pushed(user uuid.UUID) *pushtest.Service {
	f.t.Helper()
	service := pushtest.New(f.t)
	session := uuid.New()
	_, err := f.db.Owner().Exec(f.t.Context(), `
		insert into sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, password_confirmed_at)
		values ($1, $2, sha256('x'), now(), now(), now() + interval '14 days', now())`, session, user)
	require.NoError(f.t, err)
	to, encode := service.Subscribe("phone"), base64.RawURLEncoding.EncodeToString
	events := &realtime.Log{Clock: f.clock, Publish: direct{f.waiter, f.queues}}
	notices := &notifications.Service{DB: f.db.API(), Clock: f.clock, Events: events}
	_, err = notices.Subscribe(f.t.Context(), user, notifications.Browser{SessionID: session, UserAgent: "Phone"},
		notifications.Subscription{Endpoint: to.Endpoint, P256dh: encode(to.P256dh), Auth: encode(to.Auth)})
	require.NoError(f.t, err)
	dependencies := f.dependencies()
	dependencies.Pushes = service.Sender()
	client, err := Assemble(dependencies)
	require.NoError(f.t, err)
	f.startClient(client)
	return service
}

// What settles is pushed within seconds, and a message a while later, if it is not read.
func TestPushSweep(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller, admin := f.user("nusrat"), f.user("tanvir"), f.admin("admin")
	service := f.pushed(buyer)
	f.fund(buyer, admin, 100_00)
	received := func(n int) {
		t.Helper()
		require.Eventually(t, func() bool { return len(service.Received()) >= n }, 20*time.Second, 10*time.Millisecond)
	}
	received(1)
	var shown struct{ Title, Body, Link string }
	service.Received()[0].Into(t, &shown)
	require.Equal(t, "Your money", shown.Title)
	require.NotContains(t, shown.Body, "100")

	talks, is := f.deals.Conversations.(*chat.Service)
	require.True(t, is)
	started, err := talks.Start(t.Context(), seller, chat.Opening{ReceiverID: &buyer, Draft: chat.Draft{Text: "A secret"}}, nil)
	require.NoError(t, err)
	require.Equal(t, 1, f.count(`select count(*) from due_pushes where message_id is not null and due_at > now() + interval '8 s'`))
	_, err = f.db.Owner().Exec(t.Context(), `update due_pushes set due_at = now()`)
	require.NoError(t, err)
	received(2)
	service.Received()[1].Into(t, &shown)
	require.Equal(t, "tanvir wrote to you.", shown.Body)
	require.Equal(t, "/inbox/"+started.Conversation.ID.String(), shown.Link)

	_, err = talks.Send(t.Context(), seller, &started.Conversation.ID, chat.Draft{Text: "More"}, nil)
	require.NoError(t, err)
	_, err = talks.MarkRead(t.Context(), buyer, &started.Conversation.ID)
	require.NoError(t, err)
	_, err = f.db.Owner().Exec(t.Context(), `update due_pushes set due_at = now()`)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return f.count(`select count(*) from due_pushes`) == 0 }, 20*time.Second, 10*time.Millisecond)
	require.Len(t, service.Received(), 2)
}

// A message that its receiver has not read is mailed once, and not its words.
func TestUnreadMails(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	reader, sender := f.user("nusrat"), f.user("tanvir")
	f.start()
	talks, is := f.deals.Conversations.(*chat.Service)
	require.True(t, is)
	started, err := talks.Start(t.Context(), sender, chat.Opening{ReceiverID: &reader, Draft: chat.Draft{Text: "A secret"}}, nil)
	require.NoError(t, err)
	for range 2 {
		f.clock.Advance(11 * time.Minute)
		require.Equal(t, rivertype.JobStateCompleted, f.work(jobs.UnreadMails{}).State)
	}
	subject := catalog.Render(catalog.English, catalog.MessagesUnread, catalog.Params{"username": "tanvir"})
	isOurs := func(m localstack.Mail) bool { return m.Subject == subject && strings.HasPrefix(m.To, "nusrat") }
	require.Eventually(t, func() bool {
		return slices.ContainsFunc(f.mails.Mails(), isOurs) && f.count(`select count(*) from due_mails`) == 0
	}, 20*time.Second, 10*time.Millisecond)
	mails := slices.DeleteFunc(f.mails.Mails(), func(m localstack.Mail) bool { return !isOurs(m) })
	require.Len(t, mails, 1)
	require.Contains(t, mails[0].Text, "/inbox/"+started.Conversation.ID.String())
	require.NotContains(t, mails[0].Text, "secret")
}
