// Package idempotency makes it safe to repeat a request. The Idempotency-Key of a request is stored
// in the transaction that creates the request's resource. Repeating the request with the same key
// returns that resource and the response stored for it.
package idempotency

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
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

	fresh, used atomic.Bool // as the last reservation or lookup has found it
}

// Fresh reports whether a reservation with this Key has tied it to a resource, so that its request
// is the first one.
func (k *Key) Fresh() bool { return k.fresh.Load() }

// Used reports whether a reservation or lookup with this Key has found that an earlier request used
// it. Neither is true before.
func (k *Key) Used() bool { return k.used.Load() }

func (k *Key) found(free bool) {
	k.fresh.Store(free)
	k.used.Store(!free)
}

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
		key.found(free)
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
		key.found(false)
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

// Response is the final response to a request with a key.
type Response struct {
	Status int
	Body   json.RawMessage
}

// Responses stores the final responses to requests with a key. It writes them in the background,
// those of concurrent requests in one statement, so that no request waits for it. A response that a
// crash loses, or that another process has not stored yet, is rendered from the current state of
// the key's resource, as always for visitors.
type Responses struct {
	db     postgres.Querier
	logger *slog.Logger
	wake   chan struct{} // has room for one signal that something is queued

	writing sync.Mutex // held while a statement runs
	mu      sync.Mutex
	queued  map[responseID]savedResponse // until they are written
}

// Bounds of the queue, of one statement, and of the time for what is queued.
const (
	maxQueuedResponses = 10_000
	responseBatch      = 100
	flushPause         = 20 * time.Millisecond // in which further responses join a statement
	flushTimeout       = 5 * time.Second
)

// responseID identifies a user's key.
type responseID struct {
	user  uuid.UUID
	value string
}

type savedResponse struct {
	responseID
	hash     [sha256.Size]byte
	response Response
}

// NewResponses returns the Responses of a process. The caller runs it.
func NewResponses(db postgres.Querier, logger *slog.Logger) *Responses {
	return &Responses{db: db, logger: logger, wake: make(chan struct{}, 1), queued: map[responseID]savedResponse{}}
}

// Save stores the response under a key that Reserve has tied, unless it has one already. It drops
// the response if too many are queued, which only happens while the database does not answer.
func (s *Responses) Save(key *Key, response Response) {
	if key.isVisitor() {
		return
	}
	id := responseID{*key.UserID, key.Value}
	s.mu.Lock()
	_, known := s.queued[id]
	if !known && len(s.queued) < maxQueuedResponses {
		s.queued[id] = savedResponse{id, key.Hash, response}
	}
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Load returns the final response stored under the key, if any. Code IdempotencyMismatch if the key
// belongs to a different request.
func (s *Responses) Load(ctx context.Context, key *Key) (Response, bool, error) {
	if key.isVisitor() {
		return Response{}, false, nil
	}
	s.mu.Lock()
	saved, found := s.queued[responseID{*key.UserID, key.Value}]
	s.mu.Unlock()
	if found {
		return saved.response, true, keyRow{RequestHash: saved.hash[:]}.matches(key)
	}
	used, err := getKey(ctx, s.db, key)
	switch {
	case fault.CodeOf(err) == fault.NotFound:
		return Response{}, false, nil
	case err != nil:
		return Response{}, false, err
	case used.Status == nil:
		return Response{}, false, used.matches(key)
	}
	return Response{Status: int(*used.Status), Body: used.Response}, true, used.matches(key)
}

// Run writes responses until ctx ends, and then those that are still queued.
func (s *Responses) Run(ctx context.Context) {
	defer s.Flush(ctx)
	for {
		select {
		case <-s.wake:
		case <-ctx.Done():
			return
		}
		select {
		case <-time.After(flushPause):
		case <-ctx.Done():
			return
		}
		s.Flush(ctx)
	}
}

// Flush writes the queued responses, also after ctx has ended. It logs a failure and drops the
// responses of the failed statement.
func (s *Responses) Flush(ctx context.Context) {
	s.writing.Lock()
	defer s.writing.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTimeout)
	defer cancel()
	for {
		batch := s.next()
		if len(batch) == 0 {
			return
		}
		if err := saveResponses(ctx, s.db, batch); err != nil {
			s.logger.WarnContext(ctx, "responses not kept under their Idempotency-Keys", "count", len(batch), "error", err)
		}
		s.mu.Lock()
		for _, saved := range batch {
			delete(s.queued, saved.responseID)
		}
		s.mu.Unlock()
	}
}

// next returns the responses of the next statement, in the order of their keys, so that the
// statements of two processes cannot deadlock.
func (s *Responses) next() []savedResponse {
	s.mu.Lock()
	defer s.mu.Unlock()
	batch := make([]savedResponse, 0, min(len(s.queued), responseBatch))
	for _, saved := range s.queued {
		if len(batch) == responseBatch {
			break
		}
		batch = append(batch, saved)
	}
	slices.SortFunc(batch, func(a, b savedResponse) int {
		return cmp.Or(bytes.Compare(a.user[:], b.user[:]), cmp.Compare(a.value, b.value))
	})
	return batch
}
