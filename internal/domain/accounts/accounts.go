// Package accounts manages users, their passwords and their sessions.
package accounts

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/passkey"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// User is an account.
type User struct {
	ID           uuid.UUID
	Username     string
	Email        string
	ProfilePic   string // URL, "" when none
	IsAdmin      bool
	IsVerified   bool
	Language     string // "en" or "bn"
	MailNotices  bool   // whether money notifications are also emailed
	ReferralCode string
	CreatedAt    time.Time
	// PasswordStrong reports whether the password is known to meet the minimum length for admins.
	PasswordStrong bool
	// SecondFactor reports whether a login needs the second factor.
	SecondFactor bool
}

// Ref returns the part of the user that other users may see.
func (u User) Ref() user.Ref {
	return user.Ref{ID: u.ID, Username: u.Username, ProfilePic: u.ProfilePic, IsStaff: u.IsAdmin}
}

// Service implements the account use cases. It is safe for concurrent use.
type Service struct {
	db           postgres.DB
	clock        clock.Clock
	sessionClock clock.Clock
	hasher       *hasher
	images       *images.Service
	jobs         jobs.Enqueuer
	limiter      *ratelimit.Limiter
	limits       Limits
	notices      Notices
	queues       Queues
	sessions     SessionEnder
	deals        Deals
	allowCommon  bool
	strongAdmins bool
	passkeys     *passkey.Site

	factorForAdmins bool
	holdsOff        bool
	trustBrowsers   bool
}

// SessionEnder closes the sockets of ended sessions. It must not block and may lose notifications:
// the sessions of open sockets are rechecked periodically.
type SessionEnder interface {
	// SessionEnded closes the sockets of one session.
	SessionEnded(id uuid.UUID)
	// SessionsEnded closes the sockets of all sessions of a user except one; nil excepts none.
	SessionsEnded(userID uuid.UUID, except *uuid.UUID)
}

// Queues notifies admins, once the transaction has committed, that a row of one of their lists has
// changed. *realtime.Log implements it.
type Queues interface {
	QueueChanged(tx *postgres.Tx, queue realtime.Queue, id uuid.UUID)
}

// Deals changes the deals of a user whose account changes. *deals.Service implements it.
type Deals interface {
	// SyncSuspensions suspends or resumes the open deals after the user was disabled or enabled. It
	// runs in the same transaction, after the user's row is written.
	SyncSuspensions(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error
	// RemovePending withdraws and declines the Pending deals.
	RemovePending(ctx context.Context, userID uuid.UUID) error
}

// Notices notifies a user in the transaction of the event. *notifications.Service implements it.
type Notices interface {
	Notify(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, kind catalog.Kind, params catalog.Params, link string) error
}

// Options configure a Service. DB and Clock are required.
type Options struct {
	DB    postgres.DB
	Clock clock.Clock
	// SessionClock measures the age of sessions; nil means Clock. The local stack may pass the
	// machine's clock, to api and worker alike, so that advancing business time does not sign all
	// users out.
	SessionClock clock.Clock
	// Images is set by the api only: no other process changes pictures.
	Images *images.Service
	// Jobs is required for sign-ups and password changes, which send email.
	Jobs jobs.Enqueuer
	// Limiter enforces Limits; nil means a limiter private to this Service.
	Limiter *ratelimit.Limiter
	Limits  Limits
	// Notices is required for sign-ups and changes of the second factor.
	Notices Notices
	// Queues and Sessions are notified of changes to users; nil on the operator's command line,
	// where nothing can be notified.
	Queues   Queues
	Sessions SessionEnder
	// Deals is required to close accounts, and to disable and enable users; if nil, their deals
	// follow with the next deadline sweep.
	Deals Deals
	// HashCost is the cost of new password hashes; zero means the minimum that OWASP recommends.
	// Only tests lower it.
	HashCost HashCost
	// Metrics registers the metrics of hashing; nil means nowhere.
	Metrics prometheus.Registerer
	// AllowCommonPasswords accepts passwords from the list of the most common ones.
	AllowCommonPasswords bool
	// StrongAdmins requires longer passwords of admins than of other users: set where admins
	// re-enter their password before they move money, and on the operator's command line.
	StrongAdmins bool
	// FactorForAdmins requires a second factor of admins before they act as such.
	FactorForAdmins bool
	// HoldsOff lets users release money whatever is new about their account: set where withdrawals
	// are not held either.
	HoldsOff bool
	// TrustBrowsers makes no browser a new one. Only the local stack sets it, whose people are
	// anybody's.
	TrustBrowsers bool
	// Passkeys is the site that passkeys belong to; nil where it cannot have any.
	Passkeys *passkey.Site
}

// New returns a Service.
func New(options Options) *Service {
	s := &Service{
		db:           options.DB,
		clock:        options.Clock,
		sessionClock: options.SessionClock,
		hasher:       newHasher(cmp.Or(options.HashCost, defaultHashCost)),
		images:       options.Images,
		jobs:         options.Jobs,
		limiter:      options.Limiter,
		limits:       options.Limits,
		notices:      options.Notices,
		queues:       options.Queues,
		sessions:     options.Sessions,
		deals:        options.Deals,
		allowCommon:  options.AllowCommonPasswords,
		strongAdmins: options.StrongAdmins,
		passkeys:     options.Passkeys,

		factorForAdmins: options.FactorForAdmins,
		holdsOff:        options.HoldsOff,
		trustBrowsers:   options.TrustBrowsers,
	}
	if options.Metrics != nil {
		options.Metrics.MustRegister(s.hasher.queue.metrics()...)
	}
	if s.sessionClock == nil {
		s.sessionClock = s.clock
	}
	if s.limiter == nil {
		s.limiter = ratelimit.New(ratelimit.Options{Clock: s.clock})
	}
	if s.queues == nil {
		s.queues = noop{}
	}
	if s.sessions == nil {
		s.sessions = noop{}
	}
	if s.deals == nil {
		s.deals = noop{}
	}
	return s
}

// Cleaner deletes expired data of all accounts. It is for workers.
type Cleaner struct {
	DB    postgres.DB
	Clock clock.Clock
	// SessionClock measures the age of sessions and browsers; see Options.
	SessionClock clock.Clock
}

// noop implements Queues, SessionEnder and Deals without effect.
type noop struct{}

func (noop) QueueChanged(*postgres.Tx, realtime.Queue, uuid.UUID) {}
func (noop) SessionEnded(uuid.UUID)                               {}
func (noop) SessionsEnded(uuid.UUID, *uuid.UUID)                  {}

func (noop) SyncSuspensions(context.Context, *postgres.Tx, uuid.UUID) error { return nil }
func (noop) RemovePending(context.Context, uuid.UUID) error                 { return nil }
