package workers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"amanat/internal/money/idempotency"
	"amanat/internal/money/ledger"
	"amanat/internal/platform/clock"
	"amanat/internal/queue/jobs"
)

// operationsSweepWorker gives pending operations without a live job a new one.
type operationsSweepWorker struct {
	river.WorkerDefaults[jobs.OperationsSweep]
	services Services
}

// Work sweeps once.
func (w *operationsSweepWorker) Work(ctx context.Context, _ *river.Job[jobs.OperationsSweep]) error {
	revived, err := w.services.Operations.Sweep(ctx)
	if revived > 0 {
		w.services.Log.Warn("operations had lost their jobs", "revived", revived)
	}
	return err
}

// dealClockWorker moves deals whose time has come.
type dealClockWorker struct {
	river.WorkerDefaults[jobs.DealClock]
	services Services
}

// clockTimeout is ample for the deals of a day's outage; the next run goes on where this one stopped.
const clockTimeout = 50 * time.Second

// Timeout bounds one run.
func (w *dealClockWorker) Timeout(*river.Job[jobs.DealClock]) time.Duration { return clockTimeout }

// Work sweeps once.
func (w *dealClockWorker) Work(ctx context.Context, _ *river.Job[jobs.DealClock]) error {
	moved, err := w.services.Deals.Sweep(ctx)
	if moved > 0 {
		w.services.Log.Info("the clock moved deals", "deals", moved)
	}
	return err
}

// depositExpiryWorker fails reported deposits that no admin has looked at in time.
type depositExpiryWorker struct {
	river.WorkerDefaults[jobs.DepositExpiry]
	services Services
}

// Work looks once. What it does not finish in its time is left for the next run.
func (w *depositExpiryWorker) Work(ctx context.Context, _ *river.Job[jobs.DepositExpiry]) error {
	expired, err := w.services.Wallet.ExpireDeposits(ctx)
	if expired > 0 {
		w.services.Log.InfoContext(ctx, "deposits expired unseen", "deposits", expired)
	}
	return err
}

// ledgerFoldWorker keeps the balances of the provider's accounts cheap to read.
type ledgerFoldWorker struct {
	river.WorkerDefaults[jobs.LedgerFold]
	services Services
}

// Work folds once.
func (w *ledgerFoldWorker) Work(ctx context.Context, _ *river.Job[jobs.LedgerFold]) error {
	_, err := ledger.Fold(ctx, w.services.DB)
	return err
}

// cleanupWorker removes what has outlived its use.
type cleanupWorker struct {
	river.WorkerDefaults[jobs.Cleanup]
	services Services
}

// Each part of a cleanup has its own time, so that every part gets its turn, whatever becomes of the others.
const (
	cleanupPartTimeout = 20 * time.Second
	cleanupTimeout     = 2 * time.Minute // of all parts, and some more
)

// Timeout bounds one run.
func (w *cleanupWorker) Timeout(*river.Job[jobs.Cleanup]) time.Duration { return cleanupTimeout }

// Work cleans up once. What a part does not finish is left for the next run.
func (w *cleanupWorker) Work(ctx context.Context, _ *river.Job[jobs.Cleanup]) error {
	var removed []any
	var failures []error
	for _, part := range []struct {
		name   string
		remove func(ctx context.Context) (int64, error)
	}{
		{"idempotency_keys", func(ctx context.Context) (int64, error) {
			return idempotency.Forget(ctx, w.services.DB, w.services.Clock.Now())
		}},
		{"sessions", w.services.Accounts.RemoveEndedSessions},
		{"images", w.services.Images.Cleanup},
		{"mailed_tokens", w.services.Accounts.RemoveExpiredTokens},
		{"browsers", w.services.Accounts.RemoveForgottenBrowsers},
	} {
		n, err := within(ctx, cleanupPartTimeout, part.remove)
		removed = append(removed, part.name, n)
		if err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", part.name, err))
		}
	}
	w.services.Log.InfoContext(ctx, "cleaned up", removed...)
	return errors.Join(failures...)
}

func within(ctx context.Context, timeout time.Duration, do func(ctx context.Context) (int64, error)) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return do(ctx)
}

// eventsPruneWorker forgets old events.
type eventsPruneWorker struct {
	river.WorkerDefaults[jobs.EventsPrune]
	services Services
}

// Work prunes until nothing old is left or its time is over; the next run goes on where this one stopped.
func (w *eventsPruneWorker) Work(ctx context.Context, _ *river.Job[jobs.EventsPrune]) error {
	pruned, err := w.services.Events.Prune(ctx, w.services.DB)
	if pruned > 0 {
		w.services.Log.Info("events forgotten", "events", pruned)
	}
	return err
}

// clockNow is the real time: River schedules by it, and business time does not move its jobs.
func clockNow() time.Time { return clock.System{}.Now() }
