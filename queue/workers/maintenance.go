package workers

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/posts"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/chain"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/ledger"
	"amanat/queue/jobs"
)

// periodic is work that the elected leader has done at intervals. It must be idempotent: a change
// of leader may have it done twice or late.
type periodic struct {
	kind    jobs.Periodic
	every   time.Duration
	run     func(ctx context.Context) error
	timeout time.Duration                           // of one run; 0: jobTimeout
	due     func(ctx context.Context) (bool, error) // whether there is something to do; nil: always
}

// sweepEvery is how often the leader looks for notifications that are due by mail or push.
const sweepEvery = 2 * time.Second

// searchesEvery is how often new posts are matched with saved searches. Two runs in a row may fail
// before users are told later than promised.
const searchesEvery = 5 * time.Minute

// Timeouts of periodic work. The next run continues where a timeout stopped one.
const (
	clockTimeout       = 50 * time.Second // enough for the deals that fall due in a day without workers
	sealTimeout        = 50 * time.Second
	searchTimeout      = 2 * time.Minute  // enough for thousands of posts and a hundred thousand searches
	wordsTimeout       = 5 * time.Minute  // enough for millions of posts
	pruneBudget        = 10 * time.Second // of one run, for which a worker that stops may have to wait
	cleanupPartTimeout = 20 * time.Second // so that a slow part does not prevent the others
	cleanupTimeout     = 5 * time.Minute  // more than all parts together
	// Each check is enough to read a ledger of many millions of entries. One that does not finish
	// does not keep the other from running.
	checkTimeout = 30 * time.Minute
)

// periodicWork returns all periodic work.
func periodicWork(s Services) []periodic {
	return []periodic{
		{jobs.MailSweep, sweepEvery, alone(s.sweepMail), notifications.SweepTimeout, s.NotificationMail.Due},
		{jobs.PushSweep, sweepEvery, alone(s.sweepPushes), notifications.SweepTimeout, s.Pushes.Due},
		{jobs.UnreadMails, time.Minute, s.counted(jobs.UnreadMails, s.Unread.TellUnread), 0, nil},
		{jobs.DealClock, time.Minute, s.counted(jobs.DealClock, s.Deals.Sweep), clockTimeout, nil},
		{jobs.DepositExpiry, 5 * time.Minute, s.counted(jobs.DepositExpiry, s.Wallet.ExpireDeposits), 0, nil},
		{jobs.CheckoutSweep, time.Minute, s.counted(jobs.CheckoutSweep, s.Wallet.SweepCheckouts), 0, nil},
		{jobs.CorrectionExpiry, 5 * time.Minute, s.counted(jobs.CorrectionExpiry, s.Wallet.ExpireCorrections), 0, nil},
		{jobs.SearchAlerts, searchesEvery, s.counted(jobs.SearchAlerts, s.Searches.Alert), searchTimeout, nil},
		{jobs.SuspensionsEnd, time.Minute, s.counted(jobs.SuspensionsEnd, s.Moderation.EndSuspensions), 0, nil},
		{jobs.OperationsSweep, time.Minute, s.sweepOperations, 0, nil},
		{jobs.LedgerFold, 30 * time.Second, s.fold, 0, nil},
		{jobs.SealChain, time.Minute, s.seal, sealTimeout, nil},
		{jobs.Reconcile, time.Hour, s.reconcile, 2*checkTimeout + time.Minute, nil},
		{jobs.Cleanup, time.Hour, s.cleanup, cleanupTimeout, nil},
		{jobs.PostWords, 10 * time.Minute, s.collectWords, wordsTimeout, nil},
		{jobs.EventsPrune, 15 * time.Second, s.prune, 2 * pruneBudget, nil},
	}
}

// periodicJobs returns the jobs that the elected leader inserts periodically.
func periodicJobs(s Services) []*river.PeriodicJob {
	var list []*river.PeriodicJob
	for _, p := range periodicWork(s) {
		list = append(list, river.NewPeriodicJob(river.PeriodicInterval(p.every), p.insert,
			&river.PeriodicJobOpts{ID: p.kind.Kind(), RunOnStart: true}))
	}
	return list
}

func (p periodic) worker() *worker[jobs.Periodic] {
	work := func(ctx context.Context, _ *river.Job[jobs.Periodic]) error { return p.run(ctx) }
	return &worker[jobs.Periodic]{work: work, timeout: p.timeout}
}

