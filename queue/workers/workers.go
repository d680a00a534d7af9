// Package workers runs the River jobs. There is one thin worker per kind of job, which calls the
// domain packages. Money workers settle an operation in one transaction.
package workers

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"amanat/internal/app/images"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/chat"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/feedback"
	"amanat/internal/domain/moderation"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/personal"
	"amanat/internal/domain/referrals"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// Services holds the services that the workers call, and their dependencies.
type Services struct {
	DB               postgres.DB
	Clock            clock.Clock
	Log              *slog.Logger
	Events           *realtime.Log
	Operations       *operations.Service
	Deals            *deals.Settler
	Referrals        *referrals.Settler
	Wallet           *wallet.Settler
	Notifications    *notifications.Service
	NotificationMail *notifications.Mailer
	AccountMail      *accounts.Mailer
	Accounts         *accounts.Cleaner
	InviteMail       *deals.InviteMailer
	Pushes           *notifications.Pusher
	Unread           *chat.Mailer
	Feedback         *feedback.Forwarder
	Moderation       *moderation.Settler
	Images           *images.Cleaner
	Exports          *personal.Exporter
	Eraser           *personal.Eraser

	MoneyWorkers int // operations settled by themselves at the same time; 0: the default
}

// Register adds a worker for every kind of job. Every worker process registers all of them,
// whatever queues it serves, because the elected leader's rescuer discards jobs that are stuck and
// whose kind it does not know.
func Register(w *river.Workers, s Services) (kinds []string, err error) {
	add := adder{workers: w}
	addMoney(&add, s)
	addWorker(&add, &mailSweepWorker{services: s})
	addWorker(&add, &pushSweepWorker{services: s})
	addWorker(&add, &unreadMailsWorker{services: s})
	addWorker(&add, &accountMailWorker{services: s})
	addWorker(&add, &withdrawalMailWorker{services: s})
	addWorker(&add, &emailChangeMailWorker{services: s})
	addWorker(&add, &inviteMailWorker{services: s})
	addWorker(&add, &decisionMailWorker{services: s})
	addWorker(&add, &accountClosedMailWorker{services: s})
	addWorker(&add, &dataExportWorker{services: s})
	addWorker(&add, &eraseAccountWorker{services: s})
	addWorker(&add, &bugReportMailWorker{services: s})
	addWorker(&add, &contactMailWorker{services: s})
	addWorker(&add, &adminNoticeWorker{services: s})
	addWorker(&add, &dealClockWorker{services: s})
	addWorker(&add, &depositExpiryWorker{services: s})
	addWorker(&add, &adjustmentExpiryWorker{services: s})
	addWorker(&add, &suspensionsEndWorker{services: s})
	addWorker(&add, &operationsSweepWorker{services: s})
	addWorker(&add, &ledgerFoldWorker{services: s})
	addWorker(&add, &sealChainWorker{services: s})
	addWorker(&add, &reconcileWorker{services: s})
	addWorker(&add, &cleanupWorker{services: s})
	addWorker(&add, &eventsPruneWorker{services: s})
	return add.kinds, add.err
}

func addMoney(add *adder, s Services) {
	g, kinds := newGroups(s), operationKinds(s)
	addSettler[jobs.DealPay](add, g, kinds)
	addSettler[jobs.DealComplete](add, g, kinds)
	addSettler[jobs.DealRefund](add, g, kinds)
	addSettler[jobs.DealSettle](add, g, kinds)
	addSettler[jobs.ReferralCredit](add, g, kinds)
	addSettler[jobs.DepositApprove](add, g, kinds)
	addSettler[jobs.WithdrawalHold](add, g, kinds)
	addSettler[jobs.WithdrawalSend](add, g, kinds)
	addSettler[jobs.WithdrawalReject](add, g, kinds)
	addSettler[jobs.WithdrawalCancel](add, g, kinds)
	addSettler[jobs.BalanceAdjust](add, g, kinds)
}

// operationKinds returns how operations are settled, by the kind of their job.
func operationKinds(s Services) map[string]operationKind {
	return map[string]operationKind{
		jobs.KindDealPay:        {settle: s.Deals.SettlePay, rule: deals.PayRule(), queueLock: s.Deals.QueueLock},
		jobs.KindDealComplete:   {settle: s.Deals.SettleComplete, rule: deals.CompleteRule, queueLock: s.Deals.QueueLock},
		jobs.KindDealRefund:     {settle: s.Deals.SettleRefund, rule: deals.RefundRule, queueLock: s.Deals.QueueLock},
		jobs.KindDealSettle:     {settle: s.Deals.SettleDispute, rule: deals.SettleRule, queueLock: s.Deals.QueueLock},
		jobs.KindReferralCredit: {settle: s.Referrals.SettleCredit, rule: referrals.CreditRule()},

		jobs.KindDepositApprove: {settle: s.Wallet.SettleApprove, rule: wallet.ApproveRule(), queue: realtime.QueueDeposits},

		jobs.KindWithdrawalHold:   {settle: s.Wallet.SettleHold, rule: wallet.HoldRule()},
		jobs.KindWithdrawalSend:   {settle: s.Wallet.SettleSend, rule: wallet.HandlingRule(), queue: realtime.QueueWithdrawals},
		jobs.KindWithdrawalReject: {settle: s.Wallet.SettleReject, rule: wallet.HandlingRule(), queue: realtime.QueueWithdrawals},
		jobs.KindWithdrawalCancel: {settle: s.Wallet.SettleCancel, rule: wallet.CancelRule(), queue: realtime.QueueWithdrawals},

		jobs.KindBalanceAdjust: {settle: s.Wallet.SettleAdjust, rule: wallet.AdjustRule(), queue: realtime.QueueAdjustments},
	}
}

