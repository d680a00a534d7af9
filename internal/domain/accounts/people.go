package accounts

import (
	"context"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/money"
	"amanat/internal/money/ledger"
	"amanat/internal/platform/actor"
	"amanat/internal/platform/audit"
	"amanat/internal/platform/postgres"
	"amanat/internal/platform/user"
)

// Bounds of Search.
const (
	minQuery   = 2
	maxResults = 10
)

// threeInARow is the least that the index of what usernames contain can look for.
var threeInARow = regexp.MustCompile(`[A-Za-z0-9]{3}`)

// Search returns up to ten people whose username contains the query in any case of letters, those it begins with first. A query without
// three letters or digits in a row, as all of two characters are, finds only those whose username begins with it: anything else would read
// all users. A search of fewer than two characters finds nothing; no search finds the caller or a disabled account.
func (s *Service) Search(ctx context.Context, actor uuid.UUID, query string) ([]user.Ref, error) {
	query = strings.TrimSpace(query)
	switch {
	case utf8.RuneCountInString(query) < minQuery:
		return []user.Ref{}, nil
	case threeInARow.MatchString(query):
		return searchUsers(ctx, s.db, sqlUsersNamed, actor, query)
	}
	return searchUsers(ctx, s.db, sqlUsersBeginning, actor, query)
}

// MarkVerified takes the user's e-mail address for verified, for people whom no mail reaches. It is for the operator's command line and the
// demo's seed. Code NotFound.
func (s *Service) MarkVerified(ctx context.Context, username string) (User, error) {
	return s.operate(ctx, "user.verify", func(tx *postgres.Tx) (User, error) {
		return setVerifiedByName(ctx, tx, normalUsername(username))
	})
}

// Disable locks a user out, ends the sessions and suspends the open deals. It is for the operator's command line alone. Code NotFound.
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

// Enable lets a disabled user in again, and the deals that only this has held go on. It is for the operator's command line alone. Code
// NotFound.
func (s *Service) Enable(ctx context.Context, username string) (User, error) {
	return s.operate(ctx, "user.enable", func(tx *postgres.Tx) (User, error) {
		user, err := setEnabled(ctx, tx, normalUsername(username))
		if err != nil {
			return User{}, err
		}
		return user, s.deals.SyncSuspensions(ctx, tx, user.ID)
	})
}

// HoldWithdrawals lets no withdrawal of the user be made or sent; those that wait for an admin can be rejected. It is for the operator's
// command line alone and needs the login of the database's owner. Code NotFound.
func (s *Service) HoldWithdrawals(ctx context.Context, username string) (User, error) {
	return s.operate(ctx, "user.hold_withdrawals", func(tx *postgres.Tx) (User, error) {
		now := s.clock.Now()
		return setWithdrawalsHeld(ctx, tx, normalUsername(username), &now)
	})
}

// ReleaseWithdrawals lets the user withdraw again, also after having stopped withdrawals by a mailed link. It is for the operator's command
// line alone and needs the login of the database's owner. Code NotFound.
func (s *Service) ReleaseWithdrawals(ctx context.Context, username string) (User, error) {
	return s.operate(ctx, "user.release_withdrawals", func(tx *postgres.Tx) (User, error) {
		return setWithdrawalsHeld(ctx, tx, normalUsername(username), nil)
	})
}

// operate runs an operator's change of a user and records it.
func (s *Service) operate(ctx context.Context, action string, change func(tx *postgres.Tx) (User, error)) (User, error) {
	var user User
	err := postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		var err error
		if user, err = change(tx); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			At: s.clock.Now(), Actor: actor.Operator(), Action: action, Subject: "user:" + user.ID.String(), Details: map[string]string{"username": user.Username},
		})
	})
	return user, notFound(err)
}

// Wallet returns what the user can spend.
func (s *Service) Wallet(ctx context.Context, userID uuid.UUID) (money.Cents, error) {
	return ledger.WalletBalance(ctx, s.db, userID)
}
