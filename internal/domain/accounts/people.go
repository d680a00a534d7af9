package accounts

import (
	"context"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/app/user"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/ledger"
	"amanat/internal/realtime"
)

// Bounds of Search.
const (
	minQuery   = 2
	maxResults = 10
)

// trigramPattern finds the shortest text that the trigram index of usernames can look up.
var trigramPattern = regexp.MustCompile(`[A-Za-z0-9]{3}`)

// Search returns up to ten users whose username contains the query, ignoring case, prefix matches
// first. A query without three consecutive letters or digits, such as any of two characters,
// matches prefixes only: no index serves anything else. A query of fewer than two characters finds
// nothing. The caller, disabled accounts and users with a block between them and the caller are
// never found.
func (s *Service) Search(ctx context.Context, actor uuid.UUID, query string) ([]user.Ref, error) {
	query = strings.TrimSpace(query)
	switch {
	case utf8.RuneCountInString(query) < minQuery:
		return []user.Ref{}, nil
	case trigramPattern.MatchString(query):
		return searchUsers(ctx, s.db, sqlUsersNamed, actor, query)
	}
	return searchUsers(ctx, s.db, sqlUsersBeginning, actor, query)
}

// MarkVerified marks the user's email address as verified, for users whom no email reaches. It is
// for the operator's command line and the demo seed. Code NotFound.
func (s *Service) MarkVerified(ctx context.Context, username string) (User, error) {
	return s.operate(ctx, "user.verify", func(tx *postgres.Tx) (User, error) {
		return setVerifiedByName(ctx, tx, normalUsername(username))
	})
}

// Disable locks a user out, ends the user's sessions and suspends their open deals. It is for the
// operator's command line only. Code NotFound.
func (s *Service) Disable(ctx context.Context, username string) (User, error) {
	return s.operate(ctx, "user.disable", func(tx *postgres.Tx) (User, error) {
		user, err := setDisabled(ctx, tx, normalUsername(username), s.clock.Now())
		if err != nil {
			return User{}, err
		}
		if err := s.endAll(ctx, tx, user.ID, nil); err != nil {
			return User{}, err
		}
		return user, s.deals.SyncSuspensions(ctx, tx, user.ID)
	})
}

// Enable lets a disabled user in again and resumes the deals that were suspended for no other
// reason. It is for the operator's command line only. Code NotFound.
func (s *Service) Enable(ctx context.Context, username string) (User, error) {
	return s.operate(ctx, "user.enable", func(tx *postgres.Tx) (User, error) {
		user, err := setEnabled(ctx, tx, normalUsername(username))
		if err != nil {
			return User{}, err
		}
		return user, s.deals.SyncSuspensions(ctx, tx, user.ID)
	})
}

// HoldWithdrawals blocks the user's withdrawals: none can be requested or sent; those waiting for
// an admin can still be rejected. It is for the operator's command line only and requires the
// database owner's login. Code NotFound.
func (s *Service) HoldWithdrawals(ctx context.Context, username string) (User, error) {
	return s.operate(ctx, "user.hold_withdrawals", func(tx *postgres.Tx) (User, error) {
		now := s.clock.Now()
		return setWithdrawalsHeld(ctx, tx, normalUsername(username), &now)
	})
}

// ReleaseWithdrawals lets the user withdraw again, also after the user has stopped withdrawals
// themselves. It is for the operator's command line only and requires the database owner's login.
// Code NotFound.
func (s *Service) ReleaseWithdrawals(ctx context.Context, username string) (User, error) {
	return s.operate(ctx, "user.release_withdrawals", func(tx *postgres.Tx) (User, error) {
		return setWithdrawalsHeld(ctx, tx, normalUsername(username), nil)
	})
}

// Statement returns the user of a statement for the operator, also a disabled one, and records that
// it was read. It is for the operator's command line only. Code NotFound.
func (s *Service) Statement(ctx context.Context, username string) (User, error) {
	return s.operate(ctx, "user.statement", func(tx *postgres.Tx) (User, error) {
		return findAnyUser(ctx, tx, normalUsername(username))
	})
}

// operate runs an operator's change of a user and records it in the audit log.
func (s *Service) operate(ctx context.Context, action string, change func(tx *postgres.Tx) (User, error)) (User, error) {
	return s.operateFor(ctx, action, "", change)
}

// operateFor is operate for a reason, which the audit log keeps unless it is "".
func (s *Service) operateFor(
	ctx context.Context, action, reason string, change func(tx *postgres.Tx) (User, error),
) (User, error) {
	details := map[string]string{} // no name: the log outlasts a closed account
	if reason != "" {
		details["reason"] = reason
	}
	var user User
	err := postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		var err error
		if user, err = change(tx); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			At: s.clock.Now(), Actor: actor.Operator(), Action: action, Subject: "user:" + user.ID.String(),
			Details: details,
		})
	})
	return user, notFound(err)
}

// Own is what users see of their own account beside User.
type Own struct {
	Balance  money.Cents // available
	EventSeq int64       // head of the event log when the rest was read: later events tell of later changes
	Consent  Consent
}

// Own returns what a user sees of their own account.
func (s *Service) Own(ctx context.Context, userID uuid.UUID) (Own, error) {
	var own Own
	var batch postgres.Batch
	realtime.QueueHead(&batch, userID, &own.EventSeq)
	ledger.QueueWalletBalance(&batch, userID, &own.Balance)
	queueConsent(&batch, userID, &own.Consent)
	err := batch.Send(ctx, s.db)
	return own, err
}
