package workers

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"amanat/internal/domain/accounts"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
	"amanat/queue/jobs"
)

// sweepMail sends the emails of notifications that are due.
func (s Services) sweepMail(ctx context.Context) error {
	failures, err := s.NotificationMail.Sweep(ctx)
	for _, f := range failures {
		about := []any{"kind", "notice", "notification", f.NotificationID, "attempt", f.Attempt, "error", f.Err}
		switch {
		case errors.Is(f.Err, mailer.ErrUndeliverable):
			s.Log.WarnContext(ctx, "mail given up", about...)
		case f.GivenUp:
			s.Log.ErrorContext(ctx, "mail given up after days", about...)
		default:
			s.Log.WarnContext(ctx, "mail failed, will be tried again", about...)
		}
	}
	return err
}

// sweepPushes sends the pushes that are due.
func (s Services) sweepPushes(ctx context.Context) error {
	failures, err := s.Pushes.Sweep(ctx)
	for _, f := range failures {
		about := []any{"push", f.PushID, "attempt", f.Attempt, "error", f.Err}
		if f.GivenUp {
			s.Log.WarnContext(ctx, "push given up", about...)
		} else {
			s.Log.InfoContext(ctx, "push failed, will be tried again", about...)
		}
	}
	return err
}

const maxMailPause = 5 * time.Minute

// mailTo returns the worker of emails to users.
func mailTo[T river.JobArgs](s Services, send func(ctx context.Context, args T) error) *worker[T] {
	work := func(ctx context.Context, job *river.Job[T]) error {
		return s.sent(ctx, job.JobRow, send(ctx, job.Args))
	}
	return &worker[T]{work: work, maxPause: maxMailPause}
}

// mailWithdrawal emails the owner of a withdrawal about it, unless that is no longer relevant.
func (s Services) mailWithdrawal(ctx context.Context, job jobs.WithdrawalMail) error {
	about, wanted, err := s.Wallet.LetterOf(ctx, job.WithdrawalID, job.Letter)
	if err != nil || !wanted {
		return err
	}
	return s.AccountMail.SendWithdrawalLetter(ctx, accounts.WithdrawalLetter{
		Letter: job.Letter, UserID: about.Owner, WithdrawalID: job.WithdrawalID, Params: about.Params, Reasons: about.Reasons,
	})
}

// mailDecision emails the person concerned by a decision of moderation.
func (s Services) mailDecision(ctx context.Context, job jobs.DecisionMail) error {
	about, err := s.Moderation.LetterOf(ctx, job.DecisionID, job.Letter)
	if err != nil {
		return err
	}
	return s.AccountMail.SendDecisionLetter(ctx, accounts.DecisionLetter{
		Letter: job.Letter, Action: string(about.Action), UserID: about.UserID, DecisionID: job.DecisionID,
		Params: about.Params, CanAppeal: about.CanAppeal,
	})
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

// notifyAdmins notifies the admins of something that needs their attention. It completes the job in
// the same transaction, so that a crash does not make the admins read it twice.
func (s Services) notifyAdmins(ctx context.Context, job *river.Job[jobs.AdminNotice]) error {
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		if err := s.Notifications.NotifyAdmins(ctx, tx, job.Args); err != nil {
			return err
		}
		_, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, pgx.Tx(tx), job)
		return err
	})
}

func (s Services) mailReport(ctx context.Context, job *river.Job[jobs.BugReportMail]) error {
	return s.Feedback.MailReport(ctx, job.Args.ReportID)
}

func (s Services) mailContact(ctx context.Context, job *river.Job[jobs.ContactMail]) error {
	return s.Feedback.MailContact(ctx, job.Args.MessageID)
}
