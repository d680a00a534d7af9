// Package workers runs the River jobs. The worker of a kind is a function that calls the domain
// packages. Money workers settle an operation in one transaction.
package workers

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"amanat/internal/app/config"
	"amanat/internal/app/images"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/chat"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/feedback"
	"amanat/internal/domain/moderation"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/personal"
	"amanat/internal/domain/posts"
	"amanat/internal/domain/referrals"
	"amanat/internal/domain/trust"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/checkout"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/webpush"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
	"amanat/queue/trace"
)

// Services holds the services that the workers call, and their dependencies.
type Services struct {
	DB               postgres.DB
	Clock            clock.Clock
	Log              *slog.Logger
	Jobs             jobs.Enqueuer
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
	SavedPosts       *posts.Teller
	Searches         *posts.Alerter
	Exports          *personal.Exporter
	Eraser           *personal.Eraser

	MoneyWorkers int // operations settled by themselves at the same time; 0: the default
}

// worker runs the jobs of one kind with a function.
type worker[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	work     func(ctx context.Context, job *river.Job[T]) error
	timeout  time.Duration // of one attempt; 0: jobTimeout
	maxPause time.Duration // between two attempts, the first of which is a second long; 0: River's pauses
}

// Work implements river.Worker.
func (w *worker[T]) Work(ctx context.Context, job *river.Job[T]) error { return w.work(ctx, job) }

// Timeout bounds one attempt.
func (w *worker[T]) Timeout(*river.Job[T]) time.Duration { return w.timeout }

// NextRetry backs off exponentially from a second to the longest pause. It counts from River's own
// clock: for a time before that, River would take its own pauses, which are minutes long after five
// attempts.
func (w *worker[T]) NextRetry(job *river.Job[T]) time.Time {
	if w.maxPause == 0 {
		return w.WorkerDefaults.NextRetry(job)
	}
	doubled := min(len(job.Errors), maxDoubled)
	return time.Now().Add(min(time.Second<<doubled, w.maxPause)) //nolint:forbidigo // see above
}

// maxDoubled is how often a pause is doubled at most: to an hour, which is longer than any.
const maxDoubled = 12

// Register adds a worker for every kind of job. Every worker process registers all of them,
// whatever queues it serves, because the elected leader's rescuer discards jobs that are stuck and
// whose kind it does not know.
func Register(w *river.Workers, s Services) (kinds []string, err error) {
	groups, settled := newGroups(s), operationKinds(s)
	for _, kind := range jobs.MoneyKinds() {
		if settled[kind].rule == nil {
			return nil, fmt.Errorf("workers: no authority rule for operation kind %s", kind)
		}
		kinds = append(kinds, add(w, jobs.Settle{Operation: kind}, groups.settler(settled[kind])))
	}
	for _, p := range periodicWork(s) {
		kinds = append(kinds, add(w, p.kind, p.worker()))
	}
	return append(kinds,
		add(w, jobs.Mail{}, &worker[jobs.Mail]{work: s.mail, maxPause: maxMailPause}),
		add(w, jobs.SupportMail{}, &worker[jobs.SupportMail]{work: s.mailSupport}),
		add(w, jobs.AdminNotice{}, &worker[jobs.AdminNotice]{work: s.notifyAdmins}),
		add(w, jobs.PhoneDelivery{}, &worker[jobs.PhoneDelivery]{work: s.readDelivery, maxPause: maxMatchPause}),
		add(w, jobs.ReceiverAnchor{}, &worker[jobs.ReceiverAnchor]{work: s.anchor, maxPause: maxMatchPause}),
		add(w, jobs.DepositMatch{}, &worker[jobs.DepositMatch]{work: s.matchDeposit, maxPause: maxMatchPause}),
		add(w, jobs.DepositNotice{}, &worker[jobs.DepositNotice]{work: s.announceDeposit}),
		add(w, jobs.PaymentMatch{}, &worker[jobs.PaymentMatch]{work: s.matchPayment, maxPause: maxMatchPause}),
		add(w, jobs.ReceiverNotice{}, &worker[jobs.ReceiverNotice]{work: s.announceBroken}),
		add(w, jobs.DealPayment{}, &worker[jobs.DealPayment]{work: s.payDeal, maxPause: maxMatchPause}),
		add(w, jobs.Checkout{}, &worker[jobs.Checkout]{work: s.advanceCheckout, timeout: checkoutTimeout, maxPause: maxMatchPause}),
		add(w, jobs.SavedPost{}, &worker[jobs.SavedPost]{work: s.tellSavers}),
		add(w, jobs.DataExport{}, &worker[jobs.DataExport]{work: s.export, timeout: dataTimeout}),
		add(w, jobs.EraseAccount{}, &worker[jobs.EraseAccount]{work: s.erase, timeout: dataTimeout}),
	), nil
}

