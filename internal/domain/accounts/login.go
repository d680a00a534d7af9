package accounts

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/passkey"
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
	found, err := findSuspension.One(ctx, q, postgres.Args{"user": userID})
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

// ChallengeLife is how long a login waits for the second factor.
const ChallengeLife = 10 * time.Minute

// maxAttempts is how many wrong codes void a login.
const maxAttempts = 5

// SecondStep is what a browser sends to finish a login: the token of the challenge, the proof, and
// as in LoginInput its current session and its known-browser token.
type SecondStep struct {
	Challenge Token
	Proof     Proof
	Previous  Token
	Browser   Token
}

func errLoginExpired() error {
	return fault.New(fault.LoginExpired, "login_expired", "Please log in again.")
}

// challenge makes the login of a user who has entered the right password wait for the second
// factor. It returns the token of the challenge with the error that asks for it.
func (s *Service) challenge(ctx context.Context, found credentials) (SignedIn, error) {
	opened := SignedIn{Named: &found.ID, Challenge: newToken()}
	err := postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		// The password may have been changed during the comparison. A change deletes the challenges
		// that wait.
		current, err := lockPassword(ctx, tx, found)
		if err != nil {
			return err
		}
		if !current {
			return errCredentials()
		}
		now := s.sessionClock.Now()
		return insertChallenge(ctx, tx, challengeRow{UserID: &found.ID, TokenHash: opened.Challenge.hash(), Now: now})
	})
	if err != nil {
		return SignedIn{Named: &found.ID}, err
	}
	return opened, s.errFactorNeeded(ctx, found.ID)
}

// LoginWithCode finishes a login with a code of the user's app or a backup code. Any visitor with
// the token of the challenge may call it. Codes: Invalid if the code is wrong or used, RateLimited
// after too many wrong codes for the account, LoginExpired if the challenge is void, Forbidden if
// the account is disabled. On failure, Named is the account of the challenge, for the log.
func (s *Service) LoginWithCode(ctx context.Context, in SecondStep, client Client) (SignedIn, error) {
	user, err := s.challenged(ctx, in.Challenge)
	if err != nil {
		return SignedIn{}, err
	}
	failed := SignedIn{Named: &user.ID}
	if in.Proof.empty() {
		return failed, errCodeMissing()
	}
	// Counted before the comparison, so that concurrent guesses count too.
	counted, err := countAttempt(ctx, s.db, in.Challenge, s.sessionClock.Now())
	switch {
	case err != nil:
		return failed, err
	case !counted:
		return failed, errLoginExpired()
	}
	var opened SignedIn
	err = s.withCode(ctx, user.ID, in.Proof.Code, func(ctx context.Context, tx *postgres.Tx, user User) error {
		opened, err = s.finish(ctx, tx, user, in, client)
		return err
	})
	if err != nil {
		return failed, err
	}
	return opened, nil
}

// challenged returns the user whose login waits. Codes: LoginExpired, Forbidden if the account is
// disabled.
func (s *Service) challenged(ctx context.Context, challenge Token) (User, error) {
	userID, err := findChallenge(ctx, s.db, challenge, s.sessionClock.Now())
	if errors.Is(err, errNoChallenge) {
		return User{}, errLoginExpired()
	}
	if err != nil {
		return User{}, err
	}
	user, err := findReader(ctx, s.db, userID)
	if errors.Is(err, errNoUser) {
		return User{}, errDisabled(ctx, s.db, userID)
	}
	return user, err
}

// BeginPasskeyStep returns the options with which a login that waits for the second factor is
// finished by a passkey. Any visitor with the token of the challenge may call it. Codes:
// LoginExpired, Forbidden, Conflict if the user has no passkey.
func (s *Service) BeginPasskeyStep(ctx context.Context, challenge Token) (options []byte, err error) {
	user, err := s.challenged(ctx, challenge)
	if err != nil {
		return nil, err
	}
	start, err := s.beginUse(ctx, user)
	if err != nil {
		return nil, err
	}
	return start.Options, setChallengeCeremony(ctx, s.db, challenge, start.Ceremony)
}

