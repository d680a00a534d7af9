package api_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/domain/notifications"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/lib/webpush"
	"amanat/internal/testing/pushtest"
)

// withPushes gives a server keys of pushes.
func withPushes(c *config.API) {
	keys, err := webpush.NewKeys()
	must(err)
	c.VAPIDPublicKey = keys.Public
}

func (b *browser) noticeSettings() (s api.NotificationSettings) {
	b.t.Helper()
	b.get("/notifications/settings").want(200).into(&s)
	return s
}

// subscription returns the body that subscribes a new browser at a push service.
func subscription(t *testing.T, name string) fields {
	t.Helper()
	to := pushtest.New(t).Subscribe(name)
	encode := base64.RawURLEncoding.EncodeToString
	return fields{"endpoint": to.Endpoint, "keys": fields{"p256dh": encode(to.P256dh), "auth": encode(to.Auth)}}
}

func (b *browser) subscribes(body fields) (s api.PushSubscribed) {
	b.t.Helper()
	b.post("/push/subscriptions", body).want(201).into(&s)
	return s
}

func (f *fixture) rows(table string) (n int) {
	f.t.Helper()
	require.NoError(f.t, f.owner.QueryRow(f.t.Context(), `select count(*) from `+table).Scan(&n))
	return n
}

// noticeChoice returns the groups of a body that chooses for all groups the same, except for the
// emails about the account.
func noticeChoice(mail, push bool) (groups []fields) {
	for _, group := range []string{"deals", "money", "messages", "reminders", "account"} {
		groups = append(groups, fields{"group": group, "mail": mail || group == "account", "push": push})
	}
	return groups
}

func TestNotificationSettings(t *testing.T) {
	t.Parallel()
	f := newFixture(t, withPushes)
	b := f.member("rahim")
	s := b.noticeSettings()
	require.Equal(t, f.config.VAPIDPublicKey, *s.PublicKey)
	require.False(t, s.Details)
	require.Empty(t, s.Devices)
	require.Len(t, s.Groups, 5)
	for _, group := range s.Groups {
		require.Equal(t, api.NotificationGroup{Group: group.Group, Mail: true, Push: true, MailLocked: group.Group == "account"}, group)
	}

	groups := noticeChoice(true, true)
	groups[2]["mail"], groups[0]["push"] = false, false
	body := fields{"groups": groups, "quiet": fields{"from": "22:00", "to": "07:30"}, "details": true}
	saved := b.do(http.MethodPut, "/notifications/settings", body).want(200)
	require.Contains(t, string(saved.body), `"quiet":{"from":"22:00","to":"07:30"}`)
	s = b.noticeSettings()
	require.True(t, s.Details)
	require.Equal(t, []bool{true, false}, []bool{s.Groups[0].Mail, s.Groups[0].Push})
	require.Equal(t, []bool{false, true}, []bool{s.Groups[2].Mail, s.Groups[2].Push})

	delete(body, "quiet")
	require.Contains(t, string(b.do(http.MethodPut, "/notifications/settings", body).want(200).body), `"quiet":null`)
	require.Nil(t, newFixture(t).member("karim").noticeSettings().PublicKey, "without keys")
}

// The switch for all emails of notices, and their links to unsubscribe, stay in step with the
// groups.
func TestNotificationSettings_mail_notices(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b := f.member("rahim")
	mails := func() (names string) {
		for _, group := range b.noticeSettings().Groups {
			if group.Mail {
				names += group.Group + " "
			}
		}
		return names
	}
	all := func() bool {
		var me api.Me
		b.get("/auth/me").want(200).into(&me)
		return me.MailNotices
	}
	choose := func(groups []fields) {
		b.do(http.MethodPut, "/notifications/settings", fields{"groups": groups, "details": false}).want(200)
	}
	var token uuid.UUID
	require.NoError(t, f.owner.QueryRow(t.Context(), `select unsubscribe_token from users where id = $1`, b.user.ID).Scan(&token))
	f.visitor().post("/mail/unsubscribe?token="+token.String(), nil).want(200)
	require.Equal(t, "account ", mails())

	some := noticeChoice(false, true)
	some[1]["mail"] = true
	choose(some)
	require.Equal(t, "money account ", mails())
	require.True(t, all())
	choose(noticeChoice(false, true))
	require.False(t, all())
	b.do(http.MethodPut, "/auth/mail-notices", fields{"enabled": true}).want(200)
	require.Equal(t, "deals money messages reminders account ", mails())
}

