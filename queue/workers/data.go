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

// failTimeout bounds how long telling the user of a failure may take.
const failTimeout = 10 * time.Second

// export makes the archive of what a user has made. After the last attempt it tells the user that
// there is none.
func (s Services) export(ctx context.Context, job *river.Job[jobs.DataExport]) error {
	err := s.Exports.Make(ctx, job.Args.ExportID)
	if err == nil || job.Attempt < job.MaxAttempts {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), failTimeout)
	defer cancel()
	return errors.Join(err, s.Exports.Fail(ctx, job.Args.ExportID))
}

// erase erases what the owner of a closed account has made. The next attempt continues where a
// timeout stopped one.
func (s Services) erase(ctx context.Context, job *river.Job[jobs.EraseAccount]) error {
	return s.Eraser.Erase(ctx, job.Args.UserID)
}