// add adds a worker and returns its kind, which is that of args: arguments of one type may have
// several. It panics if the kind has a worker already.
func add[T river.JobArgs](w *river.Workers, args T, of river.Worker[T]) (kind string) {
	river.AddWorkerArgs(w, args, of)
	return args.Kind()
}

// operationKinds returns how operations are settled, by the kind of their job.
func operationKinds(s Services) map[string]operationKind {
	return map[string]operationKind{
		jobs.KindDealPay:        {settle: s.Deals.SettlePay, rule: deals.PayRule(), queueLock: s.Deals.QueueLock},
		jobs.KindDealComplete:   {settle: s.Deals.SettleComplete, rule: deals.CompleteRule, queueLock: s.Deals.QueueLock},
		jobs.KindDealRefund:     {settle: s.Deals.SettleRefund, rule: deals.RefundRule, queueLock: s.Deals.QueueLock},
		jobs.KindDealSettle:     {settle: s.Deals.SettleDispute, rule: deals.SettleRule, queueLock: s.Deals.QueueLock},
		jobs.KindReferralCredit: {settle: s.Referrals.SettleCredit, rule: referrals.CreditRule()},

		jobs.KindDepositApprove: {settle: s.Wallet.SettleApprove, rule: wallet.ApproveRule, worklist: realtime.WorklistDeposits},

		jobs.KindWithdrawalHold:   {settle: s.Wallet.SettleHold, rule: wallet.HoldRule()},
		jobs.KindWithdrawalSend:   {settle: s.Wallet.SettleSend, rule: wallet.HandlingRule(), worklist: realtime.WorklistWithdrawals},
		jobs.KindWithdrawalReject: {settle: s.Wallet.SettleReject, rule: wallet.HandlingRule(), worklist: realtime.WorklistWithdrawals},
		jobs.KindWithdrawalCancel: {settle: s.Wallet.SettleCancel, rule: wallet.CancelRule(), worklist: realtime.WorklistWithdrawals},

		jobs.KindBalanceAdjust: {settle: s.Wallet.SettleAdjust, rule: wallet.AdjustRule(), worklist: realtime.WorklistCorrections},
	}
}

// Messenger publishes events and the outcomes of operations to other processes, and knows who has a
// page open. It may lose messages, and publishing does not block. *realtime.Redis implements it.
type Messenger interface {
	realtime.Publisher
	operations.Announcer
	chat.Online
}

// Dependencies configures the workers of a process.
type Dependencies struct {
	Config config.Worker
	Clock  clock.Clock
	DB     *pgxpool.Pool // with the worker's role
	// QueueDB has the same role and is for River alone, so that River can fetch and complete jobs
	// while jobs hold every connection of DB.
	QueueDB  *pgxpool.Pool
	Logger   *slog.Logger
	Messages Messenger
	Observe  operations.Observer
	Metrics  prometheus.Registerer // nil: those of mails and jobs are not registered
	Queues   []string              // the queues that this process serves

	SessionClock clock.Clock              // nil: Clock; see accounts.Options
	Pushes       notifications.PushSender // nil: the sender with the keys of Config, if it has any
}

// QueueOptions returns the options of River's own pool. Its listener takes one more connection
// outside the pool, except through a pooler, where River polls.
//
// Commits are asynchronous: what River writes there, which jobs are running or done, may be lost if
// the server crashes. The job then runs again, and finds its operation settled. Jobs are inserted
// on the main pool in the transactions they belong to.
func QueueOptions() postgres.Options {
	return postgres.Options{MaxConns: queueConns, ApplicationName: "amanat-river", AsyncCommit: true}
}

const queueConns = 6

