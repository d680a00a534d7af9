package accounts

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/totp"
	"amanat/queue/jobs"
)

// Backup codes: ten characters of Crockford's base32, which has no letters that look like digits.
const (
	backupCodes    = 10
	backupLength   = 10
	backupGroup    = 5
	backupAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
)

// Reasons of a wrong code, which count against the limit.
const (
	reasonCodeWrong      = "code_wrong"
	reasonCodeUsed       = "code_used"
	reasonBackupCodeUsed = "backup_code_used"
)

func errCodeWrong() error { return fault.Field("code", "code_wrong", "This code is not right.") }

// isWrongCode reports whether err says that a code was compared and did not fit.
func isWrongCode(err error) bool {
	f := fault.As(err)
	return f != nil && (f.Reason == reasonCodeWrong || f.Reason == reasonCodeUsed || f.Reason == reasonBackupCodeUsed)
}

// lookalikes are the letters that people type for the digits of Crockford's base32.
var lookalikes = strings.NewReplacer("O", "0", "I", "1", "L", "1")

// bengaliZero is the first of ten consecutive digits.
const bengaliZero = '০'

// normalCode returns a code as it is compared: without spaces and dashes, in upper case, with ASCII
// digits.
func normalCode(code string) string {
	return lookalikes.Replace(strings.ToUpper(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.Is(unicode.Pd, r):
			return -1
		case r >= bengaliZero && r < bengaliZero+10:
			return '0' + r - bengaliZero
		}
		return r
	}, code)))
}

// useCode uses up a normalised code of the app or a backup code. Code Invalid.
func (s *Service) useCode(ctx context.Context, tx *postgres.Tx, user User, code string) error {
	switch len(code) {
	case totp.Digits:
		return s.useTOTP(ctx, tx, user.ID, code)
	case backupLength:
		return s.useBackupCode(ctx, tx, user, code)
	}
	return errCodeWrong()
}

func (s *Service) useTOTP(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, code string) error {
	secret, found, err := postgres.Optional(findSecret(ctx, tx, userID))
	if err != nil {
		return err
	}
	step, matches := totp.Secret(secret.Secret).Match(code, s.sessionClock.Now())
	if !found || !secret.Confirmed || !matches {
		return errCodeWrong()
	}
	// Of two logins with one code, one waits for the other here and finds the step used.
	fresh, err := useStep(ctx, tx, userID, step)
	if err == nil && !fresh {
		return fault.Field("code", "code_used", "This code has been used. Wait for the next one.")
	}
	return err
}

func (s *Service) useBackupCode(ctx context.Context, tx *postgres.Tx, user User, code string) error {
	hash := backupHash(user.ID, code)
	used, err := useBackupCode(ctx, tx, user.ID, hash, s.sessionClock.Now())
	if err != nil {
		return err
	}
	if !used {
		known, err := backupCodeExists(ctx, tx, user.ID, hash)
		if err != nil {
			return err
		}
		if known {
			return fault.Field("code", "backup_code_used", "This backup code has been used. Please take another one.")
		}
		return errCodeWrong()
	}
	left, err := countBackupCodes(ctx, tx, user.ID)
	if err != nil {
		return err
	}
	return s.announce(ctx, tx, user.ID, jobs.LetterBackupCodeUsed, catalog.BackupCodeUsed, catalog.Params{"count": strconv.Itoa(left)})
}

// backupHash returns the hash of a normalised backup code. A code has 50 random bits and nobody can
// try one without the limit, so no slow hash is needed.
func backupHash(userID uuid.UUID, code string) []byte {
	sum := sha256.Sum256(append(userID[:], code...))
	return sum[:]
}

// replaceCodes makes new backup codes in place of all former ones and returns them as shown.
func (s *Service) replaceCodes(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) ([]string, error) {
	shown, hashes := make([]string, backupCodes), make([][]byte, backupCodes)
	for i := range shown {
		code := newBackupCode()
		shown[i] = code[:backupGroup] + "-" + code[backupGroup:]
		hashes[i] = backupHash(userID, code)
	}
	if err := deleteBackupCodes(ctx, tx, userID); err != nil {
		return nil, err
	}
	return shown, insertBackupCodes(ctx, tx, userID, hashes, s.sessionClock.Now())
}

