package workers

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"amanat/queue/jobs"
)

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
