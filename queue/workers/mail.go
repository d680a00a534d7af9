package workers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/accounts"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
	"amanat/queue/jobs"
)

// sweepMail sends the emails of notifications that are due.
func (s Services) sweepMail(ctx context.Context) error {
	failures, err := s.NotificationMail.Sweep(ctx)
	for _, f := range failures {
		about := []any{"kind", "notice", "notification", f.ID, "attempt", f.Attempt, "error", f.Err}
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
		about := []any{"push", f.ID, "attempt", f.Attempt, "error", f.Err}
		if f.GivenUp {
			s.Log.WarnContext(ctx, "push given up", about...)
		} else {
			s.Log.InfoContext(ctx, "push failed, will be tried again", about...)
		}
	}
	return err
}

const maxMailPause = 5 * time.Minute

// mail emails a user. It cancels the job if no attempt can deliver the email.
func (s Services) mail(ctx context.Context, job *river.Job[jobs.Mail]) error {
	err := namedMail(job.Args.MailKind, s.sendMail(ctx, job.Args))
	if !errors.Is(err, mailer.ErrUndeliverable) {
		return err
	}
	s.Log.WarnContext(ctx, "mail given up", "kind", job.Args.MailKind, "job", job.ID, "error", err)
	return river.JobCancel(err)
}

// sendMail sends an email unless it is no longer relevant.
func (s Services) sendMail(ctx context.Context, m jobs.Mail) error {
	switch kind := catalog.Kind(m.MailKind); kind {
	case catalog.MailEmailConfirm, catalog.MailEmailUndo:
		return s.AccountMail.SendChange(ctx, m.SubjectID, kind)
	case catalog.MailClosed:
		return s.AccountMail.SendClosed(ctx, m.SubjectID)
	case catalog.MailInviteBuys, catalog.MailInviteSells:
		return s.InviteMail.Send(ctx, m.SubjectID, kind)
	case catalog.MailRequested:
		about, err := s.Wallet.MailOf(ctx, m.SubjectID)
		if err != nil {
			return err
		}
		return s.AccountMail.SendWithdrawal(ctx, accounts.WithdrawalMail{
			UserID: about.Owner, WithdrawalID: m.SubjectID, Params: about.Params, Reasons: about.Reasons,
		})
	case catalog.MailWarned, catalog.MailHidden, catalog.MailSuspended, catalog.MailBanned,
		catalog.MailUpheld, catalog.MailOverturned, catalog.MailSuspensionEnded:
		about, err := s.Moderation.MailOf(ctx, m.SubjectID, kind)
		if err != nil {
			return err
		}
		return s.AccountMail.SendDecision(ctx, accounts.DecisionMail{
			Kind: kind, UserID: about.UserID, DecisionID: m.SubjectID, Params: about.Params, CanAppeal: about.CanAppeal,
		})
	default:
		return s.AccountMail.Send(ctx, m.SubjectID, kind, m.Params)
	}
}

// mailSupport emails support. It is tried again even if support's address is refused: operators
// configure it and may still correct it.
func (s Services) mailSupport(ctx context.Context, job *river.Job[jobs.SupportMail]) error {
	var err error
	switch kind := catalog.Kind(job.Args.MailKind); kind {
	case catalog.MailHeads, catalog.MailHeadsBroken:
		err = s.Feedback.MailHeads(ctx, kind, job.Args.Heads)
	case catalog.MailBugReport:
		err = s.Feedback.MailReport(ctx, job.Args.SubjectID)
	case catalog.MailContact:
		err = s.Feedback.MailContact(ctx, job.Args.SubjectID)
	default:
		err = errors.New("unknown mail") // of a later version
	}
	return namedMail(job.Args.MailKind, err)
}

// namedMail prefixes an error with the kind of the mail: all have the same kind of job.
func namedMail(kind string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", kind, err)
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
