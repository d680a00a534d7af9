package workers

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"amanat/internal/domain/reports"
	"amanat/internal/platform/clock"
	"amanat/internal/queue/jobs"
)

// reconcileWorker checks the books at night, when the database has little load. The job runs every
// hour and does nothing once the night's check is done: a check that failed or was missed is made
// up for soon, and a deployment does not repeat it.
type reconcileWorker struct {
	river.WorkerDefaults[jobs.Reconcile]
	services Services
}

// reconcileTimeout is enough to read a ledger of many millions of entries.
const reconcileTimeout = 30 * time.Minute

// Timeout bounds one run.
func (w *reconcileWorker) Timeout(*river.Job[jobs.Reconcile]) time.Duration { return reconcileTimeout }

// Work checks the books if the check is due, logs the findings and stores their numbers for the
// metrics.
func (w *reconcileWorker) Work(ctx context.Context, _ *river.Job[jobs.Reconcile]) error {
	now := clockNow()
	done, err := checkedSince(ctx, w.services.DB, latestNight(now))
	if done || err != nil {
		return err
	}
	findings, err := reports.Reconcile(ctx, w.services.DB)
	if err != nil {
		return err
	}
	times := map[string]int{}
	for _, f := range findings {
		times[f.Rule]++
		w.services.Log.ErrorContext(ctx, "the books do not add up", "rule", f.Rule, "detail", f.Detail)
	}
	rules := reports.Rules()
	broken := make([]int, len(rules))
	for i, rule := range rules {
		broken[i] = times[rule]
	}
	if err := keepCheck(ctx, w.services.DB, now, rules, broken); err != nil {
		return err
	}
	w.services.Log.InfoContext(ctx, "books checked", "findings", len(findings))
	return nil
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
