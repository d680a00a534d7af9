package api

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"
)

// Bounds of the picture bodies in memory. A body is kept until its request is answered, and
// decoding takes three times its size, so all of them together take about 300 MiB at most.
const (
	uploadRoom   = 16 * maxImageBody
	uploadStep   = 256 << 10       // of room acquired at once, as the body arrives
	uploadsOfOne = 4               // per user, so that slow connections do not block other users
	uploadsOfNew = 1               // per new user: new accounts are free
	uploadWait   = 2 * time.Second // for room
	uploadGrace  = 5 * time.Second // before uploadRate is enforced
	uploadRate   = 20_000          // bytes a second, on average
)

// uploads are the large bodies being read or processed.
type uploads struct {
	room *semaphore.Weighted // in bytes

	mu sync.Mutex
	of map[uuid.UUID]int // by user
}

func newUploads() *uploads {
	return &uploads{room: semaphore.NewWeighted(uploadRoom), of: map[uuid.UUID]int{}}
}

// upload is a body that may be large. It acquires room as it arrives, so that an announced body
// that does not arrive takes none.
type upload struct {
	all     *uploads
	person  uuid.UUID
	ctx     context.Context //nolint:containedctx // the request's, while its body is read
	writer  http.ResponseWriter
	body    io.Reader
	elapsed func() time.Duration

	received int64
	room     int64
	waited   time.Duration // for room, not charged to the client
}

// mayBeLarge reports whether a body needs room. Bodies within maxBody do not, so texts never wait
// for pictures.
func mayBeLarge(r *http.Request) bool { return r.ContentLength < 0 || r.ContentLength > maxBody }

// upload prepares for reading a body. It returns nil if the body is not large. Code RateLimited
// while the user has too many other uploads in progress.
func (s *Server) upload(w http.ResponseWriter, r *http.Request, e endpoint, c *call) (*upload, error) {
	if !e.image || !mayBeLarge(r) {
		return nil, nil
	}
	most := uploadsOfOne
	if isNew(c, s.clock) {
		most = uploadsOfNew
	}
	if !s.uploads.begin(c.user.ID, most) {
		s.logRateLimit(r.Context(), e, c)
		return nil, rateLimitError(retryAfter)
	}
	return &upload{
		all: s.uploads, person: c.user.ID, ctx: r.Context(), writer: w,
		body: http.MaxBytesReader(w, r.Body, maxImageBody), elapsed: stopwatch(),
	}, nil
}

// end releases the room after the request has been answered. u may be nil.
func (u *upload) end() {
	if u == nil {
		return
	}
	u.all.room.Release(u.room)
	u.all.finish(u.person)
}

// Read reads the next part of the body once there is room for it. Code Unavailable if there is none
// in time; a slow client hits the connection's deadline.
func (u *upload) Read(p []byte) (int, error) {
	free := maxBody + u.room - u.received
	if free == 0 {
		if err := u.grow(); err != nil {
			return 0, err
		}
		free = uploadStep
	}
	setReadDeadline(u.writer, max(time.Millisecond, u.readTimeout()))
	n, err := u.body.Read(p[:min(int64(len(p)), free)])
	u.received += int64(n)
	return n, err
}

func (u *upload) grow() error {
	asked := stopwatch()
	ctx, cancel := context.WithTimeout(u.ctx, uploadWait)
	defer cancel()
	if err := u.all.room.Acquire(ctx, uploadStep); err != nil {
		return errUnavailable().Because(err)
	}
	u.room += uploadStep
	u.waited += asked()
	return nil
}

// readTimeout returns how long the next byte may take.
func (u *upload) readTimeout() time.Duration {
	due := min(uploadGrace+time.Duration(u.received)*time.Second/uploadRate, imageBodyTimeout)
	return due + u.waited - u.elapsed()
}

// begin counts an upload of a user and reports whether it is allowed: a user has at most most at
// once.
func (u *uploads) begin(person uuid.UUID, most int) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.of[person] >= most {
		return false
	}
	u.of[person]++
	return true
}

func (u *uploads) finish(person uuid.UUID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.of[person]--; u.of[person] == 0 {
		delete(u.of, person)
	}
}