// LoginWithPasskey finishes a login with one of the user's passkeys. Any visitor with the token of
// the challenge may call it. Codes: Invalid if the answer is wrong, LoginExpired if the challenge
// is void, Forbidden if the account is disabled or the passkey is copied. On failure, Named is the
// account of the challenge, for the log.
func (s *Service) LoginWithPasskey(ctx context.Context, in SecondStep, client Client) (SignedIn, error) {
	user, err := s.challenged(ctx, in.Challenge)
	if err != nil {
		return SignedIn{}, err
	}
	failed := SignedIn{Named: &user.ID}
	ceremony, found, err := takeChallengeCeremony(ctx, s.db, in.Challenge)
	switch {
	case err != nil:
		return failed, err
	case !found: // the browser has not asked for options, or has answered them before
		return failed, errPasskeyWrong()
	}
	var opened SignedIn
	err = s.withPasskey(ctx, user, ceremony, in.Proof.Credential, func(ctx context.Context, tx *postgres.Tx, user User) error {
		opened, err = s.finish(ctx, tx, user, in, client)
		return err
	})
	if err != nil {
		return failed, err
	}
	return opened, nil
}

// finish uses up the challenge of a login and opens the session.
func (s *Service) finish(ctx context.Context, tx *postgres.Tx, user User, in SecondStep, client Client) (SignedIn, error) {
	waiting, err := deleteChallenge(ctx, tx, in.Challenge)
	if err != nil {
		return SignedIn{}, err
	}
	if !waiting {
		return SignedIn{}, errLoginExpired()
	}
	return s.enter(ctx, tx, user, entry{previous: in.Previous, browser: in.Browser, client: client, factor: true})
}

// BeginPasskeyLogin returns the options with which a visitor signs in by a passkey alone, and the
// token of the challenge. Code Conflict if the site cannot have passkeys.
func (s *Service) BeginPasskeyLogin(ctx context.Context) (options []byte, challenge Token, err error) {
	if s.passkeys == nil {
		return nil, "", errPasskeysUnavailable()
	}
	start, err := s.passkeys.BeginDiscovery()
	if err != nil {
		return nil, "", err
	}
	challenge = newToken()
	row := challengeRow{TokenHash: challenge.hash(), Ceremony: start.Ceremony, Now: s.sessionClock.Now()}
	return start.Options, challenge, insertChallenge(ctx, s.db, row)
}

// PasskeyLogin signs a visitor in by a passkey alone. The device has verified its owner, so the
// session counts as confirmed by password and second factor. Codes: InvalidCredentials if the
// passkey is unknown or its answer wrong, LoginExpired if the challenge is void, Forbidden if the
// account is disabled or the passkey is copied. On failure, Named is the account of the passkey,
// for the log; nil if it is unknown.
func (s *Service) PasskeyLogin(ctx context.Context, in SecondStep, client Client) (SignedIn, error) {
	if s.passkeys == nil {
		return SignedIn{}, errLoginExpired()
	}
	ceremony, found, err := takeDiscovery(ctx, s.db, in.Challenge, s.sessionClock.Now())
	switch {
	case err != nil:
		return SignedIn{}, err
	case !found:
		return SignedIn{}, errLoginExpired()
	}
	var owner User
	var named *uuid.UUID
	used, err := s.passkeys.FinishDiscovery(ceremony, in.Proof.Credential, func(keyID []byte) (passkey.Owner, error) {
		if owner, err = findPasskeyOwner(ctx, s.db, keyID); err != nil {
			return passkey.Owner{}, err
		}
		named = &owner.ID
		return s.passkeyOwner(ctx, owner)
	})
	failed := SignedIn{Named: named}
	switch {
	case errors.Is(err, errNoUser), errors.Is(err, passkey.ErrRefused):
		return failed, errPasskeyUnknown()
	case err != nil:
		return failed, passkeyFault(err)
	}
	var opened SignedIn
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		user, err := lockUser(ctx, tx, owner.ID, forReading)
		if errors.Is(err, errNoUser) {
			return errDisabled(ctx, tx, owner.ID)
		}
		if err != nil {
			return err
		}
		if err := s.recordUse(ctx, tx, user.ID, used); err != nil {
			return err
		}
		opened, err = s.enter(ctx, tx, user, entry{previous: in.Previous, browser: in.Browser, client: client, factor: true})
		return err
	})
	if err != nil {
		return failed, err
	}
	return opened, nil
}

// RemoveExpiredChallenges deletes the logins and the ceremonies of passkeys that nobody has
// finished in time, and returns how many.
func (c *Cleaner) RemoveExpiredChallenges(ctx context.Context) (int64, error) {
	now := c.SessionClock.Now()
	challenges, err := deleteExpiredChallenges.InBatches(ctx, c.DB, postgres.Args{"now": now}, deleteBatch)
	if err != nil {
		return challenges, err
	}
	ceremonies, err := deleteExpiredCeremonies.InBatches(ctx, c.DB, postgres.Args{"now": now}, deleteBatch)
	return challenges + ceremonies, err
}