// Settings of River (docs/rules.md#money-calls).
const (
	jobTimeout    = 15 * time.Second
	rescueAfter   = jobTimeout           // or the timeout of the job's kind, if that is longer
	fetchCooldown = 3 * time.Millisecond // of money: River's default would delay payments
	completedKept = time.Hour
	discardedKept = 30 * 24 * time.Hour
	moneyJobs     = 2 * maxGroup // one group is being settled while the next one forms
	moneyWorkers  = 12           // operations settled by themselves at the same time, unless QUEUES says otherwise
	mailWorkers   = 20           // two processes stay below the 50 connections that Postfix accepts from one address
	otherWorkers  = 8
	// Workers are notified of each money operation, and poll for those whose notification was lost
	// with its connection. Of other jobs, River omits notifications that follow each other closely.
	moneyPoll = time.Second
	otherPoll = 5 * time.Second
	// Behind a pooler there are no notifications.
	moneyPollOnly = 50 * time.Millisecond
	otherPollOnly = time.Second
	// Email can wait this long, and a longer cooldown fetches several jobs at once.
	otherCooldown = 50 * time.Millisecond
	// Reconciliation, cleanup and the deal clock may each take minutes, and must not delay the
	// others.
	maintenanceWorkers = 5
	// An export or an erasure may take minutes, and reads or writes a lot.
	dataWorkers = 2
)

// Assemble creates the services, the workers that use them and the River client that runs the
// workers. It does not start the client. It fails if the configuration is invalid.
func Assemble(d Dependencies) (*river.Client[pgx.Tx], error) {
	inserter, err := jobs.NewInserter(d.QueueDB, d.Logger, trace.Insert())
	if err != nil {
		return nil, fmt.Errorf("river: %w", err)
	}
	smtp, err := mailer.NewSMTP(d.Config.SMTPURL, d.Config.MailFrom, mailConnections(d.Config))
	if err != nil {
		return nil, err
	}
	if d.Metrics != nil {
		if err := d.Metrics.Register(smtp.Metrics()); err != nil {
			return nil, fmt.Errorf("metrics: %w", err)
		}
	}
	stored, err := images.OpenBlobs(d.Config.Bucket, d.Metrics)
	if err != nil {
		return nil, err
	}
	workers, services := river.NewWorkers(), newServices(d, inserter, smtp, stored)
	kinds, err := Register(workers, services)
	if err != nil {
		return nil, fmt.Errorf("workers: %w", err)
	}
	work, err := trace.Work(d.Metrics, kinds)
	if err != nil {
		return nil, err
	}
	queues, err := queueConfigs(d.Queues, d.Config.Queues, int(d.DB.Config().MaxConns), d.Config.DatabasePooled)
	if err != nil {
		return nil, err
	}
	return river.NewClient(riverpgxv5.New(d.QueueDB), &river.Config{
		CompletedJobRetentionPeriod: completedKept,
		DiscardedJobRetentionPeriod: discardedKept,
		ErrorHandler:                &errorHandler{log: d.Logger},
		FetchCooldown:               fetchCooldown,
		// During a rolling deployment, older workers leave jobs of new kinds to newer ones. An old
		// leader's rescuer still discards those that are stuck; the sweep enqueues money's again.
		FetchOnlyKnownKinds:  true,
		JobTimeout:           jobTimeout,
		Logger:               riverLog(d.Logger),
		Middleware:           []rivertype.Middleware{work},
		PeriodicJobs:         periodicJobs(services),
		PollOnly:             d.Config.DatabasePooled, // a pooler has no session to listen in
		Queues:               queues,
		ReindexerIndexNames:  reindexed(),
		RescueStuckJobsAfter: rescueAfter,
		Schema:               jobs.Schema,
		SoftStopTimeout:      d.Config.SoftStop,
		Workers:              workers,
	})
}

// reindexed returns the names of River's indexes that exist.
func reindexed() []string {
	return slices.DeleteFunc(river.ReindexerIndexNamesDefault(), func(name string) bool {
		return slices.Contains(postgres.UnusedRiverIndexes(), name)
	})
}

