package realtime

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"amanat/internal/postgres"
)

const (
	maxReplay    = 300                    // events that a client is sent again; beyond, it refetches everything
	replayBytes  = maxBacklog / 2         // and their size: what is sent at once must not look like what a slow client leaves behind
	reorderGrace = 100 * time.Millisecond // frames of different processes overtake each other by less
	checkEvery   = time.Second
	checksIdle   = 5 // a healthy link is checked each so many times checkEvery
	checkTimeout = 5 * time.Second
	healBatch    = 500 // users a query
)

// caughtUp is where a user's log stands, and what a client has missed of it.
type caughtUp struct {
	head   int64
	whole  bool // frames are all that was missed
	frames []loggedFrame
}

// readSince reads what a client has missed since a position. It is not whole when there is more than maxReplay or replayBytes, when the log
// does not reach back so far, and when the log has not come so far: the position is of another database.
func readSince(ctx context.Context, q postgres.Querier, userID uuid.UUID, since *int64) (caughtUp, error) {
	if since == nil {
		head, err := readHead(ctx, q, userID)
		return caughtUp{head: head, whole: true}, err
	}
	rows, err := readEvents(ctx, q, []uuid.UUID{userID}, []int64{*since}, maxReplay+1)
	if err != nil {
		return caughtUp{}, err
	}
	caught, size := caughtUp{head: rows[0].Head}, 0 // there is always a row
	for _, r := range rows {
		if r.Seq == nil {
			continue
		}
		frame, err := r.frame()
		if err != nil {
			return caughtUp{}, err
		}
		caught.frames, size = append(caught.frames, frame), size+len(frame.encoded)
	}
	missed := caught.head - *since
	if missed < 0 || missed > maxReplay || missed != int64(len(caught.frames)) || size > replayBytes {
		return caughtUp{head: caught.head}, nil
	}
	caught.whole = true
	return caught, nil
}

// overdue are the users some of whose sockets lack frames, each with the position that they must reach; 0 where only a frame that came
// early says so.
type overdue struct {
	wake chan struct{}

	mu    sync.Mutex
	users map[uuid.UUID]int64
}

func newOverdue() overdue {
	return overdue{wake: make(chan struct{}, 1), users: map[uuid.UUID]int64{}}
}

func (o *overdue) note(userID uuid.UUID, target int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.users[userID] = max(target, o.users[userID])
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *overdue) take() map[uuid.UUID]int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	taken := o.users
	o.users = map[uuid.UUID]int64{}
	return taken
}

// heal fetches what Redis has lost. Most of what is noted arrives by itself while it waits.
func (h *Hub) heal(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.overdue.wake:
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(reorderGrace):
		}
		var users []uuid.UUID
		var positions []int64
		for userID, target := range h.overdue.take() {
			if position, behind := h.behind(userID, target); behind {
				users, positions = append(users, userID), append(positions, position)
			}
		}
		for len(users) > 0 {
			n := min(healBatch, len(users))
			if err := h.fetch(ctx, users[:n], positions[:n]); err != nil && ctx.Err() == nil {
				h.log.Warn("realtime: events not read", "users", n, "error", err) // the next check of positions finds them again
			}
			users, positions = users[n:], positions[n:]
		}
	}
}

// behind tells whether sockets of a user lack frames, and the position of the one that lacks most.
func (h *Hub) behind(userID uuid.UUID, target int64) (position int64, behind bool) {
	for _, k := range h.index.sockets(userID) {
		at, waits, live := k.at()
		if live && (waits || at < target) && (!behind || at < position) {
			position, behind = at, true
		}
	}
	return position, behind
}

// fetch brings users' sockets what the log has after the given positions.
func (h *Hub) fetch(ctx context.Context, users []uuid.UUID, positions []int64) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	rows, err := readEvents(ctx, h.db, users, positions, maxReplay)
	if err != nil {
		return err
	}
	asked := make(map[uuid.UUID]int64, len(users))
	for i, userID := range users {
		asked[userID] = positions[i]
	}
	for start := 0; start < len(rows); {
		userID, head := rows[start].UserID, rows[start].Head
		end := start
		for end < len(rows) && rows[end].UserID == userID {
			end++
		}
		if err := h.catchUp(userID, asked[userID], head, rows[start:end]); err != nil {
			return err
		}
		start = end
	}
	return nil
}

// catchUp brings a user's sockets the events after a position, no more than replayBytes at once. Sockets that lack what the log no longer
// has are sent away: when they come back, they are told to refetch.
func (h *Hub) catchUp(userID uuid.UUID, position, head int64, rows []eventRow) error {
	sockets := h.index.sockets(userID)
	first := rows[0].Seq
	if first == nil || *first != position+1 {
		if first == nil && head <= position {
			return nil
		}
		for _, k := range sockets {
			if at, _, live := k.at(); live && (first == nil || at+1 < *first) {
				k.close(closeSlow, "too far behind")
			}
		}
		if first == nil {
			return nil
		}
	}
	last, size := position, 0
	for _, r := range rows {
		frame, err := r.frame()
		if err != nil {
			return err
		}
		if size += len(frame.encoded); size > replayBytes && last > position { // the rest comes after the next reorderGrace
			break
		}
		for _, k := range sockets {
			if k.offer(frame.seq, frame.encoded) { // it has just joined, and stood before position then
				h.overdue.note(userID, 0)
			}
		}
		last = frame.seq
		h.metrics.healed.Inc()
	}
	if last < head {
		h.overdue.note(userID, head)
	}
	return nil
}

// check asks for a check of all positions soon: the link is new, and something may have been missed.
func (h *Hub) check() {
	select {
	case h.checkNow <- struct{}{}:
	default:
	}
}

// checkRegularly compares what sockets have been sent with the log: that heals a lost last message, a process that died between its commit
// and its publishing, and the absence of Redis.
func (h *Hub) checkRegularly(ctx context.Context) {
	ticker := time.NewTicker(checkEvery)
	defer ticker.Stop()
	for idle := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-h.checkNow:
		case <-ticker.C:
			if idle++; h.link.Healthy() && idle < checksIdle {
				continue
			}
		}
		idle = 0
		if err := h.checkPositions(ctx); err != nil && ctx.Err() == nil {
			h.log.Warn("realtime: positions not checked", "error", err)
		}
	}
}

func (h *Hub) checkPositions(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	users := h.index.live()
	if len(users) > 0 {
		heads, err := readHeads(ctx, h.db, users)
		if err != nil {
			return err
		}
		for _, head := range heads {
			if _, behind := h.behind(head.UserID, head.Seq); behind {
				h.overdue.note(head.UserID, head.Seq)
			}
		}
	}
	h.metrics.checked.Store(now().UnixNano())
	return nil
}
