// Package idempotency makes it safe to repeat a request. The Idempotency-Key of a request is stored
// in the transaction that creates the request's resource. Repeating the request with the same key
// returns that resource as it is then.
package idempotency

import (
	"context"
	"crypto/sha256"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

// Key is an Idempotency-Key sent by a user or a visitor, with a hash of the request's method, path
// and body. A nil *Key means a request without one.
type Key struct {
	UserID *uuid.UUID // nil: a visitor
	Value  string
	Hash   [sha256.Size]byte

	used atomic.Bool // as the last reservation or lookup has found it
}

// Used reports whether a reservation or lookup with this Key has found that an earlier request used
// it.
func (k *Key) Used() bool { return k.used.Load() }

func (k *Key) isVisitor() bool { return k.UserID == nil }

// visitorHash identifies the key of a visitor. All visitors share one key space: if the value alone
// identified a key, a visitor could use up or probe the keys of another. So the same value with
// another request is another key.
func (k *Key) visitorHash() []byte {
	hash := sha256.New()
	_, _ = hash.Write(k.Hash[:]) // never fails
	_, _ = hash.Write([]byte(k.Value))
	return hash.Sum(nil)
}

const (
	retention   = 7 * 24 * time.Hour
	forgetBatch = 5_000
)

// Reserve ties the key to the resource that the transaction is about to create. If the key is
// already used, it returns the resource created with it and replayed = true. Code
// IdempotencyMismatch if a user has used the key for a different request. Of two concurrent
// requests, the second waits for the first to commit or roll back. A rollback releases the key, so
// a refused request does not use it up.
func Reserve(
	ctx context.Context, tx *postgres.Tx, key *Key, resourceID uuid.UUID, now time.Time,
) (first uuid.UUID, replayed bool, err error) {
	if key == nil {
		return resourceID, false, nil
	}
	free := QueueReserve(tx, key, resourceID, now)
	if err := tx.Flush(ctx); err != nil || free() {
		return resourceID, false, err
	}
	used, err := getKey(ctx, tx, key)
	if err != nil {
		return uuid.UUID{}, false, err
	}
	if err := used.matches(key); err != nil {
		return uuid.UUID{}, false, err
	}
	return used.ResourceID, true, nil
}

// QueueReserve is Reserve as part of the transaction's queued statements. When they have run, free
// returns whether the key was unused. If it was used, the caller rolls back and calls Lookup.
func QueueReserve(tx *postgres.Tx, key *Key, resourceID uuid.UUID, now time.Time) (free func() bool) {
	if key == nil {
		return func() bool { return true }
	}
	inserted := false
	queueKey(tx, key, resourceID, now, func(free bool) {
		inserted = free
		key.used.Store(!free)
	})
	return func() bool { return inserted }
}

// Repoint ties a reserved key to another resource that turned out to be the requested one.
func Repoint(ctx context.Context, tx *postgres.Tx, key *Key, resourceID uuid.UUID) error {
	if key == nil {
		return nil
	}
	return repoint(ctx, tx, key, resourceID)
}

// Create creates a resource in a transaction of its own, tied to the key, and returns its ID. If
// the key is already used, it returns the ID of the resource created with it and does not call
// create. Code IdempotencyMismatch as for Reserve.
func Create(
	ctx context.Context, db postgres.Beginner, key *Key, id uuid.UUID, now time.Time, create func(tx *postgres.Tx) error,
) (uuid.UUID, error) {
	made := id
	err := postgres.WithTx(ctx, db, func(tx *postgres.Tx) error {
		first, replayed, err := Reserve(ctx, tx, key, id, now)
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

// Lookup returns the resource that an earlier request created with the key. Code
// IdempotencyMismatch if the key belongs to a different request.
func Lookup(ctx context.Context, q postgres.Querier, key *Key) (id uuid.UUID, used bool, err error) {
	if key == nil {
		return uuid.UUID{}, false, nil
	}
	row, err := getKey(ctx, q, key)
	if fault.CodeOf(err) == fault.NotFound {
		return uuid.UUID{}, false, nil
	}
	if err == nil {
		err = row.matches(key)
	}
	if err == nil {
		key.used.Store(true)
	}
	return row.ResourceID, err == nil, err
}

// Forget deletes keys older than seven days, in batches that are separate transactions, and returns
// how many.
func Forget(ctx context.Context, q postgres.Querier, now time.Time) (int64, error) {
	return forget(ctx, q, now.Add(-retention))
}

func (k keyRow) matches(key *Key) error {
	if string(k.RequestHash) != string(key.Hash[:]) {
		return fault.New(fault.IdempotencyMismatch, "key_used", "This Idempotency-Key was used for another request.")
	}
	return nil
}