func newServices(d Dependencies, inserter jobs.Inserter, smtp mailer.Sender, stored images.Blobs) Services {
	sessionClock := d.SessionClock
	if sessionClock == nil {
		sessionClock = d.Clock
	}
	events := &realtime.Log{Clock: d.Clock, Publish: d.Messages}
	operationService := &operations.Service{
		DB: d.DB, Clock: d.Clock, Enqueuer: inserter, Events: events, Announce: d.Messages, Observe: d.Observe,
	}
	notices := &notifications.Service{DB: d.DB, Clock: d.Clock, Events: events}
	rewards := &referrals.Settler{
		DB: d.DB, Share: d.Config.ReferralShare, Clock: d.Clock, Operations: operationService, Events: events, Notices: notices,
	}
	limits := &trust.Service{DB: d.DB, Clock: d.Clock, Limits: trust.LimitsOf(d.Config.TrustLimits)}
	dealService := &deals.Service{
		DB: d.DB, Clock: d.Clock, Operations: operationService, Events: events, Notices: notices, Jobs: inserter, Limits: limits,
		Images: nil, Conversations: nil, // of calls that only the api makes
	}
	walletService := &wallet.Service{
		DB: d.DB, Clock: d.Clock, Operations: operationService, Events: events, Notices: notices, Jobs: inserter,
		SecondAdminAbove: d.Config.SecondAdminAbove(), Bounds: wallet.BoundsOf(d.Config.Shared), Limits: limits,
		Hours: config.Hours{}, Numbers: nil, // only the api says when admins work, and where money is sent
	}
	return Services{
		DB:         d.DB,
		Clock:      d.Clock,
		Log:        d.Logger,
		Jobs:       inserter,
		Events:     events,
		Operations: operationService,
		Deals:      &deals.Settler{Service: dealService, Rewards: rewards},
		Referrals:  rewards,
		Wallet: &wallet.Settler{
			Service: walletService, DepositClaimTTL: d.Config.DepositClaimTTL, Phones: d.Config.PhoneKeys,
			AutoCreditMax: d.Config.AutoCredit(), Provider: provider(d.Config.BkashCheckout), PublicURL: d.Config.PublicURL,
		},
		Notifications: notices,
		NotificationMail: &notifications.Mailer{
			DB: d.DB, Clock: d.Clock, Mail: smtp, PublicURL: d.Config.PublicURL, Senders: mailConnections(d.Config),
		},
		Pushes:      &notifications.Pusher{DB: d.DB, Clock: d.Clock, Send: pushSender(d)},
		Unread:      &chat.Mailer{DB: d.DB, Clock: d.Clock, Notices: notices, Online: d.Messages},
		AccountMail: &accounts.Mailer{DB: d.DB, Clock: d.Clock, Mail: smtp, PublicURL: d.Config.PublicURL},
		InviteMail:  &deals.InviteMailer{DB: d.DB, Clock: d.Clock, Mail: smtp, PublicURL: d.Config.PublicURL},
		Accounts:    &accounts.Cleaner{DB: d.DB, Clock: d.Clock, SessionClock: sessionClock},
		Feedback:    &feedback.Forwarder{DB: d.DB, Mail: smtp, Support: d.Config.SupportEmail},
		Images:      &images.Cleaner{DB: d.DB, Clock: d.Clock, Blobs: stored},
		Moderation: &moderation.Settler{
			DB: d.DB, Clock: d.Clock, Notices: notices, Jobs: inserter, Accounts: &accounts.Resumer{Deals: dealService, Worklists: events},
		},
		SavedPosts: &posts.Teller{DB: d.DB, Clock: d.Clock, Notices: notices},
		Searches:   &posts.Alerter{DB: d.DB, Clock: d.Clock, Notices: notices},
		Exports: &personal.Exporter{
			DB: d.DB, Clock: d.Clock, Events: events, Notices: notices, Jobs: inserter,
			Images: images.New(images.Options{DB: d.DB, Clock: d.Clock, Blobs: stored}),
		},
		Eraser: &personal.Eraser{DB: d.DB, Clock: d.Clock},

		MoneyWorkers: moneyWorkersOf(d.Config.Queues, int(d.DB.Config().MaxConns)),
	}
}

// provider returns nil without an account.
func provider(account checkout.BkashAccount) wallet.Provider {
	if !account.Used() {
		return nil
	}
	return checkout.NewBkash(account)
}

// pushSender returns nil if there are no pushes.
func pushSender(d Dependencies) notifications.PushSender {
	switch {
	case d.Pushes != nil:
		return d.Pushes
	case d.Config.VAPIDPrivateKey == "":
		return nil
	}
	return webpush.NewSender(d.Config.PushKeys(), d.Config.SupportEmail, nil)
}

// errorHandler logs failed jobs. A discarded money job leaves a user's money pending until an
// operator intervenes.
type errorHandler struct{ log *slog.Logger }

