// Package totp checks the codes of authenticator apps (RFC 6238): six digits of HMAC-SHA-1, a new
// one every 30 seconds, the parameters that every app supports.
package totp

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // RFC 6238 with the hash that every app supports; HMAC does not need collision resistance
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"time"
)

const (
	// SecretBytes is the length of a secret, as RFC 4226 recommends.
	SecretBytes = 20
	// Digits is the length of a code.
	Digits = 6
	// Period is how long an app shows a code.
	Period = 30 * time.Second

	modulus = 1_000_000
	// drift is how many steps an app's clock may be off: the code before and the one after the
	// current are accepted too.
	drift = 1
)

// Secret is the key that an app and the server share.
type Secret []byte

// NewSecret returns a random secret.
func NewSecret() Secret {
	secret := make(Secret, SecretBytes)
	_, _ = rand.Read(secret) // never fails
	return secret
}

// String returns the secret in base32, as people type it into an app.
func (s Secret) String() string {
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(s)
}

// URI returns the otpauth URI, which apps read from a QR code.
func (s Secret) URI(issuer, account string) string {
	query := url.Values{"secret": {s.String()}, "issuer": {issuer}}
	return (&url.URL{Scheme: "otpauth", Host: "totp", Path: "/" + issuer + ":" + account, RawQuery: query.Encode()}).String()
}

// Code returns the code of a step.
func (s Secret) Code(step int64) string {
	var counter [8]byte
	binary.BigEndian.PutUint64(counter[:], uint64(step))
	mac := hmac.New(sha1.New, s)
	mac.Write(counter[:])
	sum := mac.Sum(nil)
	offset := sum[len(sum)-1] & 0xf
	truncated := binary.BigEndian.Uint32(sum[offset:]) & 0x7fffffff
	return fmt.Sprintf("%0*d", Digits, truncated%modulus)
}

// Step returns the step of a time.
func Step(at time.Time) int64 { return at.Unix() / int64(Period/time.Second) }

// Match returns the latest step around the time whose code this is.
func (s Secret) Match(code string, at time.Time) (step int64, ok bool) {
	now := Step(at)
	for step := now + drift; step >= now-drift; step-- {
		if subtle.ConstantTimeCompare([]byte(s.Code(step)), []byte(code)) == 1 {
			return step, true
		}
	}
	return 0, false
}
