package accounts

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/ratelimit"
)

// FactorConfirmed is how long after a login or a confirmation a session counts as its owner's.
const FactorConfirmed = 10 * time.Minute

// fresh is how long a change of an account, or a browser, counts as new.
const fresh = 24 * time.Hour

// recent is what an account and a browser are judged by: what has changed lately.
type recent struct {
	PasswordResetAt *time.Time // by a mailed link
	FactorResetAt   *time.Time // by the operator
	EmailChangedAt  *time.Time
	FactorAddedAt   *time.Time // a factor, or backup codes
	BrowserSince    *time.Time // nil: the user has never signed in with it
	AtSignup        bool       // the account was opened in the browser
}

// isFresh reports whether something that happened at the given time, or never, is new.
func (s *Service) isFresh(at *time.Time) bool { return at != nil && s.clock.Now().Sub(*at) < fresh }

// newBrowser reports whether the user first signed in with the browser less than a day ago, or
// never. The browser in which the account was opened is not new.
func (s *Service) newBrowser(r recent) bool {
	return !s.trustBrowsers && !r.AtSignup && (r.BrowserSince == nil || s.sessionClock.Now().Sub(*r.BrowserSince) < fresh)
}

// IsNewBrowser reports whether the user first signed in with the browser less than a day ago, or
// never. The browser in which the account was opened is not new.
func (s *Service) IsNewBrowser(ctx context.Context, userID uuid.UUID, browser Token) (bool, error) {
	r, err := findRecent(ctx, s.db, userID, browser)
	return s.newBrowser(r), err
}

// newUntil returns when nothing about the account and the browser is new any more; nil if nothing
// is.
func (s *Service) newUntil(r recent) *time.Time {
	var until *time.Time
	extend := func(end time.Time) {
		if until == nil || end.After(*until) {
			until = &end
		}
	}
	for _, at := range []*time.Time{r.PasswordResetAt, r.FactorResetAt, r.EmailChangedAt, r.FactorAddedAt} {
		if s.isFresh(at) {
			extend(at.Add(fresh))
		}
	}
	if s.newBrowser(r) {
		left := fresh
		if r.BrowserSince != nil {
			left -= s.sessionClock.Now().Sub(*r.BrowserSince)
		}
		extend(s.clock.Now().Add(left))
	}
	return until
}

// CheckRelease returns an error unless the signed-in user may give money in escrow to somebody
// else. While something is new that would hold a withdrawal (docs/rules.md#withdrawals), they have
// to prove that the account is theirs: whoever has stolen a password could otherwise empty it
// through a deal. Codes: PasswordRequired, MailCodeRequired, Conflict if the user has nothing to
// prove it with, which says when they may.
func (s *Service) CheckRelease(ctx context.Context, user User, session Session, browser Token) error {
	if s.holdsOff {
		return nil
	}
	r, err := findRecent(ctx, s.db, user.ID, browser)
	if err != nil {
		return err
	}
	until := s.newUntil(r)
	if until == nil {
		return nil
	}
	if can, asked := s.askOwner(user, session, r); can {
		return asked
	}
	params := fault.Params{"time": clock.Moment(*until)}
	if user.IsVerified {
		return fault.Newf(fault.Conflict, "release_later",
			"Your email address is new. For your safety, release this money from {time} on.", params)
	}
	return fault.Newf(fault.Conflict, "release_unverified",
		"For your safety, verify your email before you release this money, or wait until {time}.", params)
}

// CheckOwner returns an error unless the signed-in user has lately proved that the account is
// theirs: with the second factor or a mailed code, or with the password if they have neither.
// Codes: PasswordRequired, MailCodeRequired.
func (s *Service) CheckOwner(ctx context.Context, user User, session Session) error {
	r, err := findRecent(ctx, s.db, user.ID, "")
	if err != nil {
		return err
	}
	if can, asked := s.askOwner(user, session, r); can {
		return asked
	}
	return s.CheckConfirmed(user, session, FactorConfirmed)
}

// CheckEnrolment returns an error unless the signed-in user may add a factor: the first one takes a
// mailed code, since a thief who knows the password would lock the owner out with it. Codes:
// PasswordRequired, MailCodeRequired, Conflict if the address is new or not verified.
func (s *Service) CheckEnrolment(ctx context.Context, user User, session Session) error {
	if user.SecondFactor {
		return s.CheckConfirmed(user, session, FactorConfirmed)
	}
	r, err := findRecent(ctx, s.db, user.ID, "")
	if err != nil {
		return err
	}
	if can, asked := s.askOwner(user, session, r); can {
		return asked
	}
	return errNoMailCode(user, r)
}

// askOwner returns nil if the session has lately proved that it is the owner's, or else an error
// that asks for the proof. can is false if the user has nothing to prove it with.
func (s *Service) askOwner(user User, session Session, r recent) (can bool, asked error) {
	byFactor, byMail := s.settled(user, r), s.mailable(user, r)
	switch {
	case byFactor && s.confirmed(user, session, FactorConfirmed), byMail && s.mailConfirmed(session):
		return true, nil
	case byFactor:
		return true, errPasswordAgain()
	case byMail:
		return true, fault.New(fault.MailCodeRequired, "mail_code_needed", "Please enter the code that we mail you.")
	}
	return false, nil
}

// settled reports whether the second factor proves who the user is: a thief may have added one that
// is new.
func (s *Service) settled(user User, r recent) bool {
	return user.SecondFactor && !s.isFresh(r.FactorAddedAt)
}

