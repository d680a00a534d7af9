// Package accounts holds people, their passwords and their sessions.
package accounts

import (
	"time"

	"github.com/google/uuid"

	"amanat/internal/clock"
	"amanat/internal/images"
	"amanat/internal/limit"
	"amanat/internal/mailer"
	"amanat/internal/operations"
	"amanat/internal/party"
	"amanat/internal/postgres"
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
	publicURL    string
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
	// Mail and PublicURL, without a slash at the end, are required where letters are sent: in workers.
	Mail      mailer.Sender
	PublicURL string
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
		publicURL:    options.PublicURL,
	}
	if s.sessionClock == nil {
		s.sessionClock = s.clock
	}
	if s.limiter == nil {
		s.limiter = limit.New(limit.Options{Clock: s.clock})
	}
	return s
}