// HandleError logs a failed attempt: as an error if the job is discarded, otherwise as a warning.
func (h *errorHandler) HandleError(ctx context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	ctx = trace.Context(ctx, job)
	about := []any{"kind", job.Kind, "job", job.ID, "attempt", job.Attempt, "error", err}
	switch {
	case isPeriodic(job):
		h.log.WarnContext(ctx, "periodic job failed, the next run makes up for it", about...)
	case job.Attempt >= job.MaxAttempts:
		h.log.ErrorContext(ctx, "job discarded", about...)
	default:
		h.log.WarnContext(ctx, "job failed, will be tried again", about...)
	}
	return giveUp(job)
}

// HandlePanic logs a panic with its trace. The job is retried unless it is a periodic one.
func (h *errorHandler) HandlePanic(ctx context.Context, job *rivertype.JobRow, value any, stack string) *river.ErrorHandlerResult {
	ctx = trace.Context(ctx, job)
	h.log.ErrorContext(ctx, "job panicked", "kind", job.Kind, "job", job.ID, "attempt", job.Attempt, "panic", value, "trace", stack)
	return giveUp(job)
}

// giveUp cancels a failed run of a periodic job. No operator has to look at it, and among the
// discarded jobs it would hide those that need one.
func giveUp(job *rivertype.JobRow) *river.ErrorHandlerResult {
	return &river.ErrorHandlerResult{SetCancelled: isPeriodic(job)}
}

func isPeriodic(job *rivertype.JobRow) bool {
	return job.Queue == jobs.QueueMaintenance || job.Kind == jobs.MailSweep.Kind() || job.Kind == jobs.PushSweep.Kind()
}

// connShare is how many workers of a queue other than money may share one connection of the pool:
// they wait for mail servers and browsers' push services most of the time.
const connShare = 4

