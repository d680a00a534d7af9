package accounts

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

// SessionsOf returns a user, also a disabled one, with their open sessions. It is for the
// operator's command line only. Code NotFound.
func (s *Service) SessionsOf(ctx context.Context, username string) (User, []OpenSession, error) {
	user, err := findAnyUser(ctx, s.db, normalUsername(username))
	if err != nil {
		return User{}, nil, notFound(err)
	}
	sessions, err := s.Sessions(ctx, user.ID)
	return user, sessions, err
}

// EndSessionsOf ends one session of a user, or all of them if id is nil, and closes their sockets.
// It is for the operator's command line only. Code NotFound if there is no such user or session.
func (s *Service) EndSessionsOf(ctx context.Context, username string, id *uuid.UUID) (User, error) {
	user, err := s.operate(ctx, "user.end_sessions", func(tx *postgres.Tx) (User, error) {
		user, err := findAnyUser(ctx, tx, normalUsername(username))
		if err != nil {
			return User{}, err
		}
		if id == nil {
			return user, s.endAll(ctx, tx, user.ID, nil)
		}
		tx.AfterCommit(func() { s.sessions.SessionEnded(*id) })
		return user, endSession(ctx, tx, user.ID, *id)
	})
	if errors.Is(err, errNoSession) {
		return User{}, errSessionNotFound()
	}
	return user, err
}

// Exported returns the user of an archive for the operator, also a disabled one, and records that
// the archive was made. It is for the operator's command line only. Code NotFound.
func (s *Service) Exported(ctx context.Context, username string) (User, error) {
	return s.operate(ctx, "user.export", func(tx *postgres.Tx) (User, error) {
		return findAnyUser(ctx, tx, normalUsername(username))
	})
}

// Erase closes a user's account as Close does, also that of a disabled user. It is for the
// operator's command line only. Codes: NotFound; Conflict if the account is closed already, while
// deals are open, money is pending or the balance is not zero; Forbidden for admins.
func (s *Service) Erase(ctx context.Context, username string) (User, error) {
	found, err := findAnyUser(ctx, s.db, normalUsername(username))
	if err == nil {
		err = s.endPending(ctx, found.ID)
	}
	if err != nil {
		return User{}, notFound(err)
	}
	return s.operate(ctx, "user.erase", func(tx *postgres.Tx) (User, error) {
		user, err := lockUserNamed(ctx, tx, normalUsername(username), forClosing)
		if err != nil {
			return User{}, err
		}
		closed, err := isClosed(ctx, tx, user.ID)
		if err == nil && closed {
			err = fault.New(fault.Conflict, "account_closed_already", "This account is closed already.")
		}
		if err != nil {
			return User{}, err
		}
		// The end of a suspension would enable the account again.
		if _, err := endSuspension(ctx, tx, user.ID); err != nil {
			return User{}, err
		}
		return user, s.closeUnlessObliged(ctx, tx, user)
	})
}
