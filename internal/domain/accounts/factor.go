package accounts

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/passkey"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/lib/totp"
	"amanat/queue/jobs"
)

// settingsPage is where users see and change their second factor and their address.
const settingsPage = "/security"

// Proof is what a user proves the second factor with: a code, or the browser's answer to the
// options of a passkey.
type Proof struct {
	Code       string
	Credential json.RawMessage
}

func (p Proof) empty() bool { return strings.TrimSpace(p.Code) == "" && len(p.Credential) == 0 }

func errCodeMissing() error { return fault.Field("code", "code_missing", "Please enter the code.") }

// SecondFactor is the second factor of a user. It is on with a confirmed TOTP secret or a passkey.
type SecondFactor struct {
	TOTP            bool
	Passkeys        []Passkey
	BackupCodesLeft int
	Required        bool // for this user, who is an admin
}

// methods lists what the user can prove the factor with, for the browser.
func (f SecondFactor) methods() string {
	var methods []string
	for _, method := range []struct {
		name string
		has  bool
	}{{"totp", f.TOTP}, {"passkey", len(f.Passkeys) > 0}, {"backup", f.BackupCodesLeft > 0}} {
		if method.has {
			methods = append(methods, method.name)
		}
	}
	return strings.Join(methods, ",")
}

// FactorOf returns the second factor of a user.
func (s *Service) FactorOf(ctx context.Context, user User) (SecondFactor, error) {
	factor, err := findFactor(ctx, s.db, user.ID)
	factor.Required = s.factorRequired(user)
	return factor, err
}

// factorRequired reports whether the user must have a second factor.
func (s *Service) factorRequired(user User) bool { return user.IsAdmin && s.factorForAdmins }

// LacksFactor reports whether the user is an admin who may not act as one before they have set up a
// second factor.
func (s *Service) LacksFactor(user User) bool { return s.factorRequired(user) && !user.SecondFactor }

// ActsAsAdmin reports whether the user has an admin's powers: the role, and the second factor where
// admins need one.
func (s *Service) ActsAsAdmin(user User) bool { return user.IsAdmin && !s.LacksFactor(user) }

// errFactorNeeded asks for the second factor, and says what the user can prove it with.
func (s *Service) errFactorNeeded(ctx context.Context, userID uuid.UUID) error {
	factor, err := findFactor(ctx, s.db, userID)
	if err != nil {
		return err
	}
	return fault.New(fault.SecondFactorRequired, "second_factor_required", "Please confirm that it is you.").
		With(fault.Params{"methods": factor.methods()})
}

func errFactorOff() error {
	return fault.New(fault.Conflict, "second_factor_off", "Two-step login is not turned on.")
}

// WithFactor runs do in the transaction that uses up a proof of the signed-in user's second factor.
// Codes: SecondFactorRequired without a proof, Conflict if the second factor is off, those of
// prove, and those of do.
func (s *Service) WithFactor(
	ctx context.Context, user User, session Session, proof Proof, do func(ctx context.Context, tx *postgres.Tx) error,
) error {
	if !user.SecondFactor {
		return errFactorOff()
	}
	if proof.empty() {
		return s.errFactorNeeded(ctx, user.ID)
	}
	return s.prove(ctx, user, session, proof, do)
}

// WithSettledFactor is WithFactor for what ends a hold: a factor or backup codes of the last day,
// which a thief may have added, prove nothing. Code Conflict for them, and those of WithFactor.
func (s *Service) WithSettledFactor(
	ctx context.Context, user User, session Session, proof Proof, do func(ctx context.Context, tx *postgres.Tx) error,
) error {
	r, err := findRecent(ctx, s.db, user.ID, "")
	if err != nil {
		return err
	}
	if user.SecondFactor && !s.settled(user, r) {
		return fault.Newf(fault.Conflict, "factor_too_new", "Your two-step login is new. Use the link that we mailed you, or wait until {time}.",
			fault.Params{"time": clock.Moment(r.FactorAddedAt.Add(fresh))})
	}
	return s.WithFactor(ctx, user, session, proof, do)
}

