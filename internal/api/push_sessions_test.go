package api_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/webpush"
	"amanat/internal/testing/pushtest"
)

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
