// Package accounts holds people, their passwords and their sessions.
package accounts

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/clock"
	"amanat/internal/images"
	"amanat/internal/limit"
	"amanat/internal/mailer"
	"amanat/internal/operations"
	"amanat/internal/party"
	"amanat/internal/postgres"
	"amanat/internal/realtime"
	"amanat/internal/texts"
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
}

// Party returns what others may see of the user.
func (u User) Party() party.Party {
	return party.Party{ID: u.ID, Username: u.Username, ProfilePic: u.ProfilePic}
}

// Service holds the use cases. It is safe for concurrent use.
type Service struct {
	db           postgres.DB
	clock        clock.Clock
	sessionClock clock.Clock
	hasher       *hasher
	images       *images.Service
	jobs         operations.Enqueuer
	limiter      *limit.Limiter
	limits       Limits
	mail         mailer.Sender
	notices      Notices
	publicURL    string
	queues       Queues
	sessions     SessionEnder
}

// SessionEnder has the sockets of sessions closed that are over. It must not block and may lose what it is told: sessions of sockets are
// looked up again from time to time.
type SessionEnder interface {
	// SessionEnded ends the sockets of one session.
	SessionEnded(id uuid.UUID)
	// SessionsEnded ends the sockets of all sessions of a user but one; uuid.Nil spares none.
	SessionsEnded(userID, except uuid.UUID)
}

// Queues tells admins that a row of one of their lists has changed, once the transaction has committed; *realtime.Log does.
type Queues interface {
	Admins(tx *postgres.Tx, queue realtime.Queue, id uuid.UUID)
}

// Notices tells a person something, in the transaction of what happened; *notifications.Service does.
type Notices interface {
	Notify(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, kind texts.Kind, params texts.Params, link string) error
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
	Jobs operations.Enqueuer
	// Limiter counts what Limits bound; nil means one that counts alone.
	Limiter *limit.Limiter
	Limits  Limits
	// Notices is required where people sign up.
	Notices Notices
	// Mail and PublicURL, without a slash at the end, are required where letters are sent: in workers.
	Mail      mailer.Sender
	PublicURL string
	// Queues and Sessions are told of what is done to people; nil where nobody can be told: on the operator's command line.
	Queues   Queues
	Sessions SessionEnder
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
		mail:         options.Mail,
		notices:      options.Notices,
		publicURL:    options.PublicURL,
		queues:       options.Queues,
		sessions:     options.Sessions,
	}
	if s.sessionClock == nil {
		s.sessionClock = s.clock
	}
	if s.limiter == nil {
		s.limiter = limit.New(limit.Options{Clock: s.clock})
	}
	if s.queues == nil {
		s.queues = nobody{}
	}
	if s.sessions == nil {
		s.sessions = nobody{}
	}
	return s
}

// nobody is there to be told.
type nobody struct{}

func (nobody) Admins(*postgres.Tx, realtime.Queue, uuid.UUID) {}
func (nobody) SessionEnded(uuid.UUID)                         {}
func (nobody) SessionsEnded(uuid.UUID, uuid.UUID)             {}
