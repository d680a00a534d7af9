package workers

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/devtools/localstack"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/moderation"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/posts"
	"amanat/internal/domain/reviews"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// moderators returns the service with the API's database role.
func (f *fixture) moderators() *moderation.Service {
	events := &realtime.Log{Clock: f.clock, Publish: direct{f.waiter, f.queues}}
	notices := &notifications.Service{DB: f.db.API(), Clock: f.clock, Events: events}
	people := accounts.New(accounts.Options{
		DB: f.db.API(), Clock: f.clock, Jobs: f.jobs, Notices: notices, Worklists: events, Deals: f.deals,
	})
	return &moderation.Service{
		DB: f.db.API(), Clock: f.clock, Events: events, Notices: notices, Jobs: f.jobs, Accounts: people, Links: people,
		Posts:   &posts.Service{DB: f.db.API(), Clock: f.clock},
		Reviews: &reviews.Service{DB: f.db.API(), Clock: f.clock, Notices: notices},
	}
}

// decisionLetter waits for the email with a subject that begins with the text.
func (f *fixture) decisionLetter(subject string) (mail localstack.Mail) {
	f.t.Helper()
	require.Eventually(f.t, func() bool {
		mails := f.mails.Mails()
		i := slices.IndexFunc(mails, func(m localstack.Mail) bool { return strings.HasPrefix(m.Subject, subject) })
		if i >= 0 {
			mail = mails[i]
		}
		return i >= 0
	}, 10*time.Second, 10*time.Millisecond, subject)
	return mail
}

// decided reports and decides about a user and returns the decision.
func (f *fixture) decided(service *moderation.Service, admin, accused uuid.UUID, ruling moderation.Ruling) moderation.Case {
	f.t.Helper()
	draft := moderation.Draft{Subject: moderation.Person, SubjectID: accused, Reason: "scam"}
	_, err := service.Report(f.t.Context(), f.user("reporter-"+uuid.NewString()[:8]), draft, nil)
	require.NoError(f.t, err)
	var id uuid.UUID
	require.NoError(f.t, f.db.Owner().QueryRow(f.t.Context(), `select id from moderation_cases where decided_at is null`).Scan(&id))
	decision, err := service.Decide(f.t.Context(), admin, id, ruling, nil)
	require.NoError(f.t, err)
	return decision
}

// A suspended user is told why by email, appeals with its link, and is let in when the suspension
// has run out.
func TestDecisionMail(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	accused, admin := f.user("tanvir"), f.admin("admin")
	service := f.moderators()
	decision := f.decided(service, admin, accused, moderation.Ruling{Action: moderation.Suspend, Reason: "A scam", Days: 2})
	mail := f.decisionLetter("Your account is suspended until ")
	require.Contains(t, mail.Text, "The reason: A scam")
	require.Contains(t, mail.Text, "It works for 14 days")
	_, rest, found := strings.Cut(mail.Text, "http://amanat.test/appeal#token=")
	require.True(t, found, mail.Text)
	token := strings.Fields(rest)[0]
	opened, err := service.OpenLink(t.Context(), token)
	require.NoError(t, err)
	require.Equal(t, decision.ID, opened.ID)

	f.clock.Advance(2 * 24 * time.Hour)
	require.Equal(t, rivertype.JobStateCompleted, f.work(jobs.SuspensionsEnd).State)
	require.Contains(t, f.decisionLetter("Your account is active again").Text, "You can log in again.")
	_, err = service.AppealByLink(t.Context(), token, "It was not me")
	require.NoError(t, err, "also after the suspension")
	_, err = service.OpenLink(t.Context(), token)
	require.Error(t, err, "until the appeal is sent")
}

// The link stops working with the time for appeals, and an email that is sent later has none.
func TestDecisionMail_too_late(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	accused, admin := f.user("tanvir"), f.admin("admin")
	service := f.moderators()
	decision := f.decided(service, admin, accused, moderation.Ruling{Action: moderation.Warn, Reason: "Be polite"})
	_, rest, _ := strings.Cut(f.decisionLetter("Amanat has warned you").Text, "#token=")
	f.clock.Advance(14 * 24 * time.Hour)
	_, err := service.OpenLink(t.Context(), strings.Fields(rest)[0])
	require.Error(t, err)
	f.work(jobs.Mail{SubjectID: decision.ID, MailKind: string(catalog.MailWarned)})
	mails := f.mails.Mails()
	require.Len(t, mails, 2)
	late := slices.IndexFunc(mails, func(m localstack.Mail) bool { return !strings.Contains(m.Text, "#token=") })
	require.Contains(t, mails[late].Text, "http://amanat.test/decisions/"+decision.ID.String())
}

// The emails about an appeal have the admin's answer.
func TestDecisionMail_appeals(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	accused, admin, another := f.user("tanvir"), f.admin("admin"), f.admin("sadia")
	service := f.moderators()
	for subject, overturn := range map[string]bool{
		"Your appeal: we have withdrawn the decision": true, "Your appeal: the decision stays as it is": false,
	} {
		decision := f.decided(service, admin, accused, moderation.Ruling{Action: moderation.Warn, Reason: "Be polite"})
		_, err := service.Appeal(t.Context(), accused, decision.ID, "It is wrong", nil)
		require.NoError(t, err)
		answer := moderation.AppealRuling{Overturn: overturn, Answer: "We have read all of it"}
		_, err = service.DecideAppeal(t.Context(), another, decision.ID, answer, nil)
		require.NoError(t, err)
		require.Contains(t, f.decisionLetter(subject).Text, "We have read all of it")
	}
}