func TestNotificationSettings_refuses(t *testing.T) {
	t.Parallel()
	b := newFixture(t).member("rahim")
	changed := func(change func(groups []fields)) []fields {
		groups := noticeChoice(true, true)
		change(groups)
		return groups
	}
	const (
		incomplete = "Choose for each group of notifications once."
		malformed  = "The quiet hours must be two times of a day, as in 22:00 and 07:00."
	)
	for _, tc := range []struct {
		body    fields
		message string
	}{
		{fields{}, incomplete},
		{fields{"groups": noticeChoice(true, true)[1:]}, incomplete},
		{fields{"groups": changed(func(g []fields) { g[1]["group"] = "deals" })}, incomplete},
		{fields{"groups": changed(func(g []fields) { g[1]["group"] = "weather" })}, "There is no such group of notifications."},
		{fields{"groups": changed(func(g []fields) { g[4]["mail"] = false })}, "Emails about your account cannot be turned off."},
		{fields{"groups": noticeChoice(true, true), "quiet": fields{"from": "22:00"}}, malformed},
		{fields{"groups": noticeChoice(true, true), "quiet": fields{"from": "7:00", "to": "08:00"}}, malformed},
		{fields{"groups": noticeChoice(true, true), "quiet": fields{"from": "24:00", "to": "08:00"}}, malformed},
		{
			fields{"groups": noticeChoice(true, true), "quiet": fields{"from": "08:00", "to": "08:00"}},
			"The quiet hours must end at another time than they begin.",
		},
	} {
		b.do(http.MethodPut, "/notifications/settings", tc.body).refused(400, "invalid", tc.message)
	}
}

func TestPushSubscriptions(t *testing.T) {
	t.Parallel()
	f := newFixture(t, withPushes)
	rahim, karim := f.member("rahim"), f.member("karim")
	body := subscription(t, "chrome")
	mine := rahim.subscribes(body).Device
	require.True(t, mine.Current)
	require.NotEmpty(t, mine.UserAgent)
	require.Equal(t, mine.ID, rahim.subscribes(body).Device.ID, "renewed")
	require.Len(t, rahim.noticeSettings().Devices, 1)

	rahim.post("/push/test", nil).want(200)
	karim.post("/push/test", nil).refused(409, "conflict", "Turn on notifications in a browser first.")
	require.Equal(t, 1, f.rows("due_pushes"))

	path := "/push/subscriptions/" + mine.ID.String()
	karim.do(http.MethodDelete, path, nil).refused(404, "not_found", "Browser not found.")
	rahim.do(http.MethodDelete, path, nil).want(200)
	require.Empty(t, rahim.noticeSettings().Devices)

	for i := range 10 {
		rahim.subscribes(subscription(t, fmt.Sprintf("browser%d", i)))
	}
	more := subscription(t, "more")
	rahim.post("/push/subscriptions", more).
		refused(409, "conflict", "You can get notifications in up to 10 browsers. Remove one first.")
	rahim.do(http.MethodDelete, "/push/subscriptions/"+rahim.noticeSettings().Devices[0].ID.String(), nil).want(200)
	rahim.subscribes(more)
}

