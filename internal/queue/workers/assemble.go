package workers

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"amanat/internal/domain/accounts"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/feedback"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/referrals"
	"amanat/internal/domain/wallet"
	"amanat/internal/money/operations"
	"amanat/internal/platform/clock"
	"amanat/internal/platform/config"
	"amanat/internal/platform/images"
	"amanat/internal/platform/mailer"
	"amanat/internal/platform/postgres"
	"amanat/internal/queue/jobs"
	"amanat/internal/realtime"
)

// Messenger carries events and outcomes to other processes. It must not block and may lose messages; *realtime.Redis is one.
type Messenger interface {
	realtime.Publisher
	operations.Announcer
}

// Dependencies are what a process gives to the workers it runs.
type Dependencies struct {
	Config   config.Worker
	Clock    clock.Clock
	DB       *pgxpool.Pool // logged in as the worker's role
	QueueDB  *pgxpool.Pool // the same, for River alone: jobs that hold all of DB must not keep it from fetching and completing
	Logger   *slog.Logger
	Messages Messenger
	Observe  operations.Observer
	Queues   []string // those this process serves

	SessionClock clock.Clock // nil: Clock; see accounts.Options
}

// QueueOptions are of the pool that River has for itself; its listener takes one more connection outside of it. What it writes there, who
// works on which job and which are done, may be lost with the server: the job is then worked once more, and the fence of money jobs and the
// keys of what they post see to it that nothing happens twice. Jobs are inserted, and money jobs completed, with the transactions that
// they belong to, on the main pool.
func QueueOptions() postgres.Options {
	return postgres.Options{MaxConns: queueConns, ApplicationName: "amanat-river", AsyncCommit: true}
}

const queueConns = 6

// Settings of River (docs/rules.md#money-calls).
const (
	jobTimeout    = 20 * time.Second
	rescueAfter   = 30 * time.Second
	fetchCooldown = jobs.FetchCooldown
	moneyPoll     = 50 * time.Millisecond // NOTIFY is lossy; this is the real bound on how long a payment waits to start
	otherPoll     = time.Second
	completedKept = time.Hour
	discardedKept = 30 * 24 * time.Hour
	moneyWorkers  = 12
	otherWorkers  = 8
	otherCooldown = 50 * time.Millisecond // a mail can wait that long, and several are fetched at once
	// The reconciliation, the cleanup and the clock may each take minutes: none may keep the sweep waiting, which looks after money.
	maintenanceWorkers = 5
)

// Assemble makes the services, the workers on top of them and the River client that runs them. It starts nothing.
func Assemble(d Dependencies) (*river.Client[pgx.Tx], error) {
	inserter, err := jobs.NewInserter(d.QueueDB, d.Logger)
	if err != nil {
		return nil, fmt.Errorf("river: %w", err)
	}
	smtp, err := mailer.NewSMTP(d.Config.SMTPURL, d.Config.MailFrom)
	if err != nil {
		return nil, err
	}
	workers := river.NewWorkers()
	err = Register(workers, newServices(d, inserter, smtp))
	if err != nil {
		return nil, fmt.Errorf("workers: %w", err)
	}
	queues, err := queueConfigs(d.Queues)
	if err != nil {
		return nil, err
	}
	return river.NewClient(riverpgxv5.New(d.QueueDB), &river.Config{
		CompletedJobRetentionPeriod: completedKept,
		DiscardedJobRetentionPeriod: discardedKept,
		ErrorHandler:                &errorHandler{log: d.Logger},
		FetchCooldown:               fetchCooldown,
		JobTimeout:                  jobTimeout,
		Logger:                      d.Logger,
		PeriodicJobs:                Periodic(),
		Queues:                      queues,
		RescueStuckJobsAfter:        rescueAfter,
		Schema:                      jobs.Schema,
		SoftStopTimeout:             d.Config.SoftStop,
		Workers:                     workers,
	})
}

