package workers

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/devtools/localstack"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/feedback"
	"amanat/internal/domain/notifications"
	"amanat/internal/lib/mailer"
	"amanat/queue/jobs"
)

// Sign-up used to accept addresses that no mail server accepts.
func TestMail_undeliverable_address(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	odd, reader := f.user("tanvir"), f.user("nusrat")
	_, err := f.db.Owner().Exec(t.Context(), `update users set email = 'a,b@c.example' where id = $1`, odd)
	require.NoError(t, err)

	job := f.work(jobs.AccountMail{UserID: odd, Letter: jobs.LetterPasswordChanged})
	require.Equal(t, rivertype.JobStateCancelled, job.State)
	require.Equal(t, 1, job.Attempt)
	require.NotContains(t, job.Errors[0].Error, "c.example", "what is logged names nobody")
	require.Equal(t, rivertype.JobStateCompleted, f.work(jobs.AccountMail{UserID: reader, Letter: jobs.LetterPasswordChanged}).State)
	require.Len(t, f.mails.Mails(), 1)
}

// refusal is a mail server that refuses every address.
type refusal struct{}

func (refusal) Send(context.Context, mailer.Message) error { return mailer.ErrUndeliverable }

func TestContactMail_undeliverable_is_retried(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := uuid.New()
	_, err := f.db.Owner().Exec(t.Context(), `
		insert into contact_messages (id, name, email, message, created_at) values ($1, 'Nusrat', 'nusrat@example.com', 'Hello?', now())`, id)
	require.NoError(t, err)
	worker := &contactMailWorker{services: Services{
		Feedback: &feedback.Forwarder{DB: f.db.Worker(), Mail: refusal{}, Support: "suport@amanat.test"},
	}}
	err = worker.Work(t.Context(), &river.Job[jobs.ContactMail]{JobRow: &rivertype.JobRow{}, Args: jobs.ContactMail{MessageID: id}})
	require.ErrorIs(t, err, mailer.ErrUndeliverable)
	require.NotErrorIs(t, err, new(river.JobCancelError), "an operator may put the address right")
}

// A sweep that fails is made up for by the next one, so it is not left among the discarded jobs.
func TestMailSweep_failed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.db.Owner().Exec(t.Context(), `alter table due_mails rename to elsewhere`)
	require.NoError(t, err)
	f.start()
	require.Equal(t, rivertype.JobStateCancelled, f.work(jobs.MailSweep{}).State)
	require.Zero(t, f.count(`select count(*) from river.river_job where state in ('discarded', 'retryable')`))
	_, err = f.db.Owner().Exec(t.Context(), `alter table elsewhere rename to due_mails`)
	require.NoError(t, err)
	require.Equal(t, rivertype.JobStateCompleted, f.work(jobs.MailSweep{}).State)
}

// blockedServer is a mail server that accepts emails when it is released.
type blockedServer struct{ begun, release chan struct{} }

func (s blockedServer) Send(context.Context, mailer.Message) error {
	s.begun <- struct{}{}
	<-s.release
	return nil
}

// One sweep runs in a process. The next leave the queue's workers to other emails.
func TestMailSweep_one_in_process(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user := f.user("nusrat")
	_, err := f.db.Owner().Exec(t.Context(), `
		with n as (
		  insert into notifications (id, user_id, audience, kind, params, created_at)
		  values (gen_random_uuid(), $1, 'user', 'deal_paid', '{}', now()) returning id
		)
		insert into due_mails (notification_id, due_at) select id, now() from n`, user)
	require.NoError(t, err)
	server := blockedServer{begun: make(chan struct{}, 1), release: make(chan struct{})}
	worker := &mailSweepWorker{services: Services{
		Log:              slog.New(slog.DiscardHandler),
		NotificationMail: &notifications.Mailer{DB: f.db.Worker(), Clock: f.clock, Mail: server, Senders: 4},
	}}
	first := make(chan error, 1)
	go func() { first <- worker.Work(context.WithoutCancel(t.Context()), &river.Job[jobs.MailSweep]{}) }()
	<-server.begun
	require.NoError(t, worker.Work(t.Context(), &river.Job[jobs.MailSweep]{}))
	close(server.release)
	require.NoError(t, <-first)
	require.Zero(t, f.count(`select count(*) from due_mails`))
}

