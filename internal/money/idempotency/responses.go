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
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

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
