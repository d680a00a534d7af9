package workers

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"amanat/internal/domain/accounts"
	"amanat/queue/jobs"
)

// decisionMailWorker emails the person concerned by a decision of moderation.
type decisionMailWorker struct {
	river.WorkerDefaults[jobs.DecisionMail]
	services Services
}

// NextRetry backs off like that of accountMailWorker.
func (w *decisionMailWorker) NextRetry(job *river.Job[jobs.DecisionMail]) time.Time {
	return letterRetry(job.JobRow)
}

// Work sends the email.
func (w *decisionMailWorker) Work(ctx context.Context, job *river.Job[jobs.DecisionMail]) error {
	about, err := w.services.Moderation.LetterOf(ctx, job.Args.DecisionID, job.Args.Letter)
	if err != nil {
		return err
	}
	return w.services.sent(ctx, job.JobRow, w.services.AccountMail.SendDecisionLetter(ctx, accounts.DecisionLetter{
		Letter: job.Args.Letter, Action: string(about.Action), UserID: about.UserID, DecisionID: job.Args.DecisionID,
		Params: about.Params, CanAppeal: about.CanAppeal,
	}))
}

// suspensionsEndWorker enables accounts whose suspension has run out.
type suspensionsEndWorker struct {
	river.WorkerDefaults[jobs.SuspensionsEnd]
	services Services
}

// Work enables the accounts that are due. The next run continues where a timeout stopped this one.
func (w *suspensionsEndWorker) Work(ctx context.Context, _ *river.Job[jobs.SuspensionsEnd]) error {
	ended, err := w.services.Moderation.EndSuspensions(ctx)
	if ended > 0 {
		w.services.Log.InfoContext(ctx, "suspensions ended", "users", ended)
	}
	return err
}
