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
	"golang.org/x/text/unicode/norm"
)

// HashCost is the cost of a new argon2id hash. It is stored in the hash, so that raising it leaves
// old hashes readable.
type HashCost struct {
	MemoryKiB uint32
	Time      uint32
}

// defaultHashCost is the minimum that OWASP recommends (docs/decisions/0009-argon2-parameters.md).
var defaultHashCost = HashCost{MemoryKiB: 19_456, Time: 2}

const (
	argonThreads = 1
	saltBytes    = 16
	hashBytes    = 32
)

var errHashFormat = errors.New("accounts: password hash is not an argon2id PHC string")

// hasher computes and verifies password hashes in PHC format.
type hasher struct {
	queue  *hashQueue
	cost   HashCost
	argon2 func(password, salt []byte, time, memory uint32, threads uint8, keyLen uint32) []byte
	// dummy is compared with the password of an unknown user, so that this takes as long as for a
	// known one.
	dummy string
}

func newHasher(cost HashCost) *hasher {
	return &hasher{
		queue:  newHashQueue(hashSlots()),
		cost:   cost,
		argon2: argon2.IDKey,
		dummy:  cost.encode(make([]byte, saltBytes), make([]byte, hashBytes)),
	}
}

// hash returns the PHC string of a password in NFC, since keyboards write the same letter in
// different ways. client is who waits for it, see hashQueue. It fails only as hashQueue.enter does,
// before anything is computed.
func (h *hasher) hash(ctx context.Context, client, password string) (string, error) {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails
	if err := h.queue.enter(ctx, client); err != nil {
		return "", err
	}
	defer h.queue.leave()
	key := h.argon2([]byte(norm.NFC.String(password)), salt, h.cost.Time, h.cost.MemoryKiB, argonThreads, hashBytes)
	return h.cost.encode(salt, key), nil
}

// matches reports whether encoded is the hash of password in NFC. If it fails, nothing was
// compared.
func (h *hasher) matches(ctx context.Context, client, password, encoded string) (bool, error) {
	var version int
	var cost HashCost
	var threads uint8
	var tail string
	if _, err := fmt.Sscanf(encoded, "$argon2id$v=%d$m=%d,t=%d,p=%d$%s", &version, &cost.MemoryKiB, &cost.Time, &threads, &tail); err != nil {
		return false, errHashFormat
	}
	salt, want, err := decodeTail(tail)
	if err != nil || version != argon2.Version {
		return false, errHashFormat
	}
	if err := h.queue.enter(ctx, client); err != nil {
		return false, err
	}
	defer h.queue.leave()
	got := h.argon2([]byte(norm.NFC.String(password)), salt, cost.Time, cost.MemoryKiB, threads, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1, nil
}

// encode returns the PHC string of a hash of this cost.
func (c HashCost) encode(salt, key []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.MemoryKiB, c.Time, argonThreads,
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
