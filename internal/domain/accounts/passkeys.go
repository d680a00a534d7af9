package accounts

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/passkey"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
)

// Bounds of passkeys.
const (
	maxPasskeys    = 10
	maxPasskeyName = 50
	ceremonyLife   = 5 * time.Minute
)

// Passkey is a passkey as its owner sees it.
type Passkey struct {
	ID         uuid.UUID
	Name       string
	CreatedAt  time.Time
	LastUsedAt *time.Time
}

// ceremonyPurpose is what a signed-in user starts a ceremony for.
type ceremonyPurpose string

const (
	forRegistering ceremonyPurpose = "register"
	forConfirming  ceremonyPurpose = "confirm"
)

const (
	reasonPasskeyCloned = "passkey_cloned"
	reasonPasskeyWrong  = "passkey_wrong"
)

// IsUnproved reports whether err says that a proof of the second factor was wrong.
func IsUnproved(err error) bool {
	f := fault.As(err)
	return f != nil && (isWrongCode(err) || f.Reason == reasonPasskeyWrong)
}

// IsCloned reports whether err says that a passkey exists twice, which belongs into the security
// log.
func IsCloned(err error) bool {
	f := fault.As(err)
	return f != nil && f.Reason == reasonPasskeyCloned
}

func errPasskeyWrong() error {
	return fault.Field("credential", "passkey_wrong", "This passkey did not work. Please try again.")
}

func errPasskeyUnknown() error {
	return fault.New(fault.InvalidCredentials, "passkey_unknown", "This passkey is not known here.")
}

func errPasskeysUnavailable() error {
	return fault.New(fault.Conflict, "passkeys_unavailable", "Passkeys do not work at this address of the site.")
}

// passkeyFault turns an error of a ceremony into one for the user.
func passkeyFault(err error) error {
	switch {
	case errors.Is(err, passkey.ErrCloned):
		return fault.New(fault.Forbidden, "passkey_cloned", "There seems to be a copy of this passkey. Use another way, and remove it.")
	case errors.Is(err, passkey.ErrRefused):
		return errPasskeyWrong()
	}
	return err
}

// passkeyOwner returns the user with the passkeys, for a ceremony.
func (s *Service) passkeyOwner(ctx context.Context, user User) (passkey.Owner, error) {
	if s.passkeys == nil {
		return passkey.Owner{}, errPasskeysUnavailable()
	}
	keys, err := listKeys.Many(ctx, s.db, postgres.Args{"user": user.ID})
	return passkey.Owner{ID: user.ID, Name: user.Username, Keys: keys}, err
}

// BeginPasskey returns the options with which the browser makes a passkey for the user. The caller
// has checked that the session was confirmed lately. Codes: Conflict if the user has too many
// passkeys, or the site cannot have any.
func (s *Service) BeginPasskey(ctx context.Context, user User, session Session) (options []byte, err error) {
	owner, err := s.passkeyOwner(ctx, user)
	if err != nil {
		return nil, err
	}
	if len(owner.Keys) >= maxPasskeys {
		return nil, errTooManyPasskeys()
	}
	start, err := s.passkeys.BeginRegistration(owner)
	if err != nil {
		return nil, err
	}
	return start.Options, s.keepCeremony(ctx, session, forRegistering, start)
}

func errTooManyPasskeys() error {
	return fault.Newf(fault.Conflict, "too_many_passkeys", "You can have at most {count} passkeys.", fault.Params{"count": maxPasskeys})
}

// BeginConfirmation returns the options with which the browser proves the signed-in user's second
// factor by a passkey. Codes: Conflict if the user has no passkey, or the site cannot have any.
func (s *Service) BeginConfirmation(ctx context.Context, user User, session Session) (options []byte, err error) {
	start, err := s.beginUse(ctx, user)
	if err != nil {
		return nil, err
	}
	return start.Options, s.keepCeremony(ctx, session, forConfirming, start)
}

// beginUse starts the use of one of the user's passkeys. Code Conflict.
func (s *Service) beginUse(ctx context.Context, user User) (passkey.Start, error) {
	owner, err := s.passkeyOwner(ctx, user)
	if err != nil {
		return passkey.Start{}, err
	}
	if len(owner.Keys) == 0 {
		return passkey.Start{}, fault.New(fault.Conflict, "no_passkey", "You have no passkey.")
	}
	return s.passkeys.BeginLogin(owner)
}

// keepCeremony stores the ceremony of a session in place of a former one.
func (s *Service) keepCeremony(ctx context.Context, session Session, p ceremonyPurpose, start passkey.Start) error {
	return upsertCeremony(ctx, s.db, session.ID, p, start.Ceremony, s.sessionClock.Now().Add(ceremonyLife))
}

