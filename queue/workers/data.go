package workers

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"amanat/queue/jobs"
)

// dataTimeout bounds one attempt of a job that reads or changes everything of one user.
const dataTimeout = 10 * time.Minute

// dataExportWorker makes the archive of what a user has made.
type dataExportWorker struct {
	river.WorkerDefaults[jobs.DataExport]
	services Services
}

// Timeout bounds one attempt.
func (w *dataExportWorker) Timeout(*river.Job[jobs.DataExport]) time.Duration { return dataTimeout }

// failTimeout bounds how long telling the user of a failure may take.
const failTimeout = 10 * time.Second

// Work makes the archive. After the last attempt it tells the user that there is none.
func (w *dataExportWorker) Work(ctx context.Context, job *river.Job[jobs.DataExport]) error {
	err := w.services.Exports.Make(ctx, job.Args.ExportID)
	if err == nil || job.Attempt < job.MaxAttempts {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), failTimeout)
	defer cancel()
	return errors.Join(err, w.services.Exports.Fail(ctx, job.Args.ExportID))
}

// eraseAccountWorker erases what the owner of a closed account has made.
type eraseAccountWorker struct {
	river.WorkerDefaults[jobs.EraseAccount]
	services Services
}

// Timeout bounds one attempt. The next one continues where it stopped.
func (w *eraseAccountWorker) Timeout(*river.Job[jobs.EraseAccount]) time.Duration { return dataTimeout }

// Work erases the account.
func (w *eraseAccountWorker) Work(ctx context.Context, job *river.Job[jobs.EraseAccount]) error {
	return w.services.Eraser.Erase(ctx, job.Args.UserID)
}

// accountClosedMailWorker sends the last email to the owner of a closed account.
type accountClosedMailWorker struct {
	river.WorkerDefaults[jobs.AccountClosedMail]
	services Services
}

// NextRetry backs off like that of accountMailWorker.
func (w *accountClosedMailWorker) NextRetry(job *river.Job[jobs.AccountClosedMail]) time.Time {
	return letterRetry(job.JobRow)
}

// Work sends the email while the address is known.
func (w *accountClosedMailWorker) Work(ctx context.Context, job *river.Job[jobs.AccountClosedMail]) error {
	return w.services.sent(ctx, job.JobRow, w.services.AccountMail.SendClosedLetter(ctx, job.Args.UserID))
}
