package accounts

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
	"amanat/internal/platform/ratelimit"
	"amanat/internal/queue/jobs"
)

// purpose is what a link in a mail is good for.
type purpose string

const (
	forReset   purpose = "reset_password"
	forVerify  purpose = "verify_email"
	forConfirm purpose = "confirm_withdrawal"
	forStop    purpose = "stop_withdrawal"
)

// life is how long a link works after it was mailed. For resetting it is longer than the time after which another may be asked for, so
// an attacker who uses up the limit of an address leaves its owner a link that works.
func (p purpose) life() time.Duration {
	switch p {
	case forVerify, forConfirm:
		return 24 * time.Hour
	case forStop:
		return 7 * 24 * time.Hour
	case forReset:
	}
	return 30 * time.Minute
}

func errToken() error { return fault.Field("token", "Invalid or missing token") }

// RequestReset has a link for a new password mailed to the owner of an e-mail address, and returns the user for the log. Anybody may call it.
// A call for a known address counts by mailbox and by caller, one for an unknown address by caller, more widely. Codes: Invalid when it is
// empty, NotFound when no account has the address, RateLimited.
func (s *Service) RequestReset(ctx context.Context, email string, client Client) (User, error) {
	email = strings.TrimSpace(email)
	if email == "" {
		return User{}, fault.Field("email", "Email is required.")
	}
	user, err := findByEmail(ctx, s.db, email)
	if errors.Is(err, errNoUser) {
		if err := s.take(ctx, ratelimit.Limit{Name: "forgot-unknown", Rate: s.limits.ResetUnknown}.For(client.Network())); err != nil {
			return User{}, err
		}
		return User{}, fault.New(fault.NotFound, "No account has this email address.")
	}
	if err != nil {
		return User{}, err
	}
	address := ratelimit.Limit{Name: "forgot-address", Rate: s.limits.ResetAddress}.For(client.Network())
	if err := s.take(ctx, s.resetBucket(user.Email), address); err != nil {
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
// known by, so that whoever guesses at the account does not keep its owner out. Withdrawals that the owner has stopped may be made again.
// Anybody with the link may call it, once. Code Invalid.
func (s *Service) ResetPassword(ctx context.Context, in ResetInput) (userID uuid.UUID, browser Token, err error) {
	if err := validateNewPassword("password", in.Password); err != nil {
		return uuid.UUID{}, "", err
	}
	now := s.clock.Now()
	if err := s.checkReset(ctx, in, now); err != nil {
		return uuid.UUID{}, "", err
	}
	hash, err := s.hasher.hash(ctx, in.Password) // only for who has a link: it is slow
	if err != nil {
		return uuid.UUID{}, "", err
	}
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		// The user's row comes before the links, as in ChangePassword. If the link is used up meanwhile, nothing of this stays.
		if userID, err = findMailedToken(ctx, tx, forReset, in.Token, now); err != nil {
			return err
		}
		if _, err := setPassword(ctx, tx, userID, "", hash, strong(in.Password)); err != nil {
			return err
		}
		if _, err := useMailedToken(ctx, tx, forReset, in.Token, now); err != nil {
			return err
		}
		if err := setReset(ctx, tx, userID, now); err != nil {
			return err
		}
		if err := s.afterNewPassword(ctx, tx, userID, nil, ""); err != nil {
			return err
		}
		browser, err = s.rememberBrowser(ctx, tx, userID, in.Browser)
		return err
	})
	return userID, browser, tokenFault(err)
}

// checkReset finds whose link it is and refuses a password that is weak for that person. Code Invalid.
func (s *Service) checkReset(ctx context.Context, in ResetInput, now time.Time) error {
	userID, err := findMailedToken(ctx, s.db, forReset, in.Token, now)
	if err != nil {
		return tokenFault(err)
	}
	user, err := findReader(ctx, s.db, userID)
	if errors.Is(err, errNoUser) {
		return errToken()
	}
	if err != nil {
		return err
	}
	return s.checkStrength("password", in.Password, user.owner())
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

// ChangePassword sets a new password for the signed-in user, ends all other sessions, forgets all browsers but this one and uses up the links
// for a new password that were mailed. It returns the session's new token: see confirm. Codes: Invalid, RateLimited after too many wrong
// entries of the current one, Unauthenticated when the session has ended meanwhile.
func (s *Service) ChangePassword(
	ctx context.Context, user User, session Session, browser Token, in ChangeInput,
) (token Token, err error) {
	if err := s.checkChange(user, in); err != nil {
		return "", err
	}
	current, err := s.checkPassword(ctx, user, "currentPassword", in.Current)
	if err != nil {
		return "", err
	}
	hash, err := s.hasher.hash(ctx, in.New)
	if err != nil {
		return "", err
	}
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		changed, err := setPassword(ctx, tx, user.ID, current, hash, strong(in.New))
		if err != nil {
			return err
		}
		if !changed { // the owner has reset it while this was hashed
			return errIncorrect("currentPassword")
		}
		if err := s.afterNewPassword(ctx, tx, user.ID, &session.ID, browser); err != nil {
			return err
		}
		token, err = s.confirm(ctx, tx, session)
		return err
	})
	return token, err
}

// checkChange looks at what was entered before anything slow is done.
func (s *Service) checkChange(user User, in ChangeInput) error {
	if in.Current == "" {
		return fault.Field("currentPassword", "Password is required.")
	}
	if err := validateNewPassword("newPassword", in.New); err != nil {
		return err
	}
	return s.checkStrength("newPassword", in.New, user.owner())
}

// afterNewPassword ends all sessions and forgets all browsers but the ones named, uses up the links for a new password that were mailed
// before, and tells the owner. The user's row was written first: logins with the old password wait for it.
func (s *Service) afterNewPassword(
	ctx context.Context, tx *postgres.Tx, userID uuid.UUID, keepSession *uuid.UUID, keepBrowser Token,
) error {
	if err := s.endAll(ctx, tx, userID, keepSession); err != nil {
		return err
	}
	if err := deleteBrowsers(ctx, tx, userID, keepBrowser); err != nil {
		return err
	}
	if err := useUpMailedTokens(ctx, tx, userID, forReset, s.clock.Now()); err != nil {
		return err
	}
	return s.enqueueLetter(ctx, tx, userID, jobs.LetterPasswordChanged)
}

// validateNewPassword checks a password that takes the place of another, in fixed words (docs/rules.md#texts).
func validateNewPassword(field, password string) error {
	switch length := utf8.RuneCountInString(password); {
	case length < minPassword:
		return fault.Field(field, "Password must be at least 6 characters long.")
	case length > maxPassword:
		return fault.Field(field, "Password must be at most 200 characters")
	}
	return nil
}