// prove checks a proof of a signed-in user and runs do in the transaction that uses it up. Codes:
// Invalid if the proof is wrong, used or too old, RateLimited after too many wrong codes, Forbidden
// for a copied passkey, Unauthenticated if the user is disabled, and those of do.
func (s *Service) prove(
	ctx context.Context, user User, session Session, proof Proof, do func(ctx context.Context, tx *postgres.Tx) error,
) error {
	use := func(ctx context.Context, tx *postgres.Tx, _ User) error { return do(ctx, tx) }
	if len(proof.Credential) == 0 {
		return s.withCode(ctx, user.ID, proof.Code, use)
	}
	ceremony, err := s.takeCeremony(ctx, session, forConfirming)
	if err != nil {
		return err
	}
	return s.withPasskey(ctx, user, ceremony, proof.Credential, use)
}

// factorBucket returns the bucket that wrong codes count against. Entering the password does not
// refill it.
func (s *Service) factorBucket(userID uuid.UUID) ratelimit.Bucket {
	return ratelimit.Limit{Name: "second-factor", Rate: s.limits.SecondFactor}.For(userID.String())
}

// counted runs check, which compares a code, within the limit of wrong codes. Only a wrong code
// counts.
func (s *Service) counted(ctx context.Context, userID uuid.UUID, check func() error) error {
	bucket := s.factorBucket(userID)
	// Consumed before the comparison, so that concurrent guesses count too.
	if decision := s.limiter.Allow(ctx, bucket); !decision.Allowed {
		return tooMany(decision.RetryAfter)
	}
	err := check()
	if !isWrongCode(err) {
		s.limiter.GiveBack(ctx, bucket)
	}
	return err
}

// withCode uses up a code and runs do in the same transaction, with the user as locked. Codes:
// Invalid, RateLimited, Unauthenticated if the user is disabled, and those of do.
func (s *Service) withCode(
	ctx context.Context, userID uuid.UUID, code string, do func(ctx context.Context, tx *postgres.Tx, user User) error,
) error {
	return s.counted(ctx, userID, func() error {
		return postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
			user, err := s.lockShared(ctx, tx, userID)
			if err != nil {
				return err
			}
			if err := s.useCode(ctx, tx, user, normalCode(code)); err != nil {
				return err
			}
			return do(ctx, tx, user)
		})
	})
}

// withPasskey checks the answer of one of the user's passkeys and runs do in the transaction that
// records its use. Codes: Invalid, Forbidden for a copied passkey, Unauthenticated if the user is
// disabled, and those of do.
func (s *Service) withPasskey(
	ctx context.Context, user User, ceremony, answer []byte, do func(ctx context.Context, tx *postgres.Tx, user User) error,
) error {
	owner, err := s.passkeyOwner(ctx, user)
	if err != nil {
		return err
	}
	used, err := s.passkeys.FinishLogin(owner, ceremony, answer)
	if err != nil {
		return passkeyFault(err)
	}
	return postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		user, err := s.lockShared(ctx, tx, user.ID)
		if err != nil {
			return err
		}
		if err := s.recordUse(ctx, tx, user.ID, used); err != nil {
			return err
		}
		return do(ctx, tx, user)
	})
}

// recordUse stores the counter of a passkey. It fails if the passkey was removed, or used with a
// higher counter, since it was read.
func (s *Service) recordUse(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, used passkey.Used) error {
	current, err := touchPasskey(ctx, tx, userID, used, s.sessionClock.Now())
	if err == nil && !current {
		return errPasskeyWrong()
	}
	return err
}

// lockShared locks the user against changes of the second factor, the password and the account's
// state until the transaction ends. Lock order: the user, then everything of the user.
func (s *Service) lockShared(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) (User, error) {
	user, err := lockUser(ctx, tx, userID, forReading)
	if errors.Is(err, errNoUser) {
		return User{}, errUnauthenticated()
	}
	return user, err
}