// mailable reports whether a mailed code proves who the user is.
func (s *Service) mailable(user User, r recent) bool {
	return user.IsVerified && !s.isFresh(r.EmailChangedAt)
}

func (s *Service) mailConfirmed(session Session) bool {
	at := session.MailConfirmedAt
	return at != nil && at.After(s.sessionClock.Now().Add(-FactorConfirmed))
}

// errNoMailCode says why a mailed code proves nothing.
func errNoMailCode(user User, r recent) error {
	if !user.IsVerified {
		return fault.New(fault.Conflict, "verify_first", "Please verify your email first.")
	}
	return fault.Newf(fault.Conflict, "email_too_new", "Your email address is new. This is possible from {time}.",
		fault.Params{"time": clock.Moment(r.EmailChangedAt.Add(fresh))})
}

// CheckConfirmed returns PasswordRequired unless the session's user entered the password within the
// given time and, where it is on, proved the second factor; 0 means that it is never required
// again.
func (s *Service) CheckConfirmed(user User, session Session, within time.Duration) error {
	if s.confirmed(user, session, within) {
		return nil
	}
	return errPasswordAgain()
}

func (s *Service) confirmed(user User, session Session, within time.Duration) bool {
	if within == 0 {
		return true
	}
	since := s.sessionClock.Now().Add(-within)
	return session.PasswordConfirmedAt.After(since) &&
		(!user.SecondFactor || session.FactorConfirmedAt != nil && session.FactorConfirmedAt.After(since))
}

func errPasswordAgain() error {
	return fault.New(fault.PasswordRequired, "password_again", "Please enter your password again.")
}

// mailCodeDigits is the length of a mailed code. With five wrong ones in 15 minutes, nobody guesses
// one.
const mailCodeDigits = 8

func newMailCode() string {
	n, _ := rand.Int(rand.Reader, big.NewInt(100_000_000)) // never fails
	return fmt.Sprintf("%0*d", mailCodeDigits, n)
}

// codeToken is the token of a mailed code of the user.
func codeToken(userID uuid.UUID, code string) Token { return Token(userID.String() + code) }

// SendMailCode mails the signed-in user a code, with which ConfirmMailCode confirms a session.
// Codes: Conflict if the address is new or not verified, RateLimited after too many emails to its
// mailbox.
func (s *Service) SendMailCode(ctx context.Context, user User) error {
	r, err := findRecent(ctx, s.db, user.ID, "")
	if err != nil {
		return err
	}
	if !s.mailable(user, r) {
		return errNoMailCode(user, r)
	}
	// Not those of the domain: whoever exhausts the limit of a large one would keep all its users
	// from releasing money.
	if err := s.take(ctx, ratelimit.Limit{Name: "mail-code", Rate: s.limits.Mailbox}.For(Mailbox(user.Email))); err != nil {
		return err
	}
	return postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		return s.enqueueMail(ctx, tx, user.ID, catalog.MailCode)
	})
}

// ConfirmMailCode uses up a mailed code, records on the session that its user has entered it, and
// returns the new token of the session: see confirm. Codes: Invalid, RateLimited after too many
// wrong ones, Unauthenticated if the session has ended meanwhile.
func (s *Service) ConfirmMailCode(ctx context.Context, user User, session Session, code string) (token Token, err error) {
	code = normalCode(code)
	if code == "" {
		return "", errCodeMissing()
	}
	err = s.counted(ctx, user.ID, func() error {
		return postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
			_, err := useMailedToken(ctx, tx, forOwner, codeToken(user.ID, code), s.clock.Now())
			if errors.Is(err, errNoToken) {
				return errCodeWrong()
			}
			if err != nil {
				return err
			}
			token, err = s.confirm(ctx, tx, session, proved{mail: true})
			return err
		})
	})
	return token, err
}

// RemoveFactor uses up the token of the mailed link with which the owner reports that somebody else
// turned the second factor on. It removes the factor, disowns the pending withdrawals, lets no
// money leave the account until the password is reset by a mailed link, ends all sessions and mails
// such a link. It returns the owner. Anyone with the link may call it, once. Code Invalid, and
// those of disown.
func (s *Service) RemoveFactor(ctx context.Context, token Token, disown Disown) (owner uuid.UUID, err error) {
	now := s.clock.Now()
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		// Lock order: the user, then everything of the user.
		if owner, err = findMailedToken(ctx, tx, forFactor, token, now); err != nil {
			return err
		}
		if _, err := lockUser(ctx, tx, owner, forChanging); errors.Is(err, errNoUser) {
			return errNoToken
		} else if err != nil {
			return err
		}
		if _, err := useMailedToken(ctx, tx, forFactor, token, now); err != nil {
			return err
		}
		if err := deleteFactors(ctx, tx, owner); err != nil {
			return err
		}
		if _, err := setWithdrawalsStopped(ctx, tx, owner, now); err != nil {
			return err
		}
		if err := disown(ctx, tx, owner); err != nil {
			return err
		}
		if err := s.endAll(ctx, tx, owner, nil); err != nil {
			return err
		}
		if err := s.notices.Notify(ctx, tx, owner, catalog.FactorOff, nil, settingsPage); err != nil {
			return err
		}
		return s.enqueueMail(ctx, tx, owner, catalog.MailReset)
	})
	return owner, tokenFault(err)
}
