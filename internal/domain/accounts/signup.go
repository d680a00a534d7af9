package accounts

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/ratelimit"
)

// SignupInput is what a new user enters.
type SignupInput struct {
	Username   string
	Email      string
	Password   string
	ReferredBy string // referral code of another user, or ""; an unknown code is ignored
	Language   string // "en" or "bn"; "" means English
	Terms      string // the version that the user accepts; the current one if "" or unknown
	Browser    Token  // known-browser token, "" if there is none
}

// Signup creates an account, records that its user accepts the terms, signs it in, notifies the
// referrer and emails a verification link. Any visitor may call it. Codes: Invalid with the first
// rule that fails, Duplicate for a username or email address that is taken, ignoring case, and for
// a username that looks like a taken one, RateLimited for too many accounts from one address. If
// the mailbox or its domain is over its email limit, the account is created without an email: other
// people may have caused those emails, and the user can request the link later. Code Unavailable,
// which does not count against the address, if too many passwords wait to be hashed.
func (s *Service) Signup(ctx context.Context, in SignupInput, client Client) (SignedIn, error) {
	in = in.normalized()
	if err := in.validate(); err != nil {
		return SignedIn{}, err
	}
	if err := s.checkSignup(in); err != nil {
		return SignedIn{}, err
	}
	address := ratelimit.Limit{Name: "signup", Rate: s.limits.SignupAddress}.For(client.Network())
	if err := s.take(ctx, address); err != nil {
		return SignedIn{}, err
	}
	buckets := s.verificationBuckets(in.Email)
	mayMail := s.limiter.Allow(ctx, buckets...).Allowed
	var opened SignedIn
	user, err := s.create(ctx, client.Network(), in, func(tx *postgres.Tx, user User, referrer *uuid.UUID) error {
		opened.Consent = Consent{acceptedTerms(in.Terms), user.CreatedAt}
		err := insertConsent(ctx, tx, user.ID, opened.Consent, client)
		if err != nil {
			return err
		}
		if opened.Browser, err = s.rememberBrowser(ctx, tx, user.ID, in.Browser, true); err != nil {
			return err
		}
		if opened.Session, err = s.openSession(ctx, tx, user.ID, client, false); err != nil {
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
		return s.enqueueMail(ctx, tx, user.ID, catalog.MailVerify)
	})
	// No email is sent, so its limits are given back; the limit on sign-ups keeps counting attempts
	// to probe usernames and addresses, which a refusal to hash tells nothing about.
	if err != nil && mayMail {
		s.limiter.GiveBack(ctx, buckets...)
	}
	if fault.CodeOf(err) == fault.Unavailable {
		s.limiter.GiveBack(ctx, address)
	}
	opened.User = user
	return opened, err
}

// Create creates an account without signing it in or sending email. It is for operators and seeds,
// so it accepts reserved usernames. Codes: Invalid and Duplicate as for Signup.
func (s *Service) Create(ctx context.Context, in SignupInput) (User, error) {
	in = in.normalized()
	if err := in.validate(); err != nil {
		return User{}, err
	}
	if err := s.checkStrength("password", in.Password, in.owner()); err != nil {
		return User{}, err
	}
	return s.create(ctx, "", in, func(*postgres.Tx, User, *uuid.UUID) error { return nil })
}

func (in SignupInput) owner() owner { return owner{username: in.Username, email: in.Email} }

// checkSignup refuses, after validate, reserved usernames and weak passwords. Code Invalid.
func (s *Service) checkSignup(in SignupInput) error {
	if isReserved(in.Username) {
		return fault.Field("username", "username_reserved", "This username cannot be used. Please choose another.")
	}
	return s.checkStrength("password", in.Password, in.owner())
}

func (in SignupInput) normalized() SignupInput {
	in.Username = normalUsername(in.Username)
	in.Email = mailer.NormalAddress(in.Email)
	in.ReferredBy = strings.ToUpper(strings.TrimSpace(in.ReferredBy))
	in.Language = cmp.Or(in.Language, catalog.English)
	return in
}

// create inserts the user, for whom client waits, and runs then in the same transaction with the ID
// of the referrer, nil if there is none.
func (s *Service) create(
	ctx context.Context, client string, in SignupInput, then func(tx *postgres.Tx, user User, referrer *uuid.UUID) error,
) (User, error) {
	// Hash first: it is slow, and no connection is held meanwhile.
	hash, err := s.hasher.hash(ctx, client, in.Password)
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
			// The unique index on addresses knows nothing of those that former owners may take
			// back.
			taken, err := emailTaken(ctx, tx, user.Email, user.ID, user.CreatedAt)
			if err != nil {
				return err
			}
			if taken {
				return errEmailTaken()
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

// Referral codes are read aloud and typed: eight characters from an alphabet of 32 without
// lookalikes.
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

// VerifyEmail marks the email address of the token's user as verified and returns the user's ID.
// Anyone with the link may call it, once. Code Invalid.
func (s *Service) VerifyEmail(ctx context.Context, token Token) (userID uuid.UUID, err error) {
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		if userID, err = useMailedToken(ctx, tx, forVerify, token, s.clock.Now()); err != nil {
			return err
		}
		return setVerified.Run(ctx, tx, postgres.Args{"id": userID})
	})
	return userID, tokenFault(err)
}

// ResendVerification emails another verification link to the signed-in user. Codes: Conflict if the
// address is already verified, RateLimited after too many emails to its mailbox or domain.
func (s *Service) ResendVerification(ctx context.Context, user User) error {
	if user.IsVerified {
		return fault.New(fault.Conflict, "email_already_verified", "Your email is already verified.")
	}
	if err := s.take(ctx, s.verificationBuckets(user.Email)...); err != nil {
		return err
	}
	return postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		return s.enqueueMail(ctx, tx, user.ID, catalog.MailVerify)
	})
}

// RemoveExpiredTokens deletes the expired tokens of all users and returns how many.
func (c *Cleaner) RemoveExpiredTokens(ctx context.Context) (int64, error) {
	return deleteExpiredTokens.InBatches(ctx, c.DB, postgres.Args{"now": c.Clock.Now()}, deleteBatch)
}

// TermsVersions returns the versions of the terms and the privacy policy, oldest first: the dates
// since when each applies, as the pages show them. Whoever accepts one also says that they are 18
// or older (docs/rules.md#consent).
func TermsVersions() []string { return []string{"2026-11-01"} }

// CurrentTerms returns the version that people accept now.
func CurrentTerms() string { return TermsVersions()[len(TermsVersions())-1] }

// acceptedTerms returns the version that a sign-up accepts: the one it names, or the current one
// if it names none that is known.
func acceptedTerms(version string) string {
	if slices.Contains(TermsVersions(), version) {
		return version
	}
	return CurrentTerms()
}

// Consent is the latest version of the terms that a user accepted.
type Consent struct {
	Version    string
	AcceptedAt time.Time
}

// OutcomeTermsAccepted is the outcome of AcceptTerms.
var OutcomeTermsAccepted = catalog.Outcome{Code: "terms_accepted", Message: "Thank you."}

// AcceptTerms records that the user accepts the current terms. Accepting them again changes
// nothing. Code Conflict for any other version: the user has read terms that no longer apply.
func (s *Service) AcceptTerms(ctx context.Context, userID uuid.UUID, version string, client Client) error {
	if version != CurrentTerms() {
		return fault.New(fault.Conflict, "terms_outdated", "The terms have changed. Please reload the page.")
	}
	return insertConsent(ctx, s.db, userID, Consent{version, s.clock.Now()}, client)
}