// factorChange is one change of a second factor.
type factorChange struct {
	user    User
	session Session
	added   bool         // or else a factor is removed
	codes   bool         // whether there are new backup codes even if the second factor was on before
	notice  catalog.Kind // likewise
}

// changeFactor changes the user's second factor in a transaction, and keeps the rest in step: the
// user's row, the backup codes, the sessions, and the notices to the owner. It returns new backup
// codes if it made any. Codes: Conflict if the change would remove the last factor of an admin who
// needs one, Unauthenticated if the user is disabled, and those of change.
func (s *Service) changeFactor(
	ctx context.Context, c factorChange, change func(tx *postgres.Tx) error,
) (codes []string, err error) {
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		before, err := lockUser(ctx, tx, c.user.ID, forChanging)
		if errors.Is(err, errNoUser) {
			return errUnauthenticated()
		}
		if err != nil {
			return err
		}
		if err := change(tx); err != nil {
			return err
		}
		on, err := syncFactor.One(ctx, tx, postgres.Args{"user": c.user.ID, "now": s.sessionClock.Now()})
		if err != nil {
			return err
		}
		if !on && s.factorRequired(before) {
			return fault.New(fault.Conflict, "factor_required", "An admin needs a second factor. Add another one first.")
		}
		codes, err = s.afterChange(ctx, tx, c, before.SecondFactor, on)
		return err
	})
	return codes, err
}

// afterChange brings everything else in step with a second factor that was and is on or off.
func (s *Service) afterChange(ctx context.Context, tx *postgres.Tx, c factorChange, was, is bool) (codes []string, err error) {
	switch {
	case !is:
		c.notice = catalog.FactorOff
		err = deleteBackupCodes.Run(ctx, tx, postgres.Args{"user": c.user.ID})
	case !was:
		c.notice = catalog.FactorOn
		codes, err = s.replaceCodes(ctx, tx, c.user.ID)
	case c.codes:
		codes, err = s.replaceCodes(ctx, tx, c.user.ID)
	}
	if err != nil {
		return nil, err
	}
	if c.added { // by this session, which has thereby proved it
		if err := setFactorConfirmed.Run(ctx, tx, postgres.Args{"id": c.session.ID, "now": s.sessionClock.Now()}); err != nil {
			return nil, err
		}
		if err := setFactorAdded.Run(ctx, tx, postgres.Args{"user": c.user.ID, "now": s.clock.Now()}); err != nil {
			return nil, err
		}
	}
	if !c.added || !was {
		if err := s.endAll(ctx, tx, c.user.ID, &c.session.ID); err != nil {
			return nil, err
		}
	}
	return codes, s.announce(ctx, tx, c.user.ID, c.notice, nil)
}

// announce notifies the owner of an account of a change of its second factor, and emails them.
func (s *Service) announce(
	ctx context.Context, tx *postgres.Tx, userID uuid.UUID, notice catalog.Kind, params catalog.Params,
) error {
	if _, err := s.jobs.InsertTx(ctx, tx, jobs.Mail{MailKind: string(notice), SubjectID: userID, Params: params}, nil); err != nil {
		return err
	}
	return s.notices.Notify(ctx, tx, userID, notice, params, settingsPage)
}

