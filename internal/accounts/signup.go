package accounts

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"strings"

	"github.com/google/uuid"

	"amanat/internal/fault"
	"amanat/internal/postgres"
	"amanat/internal/texts"
	"amanat/queue/jobs"
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
// it. Codes: Invalid with SPEC §5's texts, Duplicate for a username or an e-mail address that is taken in any case of letters.
func (s *Service) Signup(ctx context.Context, in SignupInput, client Client) (SignedIn, error) {
	in = in.normalized()
	if err := in.validate(); err != nil {
		return SignedIn{}, err
	}
	if isReserved(in.Username) {
		return SignedIn{}, fault.Field("username", "This username cannot be used. Please choose another.")
	}
	var opened SignedIn
	user, err := s.create(ctx, in, func(tx *postgres.Tx, user User, referrer uuid.UUID) error {
		var err error
		if opened.Browser, err = s.rememberBrowser(ctx, tx, user.ID, in.Browser); err != nil {
			return err
		}
		if opened.Session, err = s.openSession(ctx, tx, user.ID, client); err != nil {
			return err
		}
		if referrer != uuid.Nil {
			err := s.notices.Notify(ctx, tx, referrer, texts.FriendJoined, texts.Params{"username": user.Username}, "/refer")
			if err != nil {
				return err
			}
		}
		return s.enqueueLetter(ctx, tx, user.ID, jobs.LetterVerifyEmail)
	})
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
	return s.create(ctx, in, func(*postgres.Tx, User, uuid.UUID) error { return nil })
}

func (in SignupInput) normalized() SignupInput {
	in.Username = normalUsername(in.Username)
	in.Email = strings.TrimSpace(in.Email)
	in.ReferredBy = strings.ToUpper(strings.TrimSpace(in.ReferredBy))
	in.Language = cmp.Or(in.Language, texts.English)
	return in
}

// create inserts the user and runs then in the same transaction, which is told who has brought the user, uuid.Nil when it was nobody.
func (s *Service) create(
	ctx context.Context, in SignupInput, then func(tx *postgres.Tx, user User, referrer uuid.UUID) error,
) (User, error) {
	// The slow hash comes first: no connection waits for it.
	hash, err := s.hasher.hash(ctx, in.Password)
	if err != nil {
		return User{}, err
	}
	user := User{
		ID:          uuid.Must(uuid.NewV7()),
		Username:    in.Username,
		Email:       in.Email,
		Language:    in.Language,
		MailNotices: true,
		CreatedAt:   s.clock.Now(),
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
