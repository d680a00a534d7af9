package realtime

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
)

const (
	maxReplay     = 300                    // events; a client that missed more refetches everything
	replayBytes   = maxBacklog / 2         // size of a replay, which must fit into the backlog
	reorderGrace  = 100 * time.Millisecond // for out-of-order frames of other processes
	checkEvery    = time.Second
	checksIdle    = 5 // with a healthy link, check every checksIdle * checkEvery
	checkTimeout  = 5 * time.Second
	backfillBatch = 500 // users per query
)

// replay is the head of a user's log and the events that a client has missed.
type replay struct {
	head      int64
	recovered bool // frames holds every missed event
	frames    []loggedFrame
}

// readSince reads the events after a client's cursor. recovered is false if there are more than
// maxReplay or replayBytes, if the log no longer reaches back to the cursor, or if the cursor is
// ahead of the log, which means that it belongs to another database.
func readSince(ctx context.Context, q postgres.Querier, userID uuid.UUID, since *int64) (replay, error) {
	if since == nil {
		head, err := readHead(ctx, q, userID)
		return replay{head: head, recovered: true}, err
	}
	rows, err := readEvents.Many(ctx, q, postgres.Args{"users": []uuid.UUID{userID}, "positions": []int64{*since}, "limit": maxReplay + 1})
	if err != nil {
		return replay{}, err
	}
	caught, size := replay{head: rows[0].Head}, 0 // at least one row per user
	for _, r := range rows {
		if r.Seq == nil {
			continue
		}
		frame, err := r.frame()
		if err != nil {
			return replay{}, err
		}
		caught.frames, size = append(caught.frames, frame), size+len(frame.encoded)
	}
	missed := caught.head - *since
	if missed < 0 || missed > maxReplay || missed != int64(len(caught.frames)) || size > replayBytes {
		return replay{head: caught.head}, nil
	}
	caught.recovered = true
	return caught, nil
}

// backfillQueue holds the users whose sockets miss frames, with the seq to reach. The seq is 0 if
// the gap is known only from a frame that arrived early.
type backfillQueue struct {
	wake chan struct{}

	mu    sync.Mutex
	users map[uuid.UUID]int64
}

func newBackfillQueue() backfillQueue {
	return backfillQueue{wake: make(chan struct{}, 1), users: map[uuid.UUID]int64{}}
}

func (q *backfillQueue) add(userID uuid.UUID, target int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.users[userID] = max(target, q.users[userID])
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *backfillQueue) takeAll() map[uuid.UUID]int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	taken := q.users
	q.users = map[uuid.UUID]int64{}
	return taken
}

// backfill reads the events from the log that Redis has lost. It waits reorderGrace first, in which
// most missing frames arrive by themselves.
func (h *Hub) backfill(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.backfills.wake:
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(reorderGrace):
		}
		var users []uuid.UUID
		var cursors []int64
		for userID, target := range h.backfills.takeAll() {
			if cursor, behind := h.behind(userID, target); behind {
				users, cursors = append(users, userID), append(cursors, cursor)
			}
		}
		for len(users) > 0 {
			n := min(backfillBatch, len(users))
			// checkCursors retries after an error.
			if err := h.fetch(ctx, users[:n], cursors[:n]); err != nil && ctx.Err() == nil {
				h.log.Warn("realtime: events not read", "users", n, "error", err)
			}
			users, cursors = users[n:], cursors[n:]
		}
	}
}

// behind reports whether a user's sockets miss frames, and returns the lowest cursor of those that
// do.
func (h *Hub) behind(userID uuid.UUID, target int64) (cursor int64, behind bool) {
	for _, k := range h.index.sockets(userID) {
		at, waits, live := k.state()
		if live && (waits || at < target) && (!behind || at < cursor) {
			cursor, behind = at, true
		}
	}
	return cursor, behind
}

// fetch reads the events after the given cursors and sends them to the users' sockets.
func (h *Hub) fetch(ctx context.Context, users []uuid.UUID, cursors []int64) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	rows, err := readEvents.Many(ctx, h.db, postgres.Args{"users": users, "positions": cursors, "limit": maxReplay})
	if err != nil {
		return err
	}
	asked := make(map[uuid.UUID]int64, len(users))
	for i, userID := range users {
		asked[userID] = cursors[i]
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

// catchUp sends the events after a cursor to a user's sockets, at most replayBytes at once. Sockets
// that miss events which the log no longer has are closed; when they reconnect, they are told to
// refetch.
func (h *Hub) catchUp(userID uuid.UUID, cursor, head int64, rows []eventRow) error {
	sockets := h.index.sockets(userID)
	first := rows[0].Seq
	if first == nil || *first != cursor+1 {
		if first == nil && head <= cursor {
			return nil
		}
		for _, k := range sockets {
			if at, _, live := k.state(); live && (first == nil || at+1 < *first) {
				k.close(closeSlow, "too far behind")
			}
		}
		if first == nil {
			return nil
		}
	}
	last, size := cursor, 0
	for _, r := range rows {
		frame, err := r.frame()
		if err != nil {
			return err
		}
		if size += len(frame.encoded); size > replayBytes && last > cursor { // the rest follows
			break
		}
		for _, k := range sockets {
			if k.enqueueSequenced(frame.seq, frame.encoded) { // joined with an older cursor
				h.backfills.add(userID, 0)
			}
		}
		last = frame.seq
		h.metrics.backfilled.Inc()
	}
	if last < head {
		h.backfills.add(userID, head)
	}
	return nil
}

// Resubscribed triggers a check of all cursors: messages may have been missed before the link was
// established.
func (h *Hub) Resubscribed() {
	select {
	case h.checkNow <- struct{}{}:
	default:
	}
}

// checkRegularly compares the sockets' cursors with the log. This recovers the last message of a
// burst that was lost, the events of a process that died between commit and publish, and those
// published while Redis was down.
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
		if err := h.checkCursors(ctx); err != nil && ctx.Err() == nil {
			h.log.Warn("realtime: positions not checked", "error", err)
		}
	}
}

func (h *Hub) checkCursors(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	users := h.index.live()
	if len(users) > 0 {
		heads, err := readHeads.Many(ctx, h.db, postgres.Args{"users": users})
		if err != nil {
			return err
		}
		for _, head := range heads {
			if _, behind := h.behind(head.UserID, head.Seq); behind {
				h.backfills.add(head.UserID, head.Seq)
			}
		}
	}
	h.metrics.checked.Store(now().UnixNano())
	return nil
}
