package accounts

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
)

// undoTime is how long the owner of a former address can undo its change.
const undoTime = 7 * 24 * time.Hour

// EmailChange is a change of the address of an account.
type EmailChange struct {
	ID          uuid.UUID
	UserID      uuid.UUID
	OldEmail    string
	NewEmail    string
	OldVerified bool
	AppliedAt   *time.Time // nil: the link to the new address has not been opened
	EndedAt     *time.Time // withdrawn, replaced by another, or undone
}

// pending reports whether the change waits for the link to the new address.
func (c EmailChange) pending() bool { return c.AppliedAt == nil && c.EndedAt == nil }

// undoable reports whether the owner of the former address can withdraw the change or undo it.
func (c EmailChange) undoable(now time.Time) bool {
	return c.EndedAt == nil && (c.AppliedAt == nil || now.Sub(*c.AppliedAt) < undoTime)
}

// RequestEmailChange mails a link to a new address of the signed-in user, which becomes the address
// of the account once the link is opened. A verified present address is told, with a link that
// undoes the change. An earlier request that is still pending is replaced. Codes: Invalid,
// Duplicate if the address belongs to another account, RateLimited after too many emails to its
// mailbox or domain.
func (s *Service) RequestEmailChange(ctx context.Context, user User, email string) error {
	email = mailer.NormalAddress(email)
	switch {
	case email == "":
		return fault.Field("email", "email_missing", "Email is required.")
	case !mailer.ValidAddress(email):
		return fault.Field("email", "email_invalid", "Invalid email")
	case strings.EqualFold(email, user.Email):
		return fault.Field("email", "email_same", "This is your email already.")
	}
	taken, err := emailTaken(ctx, s.db, email, user.ID, s.clock.Now())
	if err != nil {
		return err
	}
	if taken {
		return errEmailTaken()
	}
	if err := s.take(ctx, s.verificationBuckets(email)...); err != nil {
		return err
	}
	return postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		current, err := lockUser(ctx, tx, user.ID, forChanging)
		if errors.Is(err, errNoUser) {
			return errUnauthenticated()
		}
		if err != nil {
			return err
		}
		if err := endPendingChange.Run(ctx, tx, postgres.Args{"user": user.ID, "now": s.clock.Now()}); err != nil {
			return err
		}
		change := EmailChange{
			ID: uuid.Must(uuid.NewV7()), UserID: user.ID, OldEmail: current.Email, NewEmail: email, OldVerified: current.IsVerified,
		}
		if err := insertEmailChange(ctx, tx, change, s.clock.Now()); err != nil {
			return err
		}
		if err := s.enqueueMail(ctx, tx, change.ID, catalog.MailEmailConfirm); err != nil || !current.IsVerified {
			return err
		}
		return s.enqueueMail(ctx, tx, change.ID, catalog.MailEmailUndo)
	})
}

func errEmailTaken() error {
	return fault.Taken("email", "email_taken", "Email is already registered.")
}

// PendingEmail returns the address that waits for its link to be opened, nil if there is none.
func (s *Service) PendingEmail(ctx context.Context, userID uuid.UUID) (*string, error) {
	return findPendingEmail(ctx, s.db, userID)
}

// CancelEmailChange withdraws the signed-in user's pending change, if there is one.
func (s *Service) CancelEmailChange(ctx context.Context, userID uuid.UUID) error {
	return endPendingChange.Run(ctx, s.db, postgres.Args{"user": userID, "now": s.clock.Now()})
}

