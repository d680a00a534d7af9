package workers

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"amanat/queue/jobs"
)

// mailWorker sends a notification's e-mail. SMTP has no transactions: a crash after sending sends twice.
type mailWorker struct {
	river.WorkerDefaults[jobs.Mail]
	deps Deps
}

// Work sends the mail.
func (w *mailWorker) Work(ctx context.Context, job *river.Job[jobs.Mail]) error {
	return w.deps.Notifications.SendMail(ctx, job.Args.NotificationID)
}

// accountMailWorker sends a letter that somebody waits for.
type accountMailWorker struct {
	river.WorkerDefaults[jobs.AccountMail]
	deps Deps
}

const maxLetterPause = 5 * time.Minute

// NextRetry pauses 1, 2, 4 … seconds, up to five minutes.
func (w *accountMailWorker) NextRetry(job *river.Job[jobs.AccountMail]) time.Time {
	pause := maxLetterPause
	if n := len(job.Errors); n < 9 {
		pause = min(time.Second<<n, maxLetterPause)
	}
	return clockNow().Add(pause)
}

// Work sends the letter.
func (w *accountMailWorker) Work(ctx context.Context, job *river.Job[jobs.AccountMail]) error {
	return w.deps.Accounts.SendLetter(ctx, job.Args)
}

// bugReportMailWorker forwards a bug report to support.
type bugReportMailWorker struct {
	river.WorkerDefaults[jobs.BugReportMail]
	deps Deps
}

// Work forwards it.
func (w *bugReportMailWorker) Work(ctx context.Context, job *river.Job[jobs.BugReportMail]) error {
	return w.deps.Feedback.MailReport(ctx, job.Args.ReportID)
}

// contactMailWorker forwards a message of the contact form to support.
type contactMailWorker struct {
	river.WorkerDefaults[jobs.ContactMail]
	deps Deps
}

// Work forwards it.
func (w *contactMailWorker) Work(ctx context.Context, job *river.Job[jobs.ContactMail]) error {
	return w.deps.Feedback.MailContact(ctx, job.Args.MessageID)
}
