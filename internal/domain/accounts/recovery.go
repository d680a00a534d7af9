package accounts

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/ratelimit"
	"amanat/queue/jobs"
)

// purpose is what a mailed link or code may be used for.
type purpose string

const (
	forReset   purpose = "reset_password"
	forVerify  purpose = "verify_email"
	forConfirm purpose = "confirm_withdrawal"
	forStop    purpose = "stop_withdrawal"

	forEmailConfirm purpose = "change_email"
	forEmailUndo    purpose = "undo_email"

	forAppeal purpose = "appeal"

	forOwner  purpose = "confirm_owner" // a code, not a link
	forFactor purpose = "remove_factor"
)

// appealTime is how long a decision of moderation can be appealed against.
const appealTime = 14 * 24 * time.Hour

// linkTime is how long most links work.
const linkTime = 24 * time.Hour

// life is how long a link works after it was mailed. A reset link outlives the interval after which
// the next may be requested, so an attacker who exhausts the limit of an address still leaves its
// owner a working link.
func (p purpose) life() time.Duration {
	switch p {
	case forVerify, forConfirm, forEmailConfirm:
		return linkTime
	case forStop, forFactor:
		return 7 * 24 * time.Hour
	case forEmailUndo: // mailed when the change is asked for
		return linkTime + undoTime
	case forAppeal:
		return appealTime
	case forOwner:
		return 15 * time.Minute
	case forReset:
	}
	return 30 * time.Minute
}

func errToken() error { return fault.Field("token", "token_invalid", "Invalid or missing token") }

// RequestReset emails a reset link to the owner of an email address and returns the user for the
// log. Any visitor may call it. Calls for a known address count by mailbox and client network;
// calls for an unknown address count by client network only, under a wider limit of their own.
// Codes: Invalid if the address is empty, NotFound if no account has it, RateLimited.
func (s *Service) RequestReset(ctx context.Context, email string, client Client) (User, error) {
	email = mailer.NormalAddress(email)
	if email == "" {
		return User{}, fault.Field("email", "email_missing", "Email is required.")
	}
	user, err := findByEmail(ctx, s.db, email)
	if errors.Is(err, errNoUser) {
		if err := s.take(ctx, ratelimit.Limit{Name: "forgot-unknown", Rate: s.limits.ResetUnknown}.For(client.Network())); err != nil {
			return User{}, err
		}
		return User{}, fault.New(fault.NotFound, "email_unknown", "No account has this email address.")
	}
	if err != nil {
		return User{}, err
	}
	address := ratelimit.Limit{Name: "forgot-address", Rate: s.limits.ResetAddress}.For(client.Network())
	if err := s.take(ctx, s.resetBucket(user.Email), address); err != nil {
		return User{}, err
	}
	return user, postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		return s.enqueueMail(ctx, tx, user.ID, jobs.LetterResetPassword)
	})
}

// ResetInput is a new password with the token of the link and the browser's known-browser token, ""
// if it has none.
type ResetInput struct {
	Password string
	Token    Token
	Browser  Token
}

// ResetPassword sets a new password, ends all sessions and forgets all browsers except the one
// where it was set, whose new token it returns, so that failed guesses from elsewhere do not lock
// the owner out. It lifts the owner's own stop of withdrawals. Anyone with the link may call it,
// once. Code Invalid.
func (s *Service) ResetPassword(ctx context.Context, in ResetInput) (userID uuid.UUID, browser Token, err error) {
	if err := validateNewPassword("password", in.Password); err != nil {
		return uuid.UUID{}, "", err
	}
	now := s.clock.Now()
	if err := s.checkReset(ctx, in, now); err != nil {
		return uuid.UUID{}, "", err
	}
	hash, err := s.hasher.hash(ctx, string(in.Token), in.Password) // slow, so only after the token is checked
	if err != nil {
		return uuid.UUID{}, "", err
	}
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		// Lock order is the user's row, then the links, as in ChangePassword. If the link has been
		// used meanwhile, the transaction is rolled back.
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
		browser, err = s.rememberBrowser(ctx, tx, userID, in.Browser, false)
		return err
	})
	return userID, browser, tokenFault(err)
}

// checkReset finds the user of the link and checks the strength of the password for that user. Code
// Invalid.
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

// tokenFault turns errNoToken into the error for a token that is unknown, used or expired.
func tokenFault(err error) error {
	if errors.Is(err, errNoToken) {
		return errToken()
	}
	return err
}

// ChangeInput is a signed-in user's current and new password.
type ChangeInput struct {
	Current string
	New     string
}

// ChangePassword sets a new password for the signed-in user, ends all other sessions, forgets all
// other browsers and invalidates outstanding reset links. It returns the session's new token: see
// confirm. Codes: Invalid, RateLimited after too many wrong entries of the current password,
// Unauthenticated if the session has ended meanwhile.
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
	hash, err := s.hasher.hash(ctx, user.ID.String(), in.New)
	if err != nil {
		return "", err
	}
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		changed, err := setPassword(ctx, tx, user.ID, current, hash, strong(in.New))
		if err != nil {
			return err
		}
		if !changed { // reset while this call was hashing
			return errIncorrect("currentPassword")
		}
		if err := s.afterNewPassword(ctx, tx, user.ID, &session.ID, browser); err != nil {
			return err
		}
		token, err = s.confirm(ctx, tx, session, proved{password: true})
		return err
	})
	return token, err
}

// checkChange validates the input before the slow steps.
func (s *Service) checkChange(user User, in ChangeInput) error {
	if in.Current == "" {
		return fault.Field("currentPassword", "password_missing", "Password is required.")
	}
	if err := validateNewPassword("newPassword", in.New); err != nil {
		return err
	}
	return s.checkStrength("newPassword", in.New, user.owner())
}

// afterNewPassword ends all sessions and forgets all browsers except those given, invalidates
// outstanding reset links and emails the user. The user's row is written first, so concurrent
// logins with the old password wait for it.
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
	// Logins with the old password that wait for the second factor.
	if err := deleteChallengesOf(ctx, tx, userID); err != nil {
		return err
	}
	return s.enqueueMail(ctx, tx, userID, jobs.LetterPasswordChanged)
}

// validateNewPassword checks a replacement password, with fixed texts (docs/rules.md#texts).
func validateNewPassword(field, password string) error {
	switch length := utf8.RuneCountInString(password); {
	case length < minPassword:
		return fault.Field(field, "new_password_too_short", "Password must be at least 6 characters long.")
	case length > maxPassword:
		return fault.Field(field, "password_too_long", "Password must be at most 200 characters")
	}
	return nil
}
