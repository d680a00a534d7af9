package workers

import (
	"context"

	"github.com/riverqueue/river"

	"amanat/internal/lib/postgres"
	"amanat/queue/jobs"
)

// adminNoticeWorker notifies the admins of something that needs their attention.
type adminNoticeWorker struct {
	river.WorkerDefaults[jobs.AdminNotice]
	services Services
}

// Work writes the notifications and completes the job in one transaction.
func (w *adminNoticeWorker) Work(ctx context.Context, job *river.Job[jobs.AdminNotice]) error {
	return postgres.WithTx(ctx, w.services.DB, func(tx *postgres.Tx) error {
		queueLockAttempts(tx, job.JobRow)
		if err := w.services.Notifications.NotifyAdmins(ctx, tx, job.Args); err != nil {
			return err
		}
		complete(tx, job.JobRow)
		return nil
	})
}