// takeCeremony returns the ceremony of a session and deletes it: whatever comes of the answer, it
// is used once. Code Invalid if there is none.
func (s *Service) takeCeremony(ctx context.Context, session Session, p ceremonyPurpose) ([]byte, error) {
	if s.passkeys == nil {
		return nil, errPasskeysUnavailable()
	}
	ceremony, found, err := deleteCeremony(ctx, s.db, session.ID, p, s.sessionClock.Now())
	if err == nil && !found {
		return nil, fault.Field("credential", "passkey_expired", "That took too long. Please try again.")
	}
	return ceremony, err
}

// PasskeyInput is a new passkey: a name and the browser's answer to the options.
type PasskeyInput struct {
	Name       string
	Credential []byte
}

// AddPasskey registers a passkey. It returns ten backup codes if this turned the second factor on,
// nil otherwise. The caller has checked that the session was confirmed lately. Codes: Invalid,
// Conflict if the user has too many passkeys, Duplicate if the passkey is registered already.
func (s *Service) AddPasskey(
	ctx context.Context, user User, session Session, in PasskeyInput,
) (added Passkey, codes []string, err error) {
	name, err := passkeyName(in.Name)
	if err != nil {
		return Passkey{}, nil, err
	}
	if len(in.Credential) == 0 {
		return Passkey{}, nil, errPasskeyWrong()
	}
	ceremony, err := s.takeCeremony(ctx, session, forRegistering)
	if err != nil {
		return Passkey{}, nil, err
	}
	owner := passkey.Owner{ID: user.ID, Name: user.Username}
	key, err := s.passkeys.FinishRegistration(owner, ceremony, in.Credential)
	if err != nil {
		return Passkey{}, nil, passkeyFault(err)
	}
	added = Passkey{ID: uuid.Must(uuid.NewV7()), Name: name, CreatedAt: s.sessionClock.Now()}
	c := factorChange{user: user, session: session, added: true, notice: catalog.PasskeyAdded}
	codes, err = s.changeFactor(ctx, c, func(tx *postgres.Tx) error {
		keys, err := listKeys.Many(ctx, tx, postgres.Args{"user": user.ID})
		if err != nil {
			return err
		}
		if len(keys) >= maxPasskeys {
			return errTooManyPasskeys()
		}
		return insertPasskey(ctx, tx, user.ID, added, key)
	})
	return added, codes, err
}

func passkeyName(name string) (string, error) {
	name = sanitize.Line(name)
	switch {
	case name == "":
		return "", fault.Field("name", "passkey_name_missing", "Please name the passkey.")
	case utf8.RuneCountInString(name) > maxPasskeyName:
		return "", fault.Field("name", "passkey_name_too_long", "The name must be at most 50 characters.")
	}
	return name, nil
}

func errNoPasskey() error {
	return fault.New(fault.NotFound, "passkey_not_found", "Passkey not found.")
}

// RequirePasskey fails with NotFound unless the passkey is the user's.
func (s *Service) RequirePasskey(ctx context.Context, userID, id uuid.UUID) error {
	owned, err := ownsPasskey.One(ctx, s.db, postgres.Args{"id": id, "user": userID})
	if err == nil && !owned {
		return errNoPasskey()
	}
	return err
}

// RenamePasskey renames one of the user's passkeys. Codes: Invalid, NotFound.
func (s *Service) RenamePasskey(ctx context.Context, userID, id uuid.UUID, name string) (Passkey, error) {
	name, err := passkeyName(name)
	if err != nil {
		return Passkey{}, err
	}
	renamed, err := renamePasskey.One(ctx, s.db, postgres.Args{"id": id, "user": userID, "name": name})
	return renamed, postgres.IfNoRows(err, errNoPasskey())
}

// RemovePasskey removes one of the user's passkeys and ends all other sessions. The caller has
// checked that the session was confirmed lately. Codes: NotFound, Conflict if it is the last factor
// of an admin who needs one.
func (s *Service) RemovePasskey(ctx context.Context, user User, session Session, id uuid.UUID) error {
	c := factorChange{user: user, session: session, notice: catalog.PasskeyRemoved}
	_, err := s.changeFactor(ctx, c, func(tx *postgres.Tx) error {
		removed, err := deletePasskey.Any(ctx, tx, postgres.Args{"id": id, "user": user.ID})
		if err != nil {
			return err
		}
		if !removed {
			return errNoPasskey()
		}
		return nil
	})
	return err
}