// ConfirmEmailChange gives the account the address to which the link was mailed, as a verified one.
// Links mailed to the former address, except the one that undoes the change, no longer work, and
// withdrawals are held for a day. It returns the user. Anyone with the link may call it, once.
// Codes: Invalid, Duplicate if another account has taken the address meanwhile.
func (s *Service) ConfirmEmailChange(ctx context.Context, token Token) (userID uuid.UUID, err error) {
	now := s.clock.Now()
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		change, err := s.useChangeLink(ctx, tx, forEmailConfirm, token)
		if err != nil {
			return err
		}
		userID = change.UserID
		if !change.pending() {
			return errNoToken
		}
		if err := setEmail(ctx, tx, change.UserID, change.NewEmail, now); err != nil {
			return err
		}
		// The unique index on addresses knows nothing of those that former owners may take back.
		taken, err := emailTaken(ctx, tx, change.NewEmail, change.UserID, now)
		if err != nil {
			return err
		}
		if taken {
			return errEmailTaken()
		}
		if err := setChangeApplied.One(ctx, tx, postgres.Args{"id": change.ID, "now": now}); err != nil {
			return err
		}
		if err := s.useUpAddressLinks(ctx, tx, change.UserID, now); err != nil {
			return err
		}
		return s.notices.Notify(ctx, tx, change.UserID, catalog.EmailChanged, catalog.Params{"email": change.NewEmail}, settingsPage)
	})
	return userID, tokenFault(err)
}

// UndoEmailChange gives the account its former address back, or withdraws a change that is still
// pending. Whoever asked for it may know the password: all sessions end, no money leaves the
// account until the password has been reset by a mailed link, and such a link is mailed to the
// former address. Later changes of the address end, too. It returns the user. Anyone with the link
// may call it, once, up to seven days after the change. Codes: Invalid.
func (s *Service) UndoEmailChange(ctx context.Context, token Token) (userID uuid.UUID, err error) {
	now := s.clock.Now()
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		change, err := s.useChangeLink(ctx, tx, forEmailUndo, token)
		if err != nil {
			return err
		}
		userID = change.UserID
		if !change.undoable(now) {
			return errNoToken
		}
		if change.AppliedAt != nil {
			if err := setEmail(ctx, tx, change.UserID, change.OldEmail, now); err != nil {
				return err
			}
		}
		if err := endChangesFrom(ctx, tx, change, now); err != nil {
			return err
		}
		if err := s.useUpAddressLinks(ctx, tx, change.UserID, now); err != nil {
			return err
		}
		if _, err := setWithdrawalsStopped(ctx, tx, change.UserID, now); err != nil {
			return err
		}
		if err := s.endAll(ctx, tx, change.UserID, nil); err != nil {
			return err
		}
		return s.enqueueMail(ctx, tx, change.UserID, catalog.MailReset)
	})
	return userID, tokenFault(err)
}

// useChangeLink uses up the token of a mailed link and returns its change, with the user locked.
func (s *Service) useChangeLink(ctx context.Context, tx *postgres.Tx, p purpose, token Token) (EmailChange, error) {
	now := s.clock.Now()
	// Lock order: the user, then everything of the user.
	change, err := findChangeOf(ctx, tx, p, token, now)
	if err != nil {
		return EmailChange{}, err
	}
	if _, err := lockUser(ctx, tx, change.UserID, forChanging); errors.Is(err, errNoUser) {
		return EmailChange{}, errNoToken
	} else if err != nil {
		return EmailChange{}, err
	}
	if err := useChangeTokens(ctx, tx, change.ID, p, token, now); err != nil {
		return EmailChange{}, err
	}
	return findEmailChange.One(ctx, tx, postgres.Args{"id": change.ID})
}

// useUpAddressLinks marks the links that verify an address or reset the password as used.
func (s *Service) useUpAddressLinks(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, now time.Time) error {
	if err := useUpMailedTokens(ctx, tx, userID, forVerify, now); err != nil {
		return err
	}
	return useUpMailedTokens(ctx, tx, userID, forReset, now)
}

// changeKept is how long changes are kept after they were asked for: longer than any of their links
// works.
const changeKept = 30 * 24 * time.Hour

// RemoveOldEmailChanges deletes the records of former changes of addresses and returns how many.
func (c *Cleaner) RemoveOldEmailChanges(ctx context.Context) (int64, error) {
	return deleteEmailChanges.InBatches(ctx, c.DB, postgres.Args{"before": c.Clock.Now().Add(-changeKept)}, deleteBatch)
}
