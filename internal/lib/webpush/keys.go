package webpush

import (
	"bytes"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
)

// Keys identify the server to push services. Browsers bind their subscriptions to the public key,
// so that new keys end all of them.
type Keys struct {
	Public, Private string // in base64, for URLs and without padding
}

// NewKeys returns a new pair.
func NewKeys() (Keys, error) {
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return Keys{}, fmt.Errorf("VAPID keys: %w", err)
	}
	return Keys{Public: encode(private.PublicKey().Bytes()), Private: encode(private.Bytes())}, nil
}

// Check reports whether the two are a pair.
func (k Keys) Check() error {
	public, err := base64.RawURLEncoding.DecodeString(k.Public)
	if err != nil {
		return errors.New("the public key is not in base64 for URLs without padding")
	}
	secret, err := base64.RawURLEncoding.DecodeString(k.Private)
	if err != nil {
		return errors.New("the private key is not in base64 for URLs without padding")
	}
	private, err := ecdh.P256().NewPrivateKey(secret)
	if err != nil {
		return errors.New("the private key is not one of P-256")
	}
	if !bytes.Equal(private.PublicKey().Bytes(), public) {
		return errors.New("the two keys do not belong together")
	}
	return nil
}

// CheckPublic reports whether the text is a public key.
func CheckPublic(text string) error {
	key, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return errors.New("the public key is not in base64 for URLs without padding")
	}
	return checkPoint(key)
}

func checkPoint(key []byte) error {
	if _, err := ecdh.P256().NewPublicKey(key); err != nil {
		return errors.New("the public key is not one of P-256")
	}
	return nil
}

func encode(key []byte) string { return base64.RawURLEncoding.EncodeToString(key) }

const authBytes = 16

// ParseKeys decodes the keys of a subscription, as browsers send them.
func ParseKeys(p256dh, auth string) (public, secret []byte, err error) {
	if public, err = base64.RawURLEncoding.DecodeString(p256dh); err != nil {
		return nil, nil, errors.New("p256dh is not in base64 for URLs without padding")
	}
	if err := checkPoint(public); err != nil {
		return nil, nil, err
	}
	if secret, err = base64.RawURLEncoding.DecodeString(auth); err != nil || len(secret) != authBytes {
		return nil, nil, errors.New("auth is not 16 bytes in base64 for URLs without padding")
	}
	return public, secret, nil
}
