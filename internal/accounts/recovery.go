package accounts

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/fault"
	"amanat/internal/limit"
	"amanat/internal/postgres"
	"amanat/queue/jobs"
)

// purpose is what a link in a mail is good for.
type purpose string

const (
	forReset  purpose = "reset_password"
	forVerify purpose = "verify_email"
)

// life is how long a link works after it was mailed. For resetting it is longer than the time after which another may be asked for, so
// whoever uses up the limit of somebody's address leaves him a link that works.
func (p purpose) life() time.Duration {
	if p == forVerify {
		return 24 * time.Hour
	}
	return 30 * time.Minute
}

func errToken() error { return fault.Field("token", "Invalid or missing token") }

// RequestReset has a link for a new password mailed to the owner of an e-mail address, and returns him for the log. Anybody may call it.
// Codes: Invalid when it is empty, RateLimited, NotFound when no account has the address (SPEC §8).
func (s *Service) RequestReset(ctx context.Context, email string) (User, error) {
	email = strings.TrimSpace(email)
	if email == "" {
		return User{}, fault.Field("email", "Email is required.")
	}
	bucket := limit.Limit{Name: "reset-email", Rate: s.limits.ResetEmail}.For(strings.ToLower(email))
	if decision := s.limiter.Allow(ctx, bucket); !decision.Allowed {
		return User{}, tooMany(decision.RetryAfter)
	}
	user, err := findByEmail(ctx, s.db, email)
	if errors.Is(err, errNoUser) {
		return User{}, fault.New(fault.NotFound, "No account has this email address.")
	}
	if err != nil {
		return User{}, err
	}
	return user, postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		return s.enqueueLetter(ctx, tx, user.ID, jobs.LetterResetPassword)
	})
}

// ResetInput is a new password with the token of the link, and what the browser is known by, "" when nothing.
type ResetInput struct {
	Password string
	Token    Token
	Browser  Token
}

// ResetPassword sets a new password, ends all sessions and forgets all browsers but the one where it was set: it returns what that is
// known by, so that whoever guesses at the account does not keep its owner out. Anybody with the link may call it, once. Code Invalid.
func (s *Service) ResetPassword(ctx context.Context, in ResetInput) (userID uuid.UUID, browser Token, err error) {
	if err := validateNewPassword("password", in.Password); err != nil {
		return uuid.Nil, "", err
	}
	now := s.clock.Now()
	if _, err := findMailedToken(ctx, s.db, forReset, in.Token, now); err != nil {
		return uuid.Nil, "", tokenFault(err)
	}
	hash, err := s.hasher.hash(ctx, in.Password) // only for who has a link: it is slow
	if err != nil {
		return uuid.Nil, "", err
	}
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		if userID, err = useMailedToken(ctx, tx, forReset, in.Token, now); err != nil {
			return err
		}
		if _, err := setPassword(ctx, tx, userID, "", hash); err != nil {
			return err
		}
		if err := s.afterNewPassword(ctx, tx, userID, uuid.Nil, ""); err != nil {
			return err
		}
		browser, err = s.rememberBrowser(ctx, tx, userID, in.Browser)
		return err
	})
	return userID, browser, tokenFault(err)
}

// tokenFault says what a user may hear of a token that is unknown, used or too old.
func tokenFault(err error) error {
	if errors.Is(err, errNoToken) {
		return errToken()
	}
	return err
}

// ChangeInput is a new password of somebody who is signed in.
type ChangeInput struct {
	Current string
	New     string
}

// ChangePassword sets a new password for the signed-in user, ends all his other sessions and forgets all browsers but this one. Codes:
// Invalid, RateLimited after too many wrong entries of the current one, Unauthenticated when the session has ended meanwhile.
func (s *Service) ChangePassword(ctx context.Context, user User, session Session, browser Token, in ChangeInput) error {
	if in.Current == "" {
		return fault.Field("currentPassword", "Password is required.")
	}
	if err := validateNewPassword("newPassword", in.New); err != nil {
		return err
	}
	current, err := s.checkPassword(ctx, user, "currentPassword", in.Current)
	if err != nil {
		return err
	}
	hash, err := s.hasher.hash(ctx, in.New)
	if err != nil {
		return err
	}
	return postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		changed, err := setPassword(ctx, tx, user.ID, current, hash)
		if err != nil {
			return err
		}
		if !changed { // the owner has reset it while this was hashed
			return errIncorrect("currentPassword")
		}
		if err := s.afterNewPassword(ctx, tx, user.ID, session.ID, browser); err != nil {
			return err
		}
		return confirmSession(ctx, tx, session.ID, s.sessionClock.Now())
	})
}

// afterNewPassword ends all sessions and forgets all browsers but the ones named, and tells the owner. The user's row was written first:
// logins with the old password wait for it.
func (s *Service) afterNewPassword(
	ctx context.Context, tx *postgres.Tx, userID, keepSession uuid.UUID, keepBrowser Token,
) error {
	if err := s.endAll(ctx, tx, userID, keepSession); err != nil {
		return err
	}
	if err := deleteBrowsers(ctx, tx, userID, keepBrowser); err != nil {
		return err
	}
	return s.enqueueLetter(ctx, tx, userID, jobs.LetterPasswordChanged)
}

// validateNewPassword checks a password that takes the place of another, in SPEC §5's words for that.
func validateNewPassword(field, password string) error {
	switch length := utf8.RuneCountInString(password); {
	case length < minPassword:
		return fault.Field(field, "Password must be at least 6 characters long.")
	case length > maxPassword:
		return fault.Field(field, "Password must be at most 200 characters")
	}
	return nil
}
