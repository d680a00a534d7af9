package operations

import (
	"context"
	"crypto/sha256"
	"encoding/json"

	"github.com/google/uuid"

	"amanat/internal/fault"
	"amanat/internal/postgres"
)

// Key is an Idempotency-Key as a user or a visitor sent it, with a hash of the request's method, path and body. A nil *Key is a request
// without one.
type Key struct {
	UserID uuid.UUID // uuid.Nil: a visitor
	Value  string
	Hash   [sha256.Size]byte
}

func (k *Key) ofVisitor() bool { return k.UserID == uuid.Nil }

// withRequest is what a visitor's key is known by. Visitors share one space: were the key known by itself, one of them could use up the
// key of another or find out about it. So the same key with another request is another key.
func (k *Key) withRequest() []byte {
	hash := sha256.New()
	_, _ = hash.Write(k.Hash[:]) // a hash never fails to take bytes
	_, _ = hash.Write([]byte(k.Value))
	return hash.Sum(nil)
}

// Reserve ties the key to the resource the transaction is about to make. If the key has been used it returns the resource made then and
// replayed = true; a different request under the same key of a user is an IdempotencyMismatch. Two requests at once: the second waits for the
// first to commit or roll back. Nothing is tied when the transaction rolls back, so a refused request does not burn its key.
func (s *Service) Reserve(ctx context.Context, tx *postgres.Tx, key *Key, resourceID uuid.UUID) (first uuid.UUID, replayed bool, err error) {
	if key == nil {
		return resourceID, false, nil
	}
	inserted, err := insertKey(ctx, tx, key, resourceID, s.Clock.Now())
	if err != nil || inserted {
		return resourceID, false, err
	}
	used, err := getKey(ctx, tx, key)
	if err != nil {
		return uuid.Nil, false, err
	}
	if err := used.matches(key); err != nil {
		return uuid.Nil, false, err
	}
	return used.ResourceID, true, nil
}

// Once makes a resource in a transaction of its own, tied to the key, and returns its id. When the key has made one before it returns
// that one's id and does not call create.
func (s *Service) Once(ctx context.Context, key *Key, id uuid.UUID, create func(tx *postgres.Tx) error) (uuid.UUID, error) {
	made := id
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		first, replayed, err := s.Reserve(ctx, tx, key, id)
		if err != nil {
			return err
		}
		made = first
		if replayed {
			return nil
		}
		return create(tx)
	})
	return made, err
}

// Made returns what an earlier request under the key has made; IdempotencyMismatch if the key belongs to another request.
func (s *Service) Made(ctx context.Context, q postgres.Querier, key *Key) (id uuid.UUID, used bool, err error) {
	if key == nil {
		return uuid.Nil, false, nil
	}
	row, err := getKey(ctx, q, key)
	if fault.CodeOf(err) == fault.NotFound {
		return uuid.Nil, false, nil
	}
	if err == nil {
		err = row.matches(key)
	}
	return row.ResourceID, err == nil, err
}

// StoredAnswer is the final answer a request with a key was given.
type StoredAnswer struct {
	Status int
	Body   json.RawMessage
}

// Answer returns the final answer given under the key, if there is one; IdempotencyMismatch if the key belongs to another request.
func (s *Service) Answer(ctx context.Context, q postgres.Querier, key *Key) (StoredAnswer, bool, error) {
	used, err := getKey(ctx, q, key)
	if fault.CodeOf(err) == fault.NotFound {
		return StoredAnswer{}, false, nil
	}
	if err != nil {
		return StoredAnswer{}, false, err
	}
	if err := used.matches(key); err != nil {
		return StoredAnswer{}, false, err
	}
	if used.Status == nil {
		return StoredAnswer{}, false, nil
	}
	return StoredAnswer{Status: int(*used.Status), Body: used.Response}, true, nil
}

// KeepAnswer stores the final answer under a key that Reserve has tied. Losing it (a crash just before) is harmless: the replay is then
// rendered from the resource as it stands, as it is for visitors.
func (s *Service) KeepAnswer(ctx context.Context, q postgres.Querier, key *Key, answer StoredAnswer) error {
	if key.ofVisitor() {
		return nil
	}
	return keepAnswer(ctx, q, key, answer)
}

func (k keyRow) matches(key *Key) error {
	if string(k.RequestHash) != string(key.Hash[:]) {
		return fault.New(fault.IdempotencyMismatch, "This Idempotency-Key was used for another request.")
	}
	return nil
}