func TestPushSubscriptions_refuses(t *testing.T) {
	t.Parallel()
	b := newFixture(t, withPushes).member("rahim")
	good := subscription(t, "chrome")
	for _, endpoint := range []string{"", "http://example.com/x", "https://127.0.0.1/x", "https://redis/x", "https://example.com:6379/x"} {
		b.post("/push/subscriptions", fields{"endpoint": endpoint, "keys": good["keys"]}).
			refused(400, "invalid", "The endpoint is not one of a push service.")
	}
	b.post("/push/subscriptions", fields{"endpoint": good["endpoint"], "keys": fields{"p256dh": "x", "auth": "x"}}).
		refused(400, "invalid", "The keys are not those of a push subscription.")
	newFixture(t).member("karim").post("/push/subscriptions", good).
		refused(409, "conflict", "Notifications outside of the page are not set up here.")
}

// A browser gets no more pushes once its session has been ended, by logging out, by the password or
// from another browser. It still does when its session has run out.
func TestPushSubscriptions_end_with_session(t *testing.T) {
	t.Parallel()
	f := newFixture(t, withPushes)
	here := f.member("rahim")
	login := func() *browser {
		b := f.visitor()
		b.post("/auth/login", fields{"username": "rahim", "password": password}).want(200).into(&b.user)
		return b
	}
	devices := func() int { return f.rows("push_subscriptions") }
	here.subscribes(subscription(t, "here"))

	there := login()
	there.subscribes(subscription(t, "there"))
	there.post("/auth/logout", nil).want(200)
	require.Equal(t, 1, devices())

	there = login()
	other := there.subscribes(subscription(t, "there")).Device
	require.Len(t, here.noticeSettings().Devices, 2)
	var sessions []api.Session
	here.get("/auth/sessions").want(200).into(&sessions)
	for _, session := range sessions {
		if !session.Current {
			here.do(http.MethodDelete, "/auth/sessions/"+session.ID.String(), nil).want(200)
		}
	}
	here.do(http.MethodDelete, "/push/subscriptions/"+other.ID.String(), nil).want(404)

	there = login()
	there.subscribes(subscription(t, "there"))
	f.clock.Advance(25 * time.Hour)
	there.get("/auth/check").want(401)
	require.Equal(t, 2, devices(), "whose session has run out")
	there = login()
	there.post("/auth/change-password", fields{"currentPassword": password, "newPassword": "another-river"}).want(200)
	require.Zero(t, devices(), "all but that of the session that changes the password")
}

func TestRateLimits_pushes(t *testing.T) {
	t.Parallel()
	two := ratelimit.Rate{Count: 2, Per: time.Hour}
	f := newFixture(t, withPushes, func(c *config.API) { c.Limits.PushSubscriptionLimit, c.Limits.PushTestLimit = two, two })
	b := f.member("rahim")
	body := subscription(t, "chrome")
	for range 2 {
		b.subscribes(body)
		b.post("/push/test", nil).want(200)
	}
	b.post("/push/subscriptions", body).refused(429, "rate_limited", textTooMany)
	b.post("/push/test", nil).refused(429, "rate_limited", textTooMany)
}

// Browsers install the site by its manifest, and look for a new service worker each time.
func TestPages_installable(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	manifest := f.page(http.MethodGet, "/manifest.webmanifest")
	require.Equal(t, []string{"application/manifest+json", "no-cache"},
		[]string{manifest.header.Get("Content-Type"), manifest.header.Get("Cache-Control")})
	worker := f.page(http.MethodGet, "/service-worker.js")
	require.Equal(t, 200, worker.status)
	require.Contains(t, worker.header.Get("Content-Type"), "javascript")
	require.Equal(t, "no-cache", worker.header.Get("Cache-Control"))
}

// Pages may start the service worker of the site, and no other.
func TestPolicy_service_worker(t *testing.T) {
	t.Parallel()
	policy := newFixture(t).visitor().get("/nothing").header.Get("Content-Security-Policy")
	require.True(t, strings.Contains(policy, "worker-src 'self'") && strings.Contains(policy, "manifest-src 'self'"), policy)
}

