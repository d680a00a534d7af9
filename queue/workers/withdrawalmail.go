package workers

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"amanat/internal/domain/accounts"
	"amanat/queue/jobs"
)

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
