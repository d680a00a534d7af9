package api

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"
)

// Bounds of the bodies with pictures that a process holds at once. A body is kept until its request is answered, and three times over while
// it is decoded, so that all of them together take some 300 MiB at most.
const (
	uploadRoom   = 16 * maxImageBody
	uploadsOfOne = 4               // of one person, so that nobody's slow connections keep the others out
	uploadWait   = 2 * time.Second // for room
)

// uploads are the large bodies that are being read or worked on.
type uploads struct {
	room *semaphore.Weighted // in bytes

	mu sync.Mutex
	of map[uuid.UUID]int // by person
}

func newUploads() *uploads {
	return &uploads{room: semaphore.NewWeighted(uploadRoom), of: map[uuid.UUID]int{}}
}

// uploadSize is how much room the body of a request takes, 0 for one that any other call might have too: a text never waits for pictures. A
// body of unknown length may be as large as any.
func uploadSize(r *http.Request) int64 {
	switch {
	case r.ContentLength < 0:
		return maxImageBody
	case r.ContentLength <= maxBody:
		return 0
	}
	return min(r.ContentLength, maxImageBody)
}

// upload makes sure that there is room for the body of a request, before any of it is read. release gives the room back, when the request
// has been answered. Codes: RateLimited while the user has too many others under way, Unavailable when there is no room in time.
func (s *Server) upload(r *http.Request, e endpoint, c *call) (release func(), err error) {
	nothing := func() {}
	size := uploadSize(r)
	if !e.image || size == 0 {
		return nothing, nil
	}
	if !s.uploads.begin(c.user.ID) {
		return nothing, s.limited(r.Context(), e, c, retryAfter)
	}
	ctx, cancel := context.WithTimeout(r.Context(), uploadWait)
	defer cancel()
	if err := s.uploads.room.Acquire(ctx, size); err != nil {
		s.uploads.end(c.user.ID)
		return nothing, err
	}
	return func() {
		s.uploads.room.Release(size)
		s.uploads.end(c.user.ID)
	}, nil
}

// begin counts an upload of a person, if he may have one more.
func (u *uploads) begin(person uuid.UUID) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.of[person] == uploadsOfOne {
		return false
	}
	u.of[person]++
	return true
}

func (u *uploads) end(person uuid.UUID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.of[person]--; u.of[person] == 0 {
		delete(u.of, person)
	}
}