// Each way to end a session ends the pushes to its browser, even if that subscribes at the same
// time.
func TestPushSubscriptions_session_ends_meanwhile(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(boss, here, there *browser, id uuid.UUID) reply{
		"logout": func(_, _, there *browser, _ uuid.UUID) reply { return there.post("/auth/logout", nil) },
		"from another browser": func(_, here, _ *browser, id uuid.UUID) reply {
			return here.do(http.MethodDelete, "/auth/sessions/"+id.String(), nil)
		},
		"all others": func(_, here, _ *browser, _ uuid.UUID) reply { return here.do(http.MethodDelete, "/auth/sessions", nil) },
		"new password": func(_, here, _ *browser, _ uuid.UUID) reply {
			return here.post("/auth/change-password", fields{"currentPassword": password, "newPassword": "another-river"})
		},
		"disabled": func(boss, here, _ *browser, _ uuid.UUID) reply {
			return boss.post("/admin/users/"+here.user.ID.String()+"/disable", nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, withPushes)
			boss, here, there := f.admin("boss"), f.member("rahim"), f.visitor()
			there.post("/auth/login", fields{"username": "rahim", "password": password}).want(200).into(&there.user)
			there.subscribes(subscription(t, "before"))
			var session uuid.UUID
			require.NoError(t, f.owner.QueryRow(t.Context(), `select session_id from push_subscriptions`).Scan(&session))

			subscribing := f.subscribing(here.user.ID, session, pushtest.New(t).Subscribe("meanwhile"))
			ended := make(chan reply, 1)
			go func() { ended <- end(boss, here, there, session) }()
			require.Eventually(t, func() bool {
				return f.rows(`pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`) == 1
			}, 20*time.Second, 5*time.Millisecond)
			subscribing()
			got := <-ended
			require.Equal(t, 200, got.status)
			require.Zero(t, f.rows("push_subscriptions"))
		})
	}
}

// subscribing begins to subscribe a browser of a session, and returns a function that completes it.
func (f *fixture) subscribing(userID, session uuid.UUID, to webpush.Subscription) (commit func()) {
	f.t.Helper()
	ctx := context.WithoutCancel(f.t.Context())
	tx, err := f.owner.Begin(ctx)
	require.NoError(f.t, err)
	_, err = tx.Exec(ctx, `select from sessions where id = $1 for share`, session)
	require.NoError(f.t, err)
	_, err = tx.Exec(ctx, `
		insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, user_agent, created_at, renewed_at)
		values (gen_random_uuid(), $1, $2, $3, $4, $5, 'Phone', now(), now())`, userID, session, to.Endpoint, to.P256dh, to.Auth)
	require.NoError(f.t, err)
	return func() { require.NoError(f.t, tx.Commit(ctx)) }
}

func (b *browser) notifications(query string) (list api.NotificationList) {
	b.t.Helper()
	b.get("/notifications" + query).want(200).into(&list)
	require.True(b.t, list.Success)
	return list
}

func (b *browser) requireUnread(unread bool) {
	b.t.Helper()
	wanted, err := json.Marshal(map[string]bool{"success": true, "hasUnread": unread})
	require.NoError(b.t, err)
	require.JSONEq(b.t, string(wanted), string(b.get("/notifications/unread-status").want(200).body))
}