// Users are emailed when a deal needs their action.
func TestMail_deal_notifications(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	mailed := func(to, subject string) localstack.Mail {
		t.Helper()
		var found localstack.Mail
		require.Eventually(t, func() bool {
			mails := f.mails.Mails()
			i := slices.IndexFunc(mails, func(m localstack.Mail) bool { return m.Subject == subject && strings.HasPrefix(m.To, to) })
			if i >= 0 {
				found = mails[i]
			}
			return i >= 0
		}, 10*time.Second, 10*time.Millisecond, "%s is told: %s", to, subject)
		return found
	}
	mailed("nusrat", "tanvir offers you a deal of $100.00.")
	_, err := f.deals.Create(ctx, f.buyer,
		deals.Draft{BuyerID: &f.buyer, SellerID: &f.seller, Price: price, Description: "A page", DeliveryDays: 7}, nil)
	require.NoError(t, err)
	mailed("tanvir", catalog.Render(catalog.English, catalog.DealOfferedToSeller, catalog.Params{"username": "nusrat", "amount": "100.00"}))
	f.do(f.deals.Deliver(ctx, f.seller, f.id, deals.Words{Text: "The access is yours now."}))
	delivered := mailed("nusrat", "tanvir delivered. Check it, then release the money.").Text
	require.Contains(t, delivered, "Deal: A channel")
	require.Contains(t, delivered, "The access is yours now.")
	require.Contains(t, delivered,
		"Inspection period: 3 days. If you do not respond by then, $98.00 goes to tanvir automatically.")
	f.do(f.deals.ResetDelivery(ctx, f.buyer, f.id, "Please change the colours."))
	reset := mailed("tanvir", catalog.Render(catalog.English, catalog.DealReset, catalog.Params{"username": "nusrat", "amount": "100.00"}))
	require.Contains(t, reset.Text, "Please change the colours.")
	_, err = f.deals.Cancel(ctx, f.buyer, f.id, nil)
	require.NoError(t, err)
	f.do(f.deals.DeclineCancellation(ctx, f.seller, f.id))
	mailed("nusrat", catalog.Render(catalog.English, catalog.DealCancelDeclined, catalog.Params{"username": "tanvir", "amount": "100.00"}))
	require.NoError(t, f.deals.RequestSupport(ctx, f.buyer, f.id, "It does not open.", nil))
	f.closeSupport()
	for _, party := range []string{"nusrat", "tanvir"} {
		require.Contains(t, mailed(party, "The support request is closed and the deal of $100.00 goes on.").Text, answer)
	}
	detail, err := f.deals.Get(ctx, f.seller, f.id)
	require.NoError(t, err)
	require.Equal(t, answer, detail.Timeline[len(detail.Timeline)-1].Note)
}

// A frozen deal is not completed automatically, so the email of its delivery does not announce
// that.
func TestMail_delivery_of_frozen_deal(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	require.NoError(t, f.deals.RequestSupport(ctx, f.buyer, f.id, "Nothing comes.", nil))
	f.do(f.deals.Deliver(ctx, f.seller, f.id, deals.Words{}))
	isDelivery := func(m localstack.Mail) bool { return strings.HasPrefix(m.Subject, "tanvir delivered.") }
	require.Eventually(t, func() bool { return slices.ContainsFunc(f.mails.Mails(), isDelivery) }, 10*time.Second, 10*time.Millisecond)
	for _, m := range f.mails.Mails() {
		if isDelivery(m) {
			require.NotContains(t, m.Text, "automatically")
		}
	}
}
