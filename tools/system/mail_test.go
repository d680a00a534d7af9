//go:build soak

package system

import (
	"context"
	"encoding/base64"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/localstack"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/failpoint"
	"amanat/internal/testing/pushtest"
	"amanat/queue/jobs"
)

// While the mail server is down, mails of every kind wait; when it is back, each is sent once, and
// its link works. A change that was rolled back sends no mail.
func TestMail_server_down(t *testing.T) {
	t.Parallel()
	s := newSystem(t, failing)
	s.serve(s.startAPI(), s.startAPI())
	s.startWorker("mail,notify,maintenance")
	s.amanat(s.db.APIURL, "set-rate", "122.40")
	admin, nusrat := s.admin("boss"), s.member("nusrat")
	s.awaitMailed()
	require.Equal(t, []string{"boss@example.com Please verify your email.", "nusrat@example.com Please verify your email."}, subjects(s.mails))
	require.NoError(t, s.mails.Stop())
	s.amanat(s.db.APIURL, "verify-user", "nusrat")

	approval := reportedDeposit(nusrat, admin)
	users := newLoadUsers(t)
	doomed := s.startWorker(jobs.QueueMoney, armed(failpoint.WorkerBeforeCommit))
	users.retry(approval)
	doomed.requireKilled()
	require.Zero(t, s.count(`select count(*) from due_mails`), "the approval was rolled back")
	s.startWorker(jobs.QueueMoney)
	users.wait()
	s.visitor().post("/auth/forgot-password", fields{"email": "nusrat@example.com"}).want(http.StatusOK)
	nusrat.post("/auth/bug-report", fields{"subject": "Pay", "description": "The button does nothing."}).want(http.StatusCreated)

	const waiting = `
		select (select count(*) from river.river_job where queue = 'mail' and state <> 'completed' and cardinality(errors) >= $1)
		     + (select count(*) from due_mails where last_error <> '' and attempts >= $1)`
	for _, failures := range []int{1, 2} {
		await(t, startWait, "tried in vain", func() bool {
			s.wakeMails()
			return s.count(waiting, failures) == 3
		})
	}
	address := strings.TrimPrefix(s.mails.URL(), "smtp://")
	back, err := localstack.StartMailAt(context.WithoutCancel(t.Context()), address, clock.System{}.Now)
	require.NoError(t, err)
	t.Cleanup(func() { _ = back.Stop() })
	s.mails = back
	s.awaitMailed()
	expected := []string{
		"nusrat@example.com Choose a new password", "nusrat@example.com Your deposit of $5.00 is in your balance.",
		"support@amanat.test Bug report: Pay",
	}
	require.Equal(t, expected, subjects(back))

	s.visitor().post("/auth/reset-password", fields{"password": "another-secret", "token": tokenIn(t, back.Mails())}).want(http.StatusOK)
	s.visitor().post("/auth/login", fields{"username": "nusrat", "password": "another-secret"}).want(http.StatusOK)
	s.awaitMailed()
	require.Equal(t, slices.Insert(expected, 2, "nusrat@example.com Your password was changed"), subjects(back))
	s.requireBooksInOrder()
}

// subjects returns the recipients and subjects of the mails, sorted.
func subjects(box *localstack.MailCatcher) []string {
	var list []string
	for _, mail := range box.Mails() {
		list = append(list, mail.To+" "+mail.Subject)
	}
	slices.Sort(list)
	return list
}

// reportedDeposit reports a deposit as the user and returns the admin's approval of it.
func reportedDeposit(user, admin *person) request {
	user.t.Helper()
	var reported struct {
		Deposit struct {
			ID uuid.UUID `json:"_id"`
		}
	}
	user.post("/auth/deposit", fields{"amount": dollars(deposited), "transactionId": "AB12CD34EF", "paymentMethod": "Bkash"}).
		want(http.StatusCreated).into(&reported)
	return admin.ask("/admin/deposit/approve/"+reported.Deposit.ID.String(), fields{"amount": dollars(deposited), "userId": user.ID})
}

// awaitMailed waits until no mail is left to be sent.
func (s *system) awaitMailed() {
	s.t.Helper()
	await(s.t, startWait, "all mails sent", func() bool {
		s.wakeMails()
		return s.count(`
			select (select count(*) from river.river_job where queue = 'mail' and kind <> 'mail_sweep' and state <> 'completed')
			     + (select count(*) from due_mails)`) == 0
	})
}

// wakeMails retries failed mail jobs now, as an operator may, so that the test need not wait for
// their next attempt. The mails of notices are retried within seconds.
func (s *system) wakeMails() {
	s.t.Helper()
	rows, err := s.db.Owner().Query(s.t.Context(), `
		select id from river.river_job where queue = 'mail' and state in ('available', 'retryable', 'scheduled') and scheduled_at > now()`)
	require.NoError(s.t, err)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	require.NoError(s.t, err)
	operator, err := jobs.NewInserter(s.db.Owner(), slog.New(slog.DiscardHandler))
	require.NoError(s.t, err)
	for _, id := range ids {
		_, err := operator.JobRetry(s.t.Context(), id)
		require.NoError(s.t, err)
	}
}

var resetLink = regexp.MustCompile(`/reset-password#token=(\S+)`)

// tokenIn returns the token of the link to reset the password.
func tokenIn(t *testing.T, mails []localstack.Mail) string {
	t.Helper()
	for _, mail := range mails {
		if found := resetLink.FindStringSubmatch(mail.Text); found != nil {
			token, err := url.QueryUnescape(found[1])
			require.NoError(t, err)
			return token
		}
	}
	require.FailNow(t, "no link")
	return ""
}

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
