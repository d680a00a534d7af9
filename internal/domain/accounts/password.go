package accounts

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
	"golang.org/x/sync/semaphore"
)

// argon2id parameters: the minimum that OWASP names. They are written into each hash, so raising them leaves old hashes readable.
const (
	argonMemory  = 19_456 // KiB
	argonTime    = 2
	argonThreads = 1
	saltBytes    = 16
	hashBytes    = 32
)

// maxHashing bounds how many passwords are hashed at once: each takes a core and 19 MiB for some 20 ms.
const maxHashing = 2

var errHashFormat = errors.New("accounts: password hash is not an argon2id PHC string")

// hasher makes and checks password hashes in PHC format.
type hasher struct {
	slots  *semaphore.Weighted
	argon2 func(password, salt []byte, time, memory uint32, threads uint8, keyLen uint32) []byte
	dummy  string // what an unknown user's password is compared with, so that it takes as long as a known one's
}

func newHasher() *hasher {
	return &hasher{
		slots:  semaphore.NewWeighted(maxHashing),
		argon2: argon2.IDKey,
		dummy:  encodeHash(make([]byte, saltBytes), make([]byte, hashBytes)),
	}
}

// hash returns the PHC string of a password. It fails only when ctx ends before its turn comes.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails
	key, err := h.derive(ctx, password, salt, argonTime, argonMemory, argonThreads, hashBytes)
	if err != nil {
		return "", err
	}
	return encodeHash(salt, key), nil
}

// matches tells whether encoded is the hash of password.
func (h *hasher) matches(ctx context.Context, password, encoded string) (bool, error) {
	var version int
	var memory, time uint32
	var threads uint8
	var tail string
	if _, err := fmt.Sscanf(encoded, "$argon2id$v=%d$m=%d,t=%d,p=%d$%s", &version, &memory, &time, &threads, &tail); err != nil {
		return false, errHashFormat
	}
	salt, want, err := decodeTail(tail)
	if err != nil || version != argon2.Version {
		return false, errHashFormat
	}
	got, err := h.derive(ctx, password, salt, time, memory, threads, uint32(len(want)))
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(got, want) == 1, nil
}

func (h *hasher) derive(
	ctx context.Context, password string, salt []byte, time, memory uint32, threads uint8, length uint32,
) ([]byte, error) {
	if err := h.slots.Acquire(ctx, 1); err != nil {
		return nil, fmt.Errorf("wait to hash a password: %w", err)
	}
	defer h.slots.Release(1)
	return h.argon2([]byte(password), salt, time, memory, threads, length), nil
}

func encodeHash(salt, key []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime, argonThreads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

func decodeTail(tail string) (salt, key []byte, err error) {
	first, second, found := strings.Cut(tail, "$")
	if !found {
		return nil, nil, errHashFormat
	}
	if salt, err = base64.RawStdEncoding.DecodeString(first); err != nil {
		return nil, nil, err
	}
	key, err = base64.RawStdEncoding.DecodeString(second)
	return salt, key, err
}