// queueConfigs returns River's configuration of the queues to serve. counts has the numbers of
// workers that differ from the defaults. It fails if they would wait for conns, the connections of
// the pool, longer than their jobs may take. pooled says that a pooler is between.
func queueConfigs(names []string, counts config.Queues, conns int, pooled bool) (map[string]river.QueueConfig, error) {
	for name := range counts {
		if err := knownQueue(name); err != nil {
			return nil, err
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no queue to serve; choose of %v", jobs.Queues())
	}
	configs := map[string]river.QueueConfig{}
	for _, name := range names {
		if err := knownQueue(name); err != nil {
			return nil, err
		}
		if err := checkCount(name, counts[name], conns); err != nil {
			return nil, err
		}
		configs[name] = queueConfig(name, counts[name], conns, pooled)
	}
	return configs, nil
}

func knownQueue(name string) error {
	if !slices.Contains(jobs.Queues(), name) {
		return fmt.Errorf("unknown queue %q; choose of %v", name, jobs.Queues())
	}
	return nil
}

func checkCount(name string, count, conns int) error {
	most := conns * connShare
	if name == jobs.QueueMoney {
		most = conns
	}
	if count > most {
		return fmt.Errorf("QUEUES: %d workers of queue %s need more connections than DATABASE_MAX_CONNS allows: "+
			"with %d, at most %d", count, name, conns, most)
	}
	return nil
}

func queueConfig(name string, count, conns int, pooled bool) river.QueueConfig {
	money, other := moneyPoll, otherPoll
	if pooled {
		money, other = moneyPollOnly, otherPollOnly
	}
	c := river.QueueConfig{MaxWorkers: otherWorkers, FetchCooldown: otherCooldown, FetchPollInterval: other}
	switch name {
	case jobs.QueueMoney: // the number of workers is that of MoneyWorkers; others wait in groups
		return river.QueueConfig{MaxWorkers: moneyJobs, FetchCooldown: fetchCooldown, FetchPollInterval: money}
	case jobs.QueueMail:
		c.MaxWorkers = min(mailWorkers, conns*connShare)
	case jobs.QueueMaintenance:
		c.MaxWorkers = maintenanceWorkers
	case jobs.QueueData:
		c.MaxWorkers = dataWorkers
	}
	if count > 0 {
		c.MaxWorkers = count
	}
	return c
}

// mailConnections returns how many connections to the mail server the process may have, for emails
// of all queues: as many as the queue mail has workers.
func mailConnections(c config.Worker) int {
	return queueConfig(jobs.QueueMail, c.Queues[jobs.QueueMail], int(c.DatabaseMaxConns), c.DatabasePooled).MaxWorkers
}

// moneyWorkersOf returns how many operations are settled by themselves at the same time. The
// default leaves connections of a small pool to other jobs.
func moneyWorkersOf(counts config.Queues, conns int) int {
	if count := counts[jobs.QueueMoney]; count > 0 {
		return count
	}
	return max(1, min(moneyWorkers, conns-1))
}

// maxMatchPause is short because a user is waiting for their money.
const maxMatchPause = 30 * time.Second

// readDelivery reads what a phone has forwarded.
func (s Services) readDelivery(ctx context.Context, job *river.Job[jobs.PhoneDelivery]) error {
	outcome, err := s.Wallet.ReadDelivery(ctx, job.Args.DeliveryID)
	if err == nil && (outcome == wallet.DeliveryForged || outcome == wallet.DeliveryHeld) {
		s.Log.WarnContext(ctx, "SMS not believed", "outcome", outcome)
	}
	return err
}

// anchor sets the balance that an admin has entered.
func (s Services) anchor(ctx context.Context, job *river.Job[jobs.ReceiverAnchor]) error {
	return s.Wallet.Anchor(ctx, job.Args)
}

// matchAgain is when a deposit is matched again on which an operation is pending.
const matchAgain = time.Second

// matchDeposit looks for the payment that a deposit reports.
func (s Services) matchDeposit(ctx context.Context, job *river.Job[jobs.DepositMatch]) error {
	err := s.Wallet.MatchDeposit(ctx, job.Args.DepositID)
	if fault.CodeOf(err) == fault.Conflict {
		return river.JobSnooze(matchAgain)
	}
	return err
}

// announceDeposit notifies the admins of a deposit that no SMS has credited.
func (s Services) announceDeposit(ctx context.Context, job *river.Job[jobs.DepositNotice]) error {
	return s.Wallet.AnnounceDeposit(ctx, job.Args.DepositID)
}

// matchPayment looks for what a payment is for.
func (s Services) matchPayment(ctx context.Context, job *river.Job[jobs.PaymentMatch]) error {
	return s.Wallet.MatchPayment(ctx, job.Args.PaymentID)
}

// announceBroken notifies the admins of an account whose SMS still do not add up.
func (s Services) announceBroken(ctx context.Context, job *river.Job[jobs.ReceiverNotice]) error {
	return s.Wallet.AnnounceBroken(ctx, job.Args.ReceiverID, job.Args.BrokenAt)
}

// payPause is how long after the request for the payment of a deal its outcome is looked at first.
// The pauses grow with the age of the job, since money may be paused for hours.
const payPause = time.Second

// payDeal requests the payment of the deal that a deposit was made for, as its buyer would, and
// notifies them if it is refused. The key ties every run to one operation.
func (s Services) payDeal(ctx context.Context, job *river.Job[jobs.DealPayment]) error {
	p, found, err := s.Wallet.DealToPay(ctx, job.Args.DepositID)
	if err != nil || !found {
		return err
	}
	key := &idempotency.Key{UserID: &p.UserID, Value: "deposit:" + p.DepositID.String(), Hash: sha256.Sum256(p.DepositID[:])}
	op, err := s.Deals.RequestPay(ctx, p.UserID, p.DealID, p.Terms, key)
	refusal := fault.As(cmp.Or(err, op.Err()))
	switch {
	case err == nil && op.Status == operations.Pending, refusal != nil && refusal.Reason == "busy":
		return river.JobSnooze(min(max(payPause, clock.System{}.Now().Sub(job.CreatedAt)/10), maxMatchPause))
	case refusal != nil:
		return s.Wallet.KeepForWallet(ctx, p, refusal)
	}
	return err
}

// checkoutTimeout is enough for a call for a token and another one.
const checkoutTimeout = 70 * time.Second

// checkoutAttempts are the attempts of a job. After them, the sweep goes on.
const checkoutAttempts = 4

// advanceCheckout asks the provider about a checkout.
func (s Services) advanceCheckout(ctx context.Context, job *river.Job[jobs.Checkout]) error {
	err := s.Wallet.AdvanceCheckout(ctx, job.Args.CheckoutID, wallet.Returned(job.Args.Returned))
	if err != nil && job.Attempt >= checkoutAttempts {
		s.Log.WarnContext(ctx, "no clear answer about a checkout", "checkout", job.Args.CheckoutID, "error", err)
		return nil
	}
	return err
}

// tellSavers tells those who have saved a post of its change.
func (s Services) tellSavers(ctx context.Context, job *river.Job[jobs.SavedPost]) error {
	return s.SavedPosts.Tell(ctx, job.Args.PostID)
}

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