// dueTimeout bounds the question whether a job is needed: River waits for it before it inserts the
// next periodic job.
const dueTimeout = time.Second

// insert returns the arguments of the job, or nil if there is nothing to do, so that jobs of every
// second do not fill River's table while nothing happens. If the database does not say, the job
// finds out.
func (p periodic) insert() (river.JobArgs, *river.InsertOpts) {
	if p.due != nil {
		ctx, cancel := context.WithTimeout(context.Background(), dueTimeout)
		defer cancel()
		if needed, err := p.due(ctx); err == nil && !needed {
			return nil, nil
		}
	}
	return p.kind, nil
}

// alone skips a run while another one is running in this process. A slow mail server must not have
// sweeps fill the queue's workers, which other emails wait for.
func alone(run func(ctx context.Context) error) func(ctx context.Context) error {
	var running sync.Mutex
	return func(ctx context.Context) error {
		if !running.TryLock() {
			return nil
		}
		defer running.Unlock()
		return run(ctx)
	}
}

// counted logs how many rows a run has changed, if any.
func (s Services) counted(kind jobs.Periodic, run func(ctx context.Context) (int, error)) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		n, err := run(ctx)
		if n > 0 {
			s.Log.InfoContext(ctx, "periodic job has changed rows", "kind", kind, "rows", n)
		}
		return err
	}
}

func (s Services) sweepOperations(ctx context.Context) error {
	revived, err := s.Operations.Sweep(ctx)
	if revived > 0 {
		s.Log.WarnContext(ctx, "operations had lost their jobs", "revived", revived)
	}
	return err
}

func (s Services) fold(ctx context.Context) error {
	_, err := ledger.Fold(ctx, s.DB)
	return err
}

func (s Services) collectWords(ctx context.Context) error { return posts.CollectWords(ctx, s.DB) }

const sealPatience = 2 * time.Second // settling a group takes milliseconds

// seal seals new rows of the ledger and the audit log until none is left.
func (s Services) seal(ctx context.Context) error {
	_, err := (&chain.Sealer{DB: s.DB, Patience: sealPatience}).Seal(ctx, clockNow())
	return err
}

// cleanup deletes rows that are no longer needed, and requests the credits that were ended. It runs
// every part and returns their errors joined.
func (s Services) cleanup(ctx context.Context) error {
	var removed []any
	var failures []error
	for _, part := range []struct {
		name   string
		remove func(ctx context.Context) (int64, error)
	}{
		{"sessions", s.Accounts.RemoveEndedSessions},
		{"images", s.Images.Cleanup},
		{"picture_objects", s.Images.Sweep},
		{"mailed_tokens", s.Accounts.RemoveExpiredTokens},
		{"account_events", s.Accounts.RemoveOldEvents},
		{"email_changes", s.Accounts.RemoveOldEmailChanges}, // after their tokens
		{"closed_accounts", s.Accounts.RemoveClosedAccounts},
		{"data_exports", s.Exports.RemoveExpired},
		{"deal_invites", s.Deals.RemoveOldInvites},
		{"browsers", s.Accounts.RemoveForgottenBrowsers},
		{"login_challenges", s.Accounts.RemoveExpiredChallenges},
		{"push_subscriptions", s.Pushes.RemoveOldSubscriptions},
		{"rewards_requested", s.Referrals.RequestCredits},
	} {
		n, err := within(ctx, cleanupPartTimeout, part.remove)
		removed = append(removed, part.name, n)
		if err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", part.name, err))
		}
	}
	s.Log.InfoContext(ctx, "cleaned up", removed...)
	return errors.Join(failures...)
}

func within(ctx context.Context, timeout time.Duration, do func(ctx context.Context) (int64, error)) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return do(ctx)
}

// prune deletes old events, idempotency keys and notifications, which every call and every change
// makes, until none is left or its time is used up. On a busy site it deletes for ten of every
// fifteen seconds.
func (s Services) prune(ctx context.Context) error { return s.pruneWithin(ctx, pruneBudget) }