func TestNotifications(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller, stranger := f.member("buyer"), f.member("seller"), f.member("stranger")
	require.JSONEq(t, `{"success": true, "notifications": [], "page": 1, "pages": 0, "total": 0}`,
		string(seller.get("/notifications").want(200).body))
	seller.requireUnread(false)
	var deals []api.DealDetail
	for i := range 12 {
		deals = append(deals, buyer.proposeToBuyer(seller, float64(i+1)))
	}
	seller.requireUnread(true)
	buyer.requireUnread(false)

	list := seller.notifications("")
	require.Equal(t, api.Pages{Page: 1, Pages: 2, Total: 12}, list.Pages)
	require.Len(t, list.Notifications, 10)
	newest := list.Notifications[0]
	require.Equal(t, "buyer offers you a deal of $12.00.", newest.Message)
	require.Equal(t, "deal_offered", newest.Kind)
	require.Equal(t, "/deal/"+deals[11].ID.String(), newest.Link)
	require.False(t, newest.IsRead)
	last := seller.notifications("?page=4&limit=3").Notifications
	require.Equal(t, "buyer offers you a deal of $1.00.", last[2].Message)
	seller.get("/notifications?page=x").refused(400, "invalid", "page must be a whole number from 1.")

	// Every notification is sent as an event with the same content.
	require.Len(t, seller.events("newDepositNotification"), 12)
	var event struct{ Notification notifications.Notification }
	seller.lastEvent("newDepositNotification", &event)
	require.Equal(t, newest, event.Notification)

	path := "/notifications/" + newest.ID.String() + "/read"
	stranger.do(http.MethodPatch, path, "{").refused(404, "not_found", "Notification not found.")
	seller.do(http.MethodPatch, path, "{").refused(400, "invalid", "The request body is not valid JSON.")
	seller.do(http.MethodPatch, path, fields{"isRead": false}).refused(400, "invalid", "isRead must be true.")
	for range 2 {
		var read notifications.Notification
		seller.do(http.MethodPatch, path, fields{"isRead": true}).want(200).into(&read)
		newest.IsRead = true
		require.Equal(t, newest, read)
	}
	require.True(t, seller.notifications("").Notifications[0].IsRead)
	seller.requireUnread(true)
	require.JSONEq(t, `{"success": true, "hasUnread": false}`, string(seller.post("/notifications/mark-all-as-read", nil).want(200).body))
	seller.requireUnread(false)
	for _, n := range seller.notifications("?limit=100").Notifications {
		require.True(t, n.IsRead)
	}
}

func TestNotifications_language(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller := f.member("buyer"), f.member("seller")
	buyer.proposeToBuyer(seller, 480)
	_, err := f.owner.Exec(t.Context(), "update users set language = 'bn' where id = $1", seller.user.ID)
	require.NoError(t, err)
	require.Equal(t, "buyer আপনাকে $৪৮০.০০-এর একটি ডিল প্রস্তাব করেছেন।", seller.notifications("").Notifications[0].Message,
		"also what was written before the language changed")
}

func TestAdminNotifications(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.work()
	boss, buyer := f.admin("boss"), f.member("buyer")
	boss.setRate(120)
	require.JSONEq(t, `[]`, string(boss.get("/admin/notifications").want(200).body))
	for range 2 {
		buyer.post("/auth/deposit", fields{"amount": 25, "transactionId": transactionID(), "paymentMethod": "Bkash"}).want(201)
	}
	var list []api.AdminNotification
	require.Eventually(t, func() bool {
		boss.get("/admin/notifications").want(200).into(&list)
		return len(list) == 2
	}, 10*time.Second, 20*time.Millisecond)
	var wire []struct {
		ID            uuid.UUID `json:"_id"`
		Type, Message string
		User          struct{ Username string }
		Link          string
		CreatedAt     time.Time
	}
	page := boss.get("/admin/notifications?page=2&limit=1").want(200)
	require.Equal(t, "2", page.header.Get("X-Total-Count"))
	page.into(&wire)
	require.Len(t, wire, 1)
	require.Equal(t, "admin_deposit", wire[0].Type)
	require.Contains(t, wire[0].Message, "buyer reports a deposit of $25.00 with bKash")
	require.Equal(t, "buyer", wire[0].User.Username)
	require.Equal(t, "/admin/deposit", wire[0].Link)
	require.Equal(t, list[1].ID, wire[0].ID, "newest first")
	require.Len(t, boss.notifications("").Notifications, 2, "the panel shows them too: the dot tells of both")
	boss.requireUnread(true)
	buyer.get("/admin/notifications").refused(403, "forbidden", "Only admins may do this.")
}
