package workers

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"amanat/internal/domain/reports"
	"amanat/internal/lib/clock"
	"amanat/internal/money/chain"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/ledger"
	"amanat/queue/jobs"
)

// operationsSweepWorker enqueues new jobs for operations that have lost theirs.
type operationsSweepWorker struct {
	river.WorkerDefaults[jobs.OperationsSweep]
	services Services
}

// Work sweeps once.
func (w *operationsSweepWorker) Work(ctx context.Context, _ *river.Job[jobs.OperationsSweep]) error {
	revived, err := w.services.Operations.Sweep(ctx)
	if revived > 0 {
		w.services.Log.WarnContext(ctx, "operations had lost their jobs", "revived", revived)
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

// adjustmentExpiryWorker expires proposed corrections of wallets that no admin has decided in time.
type adjustmentExpiryWorker struct {
	river.WorkerDefaults[jobs.AdjustmentExpiry]
	services Services
}

// Work expires the corrections that are due. The next run continues where a timeout stopped this
// one.
func (w *adjustmentExpiryWorker) Work(ctx context.Context, _ *river.Job[jobs.AdjustmentExpiry]) error {
	expired, err := w.services.Wallet.ExpireAdjustments(ctx)
	if expired > 0 {
		w.services.Log.InfoContext(ctx, "corrections expired undecided", "adjustments", expired)
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

// sealChainWorker seals new rows of the ledger and the audit log.
type sealChainWorker struct {
	river.WorkerDefaults[jobs.SealChain]
	services Services
}

const (
	sealTimeout  = 50 * time.Second
	sealPatience = 2 * time.Second // settling a group takes milliseconds
)

// Timeout bounds one run.
func (w *sealChainWorker) Timeout(*river.Job[jobs.SealChain]) time.Duration { return sealTimeout }

// Work seals until no row is left. The next run continues where a timeout stopped this one.
func (w *sealChainWorker) Work(ctx context.Context, _ *river.Job[jobs.SealChain]) error {
	sealer := &chain.Sealer{DB: w.services.DB, Patience: sealPatience}
	_, err := sealer.Seal(ctx, clockNow())
	return err
}

// cleanupWorker deletes rows that are no longer needed, and requests the credits that were ended.
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
		{"rewards_requested", w.services.Referrals.RequestCredits},
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

// eventsPruneWorker deletes old events and old idempotency keys, which every call and every change
// makes. On a busy site it deletes for ten of every fifteen seconds.
type eventsPruneWorker struct {
	river.WorkerDefaults[jobs.EventsPrune]
	services Services
}

const (
	pruneBudget  = 10 * time.Second // of one run, for which a worker that stops may have to wait
	pruneTimeout = 2 * pruneBudget
)

// Timeout bounds one run.
func (w *eventsPruneWorker) Timeout(*river.Job[jobs.EventsPrune]) time.Duration { return pruneTimeout }

// Work deletes until nothing old is left or its time is used up.
func (w *eventsPruneWorker) Work(ctx context.Context, _ *river.Job[jobs.EventsPrune]) error {
	return w.prune(ctx, pruneBudget)
}

// prune deletes events and keys side by side, so that neither waits for the other.
func (w *eventsPruneWorker) prune(ctx context.Context, budget time.Duration) error {
	budgeted, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	var events, keys int64
	var eventsErr, keysErr error
	var group sync.WaitGroup
	group.Go(func() { events, eventsErr = w.services.Events.Prune(budgeted, w.services.DB) })
	group.Go(func() { keys, keysErr = idempotency.Forget(budgeted, w.services.DB, w.services.Clock.Now()) })
	group.Wait()
	if events+keys > 0 {
		w.services.Log.InfoContext(ctx, "events and keys forgotten", "events", events, "idempotency_keys", keys)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errors.Join(unlessTimeUsedUp(eventsErr), unlessTimeUsedUp(keysErr))
}

// unlessTimeUsedUp returns nil for work that the next run continues.
func unlessTimeUsedUp(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// clockNow returns the real time, by which River schedules jobs. Services.Clock may differ from it.
func clockNow() time.Time { return clock.System{}.Now() }

// reconcileWorker checks the books and the chains at night, when the database has little load. The
// job runs every hour and does nothing once the night's checks are done: a check that failed or was
// missed is made up for soon, and a deployment does not repeat it. On Sundays it reads everything,
// on other nights what came since the latest check without a finding.
type reconcileWorker struct {
	river.WorkerDefaults[jobs.Reconcile]
	services Services
}

// Each check is enough to read a ledger of many millions of entries. One that does not finish does
// not keep the other from running.
const (
	checkTimeout     = 30 * time.Minute
	reconcileTimeout = 2*checkTimeout + time.Minute
)

// Timeout bounds one run.
func (w *reconcileWorker) Timeout(*river.Job[jobs.Reconcile]) time.Duration { return reconcileTimeout }

// Work does the checks that are due. It logs their findings and stores their numbers for the
// metrics.
func (w *reconcileWorker) Work(ctx context.Context, _ *river.Job[jobs.Reconcile]) error {
	now := clockNow()
	var failures []error
	for _, part := range []struct {
		name  string
		check func(ctx context.Context, now time.Time) error
	}{{"books", w.checkBooks}, {"chain", w.checkChain}} {
		ctx, cancel := context.WithTimeout(ctx, checkTimeout)
		if err := part.check(ctx, now); err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", part.name, err))
		}
		cancel()
	}
	return errors.Join(failures...)
}

func (w *reconcileWorker) checkBooks(ctx context.Context, now time.Time) error {
	db := w.services.DB
	done, err := checkedSince(ctx, db, latestNight(now))
	if done || err != nil {
		return err
	}
	whole, err := w.wholeBooks(ctx, now)
	if err != nil {
		return err
	}
	check, err := reports.CheckBooks(ctx, db, reports.CheckOptions{Short: !whole, Checkpoint: true})
	if err != nil {
		return err
	}
	times := map[string]int{}
	for _, f := range check.Findings {
		times[f.Rule]++
		w.services.Log.ErrorContext(ctx, "the books do not add up", "rule", f.Rule, "detail", f.Detail)
	}
	rules := reports.Rules()
	broken := make([]int, len(rules))
	for i, rule := range rules {
		broken[i] = times[rule]
	}
	if err := keepCheck(ctx, db, now, rules, broken); err != nil {
		return err
	}
	w.services.Log.InfoContext(ctx, "books checked", "findings", len(check.Findings), "whole", check.Whole)
	next := check.Next
	if next == nil || check.NextErr != nil {
		return check.NextErr
	}
	next.CheckedAt = now
	if check.Whole {
		next.WholeAt = now
	}
	return keepCheckpoint(ctx, db, *next)
}

// wholeBooks reports whether the books are to be checked whole: once a week, and for as long as the
// latest check has findings.
func (w *reconcileWorker) wholeBooks(ctx context.Context, now time.Time) (bool, error) {
	broken, err := booksBroken(ctx, w.services.DB)
	if broken || err != nil {
		return broken, err
	}
	checkpoint, found, err := reports.LatestCheckpoint(ctx, w.services.DB)
	return !found || checkpoint.WholeAt.Before(latestSunday(now)), err
}

func (w *reconcileWorker) checkChain(ctx context.Context, now time.Time) error {
	db := w.services.DB
	state, err := chain.Verified(ctx, db)
	if err != nil || !state.Checked.Before(latestNight(now)) {
		return err
	}
	results, err := chain.Verify(ctx, db, chain.Options{Short: !state.Whole.Before(latestSunday(now))})
	if err != nil {
		return err
	}
	for _, r := range results {
		for _, finding := range r.Findings {
			w.services.Log.ErrorContext(ctx, "the chain is broken", "chain", r.Chain, "detail", finding)
		}
		w.services.Log.InfoContext(ctx, "chain verified",
			"chain", r.Chain, "findings", len(r.Findings), "whole", r.Whole, "seals", r.Checked, "seal", r.Last, "head", fmt.Sprintf("%x", r.Head))
	}
	return chain.Keep(ctx, db, results, now)
}

// latestNight returns the latest 03:30 in Dhaka that is not after t.
func latestNight(t time.Time) time.Time {
	local := t.In(clock.Dhaka)
	night := time.Date(local.Year(), local.Month(), local.Day(), 3, 30, 0, 0, clock.Dhaka)
	if night.After(t) {
		return night.AddDate(0, 0, -1)
	}
	return night
}

// latestSunday returns the latest night of a Sunday that is not after t.
func latestSunday(t time.Time) time.Time {
	night := latestNight(t)
	return night.AddDate(0, 0, -int(night.Weekday()))
}
