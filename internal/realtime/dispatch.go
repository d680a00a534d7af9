package realtime

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/tidwall/gjson"
)

// recheckEvery bounds how long a socket outlives its session if Redis loses the control message.
const recheckEvery = time.Minute

// ReceiveFrame passes a frame from Redis to the user's dispatcher. It blocks while that
// dispatcher's queue is full. This blocks the link too, so a process that cannot keep up does not
// run out of memory.
func (h *Hub) ReceiveFrame(userID uuid.UUID, payload string) {
	select {
	case h.queues[userID[len(userID)-1]%dispatchers] <- delivery{userID, payload}:
	case <-h.work.Done():
	}
}

func (h *Hub) deliverAll(ctx context.Context, queue <-chan delivery) {
	for {
		select {
		case <-ctx.Done():
			return
		case d := <-queue:
			h.deliver(d)
		}
	}
}

func (h *Hub) deliver(d delivery) {
	sockets := h.index.sockets(d.userID)
	if len(sockets) == 0 {
		return
	}
	seq, frame, behind := gjson.Get(d.payload, "seq").Int(), []byte(d.payload), false
	for _, k := range sockets {
		if seq == 0 {
			k.enqueueUnsequenced(frame)
		} else if k.enqueueSequenced(seq, frame) {
			behind = true
		}
	}
	if behind {
		h.backfills.add(d.userID, 0)
	}
}

func (h *Hub) sendToAdmins(frame []byte) {
	for _, k := range h.index.all() {
		if k.admin.Load() {
			k.enqueueUnsequenced(frame)
		}
	}
}

// control handles messages about ended sessions.
func (h *Hub) control(payload []byte) {
	var c control
	if err := json.Unmarshal(payload, &c); err != nil {
		h.log.Warn("realtime: strange control message", "error", err)
		return
	}
	h.EndSessions(c.ends)
}

// recheckRegularly closes the sockets of ended sessions and updates which users are admins.
func (h *Hub) recheckRegularly(ctx context.Context) {
	ticker := time.NewTicker(recheckEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := h.Recheck(ctx); err != nil && ctx.Err() == nil {
			h.log.Warn("realtime: sessions not checked", "error", err)
		}
	}
}

// Recheck checks all sessions once. Run does so every minute.
func (h *Hub) Recheck(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	sockets := h.index.all()
	if len(sockets) == 0 {
		return nil
	}
	ids := make([]uuid.UUID, len(sockets))
	for i, k := range sockets {
		ids[i] = k.sessionID
	}
	admins, err := h.opts.Sessions(ctx, ids)
	if err != nil {
		return err
	}
	for _, k := range sockets {
		admin, lives := admins[k.sessionID]
		k.admin.Store(admin)
		if !lives {
			k.close(closeEnded, "session ended")
		}
	}
	return nil
}

// callQueue calls functions sequentially, in the order in which they were added.
type callQueue struct {
	wake chan struct{}

	mu    sync.Mutex
	calls []func()
}

// add never blocks, so it may be called with locks held.
func (q *callQueue) add(call func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.calls = append(q.calls, call)
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *callQueue) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-q.wake:
			q.flush()
		}
	}
}

func (q *callQueue) flush() {
	q.mu.Lock()
	calls := q.calls
	q.calls = nil
	q.mu.Unlock()
	for _, call := range calls {
		call()
	}
}