func newBackupCode() string {
	code := make([]byte, backupLength)
	_, _ = rand.Read(code) // never fails
	for i, b := range code {
		code[i] = backupAlphabet[int(b)%len(backupAlphabet)] // 32 divides 256: no bias
	}
	return string(code)
}

// RenewBackupCodes makes ten new backup codes and invalidates the former ones. The caller has
// checked that the session was confirmed lately. Codes: Conflict if the second factor is off,
// Unauthenticated if the user is disabled.
func (s *Service) RenewBackupCodes(ctx context.Context, user User) (codes []string, err error) {
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		current, err := s.lockShared(ctx, tx, user.ID)
		if err != nil {
			return err
		}
		if !current.SecondFactor {
			return errFactorOff()
		}
		if codes, err = s.replaceCodes(ctx, tx, user.ID); err != nil {
			return err
		}
		if err := setFactorAdded(ctx, tx, user.ID, s.clock.Now()); err != nil {
			return err
		}
		return s.announce(ctx, tx, user.ID, jobs.LetterBackupCodesNew, catalog.BackupCodesNew, nil)
	})
	return codes, err
}

// issuer is the name of the account in an authenticator app, before the username.
const issuer = "Amanat"

// NewTOTP is a secret for an authenticator app that is not confirmed yet.
type NewTOTP struct {
	Secret string
	URI    string
}

// BeginTOTP makes a secret for the user's authenticator app, in place of a former unconfirmed one.
// The caller has checked that the session was confirmed lately. Code Conflict if the user has an
// app already.
func (s *Service) BeginTOTP(ctx context.Context, user User) (NewTOTP, error) {
	secret := totp.NewSecret()
	stored, err := insertSecret(ctx, s.db, user.ID, secret, s.sessionClock.Now())
	if err == nil && !stored {
		return NewTOTP{}, errTOTPOn()
	}
	return NewTOTP{Secret: secret.String(), URI: secret.URI(issuer, user.Username)}, err
}

func errTOTPOn() error {
	return fault.New(fault.Conflict, "totp_on", "An authenticator app is set up already. Remove it first.")
}

// ConfirmTOTP turns the user's authenticator app on with a first code, and returns ten new backup
// codes. The caller has checked that the session was confirmed lately. Codes: Invalid for a wrong
// code, RateLimited after too many, Conflict if BeginTOTP was not called or the app is on already.
func (s *Service) ConfirmTOTP(ctx context.Context, user User, session Session, code string) (codes []string, err error) {
	if strings.TrimSpace(code) == "" {
		return nil, errCodeMissing()
	}
	err = s.counted(ctx, user.ID, func() error {
		c := factorChange{user: user, session: session, added: true, codes: true, letter: jobs.LetterTOTPAdded, notice: catalog.TOTPAdded}
		codes, err = s.changeFactor(ctx, c, func(tx *postgres.Tx) error {
			return s.confirmSecret(ctx, tx, user.ID, normalCode(code))
		})
		return err
	})
	return codes, err
}

func (s *Service) confirmSecret(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, code string) error {
	secret, found, err := postgres.Optional(findSecret(ctx, tx, userID))
	switch {
	case err != nil:
		return err
	case !found:
		return fault.New(fault.Conflict, "totp_not_started", "Please start again: scan the picture with your app first.")
	case secret.Confirmed:
		return errTOTPOn()
	}
	now := s.sessionClock.Now()
	step, matches := totp.Secret(secret.Secret).Match(code, now)
	if !matches {
		return errCodeWrong()
	}
	return confirmSecret(ctx, tx, userID, step, now)
}

// RemoveTOTP removes the user's authenticator app and ends all other sessions. The caller has
// checked that the session was confirmed lately. Code Conflict if there is none, or it is the last
// factor of an admin who needs one.
func (s *Service) RemoveTOTP(ctx context.Context, user User, session Session) error {
	c := factorChange{user: user, session: session, letter: jobs.LetterTOTPRemoved, notice: catalog.TOTPRemoved}
	_, err := s.changeFactor(ctx, c, func(tx *postgres.Tx) error {
		removed, err := deleteSecret(ctx, tx, user.ID)
		if err != nil {
			return err
		}
		if !removed {
			return fault.New(fault.Conflict, "totp_off", "No authenticator app is set up.")
		}
		return nil
	})
	return err
}
