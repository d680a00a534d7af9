package workers

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"amanat/internal/domain/notifications"
	"amanat/internal/lib/mailer"
	"amanat/queue/jobs"
)

// mailSweepWorker sends the emails of notifications that are due.
type mailSweepWorker struct {
	river.WorkerDefaults[jobs.MailSweep]
	services Services
	running  sync.Mutex
}

// Timeout bounds one run.
func (w *mailSweepWorker) Timeout(*river.Job[jobs.MailSweep]) time.Duration {
	return notifications.SweepTimeout
}

// Work sends what is due. If a sweep is running in this process, there is nothing to do, and a slow
// mail server must not have sweeps fill the queue's workers: other emails wait for them, too.
func (w *mailSweepWorker) Work(ctx context.Context, _ *river.Job[jobs.MailSweep]) error {
	if !w.running.TryLock() {
		return nil
	}
	defer w.running.Unlock()
	failures, err := w.services.NotificationMail.Sweep(ctx)
	for _, f := range failures {
		about := []any{"kind", "notice", "notification", f.NotificationID, "attempt", f.Attempt, "error", f.Err}
		switch {
		case errors.Is(f.Err, mailer.ErrUndeliverable):
			w.services.Log.WarnContext(ctx, "mail given up", about...)
		case f.GivenUp:
			w.services.Log.ErrorContext(ctx, "mail given up after days", about...)
		default:
			w.services.Log.WarnContext(ctx, "mail failed, will be tried again", about...)
		}
	}
	return err
}

// sent returns the result of a job that emailed a user. It cancels the job if err says that no
// attempt can deliver the email. Email to support does not go through it: operators configure that
// address and may still correct it.
func (s Services) sent(ctx context.Context, job *rivertype.JobRow, err error) error {
	if !errors.Is(err, mailer.ErrUndeliverable) {
		return err
	}
	s.Log.WarnContext(ctx, "mail given up", "kind", job.Kind, "job", job.ID, "error", err)
	return river.JobCancel(err)
}

// accountMailWorker sends an email about an account, which its owner is waiting for.
type accountMailWorker struct {
	river.WorkerDefaults[jobs.AccountMail]
	services Services
}

// emailChangeMailWorker emails one of the two addresses of a change.
type emailChangeMailWorker struct {
	river.WorkerDefaults[jobs.EmailChangeMail]
	services Services
}

// NextRetry backs off like that of accountMailWorker.
func (w *emailChangeMailWorker) NextRetry(job *river.Job[jobs.EmailChangeMail]) time.Time {
	return letterRetry(job.JobRow)
}

// Work sends the email unless it is no longer relevant.
func (w *emailChangeMailWorker) Work(ctx context.Context, job *river.Job[jobs.EmailChangeMail]) error {
	return w.services.sent(ctx, job.JobRow, w.services.AccountMail.SendChangeLetter(ctx, job.Args))
}

const maxLetterPause = 5 * time.Minute

// NextRetry backs off exponentially from one second to five minutes.
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

// Work sends the email.
func (w *accountMailWorker) Work(ctx context.Context, job *river.Job[jobs.AccountMail]) error {
	return w.services.sent(ctx, job.JobRow, w.services.AccountMail.SendLetter(ctx, job.Args))
}

// bugReportMailWorker forwards a bug report to support.
type bugReportMailWorker struct {
	river.WorkerDefaults[jobs.BugReportMail]
	services Services
}

// Work forwards the bug report.
func (w *bugReportMailWorker) Work(ctx context.Context, job *river.Job[jobs.BugReportMail]) error {
	return w.services.Feedback.MailReport(ctx, job.Args.ReportID)
}

// contactMailWorker forwards a contact form message to support.
type contactMailWorker struct {
	river.WorkerDefaults[jobs.ContactMail]
	services Services
}

// Work forwards the message.
func (w *contactMailWorker) Work(ctx context.Context, job *river.Job[jobs.ContactMail]) error {
	return w.services.Feedback.MailContact(ctx, job.Args.MessageID)
}
