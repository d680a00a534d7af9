package workers

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"amanat/internal/domain/accounts"
	"amanat/internal/domain/notifications"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
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

// pushSweepWorker sends the pushes that are due.
type pushSweepWorker struct {
	river.WorkerDefaults[jobs.PushSweep]
	services Services
	running  sync.Mutex
}

// Timeout bounds one run.
func (w *pushSweepWorker) Timeout(*river.Job[jobs.PushSweep]) time.Duration {
	return notifications.SweepTimeout
}

// Work sends what is due, in one sweep at a time, as mailSweepWorker does.
func (w *pushSweepWorker) Work(ctx context.Context, _ *river.Job[jobs.PushSweep]) error {
	if !w.running.TryLock() {
		return nil
	}
	defer w.running.Unlock()
	failures, err := w.services.Pushes.Sweep(ctx)
	for _, f := range failures {
		about := []any{"push", f.PushID, "attempt", f.Attempt, "error", f.Err}
		if f.GivenUp {
			w.services.Log.WarnContext(ctx, "push given up", about...)
		} else {
			w.services.Log.InfoContext(ctx, "push failed, will be tried again", about...)
		}
	}
	return err
}

// unreadMailsWorker tells people who are away of messages that they have not read.
type unreadMailsWorker struct {
	river.WorkerDefaults[jobs.UnreadMails]
	services Services
}

// Work tells everybody once.
func (w *unreadMailsWorker) Work(ctx context.Context, _ *river.Job[jobs.UnreadMails]) error {
	told, err := w.services.Unread.TellUnread(ctx)
	if told > 0 {
		w.services.Log.InfoContext(ctx, "people were told of unread messages", "people", told)
	}
	return err
}

// withdrawalMailWorker emails the owner of a withdrawal about it.
type withdrawalMailWorker struct {
	river.WorkerDefaults[jobs.WithdrawalMail]
	services Services
}

// NextRetry backs off like that of accountMailWorker.
func (w *withdrawalMailWorker) NextRetry(job *river.Job[jobs.WithdrawalMail]) time.Time {
	return letterRetry(job.JobRow)
}

// Work sends the email unless it is no longer relevant.
func (w *withdrawalMailWorker) Work(ctx context.Context, job *river.Job[jobs.WithdrawalMail]) error {
	about, wanted, err := w.services.Wallet.LetterOf(ctx, job.Args.WithdrawalID, job.Args.Letter)
	if err != nil || !wanted {
		return err
	}
	return w.services.sent(ctx, job.JobRow, w.services.AccountMail.SendWithdrawalLetter(ctx, accounts.WithdrawalLetter{
		Letter: job.Args.Letter, UserID: about.Owner, WithdrawalID: job.Args.WithdrawalID, Params: about.Params, Reasons: about.Reasons,
	}))
}

// inviteMailWorker mails the link to a deal to whom it is for.
type inviteMailWorker struct {
	river.WorkerDefaults[jobs.InviteMail]
	services Services
}

// NextRetry backs off like that of accountMailWorker.
func (w *inviteMailWorker) NextRetry(job *river.Job[jobs.InviteMail]) time.Time {
	return letterRetry(job.JobRow)
}

// Work sends the email unless the link has ended.
func (w *inviteMailWorker) Work(ctx context.Context, job *river.Job[jobs.InviteMail]) error {
	return w.services.sent(ctx, job.JobRow, w.services.InviteMail.Send(ctx, job.Args.InviteID))
}

// adminNoticeWorker notifies the admins of something that needs their attention.
type adminNoticeWorker struct {
	river.WorkerDefaults[jobs.AdminNotice]
	services Services
}

// Work writes the notifications and completes the job in one transaction, so that a crash does not
// make the admins read them twice.
func (w *adminNoticeWorker) Work(ctx context.Context, job *river.Job[jobs.AdminNotice]) error {
	return postgres.WithTx(ctx, w.services.DB, func(tx *postgres.Tx) error {
		if err := w.services.Notifications.NotifyAdmins(ctx, tx, job.Args); err != nil {
			return err
		}
		_, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, pgx.Tx(tx), job)
		return err
	})
}
