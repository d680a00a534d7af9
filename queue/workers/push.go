package workers

import (
	"context"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"amanat/internal/domain/notifications"
	"amanat/queue/jobs"
)

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