// ResetSecondFactor removes the second factor of a user who has lost it, ends all sessions and
// holds withdrawals for a day. It is for the operator's command line only and requires the database
// owner's login. Codes: NotFound, and Conflict if the second factor is off.
func (s *Service) ResetSecondFactor(ctx context.Context, username string) (User, error) {
	return s.operate(ctx, "user.reset_second_factor", func(tx *postgres.Tx) (User, error) {
		user, err := lockUserNamed(ctx, tx, normalUsername(username), forChanging)
		if err != nil {
			return User{}, err
		}
		if !user.SecondFactor {
			return User{}, errFactorOff()
		}
		if err := deleteFactors(ctx, tx, user.ID); err != nil {
			return User{}, err
		}
		if err := setFactorReset.Run(ctx, tx, postgres.Args{"user": user.ID, "now": s.clock.Now()}); err != nil {
			return User{}, err
		}
		if err := s.endAll(ctx, tx, user.ID, nil); err != nil {
			return User{}, err
		}
		user.SecondFactor = false
		return user, s.announce(ctx, tx, user.ID, catalog.FactorReset, nil)
	})
}

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
	secret, found, err := findSecret.Find(ctx, tx, postgres.Args{"user": userID})
	if err != nil {
		return err
	}
	step, matches := totp.Secret(secret.Secret).Match(code, s.sessionClock.Now())
	if !found || !secret.Confirmed || !matches {
		return errCodeWrong()
	}
	// Of two logins with one code, one waits for the other here and finds the step used.
	fresh, err := useStep.Any(ctx, tx, postgres.Args{"user": userID, "step": step})
	if err == nil && !fresh {
		return fault.Field("code", "code_used", "This code has been used. Wait for the next one.")
	}
	return err
}

func (s *Service) useBackupCode(ctx context.Context, tx *postgres.Tx, user User, code string) error {
	hash := backupHash(user.ID, code)
	used, err := useBackupCode.Any(ctx, tx, postgres.Args{"user": user.ID, "hash": hash, "now": s.sessionClock.Now()})
	if err != nil {
		return err
	}
	if !used {
		known, err := backupCodeExists.One(ctx, tx, postgres.Args{"user": user.ID, "hash": hash})
		if err != nil {
			return err
		}
		if known {
			return fault.Field("code", "backup_code_used", "This backup code has been used. Please take another one.")
		}
		return errCodeWrong()
	}
	left, err := countBackupCodes.One(ctx, tx, postgres.Args{"user": user.ID})
	if err != nil {
		return err
	}
	return s.announce(ctx, tx, user.ID, catalog.BackupCodeUsed, catalog.Params{"count": strconv.Itoa(left)})
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
	if err := deleteBackupCodes.Run(ctx, tx, postgres.Args{"user": userID}); err != nil {
		return nil, err
	}
	return shown, insertBackupCodes.Run(ctx, tx, postgres.Args{"user": userID, "hashes": hashes, "now": s.sessionClock.Now()})
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
		if err := setFactorAdded.Run(ctx, tx, postgres.Args{"user": user.ID, "now": s.clock.Now()}); err != nil {
			return err
		}
		return s.announce(ctx, tx, user.ID, catalog.BackupCodesNew, nil)
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
	stored, err := insertSecret.Any(ctx, s.db, postgres.Args{"user": user.ID, "secret": secret, "now": s.sessionClock.Now()})
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
		c := factorChange{user: user, session: session, added: true, codes: true, notice: catalog.TOTPAdded}
		codes, err = s.changeFactor(ctx, c, func(tx *postgres.Tx) error {
			return s.confirmSecret(ctx, tx, user.ID, normalCode(code))
		})
		return err
	})
	return codes, err
}

func (s *Service) confirmSecret(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, code string) error {
	secret, found, err := findSecret.Find(ctx, tx, postgres.Args{"user": userID})
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
	return confirmSecret.One(ctx, tx, postgres.Args{"user": userID, "step": step, "now": now})
}

// RemoveTOTP removes the user's authenticator app and ends all other sessions. The caller has
// checked that the session was confirmed lately. Code Conflict if there is none, or it is the last
// factor of an admin who needs one.
func (s *Service) RemoveTOTP(ctx context.Context, user User, session Session) error {
	c := factorChange{user: user, session: session, notice: catalog.TOTPRemoved}
	_, err := s.changeFactor(ctx, c, func(tx *postgres.Tx) error {
		removed, err := deleteSecret.Any(ctx, tx, postgres.Args{"user": user.ID})
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
