package accounts

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"strings"

	"github.com/google/uuid"

	"amanat/internal/platform/catalog"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
	"amanat/internal/platform/ratelimit"
	"amanat/internal/queue/jobs"
)

// SignupInput is what a new person enters.
type SignupInput struct {
	Username   string
	Email      string
	Password   string
	ReferredBy string // another person's referral code, "" when none; an unknown one is ignored
	Language   string // "en" or "bn"; "" means English
	Browser    Token  // what the browser is known by, "" when nothing
}

// Signup opens an account, signs it in, tells who has brought the person and has a link mailed that verifies the address. Anybody may call
// it. Codes: Invalid with the first rule that fails, Duplicate for a username or an e-mail address that is taken in any case of letters and for a username
// that looks like one that is taken, RateLimited for too many accounts from one address. When the mailbox or its domain has had too many letters
// there is an account but no letter: strangers may have asked for those, and the link can be asked for later.
func (s *Service) Signup(ctx context.Context, in SignupInput, client Client) (SignedIn, error) {
	in = in.normalized()
	if err := in.validate(); err != nil {
		return SignedIn{}, err
	}
	if err := s.checkSignup(in); err != nil {
		return SignedIn{}, err
	}
	if err := s.take(ctx, ratelimit.Limit{Name: "signup", Rate: s.limits.SignupAddress}.For(client.Network())); err != nil {
		return SignedIn{}, err
	}
	letter := s.verificationBuckets(in.Email)
	mayMail := s.limiter.Allow(ctx, letter...).Allowed
	var opened SignedIn
	user, err := s.create(ctx, in, func(tx *postgres.Tx, user User, referrer *uuid.UUID) error {
		var err error
		if opened.Browser, err = s.rememberBrowser(ctx, tx, user.ID, in.Browser); err != nil {
			return err
		}
		if opened.Session, err = s.openSession(ctx, tx, user.ID, client); err != nil {
			return err
		}
		if referrer != nil {
			err := s.notices.Notify(ctx, tx, *referrer, catalog.FriendJoined, catalog.Params{"username": user.Username}, "/refer")
			if err != nil {
				return err
			}
		}
		if !mayMail {
			return nil
		}
		return s.enqueueLetter(ctx, tx, user.ID, jobs.LetterVerifyEmail)
	})
	if err != nil && mayMail { // there is no letter, but whoever tries names and addresses goes on counting
		s.limiter.GiveBack(ctx, letter...)
	}
	opened.User = user
	return opened, err
}

// Create opens an account without signing it in or mailing it. It is for operators and seeds, so it may take a reserved name. Codes as for
// Signup.
func (s *Service) Create(ctx context.Context, in SignupInput) (User, error) {
	in = in.normalized()
	if err := in.validate(); err != nil {
		return User{}, err
	}
	if err := s.checkStrength("password", in.Password, in.owner()); err != nil {
		return User{}, err
	}
	return s.create(ctx, in, func(*postgres.Tx, User, *uuid.UUID) error { return nil })
}

func (in SignupInput) owner() owner { return owner{username: in.Username, email: in.Email} }

// checkSignup refuses, after validate, what a stranger may not choose: a name that is the provider's and a password that is guessed
// first. Code Invalid.
func (s *Service) checkSignup(in SignupInput) error {
	if isReserved(in.Username) {
		return fault.Field("username", "This username cannot be used. Please choose another.")
	}
	return s.checkStrength("password", in.Password, in.owner())
}

func (in SignupInput) normalized() SignupInput {
	in.Username = normalUsername(in.Username)
	in.Email = strings.TrimSpace(in.Email)
	in.ReferredBy = strings.ToUpper(strings.TrimSpace(in.ReferredBy))
	in.Language = cmp.Or(in.Language, catalog.English)
	return in
}

// create inserts the user and runs then in the same transaction, which is told who has brought the user, nil when it was nobody.
func (s *Service) create(
	ctx context.Context, in SignupInput, then func(tx *postgres.Tx, user User, referrer *uuid.UUID) error,
) (User, error) {
	// The slow hash comes first: no connection waits for it.
	hash, err := s.hasher.hash(ctx, in.Password)
	if err != nil {
		return User{}, err
	}
	user := User{
		ID:             uuid.Must(uuid.NewV7()),
		Username:       in.Username,
		Email:          in.Email,
		Language:       in.Language,
		MailNotices:    true,
		CreatedAt:      s.clock.Now(),
		PasswordStrong: strong(in.Password),
	}
	for range codeAttempts {
		user.ReferralCode = newReferralCode()
		err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
			referrer, err := insertUser(ctx, tx, user, hash, in.ReferredBy)
			if err != nil {
				return err
			}
			return then(tx, user, referrer)
		})
		if !errors.Is(err, errCodeTaken) {
			break
		}
	}
	if err != nil {
		return User{}, err
	}
	return user, nil
}

// Referral codes are read aloud and typed: 8 of 32 signs of which none looks like another.
const (
	codeAlphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
	codeLength   = 8
	codeAttempts = 5
)

func newReferralCode() string {
	code := make([]byte, codeLength)
	_, _ = rand.Read(code) // never fails
	for i, b := range code {
		code[i] = codeAlphabet[int(b)%len(codeAlphabet)]
	}
	return string(code)
}
