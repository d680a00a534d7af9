// Package accounts holds people, their passwords and their sessions.
package accounts

import (
	"time"

	"github.com/google/uuid"

	"amanat/internal/clock"
	"amanat/internal/images"
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
	ReferralCode string
	CreatedAt    time.Time
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
}

// Options are the parts a Service is made of. DB and Clock are required.
type Options struct {
	DB    postgres.DB
	Clock clock.Clock
	// SessionClock measures the age of sessions; nil means Clock. The local stack may pass the machine's clock, to api and worker alike,
	// so that moving business time forward does not sign everybody out.
	SessionClock clock.Clock
	Images       *images.Service // only the api has it: nobody else changes pictures
}

// New returns a Service.
func New(options Options) *Service {
	s := &Service{
		db:           options.DB,
		clock:        options.Clock,
		sessionClock: options.SessionClock,
		hasher:       newHasher(),
		images:       options.Images,
	}
	if s.sessionClock == nil {
		s.sessionClock = s.clock
	}
	return s
}
