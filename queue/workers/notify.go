package workers

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"amanat/internal/lib/postgres"
	"amanat/queue/jobs"
)

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
