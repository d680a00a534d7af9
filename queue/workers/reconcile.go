package workers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"amanat/internal/domain/reports"
	"amanat/internal/lib/clock"
	"amanat/internal/money/chain"
	"amanat/queue/jobs"
)

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
