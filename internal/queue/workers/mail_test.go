package workers

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/localstack"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/feedback"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/mailer"
	"amanat/internal/queue/jobs"
)

// Addresses that no mail program takes were once accepted at sign-up.
func TestMailThatNobodyCanDeliverIsTriedOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	odd, reader, admin := b.user("tanvir"), b.user("nusrat"), b.admin("admin")
	_, err := b.db.Owner().Exec(t.Context(), `update users set email = 'a,b@c.example' where id = $1`, odd)
	require.NoError(t, err)

	gaveUp := func(job *rivertype.JobRow) {
		t.Helper()
		require.Equal(t, rivertype.JobStateCancelled, job.State)
		require.Equal(t, 1, job.Attempt)
		require.NotContains(t, job.Errors[0].Error, "c.example", "what is logged names nobody")
	}
	gaveUp(b.work(jobs.AccountMail{UserID: odd, Letter: jobs.LetterPasswordChanged}))
	b.fund(odd, admin, 10_00)
	var notice uuid.UUID
	require.NoError(t, b.db.Owner().QueryRow(t.Context(),
		`select id from notifications where user_id = $1 order by id desc limit 1`, odd).Scan(&notice))
	gaveUp(b.work(jobs.Mail{NotificationID: notice}))

	require.Equal(t, rivertype.JobStateCompleted, b.work(jobs.AccountMail{UserID: reader, Letter: jobs.LetterPasswordChanged}).State)
	require.Len(t, b.mails.Mails(), 1)
}

// refusal is a server that knows nobody.
type refusal struct{}

func (refusal) Send(context.Context, mailer.Message) error { return mailer.ErrUndeliverable }

func TestMailToSupportIsNotGivenUp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := uuid.New()
	_, err := b.db.Owner().Exec(t.Context(), `
		insert into contact_messages (id, name, email, message, created_at) values ($1, 'Nusrat', 'nusrat@example.com', 'Hello?', now())`, id)
	require.NoError(t, err)
	worker := &contactMailWorker{services: Services{
		Feedback: &feedback.Forwarder{DB: b.db.Worker(), Mail: refusal{}, Support: "suport@amanat.test"},
	}}
	err = worker.Work(t.Context(), &river.Job[jobs.ContactMail]{JobRow: &rivertype.JobRow{}, Args: jobs.ContactMail{MessageID: id}})
	require.ErrorIs(t, err, mailer.ErrUndeliverable)
	require.NotErrorIs(t, err, new(river.JobCancelError), "an operator may put the address right")
}

// Whoever has closed the page learns by mail that the deal waits for them.
func TestWhatWaitsForSomebodyIsMailed(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	mailed := func(to, subject string) localstack.Mail {
		t.Helper()
		var found localstack.Mail
		require.Eventually(t, func() bool {
			mails := b.mails.Mails()
			i := slices.IndexFunc(mails, func(m localstack.Mail) bool { return m.Subject == subject && strings.HasPrefix(m.To, to) })
			if i >= 0 {
				found = mails[i]
			}
			return i >= 0
		}, 10*time.Second, 10*time.Millisecond, "%s is told: %s", to, subject)
		return found
	}
	mailed("nusrat", "tanvir offers you a deal of $100.00.")
	_, err := b.deals.Create(ctx, b.buyer,
		deals.Draft{BuyerID: &b.buyer, SellerID: &b.seller, Price: price, Description: "A page", DeliveryDays: 7}, nil)
	require.NoError(t, err)
	mailed("tanvir", catalog.Render(catalog.English, catalog.DealOfferedToSeller, catalog.Params{"username": "nusrat", "amount": "100.00"}))
	b.do(b.deals.Deliver(ctx, b.seller, b.id))
	require.Contains(t, mailed("nusrat", "tanvir has delivered. Check it, then complete the deal.").Text,
		"Days to check it: 3. If you do nothing by then, $98.00 goes to tanvir automatically.")
	b.do(b.deals.ResetDelivery(ctx, b.buyer, b.id))
	mailed("tanvir", catalog.Render(catalog.English, catalog.DealReset, catalog.Params{"username": "nusrat", "amount": "100.00"}))
	_, err = b.deals.Cancel(ctx, b.buyer, b.id, nil)
	require.NoError(t, err)
	b.do(b.deals.DeclineCancellation(ctx, b.seller, b.id))
	mailed("nusrat", catalog.Render(catalog.English, catalog.DealCancelDeclined, catalog.Params{"username": "tanvir", "amount": "100.00"}))
	require.NoError(t, b.deals.RequestSupport(ctx, b.buyer, b.id, "It does not open.", nil))
	b.closeSupport()
	for _, party := range []string{"nusrat", "tanvir"} {
		require.Contains(t, mailed(party, "The support request is closed and the deal of $100.00 goes on.").Text, answer)
	}
	detail, err := b.deals.Get(ctx, b.seller, b.id)
	require.NoError(t, err)
	require.Equal(t, answer, detail.Timeline[len(detail.Timeline)-1].Note)
}

// A frozen clock pays nobody.
func TestAMailOfADeliveryPromisesNoPaymentWhileTheClockStandsStill(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	require.NoError(t, b.deals.RequestSupport(ctx, b.buyer, b.id, "Nothing comes.", nil))
	b.do(b.deals.Deliver(ctx, b.seller, b.id))
	isDelivery := func(m localstack.Mail) bool { return strings.HasPrefix(m.Subject, "tanvir has delivered.") }
	require.Eventually(t, func() bool { return slices.ContainsFunc(b.mails.Mails(), isDelivery) }, 10*time.Second, 10*time.Millisecond)
	for _, m := range b.mails.Mails() {
		if isDelivery(m) {
			require.NotContains(t, m.Text, "automatically")
		}
	}
}
