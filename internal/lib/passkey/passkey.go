// Package passkey runs the ceremonies of passkeys (WebAuthn): it makes the options for a browser
// and checks the browser's answer. It stores nothing: the caller keeps the ceremony between the two
// steps, and the keys.
package passkey

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/google/uuid"
)

// Errors of the second step of a ceremony.
var (
	ErrRefused = errors.New("passkey: the answer does not fit")
	ErrCloned  = errors.New("passkey: the counter went backwards: the key exists twice")
)

// Site is the site that passkeys belong to. It is safe for concurrent use.
type Site struct{ web *webauthn.WebAuthn }

// New returns the site of a public URL. It returns nil if the host is an IP address: browsers make
// passkeys for names only.
func New(publicURL *url.URL) (*Site, error) {
	if net.ParseIP(publicURL.Hostname()) != nil {
		return nil, nil //nolint:nilnil // no passkeys, which is no error
	}
	web, err := webauthn.New(&webauthn.Config{
		RPID:          publicURL.Hostname(),
		RPDisplayName: "Amanat",
		RPOrigins:     []string{publicURL.Scheme + "://" + publicURL.Host},
		// The device verifies its owner, by fingerprint or PIN: the passkey alone is two factors.
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			RequireResidentKey: new(true), ResidentKey: protocol.ResidentKeyRequirementRequired,
			UserVerification: protocol.VerificationRequired,
		},
		AttestationPreference: protocol.PreferNoAttestation,
		// Password managers add results of extensions that nobody asked for; they mean nothing
		// here.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
	if err != nil {
		return nil, fmt.Errorf("passkeys: %w", err)
	}
	return &Site{web}, nil
}

// Key is a passkey as it is stored.
type Key struct {
	ID             []byte
	PublicKey      []byte
	SignCount      uint32
	BackupEligible bool
	Transports     []string
}

// Owner is a user with the user's passkeys.
type Owner struct {
	ID   uuid.UUID
	Name string
	Keys []Key
}

// Start is the first step of a ceremony.
type Start struct {
	Options  json.RawMessage // for the browser
	Ceremony json.RawMessage // for the second step; the browser must not see or change it
}

// Used is a passkey that has proved itself.
type Used struct {
	ID        []byte
	SignCount uint32
}

// BeginRegistration starts the registration of a passkey that the owner does not have yet.
func (s *Site) BeginRegistration(o Owner) (Start, error) {
	existing := webauthn.Credentials(o.WebAuthnCredentials()).CredentialDescriptors()
	creation, ceremony, err := s.web.BeginRegistration(o, webauthn.WithExclusions(existing))
	if err != nil {
		return Start{}, err
	}
	return newStart(creation.Response, ceremony)
}

// FinishRegistration checks the browser's RegistrationResponseJSON. It returns ErrRefused if the
// answer does not fit.
func (s *Site) FinishRegistration(o Owner, ceremony, answer []byte) (Key, error) {
	session, err := readCeremony(ceremony)
	if err != nil {
		return Key{}, err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return Key{}, refused(err)
	}
	c, err := s.web.CreateCredential(o, session, parsed)
	if err != nil {
		return Key{}, refused(err)
	}
	key := Key{
		ID: c.ID, PublicKey: c.PublicKey, SignCount: c.Authenticator.SignCount, BackupEligible: c.Flags.BackupEligible, Transports: []string{},
	}
	for _, transport := range c.Transport {
		key.Transports = append(key.Transports, string(transport))
	}
	return key, nil
}

// BeginLogin starts the use of one of the owner's passkeys, of which there must be one.
func (s *Site) BeginLogin(o Owner) (Start, error) {
	assertion, ceremony, err := s.web.BeginLogin(o)
	if err != nil {
		return Start{}, err
	}
	return newStart(assertion.Response, ceremony)
}

// BeginDiscovery starts the use of any passkey of the site: the answer tells whose it is.
func (s *Site) BeginDiscovery() (Start, error) {
	assertion, ceremony, err := s.web.BeginDiscoverableLogin()
	if err != nil {
		return Start{}, err
	}
	return newStart(assertion.Response, ceremony)
}

// FinishLogin checks the browser's AuthenticationResponseJSON. It returns ErrRefused if the answer
// does not fit, and ErrCloned if the key's counter went backwards.
func (s *Site) FinishLogin(o Owner, ceremony, answer []byte) (Used, error) {
	session, err := readCeremony(ceremony)
	if err != nil {
		return Used{}, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return Used{}, refused(err)
	}
	c, err := s.web.ValidateLogin(o.withFlagsOf(parsed), session, parsed)
	return used(c, err)
}

// FinishDiscovery is FinishLogin after BeginDiscovery. find returns the owner of a key; its error
// is returned as it is.
func (s *Site) FinishDiscovery(ceremony, answer []byte, find func(keyID []byte) (Owner, error)) (Used, error) {
	session, err := readCeremony(ceremony)
	if err != nil {
		return Used{}, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return Used{}, refused(err)
	}
	owner, err := find(parsed.RawID)
	if err != nil {
		return Used{}, err
	}
	known := func(_, _ []byte) (webauthn.User, error) { return owner.withFlagsOf(parsed), nil }
	_, c, err := s.web.ValidatePasskeyLogin(known, session, parsed)
	return used(c, err)
}

// withFlagsOf returns the owner with the passkey of an answer marked as eligible for backup if the
// answer, which is signed, says so. Real devices change that, such as when a passkey is synced for
// the first time, and nothing depends on it; the library would refuse the passkey.
func (o Owner) withFlagsOf(answer *protocol.ParsedCredentialAssertionData) Owner {
	o.Keys = slices.Clone(o.Keys)
	for i := range o.Keys {
		if bytes.Equal(o.Keys[i].ID, answer.RawID) {
			o.Keys[i].BackupEligible = answer.Response.AuthenticatorData.Flags.HasBackupEligible()
		}
	}
	return o
}

func used(c *webauthn.Credential, err error) (Used, error) {
	switch {
	case err != nil:
		return Used{}, refused(err)
	case c.Authenticator.CloneWarning:
		return Used{}, ErrCloned
	}
	return Used{ID: c.ID, SignCount: c.Authenticator.SignCount}, nil
}

func refused(err error) error { return fmt.Errorf("%w: %w", ErrRefused, err) }

func newStart(options any, ceremony *webauthn.SessionData) (Start, error) {
	shown, err := json.Marshal(options)
	if err != nil {
		return Start{}, fmt.Errorf("passkeys: options: %w", err)
	}
	kept, err := json.Marshal(ceremony)
	if err != nil {
		return Start{}, fmt.Errorf("passkeys: ceremony: %w", err)
	}
	return Start{Options: shown, Ceremony: kept}, nil
}

func readCeremony(ceremony []byte) (session webauthn.SessionData, err error) {
	if err := json.Unmarshal(ceremony, &session); err != nil {
		return session, fmt.Errorf("passkeys: stored ceremony: %w", err)
	}
	return session, nil
}

// WebAuthnID implements webauthn.User: the handle that the device stores with the passkey.
func (o Owner) WebAuthnID() []byte { return o.ID[:] }

// WebAuthnName implements webauthn.User.
func (o Owner) WebAuthnName() string { return o.Name }

// WebAuthnDisplayName implements webauthn.User.
func (o Owner) WebAuthnDisplayName() string { return o.Name }

// WebAuthnCredentials implements webauthn.User.
func (o Owner) WebAuthnCredentials() []webauthn.Credential {
	credentials := make([]webauthn.Credential, len(o.Keys))
	for i, key := range o.Keys {
		c := &credentials[i]
		c.ID, c.PublicKey = key.ID, key.PublicKey
		c.Authenticator.SignCount = key.SignCount
		c.Flags.BackupEligible = key.BackupEligible
		for _, transport := range key.Transports {
			c.Transport = append(c.Transport, protocol.AuthenticatorTransport(transport))
		}
	}
	return credentials
}
