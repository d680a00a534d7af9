package realtime

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/olahol/melody"

	"amanat/internal/lib/ratelimit"
)

// Close codes, and what clients do after them. After 1012 (with a delay), 4002 and a break without
// a code they reconnect with since. After 4001 they check whether the session is still valid. After
// 4003 they reconnect when the page becomes visible. 4004 and 4005 are client errors, which they
// report.
const (
	closeRestart    = melody.CloseServiceRestart
	closeFailed     = melody.CloseInternalServerErr
	closeEnded      = 4001
	closeSlow       = 4002
	closeReplaced   = 4003
	closeGarbage    = 4004
	closeTooMany    = 4005
	closeGrace      = 5 * time.Second // for the client to answer a close
	maxBacklog      = 1 << 20         // bytes queued for a slow client
	maxHeld         = 512             // frames held until a missing one arrives
	window          = 32              // frames in flight in melody
	messagesAtOnce  = window + 1      // melody's buffer: the window and one close frame
	gracefulDiscard = 64 << 10        // bytes read from a client after the close frame
)

// reasons maps close codes to metric labels.
var reasons = map[int]string{
	closeRestart: "restart", closeFailed: "failed", closeEnded: "session_ended", closeSlow: "slow", closeReplaced: "replaced",
	closeGarbage: "garbage", closeTooMany: "too_many_frames",
}

// socket is one browser connection. Frames with a seq are sent in log order, each exactly once:
// frames that arrive early are held, and missing ones are read from the log (see catchup.go).
type socket struct {
	hub       *Hub
	userID    uuid.UUID
	sessionID uuid.UUID
	admin     atomic.Bool
	conn      *conn
	frames    ratelimit.Meter // by the goroutine that reads
	since     *int64          // the client's cursor; nil for a new client
	pump      *melody.Session // set before the socket is shared
	counted   bool            // in connected.live, guarded by the index

	mu       sync.Mutex
	live     bool             // hello is sent
	closing  bool             // the close frame is sent
	cursor   int64            // seq of the last frame sent
	held     map[int64][]byte // early frames, by seq
	backlog  [][]byte         // frames beyond the window
	bytes    int              // size of the backlog
	inFlight int              // frames that melody has not sent yet
}

func (k *socket) identity() Identity {
	return Identity{UserID: k.userID, SessionID: k.sessionID, Admin: k.admin.Load()}
}

// completeJoin makes the socket live: it sends hello, the missed frames and the held ones. behind
// reports whether frames are still missing and must be backfilled.
func (k *socket) completeJoin(hello []byte, head int64, missed []loggedFrame) (behind bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.push(hello)
	for _, m := range missed {
		k.push(m.encoded)
	}
	k.live, k.cursor = true, head
	k.flushHeld()
	return len(k.held) > 0
}

// enqueueSequenced sends or holds a frame of the log. behind reports whether frames before it are
// missing.
func (k *socket) enqueueSequenced(seq int64, frame []byte) (behind bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.closing || k.live && seq <= k.cursor:
		return false
	case !k.live || seq > k.cursor+1:
		if k.held == nil {
			k.held = map[int64][]byte{}
		}
		if len(k.held) < maxHeld { // further frames are backfilled from the log
			k.held[seq] = frame
		}
		return k.live
	}
	k.cursor = seq
	k.push(frame)
	k.flushHeld()
	return len(k.held) > 0
}

// flushHeld sends the held frames that follow the cursor without a gap. The lock must be held.
func (k *socket) flushHeld() {
	for seq := range k.held {
		if seq <= k.cursor {
			delete(k.held, seq)
		}
	}
	for frame, next := k.held[k.cursor+1]; next; frame, next = k.held[k.cursor+1] {
		k.cursor++
		delete(k.held, k.cursor)
		k.push(frame)
	}
	if len(k.held) == 0 {
		k.held = nil
	}
}

// enqueueUnsequenced sends a frame that is not in the log. It is dropped if the socket is not live.
func (k *socket) enqueueUnsequenced(frame []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.live {
		k.push(frame)
	}
}

// state returns the cursor and whether frames after it are held. ok is false while the socket is
// joining or closing.
func (k *socket) state() (cursor int64, behind, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.cursor, len(k.held) > 0, k.live && !k.closing
}

// ending reports whether the socket is closing; frames from its client are ignored then.
func (k *socket) ending() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.closing
}

// push passes a frame to melody, or queues it while the window is full. The lock must be held.
func (k *socket) push(frame []byte) {
	switch {
	case k.closing:
		return
	case k.inFlight < window && len(k.backlog) == 0:
		k.inFlight++
		_ = k.pump.Write(frame) // fails only on a closed connection, which the pump detects
	case k.bytes+len(frame) > maxBacklog:
		k.end(closeSlow, "too slow")
	default:
		k.backlog = append(k.backlog, frame)
		k.bytes += len(frame)
	}
}

// sent is called when melody has sent a frame.
func (k *socket) sent() {
	k.hub.metrics.sent.Inc()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.inFlight--
	if len(k.backlog) == 0 || k.closing {
		return
	}
	next := k.backlog[0]
	k.backlog[0] = nil
	if k.backlog = k.backlog[1:]; len(k.backlog) == 0 {
		k.backlog = nil
	}
	k.bytes -= len(next)
	k.inFlight++
	_ = k.pump.Write(next) // as in push
}

// close ends the connection with a code. Queued frames are dropped; clients recover them from the
// log.
func (k *socket) close(code int, text string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.end(code, text)
}

