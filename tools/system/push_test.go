//go:build soak

package system

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/testing/pushtest"
	"amanat/queue/jobs"
)

// A push goes the whole way: from the keys that the operator makes, through an api and whichever of
// two workers, to a browser that decrypts it. It is sent once, also if the workers were down, and a
// browser that is logged out gets nothing more.
func TestPush(t *testing.T) {
	t.Parallel()
	s := newSystem(t, failing)
	service := pushtest.New(t)
	keys := strings.Fields(s.amanat("", "vapid-keys"))
	require.Len(t, keys, 2)
	s.serve(s.startAPI(keys[0]), s.startAPI(keys[0]))
	s.startWorker(jobs.QueueMoney, keys...)
	s.amanat(s.db.APIURL, "set-rate", "122.40")
	admin, nusrat, tanvir := s.admin("boss"), s.member("nusrat"), s.member("tanvir")
	subscribe(nusrat, service, "phone")

	users := newLoadUsers(t)
	users.retry(reportedDeposit(nusrat, admin))
	users.wait()
	const waiting = `select count(*) from due_pushes`
	await(t, startWait, "the push of the deposit", func() bool { return s.count(waiting) == 1 })
	settings := slices.Concat(keys, service.Settings())
	doomed := s.startWorker(jobs.QueueNotify, settings...)
	s.startWorker(allQueues, settings...)
	await(t, startWait, "sent", func() bool { return s.count(waiting) == 0 })
	received := service.Received()
	require.Len(t, received, 1)
	var shown struct{ Title, Body, Link, Lang string }
	received[0].Into(t, &shown)
	require.Equal(t, "Your money", shown.Title)
	require.NotContains(t, shown.Body, "5", "the amount")
	require.Equal(t, "en", shown.Lang)
	require.Equal(t, "high", received[0].Header.Get("Urgency"))

	doomed.kill()
	tanvir.post("/messages/send-or-start", fields{"receiverId": nusrat.ID, "text": "A secret"}).want(http.StatusCreated)
	await(t, startWait, "the message", func() bool { return len(service.Received()) == 2 && s.count(waiting) == 0 })
	service.Received()[1].Into(t, &shown)
	require.Equal(t, "tanvir wrote to you.", shown.Body)
	require.True(t, strings.HasPrefix(shown.Link, "/inbox/"))

	tanvir.post("/messages/send-or-start", fields{"receiverId": nusrat.ID, "text": "More"}).want(http.StatusCreated)
	require.Equal(t, 1, s.count(waiting))
	nusrat.post("/auth/logout", nil).want(http.StatusOK)
	await(t, startWait, "dropped", func() bool { return s.count(waiting) == 0 })
	require.Len(t, service.Received(), 2)
	s.requireBooksInOrder()
}

// subscribe turns on pushes in a new browser of a user.
func subscribe(user *person, service *pushtest.Service, name string) {
	user.t.Helper()
	to, encode := service.Subscribe(name), base64.RawURLEncoding.EncodeToString
	user.post("/push/subscriptions", fields{
		"endpoint": to.Endpoint, "keys": fields{"p256dh": encode(to.P256dh), "auth": encode(to.Auth)},
	}).want(http.StatusCreated)
}
