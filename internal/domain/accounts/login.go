package accounts

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/ratelimit"
)

// LoginInput is what the user enters to sign in and what the browser sends: its current session,
// which is ended, and its known-browser token; each "" if there is none.
type LoginInput struct {
	Username string
	Password string
	Previous Token
	Browser  Token
}

// SignedIn is a signed-in user with the tokens for the browser.
type SignedIn struct {
	User    User
	Session Token
	Browser Token      // its new known-browser token
	Named   *uuid.UUID // account of the entered username; nil if there is none
	// Challenge is the token with which a login that needs the second factor is finished; "" if
	// there is none to finish.
	Challenge Token
	Consent   Consent // of a sign-up
}

// Login opens a session. Any visitor may call it. Codes: Invalid if a field is empty, Locked after
// too many failures, InvalidCredentials, Forbidden if the account is disabled or suspended,
// Unavailable if too many passwords wait to be hashed, and SecondFactorRequired, with a Challenge,
// if the password is right and the second factor is on. An unknown username takes as long as a
// wrong password and is locked like a known one. On failure, Named is the account of the username,
// for the log; nil if there is none.
func (s *Service) Login(ctx context.Context, in LoginInput, client Client) (SignedIn, error) {
	username := normalUsername(in.Username)
	switch {
	case username == "":
		return SignedIn{}, fault.Field("username", "username_missing", "Username is required.")
	case in.Password == "":
		return SignedIn{}, fault.Field("password", "password_missing", "Password is required.")
	}
	found, err := findCredentials(ctx, s.db, username, in.Browser)
	known := !errors.Is(err, errNoUser)
	if err != nil && known {
		return SignedIn{}, err
	}
	var named *uuid.UUID
	if known {
		named = &found.ID
	}
	// Consumed before the hash is computed, so that concurrent guesses count too, and given back on
	// success or if nothing was compared.
	attempt := s.loginBuckets(username, found.KnowsBrowser, in.Browser, client)
	if decision := s.limiter.Allow(ctx, attempt...); !decision.Allowed {
		return SignedIn{Named: named}, locked(decision.RetryAfter)
	}
	if !known {
		found.PasswordHash = s.hasher.dummy
	}
	matches, err := s.hasher.matches(ctx, client.Network(), in.Password, found.PasswordHash)
	if err != nil {
		s.limiter.GiveBack(ctx, attempt...)
		return SignedIn{Named: named}, err
	}
	if !known || !matches {
		return SignedIn{Named: named}, errCredentials()
	}
	s.limiter.GiveBack(ctx, attempt...)
	if found.DisabledAt != nil {
		return SignedIn{Named: named}, found.errDisabled()
	}
	if found.SecondFactor {
		return s.challenge(ctx, found)
	}
	return s.signIn(ctx, found, in, client)
}

// errDisabled tells a user who has proved who they are why their account is disabled.
func (s suspension) errDisabled() error {
	switch {
	case s.SuspendedFor == nil:
		return fault.New(fault.Forbidden, "login_disabled", "This account has been disabled. Please contact support.")
	case s.SuspendedUntil == nil:
		return fault.Newf(fault.Forbidden, "login_banned", "Your account is suspended: {reason}", fault.Params{"reason": *s.SuspendedFor})
	}
	return fault.Newf(fault.Forbidden, "login_suspended", "Your account is suspended until {until}: {reason}",
		fault.Params{"until": clock.Moment(*s.SuspendedUntil), "reason": *s.SuspendedFor})
}

// errDisabled is suspension.errDisabled of a user whose suspension has not been read yet.
func errDisabled(ctx context.Context, q postgres.Querier, userID uuid.UUID) error {
	found, err := findSuspension(ctx, q, userID)
	if err != nil {
		return err
	}
	return found.errDisabled()
}

func errCredentials() error {
	return fault.New(fault.InvalidCredentials, "credentials_wrong", "Invalid credentials")
}

func locked(retryAfter time.Duration) error {
	return fault.Retry(fault.Locked, retryAfter, "login_locked", "Too many attempts. Login is locked for now. Please try again later.")
}

// signIn opens a session for a user who has entered the right password and needs nothing more.
func (s *Service) signIn(ctx context.Context, found credentials, in LoginInput, client Client) (SignedIn, error) {
	opened := SignedIn{Named: &found.ID}
	err := postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		// The password or the second factor may have been changed, or the account disabled, during
		// the comparison.
		current, err := lockPassword(ctx, tx, found)
		if err != nil {
			return err
		}
		if !current {
			return errCredentials()
		}
		opened, err = s.enter(ctx, tx, found.user(), entry{previous: in.Previous, browser: in.Browser, client: client})
		return err
	})
	return opened, err
}

// entry is how a user signs in.
type entry struct {
	previous Token // the browser's current session, which is ended
	browser  Token // its known-browser token
	client   Client
	factor   bool // the second factor was proved
}

// enter opens a session for a user who has proved to be the one. The caller has locked the user's
// row.
func (s *Service) enter(ctx context.Context, tx *postgres.Tx, user User, e entry) (opened SignedIn, err error) {
	opened = SignedIn{User: user, Named: &user.ID}
	if e.previous != "" {
		if _, err := s.endByToken(ctx, tx, e.previous); err != nil {
			return opened, err
		}
	}
	if opened.Browser, err = s.rememberBrowser(ctx, tx, user.ID, e.browser, false); err != nil {
		return opened, err
	}
	opened.Session, err = s.openSession(ctx, tx, user.ID, e.client, e.factor)
	return opened, err
}

// loginBuckets returns the buckets that a failed login counts against. All unknown browsers share
// one bucket per account, so an attacker can exhaust it; a browser in which the owner has signed in
// before has its own, and is not affected by other users behind the same address either.
func (s *Service) loginBuckets(username string, knowsBrowser bool, browser Token, client Client) []ratelimit.Bucket {
	account := strings.ToLower(username)
	if knowsBrowser {
		return []ratelimit.Bucket{ratelimit.Limit{Name: "login-browser", Rate: s.limits.LoginBrowser}.For(account + " " + string(browser))}
	}
	return []ratelimit.Bucket{
		ratelimit.Limit{Name: "login-address", Rate: s.limits.LoginAddress}.For(client.Network()),
		ratelimit.Limit{Name: "login-account", Rate: s.limits.LoginAccount}.For(account),
	}
}

// tooMany returns the rate limit error of everything but logins.
func tooMany(retryAfter time.Duration) error {
	return fault.Retry(fault.RateLimited, retryAfter, "too_many_attempts", "Too many attempts. Please try again later.")
}

func errIncorrect(field string) error {
	return fault.Field(field, "password_wrong", "Incorrect password.")
}

// checkPassword compares the password with that of a signed-in user and returns the user's password
// hash. Codes: RateLimited after too many failures, Invalid on the field, and Unavailable as for
// Login.
func (s *Service) checkPassword(ctx context.Context, user User, field, password string) (hash string, err error) {
	found, err := findCredentials(ctx, s.db, user.Username, "")
	if err != nil {
		return "", err
	}
	attempt := ratelimit.Limit{Name: "password", Rate: s.limits.Password}.For(user.ID.String())
	if decision := s.limiter.Allow(ctx, attempt); !decision.Allowed {
		return "", tooMany(decision.RetryAfter)
	}
	matches, err := s.hasher.matches(ctx, user.ID.String(), password, found.PasswordHash)
	if err != nil {
		s.limiter.GiveBack(ctx, attempt)
		return "", err
	}
	if !matches {
		return "", errIncorrect(field)
	}
	s.limiter.GiveBack(ctx, attempt)
	return found.PasswordHash, nil
}