// end is close with the lock held. It aborts the connection if the client does not answer in time.
func (k *socket) end(code int, text string) {
	if k.closing {
		return
	}
	k.closing, k.backlog, k.held = true, nil, nil
	k.hub.metrics.closed.WithLabelValues(reasons[code]).Inc()
	_ = k.pump.CloseWithMsg(melody.FormatCloseMessage(code, text)) // as in push
	time.AfterFunc(closeGrace, k.conn.abort)
}

// lingerTime is how long a client has to finish sending after the server's close.
const lingerTime = time.Second

// conn is a socket's connection. melody closes it right after the last frame. If data from the
// client is unread then, the kernel drops that frame and the client never sees the close code. So
// Close only shuts down the writing side, and finish waits for the client to close.
type conn struct {
	net.Conn
	closed atomic.Bool
}

// Close shuts down the writing side. melody calls it.
func (c *conn) Close() error {
	if c.closed.Swap(true) {
		return nil
	}
	half, can := c.Conn.(interface{ CloseWrite() error })
	if !can {
		return c.Conn.Close()
	}
	_ = c.SetReadDeadline(now().Add(lingerTime))
	return half.CloseWrite()
}

// finish closes the connection after its pump has ended.
func (c *conn) finish() {
	_ = c.SetReadDeadline(now().Add(lingerTime))
	_, _ = io.CopyN(io.Discard, c.Conn, gracefulDiscard)
	_ = c.Conn.Close()
}

// abort closes the connection immediately and discards unsent data.
func (c *conn) abort() {
	if tcp, isTCP := c.Conn.(*net.TCPConn); isTCP {
		_ = tcp.SetLinger(0)
	}
	_ = c.Conn.Close()
}

// hijacked is a ResponseWriter whose connection is already hijacked. melody hijacks it once more
// and then needs neither the request's goroutine nor the objects of the request.
type hijacked struct {
	header http.Header
	conn   *conn
	buffer *bufio.ReadWriter
}

// hijack takes over the connection of a request.
func hijack(w http.ResponseWriter) (*hijacked, error) {
	raw, buffer, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil, err
	}
	return &hijacked{header: w.Header().Clone(), conn: &conn{Conn: raw}, buffer: buffer}, nil
}

// Header returns the response headers.
func (h *hijacked) Header() http.Header { return h.header }

// Write drops the response to a failed handshake; Join has already checked the request.
func (h *hijacked) Write(p []byte) (int, error) { return len(p), nil }

// WriteHeader drops the status of that response.
func (h *hijacked) WriteHeader(int) {}

// Hijack returns the connection once, and releases the buffers: they are large, and melody has its
// own.
func (h *hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	buffer := h.buffer
	h.buffer = nil
	return h.conn, buffer, nil
}

// now is the machine's time, for deadlines.
func now() time.Time { return time.Now() } //nolint:forbidigo // deadlines of connections

const (
	// adminsChannel carries frames for all connected admins.
	adminsChannel = "rt:admins"
	// controlChannel carries ended sessions.
	controlChannel = "rt:ctl"
)

// control names ended sessions: a single one, or all of a user except one.
type control struct {
	Session *uuid.UUID `json:"session,omitzero"`
	User    *uuid.UUID `json:"user,omitzero"`
	Except  *uuid.UUID `json:"except,omitzero"`
}

// ends reports whether the message ends the session of a socket.
func (c control) ends(p Identity) bool {
	switch {
	case c.Session != nil:
		return p.SessionID == *c.Session
	case c.User != nil:
		return p.UserID == *c.User && (c.Except == nil || p.SessionID != *c.Except)
	}
	return false
}

// PublishAdmins sends a frame to the open pages of all admins.
func (r *Redis) PublishAdmins(frame Frame) { r.Publish(adminsChannel, frame) }

// SessionEnded closes the sockets of a session.
func (r *Redis) SessionEnded(id uuid.UUID) { r.Publish(controlChannel, control{Session: &id}) }

// SessionsEnded closes the sockets of all sessions of a user, except those of one session if it is
// not nil.
func (r *Redis) SessionsEnded(userID uuid.UUID, except *uuid.UUID) {
	r.Publish(controlChannel, control{User: &userID, Except: except})
}

// Draining 10,000 sockets takes ten seconds; a hundred are closed at once.
const (
	drainBatch   = 100
	drainBatches = 100
	drainPause   = 100 * time.Millisecond
)

// Drain rejects new sockets, closes the others in batches so that they do not all reconnect at
// once, and waits until they are gone. When ctx ends, it aborts the rest.
func (h *Hub) Drain(ctx context.Context) {
	h.stopAccepting()
	gone := make(chan struct{})
	go func() {
		h.pumping.Wait()
		close(gone)
	}()
	size := max(drainBatch, (len(h.index.all())+drainBatches-1)/drainBatches)
	pause := time.NewTicker(drainPause)
	defer pause.Stop()
	for {
		h.closeBatch(size) // includes sockets that are still joining
		select {
		case <-gone:
			return
		case <-ctx.Done():
			h.abort()
			<-gone
			return
		case <-pause.C:
		}
	}
}

// closeBatch closes at most n sockets.
func (h *Hub) closeBatch(n int) {
	for _, k := range h.index.all() {
		if n == 0 {
			return
		}
		if !k.ending() {
			k.close(closeRestart, "restarting")
			n--
		}
	}
}