func newServices(d Dependencies, inserter jobs.Enqueuer, smtp mailer.Sender) Services {
	sessionClock := d.SessionClock
	if sessionClock == nil {
		sessionClock = d.Clock
	}
	events := &realtime.Log{Clock: d.Clock, Publish: d.Messages}
	money := &operations.Service{DB: d.DB, Clock: d.Clock, Enqueuer: inserter, Events: events, Announce: d.Messages, Observe: d.Observe}
	notices := &notifications.Service{DB: d.DB, Clock: d.Clock, Events: events, Enqueuer: inserter}
	rewards := &referrals.Settler{Share: d.Config.ReferralShare, Clock: d.Clock, Operations: money, Events: events, Notices: notices}
	dealService := &deals.Service{DB: d.DB, Clock: d.Clock, Operations: money, Events: events, Notices: notices, Jobs: inserter}
	walletService := &wallet.Service{
		DB: d.DB, Clock: d.Clock, Operations: money, Events: events, Notices: notices, Jobs: inserter,
		SecondAdminAbove: d.Config.SecondAdminAbove(), Bounds: wallet.BoundsOf(d.Config.Withdrawals),
	}
	return Services{
		DB:               d.DB,
		Clock:            d.Clock,
		Log:              d.Logger,
		Events:           events,
		Operations:       money,
		Deals:            &deals.Settler{Service: dealService, Rewards: rewards},
		Referrals:        rewards,
		Wallet:           &wallet.Settler{Service: walletService, DepositClaimTTL: d.Config.DepositClaimTTL},
		Notifications:    notices,
		NotificationMail: &notifications.Mailer{DB: d.DB, Clock: d.Clock, Mail: smtp, PublicURL: d.Config.PublicURL},
		AccountMail:      &accounts.Mailer{DB: d.DB, Clock: d.Clock, Mail: smtp, PublicURL: d.Config.PublicURL},
		Accounts:         &accounts.Cleaner{DB: d.DB, Clock: d.Clock, SessionClock: sessionClock},
		Feedback:         &feedback.Forwarder{DB: d.DB, Mail: smtp, Support: d.Config.SupportEmail},
		Images:           &images.Cleaner{DB: d.DB, Clock: d.Clock},
	}
}

func queueConfigs(names []string) (map[string]river.QueueConfig, error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("no queue to serve; choose of %v", jobs.Queues())
	}
	configs := map[string]river.QueueConfig{}
	for _, name := range names {
		if !slices.Contains(jobs.Queues(), name) {
			return nil, fmt.Errorf("unknown queue %q; choose of %v", name, jobs.Queues())
		}
		c := river.QueueConfig{MaxWorkers: otherWorkers, FetchCooldown: otherCooldown, FetchPollInterval: otherPoll}
		switch name {
		case jobs.QueueMoney:
			c = river.QueueConfig{MaxWorkers: moneyWorkers, FetchCooldown: fetchCooldown, FetchPollInterval: moneyPoll}
		case jobs.QueueMaintenance:
			c.MaxWorkers = maintenanceWorkers
		}
		configs[name] = c
	}
	return configs, nil
}

// errorHandler logs what jobs return. A discarded money job means that somebody's money waits for a person.
type errorHandler struct{ log *slog.Logger }

// HandleError logs a failed attempt, loudly when it was the last.
func (h *errorHandler) HandleError(ctx context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	about := []any{"kind", job.Kind, "job", job.ID, "attempt", job.Attempt, "error", err}
	switch {
	case job.Queue == jobs.QueueMaintenance:
		h.log.WarnContext(ctx, "periodic job failed, the next run makes up for it", about...)
	case job.Attempt >= job.MaxAttempts:
		h.log.ErrorContext(ctx, "job discarded", about...)
	default:
		h.log.WarnContext(ctx, "job failed, will be tried again", about...)
	}
	return giveUp(job)
}

// HandlePanic logs a panic with its trace; the job is tried again.
func (h *errorHandler) HandlePanic(ctx context.Context, job *rivertype.JobRow, value any, trace string) *river.ErrorHandlerResult {
	h.log.ErrorContext(ctx, "job panicked", "kind", job.Kind, "job", job.ID, "attempt", job.Attempt, "panic", value, "trace", trace)
	return giveUp(job)
}

// giveUp cancels a failed run of a periodic job, which needs no person: among discarded jobs it would hide those that do.
func giveUp(job *rivertype.JobRow) *river.ErrorHandlerResult {
	return &river.ErrorHandlerResult{SetCancelled: job.Queue == jobs.QueueMaintenance}
}
