// Package accounts holds people, their passwords and their sessions.
package accounts

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/platform/catalog"
	"amanat/internal/platform/clock"
	"amanat/internal/platform/images"
	"amanat/internal/platform/postgres"
	"amanat/internal/platform/ratelimit"
	"amanat/internal/platform/user"
	"amanat/internal/queue/jobs"
	"amanat/internal/realtime"
)

// User is a person with an account.
type User struct {
	ID           uuid.UUID
	Username     string
	Email        string
	ProfilePic   string // URL, "" when none
	IsAdmin      bool
	IsVerified   bool
	Language     string // "en" or "bn"
	MailNotices  bool   // whether notices of money also come as mail
	ReferralCode string
	CreatedAt    time.Time
	EventSeq     int64 // head of the user's event log when the user was read
	// PasswordStrong tells whether the password is known to be as long as an admin's must be.
	PasswordStrong bool
}

// Ref returns what others may see of the user.
func (u User) Ref() user.Ref {
	return user.Ref{ID: u.ID, Username: u.Username, ProfilePic: u.ProfilePic}
}

// Service holds the use cases. It is safe for concurrent use.
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
}

// SessionEnder has the sockets of sessions closed that are over. It must not block and may lose what it is told: sessions of sockets are
// looked up again from time to time.
type SessionEnder interface {
	// SessionEnded ends the sockets of one session.
	SessionEnded(id uuid.UUID)
	// SessionsEnded ends the sockets of all sessions of a user but one; nil spares none.
	SessionsEnded(userID uuid.UUID, except *uuid.UUID)
}

// Queues tells admins that a row of one of their lists has changed, once the transaction has committed; *realtime.Log does.
type Queues interface {
	QueueChanged(tx *postgres.Tx, queue realtime.Queue, id uuid.UUID)
}

// Deals makes a user's open deals follow whether the user is disabled, in the transaction that changes that, after it has written the
// user's row; *deals.Service does.
type Deals interface {
	SyncSuspensions(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error
}

// Notices tells a person something, in the transaction of what happened; *notifications.Service does.
type Notices interface {
	Notify(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, kind catalog.Kind, params catalog.Params, link string) error
}

// Options are the parts a Service is made of. DB and Clock are required.
type Options struct {
	DB    postgres.DB
	Clock clock.Clock
	// SessionClock measures the age of sessions; nil means Clock. The local stack may pass the machine's clock, to api and worker alike,
	// so that moving business time forward does not sign everybody out.
	SessionClock clock.Clock
	Images       *images.Service // only the api has it: nobody else changes pictures
	// Jobs is required where people sign up and change passwords: they are mailed.
	Jobs jobs.Enqueuer
	// Limiter counts what Limits bound; nil means one that counts alone.
	Limiter *ratelimit.Limiter
	Limits  Limits
	// Notices is required where people sign up.
	Notices Notices
	// Queues and Sessions are told of what is done to people; nil where nobody can be told: on the operator's command line.
	Queues   Queues
	Sessions SessionEnder
	// Deals is required where people are disabled and enabled; where it is nil their deals follow with the clock's next sweep.
	Deals Deals
	// AllowCommonPasswords lets people choose one of the commonest passwords.
	AllowCommonPasswords bool
	// StrongAdmins makes the passwords of admins longer than those of others: where they enter them again before they move money, and on
	// the operator's command line.
	StrongAdmins bool
}

// New returns a Service.
func New(options Options) *Service {
	s := &Service{
		db:           options.DB,
		clock:        options.Clock,
		sessionClock: options.SessionClock,
		hasher:       newHasher(),
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
	}
	if s.sessionClock == nil {
		s.sessionClock = s.clock
	}
	if s.limiter == nil {
		s.limiter = ratelimit.New(ratelimit.Options{Clock: s.clock})
	}
	if s.queues == nil {
		s.queues = nobody{}
	}
	if s.sessions == nil {
		s.sessions = nobody{}
	}
	if s.deals == nil {
		s.deals = nobody{}
	}
	return s
}

// Cleaner removes what has outlived its use from all accounts. It is for workers.
type Cleaner struct {
	DB    postgres.DB
	Clock clock.Clock
	// SessionClock measures the age of sessions and browsers; see Options.
	SessionClock clock.Clock
}

// nobody is there to be told.
type nobody struct{}

func (nobody) QueueChanged(*postgres.Tx, realtime.Queue, uuid.UUID) {}
func (nobody) SessionEnded(uuid.UUID)                               {}
func (nobody) SessionsEnded(uuid.UUID, *uuid.UUID)                  {}

func (nobody) SyncSuspensions(context.Context, *postgres.Tx, uuid.UUID) error { return nil }
