// Package workers runs the River jobs: a thin worker a kind over the use cases of the nouns. Money workers settle an operation and
// complete their job in one transaction.
package workers

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"amanat/internal/accounts"
	"amanat/internal/clock"
	"amanat/internal/deals"
	"amanat/internal/feedback"
	"amanat/internal/notifications"
	"amanat/internal/operations"
	"amanat/internal/postgres"
	"amanat/internal/realtime"
	"amanat/internal/referrals"
	"amanat/internal/wallet"
	"amanat/queue/jobs"
)

// Deps are what the workers work with.
type Deps struct {
	DB            postgres.DB
	Clock         clock.Clock
	Log           *slog.Logger
	Events        *realtime.Log
	Operations    *operations.Service
	Deals         *deals.Service
	Referrals     *referrals.Service
	Wallet        *wallet.Service
	Notifications *notifications.Service
	Accounts      *accounts.Service
	Feedback      *feedback.Service
	Images        ImageCleaner
}

// ImageCleaner removes pictures that nothing shows any more.
type ImageCleaner interface {
	Cleanup(ctx context.Context) (int64, error)
}

// Register adds a worker for every kind of job. Every worker process registers all of them, whatever queues it serves: the elected
// leader discards kinds it does not know.
func Register(w *river.Workers, d Deps) error {
	add := adder{workers: w}
	addSettler(&add, settler[jobs.DealPay]{deps: d, settle: d.Deals.SettlePay})
	addSettler(&add, settler[jobs.DealComplete]{deps: d, settle: d.Deals.SettleComplete})
	addSettler(&add, settler[jobs.DealRefund]{deps: d, settle: d.Deals.SettleRefund})
	addSettler(&add, settler[jobs.ReferralCredit]{deps: d, settle: d.Referrals.SettleCredit})
	addSettler(&add, settler[jobs.DepositApprove]{deps: d, settle: d.Wallet.SettleApprove, queue: realtime.QueueDeposits})
	addSettler(&add, settler[jobs.WithdrawalHold]{deps: d, settle: d.Wallet.SettleHold})
	addSettler(&add, settler[jobs.WithdrawalSend]{deps: d, settle: d.Wallet.SettleSend, queue: realtime.QueueWithdrawals})
	addSettler(&add, settler[jobs.WithdrawalReject]{deps: d, settle: d.Wallet.SettleReject, queue: realtime.QueueWithdrawals})
	addWorker(&add, &mailWorker{deps: d})
	addWorker(&add, &accountMailWorker{deps: d})
	addWorker(&add, &bugReportMailWorker{deps: d})
	addWorker(&add, &contactMailWorker{deps: d})
	addWorker(&add, &adminNoticeWorker{deps: d})
	addWorker(&add, &dealClockWorker{deps: d})
	addWorker(&add, &operationsSweepWorker{deps: d})
	addWorker(&add, &ledgerFoldWorker{deps: d})
	addWorker(&add, &reconcileWorker{deps: d})
	addWorker(&add, &cleanupWorker{deps: d})
	addWorker(&add, &eventsPruneWorker{deps: d})
	return add.err
}

// adder keeps the first error of a row of additions.
type adder struct {
	workers *river.Workers
	err     error
}

func addWorker[T river.JobArgs](a *adder, w river.Worker[T]) {
	if a.err == nil {
		a.err = river.AddWorkerSafely(a.workers, w)
	}
}

func addSettler[T moneyArgs](a *adder, s settler[T]) { addWorker(a, &s) }

// Intervals of the periodic jobs. What they do is idempotent, so a change of leader may run one twice or late.
const (
	clockEvery     = time.Minute
	sweepEvery     = 10 * time.Second
	foldEvery      = 30 * time.Second
	pruneEvery     = 10 * time.Minute
	cleanupEvery   = time.Hour
	reconcileEvery = time.Hour // looks whether the night's check is done; see reconcileWorker
)

// Periodic returns the jobs that the elected leader inserts by itself.
func Periodic() []*river.PeriodicJob {
	every := func(id string, interval time.Duration, args river.JobArgs) *river.PeriodicJob {
		return river.NewPeriodicJob(river.PeriodicInterval(interval),
			func() (river.JobArgs, *river.InsertOpts) { return args, nil },
			&river.PeriodicJobOpts{ID: id, RunOnStart: true})
	}
	return []*river.PeriodicJob{
		every("deal_clock", clockEvery, jobs.DealClock{}),
		every("operations_sweep", sweepEvery, jobs.OperationsSweep{}),
		every("ledger_fold", foldEvery, jobs.LedgerFold{}),
		every("reconcile", reconcileEvery, jobs.Reconcile{}),
		every("cleanup", cleanupEvery, jobs.Cleanup{}),
		every("events_prune", pruneEvery, jobs.EventsPrune{}),
	}
}
