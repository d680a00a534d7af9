package workers

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/feedback"
	"amanat/internal/mailer"
	"amanat/queue/jobs"
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
	worker := &contactMailWorker{deps: Deps{
		Feedback: &feedback.Service{DB: b.db.Worker(), Clock: b.clock, Mail: refusal{}, Support: "suport@amanat.test"},
	}}
	err = worker.Work(t.Context(), &river.Job[jobs.ContactMail]{JobRow: &rivertype.JobRow{}, Args: jobs.ContactMail{MessageID: id}})
	require.ErrorIs(t, err, mailer.ErrUndeliverable)
	require.NotErrorIs(t, err, new(river.JobCancelError), "an operator may put the address right")
}