// adder adds workers and keeps the first error.
type adder struct {
	workers *river.Workers
	kinds   []string
	err     error
}

func addWorker[T river.JobArgs](a *adder, w river.Worker[T]) {
	var args T
	a.kinds = append(a.kinds, args.Kind())
	if a.err == nil {
		a.err = river.AddWorkerSafely(a.workers, w)
	}
}

// addSettler adds the worker of a kind of money job. It fails if the kind has no rule, which says
// who may have it carried out.
func addSettler[T moneyArgs](a *adder, g *groups, kinds map[string]operationKind) {
	var args T
	kind := kinds[args.Kind()]
	if kind.rule == nil && a.err == nil {
		a.err = fmt.Errorf("workers: nothing says who may have %s carried out", args.Kind())
	}
	addWorker(a, &settler[T]{groups: g, kind: kind})
}

// Intervals of the periodic jobs. The jobs are idempotent, since a change of leader may run them
// twice or late.
const (
	mailEvery        = time.Second
	pushEvery        = time.Second
	unreadEvery      = time.Minute
	clockEvery       = time.Minute
	expiryEvery      = 5 * time.Minute
	suspensionsEvery = time.Minute
	sweepEvery       = time.Minute
	foldEvery        = 30 * time.Second
	sealEvery        = time.Minute
	pruneEvery       = 15 * time.Second
	cleanupEvery     = time.Hour
	reconcileEvery   = time.Hour // checks whether the nightly check is done; see reconcileWorker
)

// periodic returns the jobs that the elected leader inserts periodically.
func periodic(s Services) []*river.PeriodicJob {
	every := func(id string, interval time.Duration, insert func() (river.JobArgs, *river.InsertOpts)) *river.PeriodicJob {
		return river.NewPeriodicJob(river.PeriodicInterval(interval), insert, &river.PeriodicJobOpts{ID: id, RunOnStart: true})
	}
	always := func(args river.JobArgs) func() (river.JobArgs, *river.InsertOpts) {
		return func() (river.JobArgs, *river.InsertOpts) { return args, nil }
	}
	return []*river.PeriodicJob{
		every("mail_sweep", mailEvery, whenDue(s.NotificationMail.Due, jobs.MailSweep{})),
		every("push_sweep", pushEvery, whenDue(s.Pushes.Due, jobs.PushSweep{})),
		every("unread_mails", unreadEvery, always(jobs.UnreadMails{})),
		every("deal_clock", clockEvery, always(jobs.DealClock{})),
		every("deposit_expiry", expiryEvery, always(jobs.DepositExpiry{})),
		every("adjustment_expiry", expiryEvery, always(jobs.AdjustmentExpiry{})),
		every("suspensions_end", suspensionsEvery, always(jobs.SuspensionsEnd{})),
		every("operations_sweep", sweepEvery, always(jobs.OperationsSweep{})),
		every("ledger_fold", foldEvery, always(jobs.LedgerFold{})),
		every("seal_chain", sealEvery, always(jobs.SealChain{})),
		every("reconcile", reconcileEvery, always(jobs.Reconcile{})),
		every("cleanup", cleanupEvery, always(jobs.Cleanup{})),
		every("events_prune", pruneEvery, always(jobs.EventsPrune{})),
	}
}

// dueTimeout bounds the question whether a job is needed: River waits for it before it inserts the
// next periodic job.
const dueTimeout = time.Second

// whenDue inserts the job only if there is something to do, so that jobs of every second do not
// fill River's table while nothing happens. If the database does not say, the job finds out.
func whenDue(due func(ctx context.Context) (bool, error), args river.JobArgs) func() (river.JobArgs, *river.InsertOpts) {
	return func() (river.JobArgs, *river.InsertOpts) {
		ctx, cancel := context.WithTimeout(context.Background(), dueTimeout)
		defer cancel()
		if needed, err := due(ctx); err == nil && !needed {
			return nil, nil
		}
		return args, nil
	}
}