// pruneWithin deletes the kinds of rows side by side, so that none waits for another.
func (s Services) pruneWithin(ctx context.Context, budget time.Duration) error {
	budgeted, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	var events, keys, notices int64
	var failures [3]error
	var group sync.WaitGroup
	group.Go(func() { events, failures[0] = s.Events.Prune(budgeted, s.DB) })
	group.Go(func() { keys, failures[1] = idempotency.Forget(budgeted, s.DB, s.Clock.Now()) })
	group.Go(func() { notices, failures[2] = s.Notifications.RemoveOld(budgeted) })
	group.Wait()
	if events+keys+notices > 0 {
		s.Log.InfoContext(ctx, "old rows deleted", "events", events, "idempotency_keys", keys, "notifications", notices)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for i, err := range failures {
		if errors.Is(err, context.DeadlineExceeded) { // the next run continues
			failures[i] = nil
		}
	}
	return errors.Join(failures[:]...)
}

// clockNow returns the real time, by which River schedules jobs. Services.Clock may differ from it.
func clockNow() time.Time { return clock.System{}.Now() }

// reconcile checks the books and the chains at night, when the database has little load. It runs
// every hour and does nothing once the night's checks are done: a check that failed or was missed
// is made up for soon, and a deployment does not repeat it. On Sundays it reads everything, on
// other nights what came since the latest check without a finding. It logs the findings, stores
// their numbers for the metrics, and emails the heads of the chains to support.
func (s Services) reconcile(ctx context.Context) error {
	now := clockNow()
	var failures []error
	for _, part := range []struct {
		name  string
		check func(ctx context.Context, now time.Time) error
	}{{"books", s.checkBooks}, {"chain", s.checkChain}} {
		ctx, cancel := context.WithTimeout(ctx, checkTimeout)
		if err := part.check(ctx, now); err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", part.name, err))
		}
		cancel()
	}
	return errors.Join(failures...)
}

func (s Services) checkBooks(ctx context.Context, now time.Time) error {
	db := s.DB
	done, err := checkedSince(ctx, db, latestNight(now))
	if done || err != nil {
		return err
	}
	whole, err := s.wholeBooks(ctx, now)
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
		s.Log.ErrorContext(ctx, "the books do not add up", "rule", f.Rule, "detail", f.Detail)
	}
	rules := reports.Rules()
	broken := make([]int, len(rules))
	for i, rule := range rules {
		broken[i] = times[rule]
	}
	if err := keepCheck(ctx, db, now, rules, broken); err != nil {
		return err
	}
	s.Log.InfoContext(ctx, "books checked", "findings", len(check.Findings), "whole", check.Whole)
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
func (s Services) wholeBooks(ctx context.Context, now time.Time) (bool, error) {
	broken, err := booksBroken(ctx, s.DB)
	if broken || err != nil {
		return broken, err
	}
	checkpoint, found, err := reports.LatestCheckpoint(ctx, s.DB)
	return !found || checkpoint.WholeAt.Before(latestSunday(now)), err
}

func (s Services) checkChain(ctx context.Context, now time.Time) error {
	db := s.DB
	state, err := chain.Verified(ctx, db)
	if err != nil || !state.Checked.Before(latestNight(now)) {
		return err
	}
	results, err := chain.Verify(ctx, db, chain.Options{Short: !state.Whole.Before(latestSunday(now))})
	if err != nil {
		return err
	}
	mail := jobs.SupportMail{MailKind: string(catalog.MailHeads), Heads: map[string]string{}}
	for _, r := range results {
		mail.Heads[r.Chain] = fmt.Sprintf("seal %d, head %x, %d findings", r.Last, r.Head, len(r.Findings))
		for _, finding := range r.Findings {
			mail.MailKind = string(catalog.MailHeadsBroken)
			s.Log.ErrorContext(ctx, "the chain is broken", "chain", r.Chain, "detail", finding)
		}
		s.Log.InfoContext(ctx, "chain verified",
			"chain", r.Chain, "findings", len(r.Findings), "whole", r.Whole, "seals", r.Checked, "seal", r.Last, "head", fmt.Sprintf("%x", r.Head))
	}
	return postgres.WithTx(ctx, db, func(tx *postgres.Tx) error {
		if err := chain.Keep(ctx, tx, results, now); err != nil {
			return err
		}
		if state.Checked.IsZero() && mail.MailKind == string(catalog.MailHeads) { // a new site
			return nil
		}
		_, err := s.Jobs.InsertTx(ctx, tx, mail, nil)
		return err
	})
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
