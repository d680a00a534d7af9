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

// operationsSweepWorker enqueues a new job for each pending operation without a live one.
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

// dealClockWorker applies the deadlines of deals that are due.
type dealClockWorker struct {
	river.WorkerDefaults[jobs.DealClock]
	services Services
}

// clockTimeout is enough for the deals that fall due in a day without workers. The next run
// continues where this one stopped.
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

// depositExpiryWorker expires reported deposits that no admin has handled in time.
type depositExpiryWorker struct {
	river.WorkerDefaults[jobs.DepositExpiry]
	services Services
}

// Work expires the deposits that are due. The next run continues where a timeout stopped this one.
func (w *depositExpiryWorker) Work(ctx context.Context, _ *river.Job[jobs.DepositExpiry]) error {
	expired, err := w.services.Wallet.ExpireDeposits(ctx)
	if expired > 0 {
		w.services.Log.InfoContext(ctx, "deposits expired unseen", "deposits", expired)
	}
	return err
}

// ledgerFoldWorker folds new ledger entries into the rollups of the provider's accounts.
type ledgerFoldWorker struct {
	river.WorkerDefaults[jobs.LedgerFold]
	services Services
}

// Work folds the ledger once.
func (w *ledgerFoldWorker) Work(ctx context.Context, _ *river.Job[jobs.LedgerFold]) error {
	_, err := ledger.Fold(ctx, w.services.DB)
	return err
}

// cleanupWorker deletes rows that are no longer needed.
type cleanupWorker struct {
	river.WorkerDefaults[jobs.Cleanup]
	services Services
}

// Each part of a cleanup has its own timeout, so that a slow or failing part does not prevent the
// others.
const (
	cleanupPartTimeout = 20 * time.Second
	cleanupTimeout     = 4 * time.Minute // more than all parts together
)

// Timeout bounds one run.
func (w *cleanupWorker) Timeout(*river.Job[jobs.Cleanup]) time.Duration { return cleanupTimeout }

// Work runs every part of the cleanup and returns their errors joined. The next run continues where
// a part was stopped by its timeout.
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
		{"picture_objects", w.services.Images.Sweep},
		{"mailed_tokens", w.services.Accounts.RemoveExpiredTokens},
		{"account_events", w.services.Accounts.RemoveOldEvents},
		{"email_changes", w.services.Accounts.RemoveOldEmailChanges}, // after their tokens
		{"closed_accounts", w.services.Accounts.RemoveClosedAccounts},
		{"data_exports", w.services.Exports.RemoveExpired},
		{"deal_invites", w.services.Deals.RemoveOldInvites},
		{"browsers", w.services.Accounts.RemoveForgottenBrowsers},
		{"login_challenges", w.services.Accounts.RemoveExpiredChallenges},
		{"push_subscriptions", w.services.Pushes.RemoveOldSubscriptions},
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

// eventsPruneWorker deletes old events.
type eventsPruneWorker struct {
	river.WorkerDefaults[jobs.EventsPrune]
	services Services
}

// Work deletes old events until none is left or the job times out. The next run continues where
// this one stopped.
func (w *eventsPruneWorker) Work(ctx context.Context, _ *river.Job[jobs.EventsPrune]) error {
	pruned, err := w.services.Events.Prune(ctx, w.services.DB)
	if pruned > 0 {
		w.services.Log.Info("events forgotten", "events", pruned)
	}
	return err
}

// clockNow returns the real time, by which River schedules jobs. Services.Clock may differ from it.
func clockNow() time.Time { return clock.System{}.Now() }
