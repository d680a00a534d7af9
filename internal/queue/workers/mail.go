package workers

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"amanat/internal/platform/mailer"
	"amanat/internal/queue/jobs"
)

// mailWorker sends a notification's e-mail. SMTP has no transactions: a crash after sending sends twice.
type mailWorker struct {
	river.WorkerDefaults[jobs.Mail]
	services Services
}

// Work sends the mail.
func (w *mailWorker) Work(ctx context.Context, job *river.Job[jobs.Mail]) error {
	return w.services.sent(ctx, job.JobRow, w.services.NotificationMail.SendMail(ctx, job.Args.NotificationID))
}

// sent ends the job of a mail to a person that no attempt will deliver. Mails to support are none of these: their address is an operator's,
// who may yet put it right.
func (s Services) sent(ctx context.Context, job *rivertype.JobRow, err error) error {
	if !errors.Is(err, mailer.ErrUndeliverable) {
		return err
	}
	s.Log.WarnContext(ctx, "mail given up", "kind", job.Kind, "job", job.ID, "error", err)
	return river.JobCancel(err)
}

// accountMailWorker sends a letter that somebody waits for.
type accountMailWorker struct {
	river.WorkerDefaults[jobs.AccountMail]
	services Services
}

const maxLetterPause = 5 * time.Minute

// NextRetry pauses 1, 2, 4 … seconds, up to five minutes.
func (w *accountMailWorker) NextRetry(job *river.Job[jobs.AccountMail]) time.Time {
	return letterRetry(job.JobRow)
}

func letterRetry(job *rivertype.JobRow) time.Time {
	pause := maxLetterPause
	if n := len(job.Errors); n < 9 {
		pause = min(time.Second<<n, maxLetterPause)
	}
	return clockNow().Add(pause)
}

// Work sends the letter.
func (w *accountMailWorker) Work(ctx context.Context, job *river.Job[jobs.AccountMail]) error {
	return w.services.sent(ctx, job.JobRow, w.services.AccountMail.SendLetter(ctx, job.Args))
}

// bugReportMailWorker forwards a bug report to support.
type bugReportMailWorker struct {
	river.WorkerDefaults[jobs.BugReportMail]
	services Services
}

// Work forwards it.
func (w *bugReportMailWorker) Work(ctx context.Context, job *river.Job[jobs.BugReportMail]) error {
	return w.services.Feedback.MailReport(ctx, job.Args.ReportID)
}

// contactMailWorker forwards a message of the contact form to support.
type contactMailWorker struct {
	river.WorkerDefaults[jobs.ContactMail]
	services Services
}

// Work forwards it.
func (w *contactMailWorker) Work(ctx context.Context, job *river.Job[jobs.ContactMail]) error {
	return w.services.Feedback.MailContact(ctx, job.Args.MessageID)
}
