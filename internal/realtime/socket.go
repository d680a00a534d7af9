package realtime

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/olahol/melody"
	"golang.org/x/time/rate"
)

// Close codes. What clients do: come back with since after 1012 (in a moment), 4002, and whatever breaks off without one; look whether the
// session still lives after 4001; wait until they are looked at after 4003; report a mistake of theirs after 4004 and 4005.
const (
	closeRestart    = melody.CloseServiceRestart
	closeFailed     = melody.CloseInternalServerErr
	closeEnded      = 4001
	closeSlow       = 4002
	closeReplaced   = 4003
	closeGarbage    = 4004
	closeTooMany    = 4005
	closeGrace      = 5 * time.Second // for the client to answer a close; then the connection is cut
	maxBacklog      = 1 << 20         // bytes that wait for a slow client
	maxHeld         = 512             // frames that wait for one that comes late
	window          = 32              // frames that melody has and has not sent
	messagesAtOnce  = window + 1      // what melody must have room for: the window and one close
	gracefulDiscard = 64 << 10        // bytes of a client that are read after the last frame to it
)

// reasons name the close codes in metrics.
var reasons = map[int]string{
	closeRestart: "restart", closeFailed: "failed", closeEnded: "session_ended", closeSlow: "slow", closeReplaced: "replaced",
	closeGarbage: "garbage", closeTooMany: "too_many_frames",
}

// socket is one connection of a browser. Frames with a seq leave it in the order of the log, each once: those that come early are held,
// and those that never come are fetched (see catchup.go).
type socket struct {
	hub       *Hub
	userID    uuid.UUID
	sessionID uuid.UUID
	admin     atomic.Bool
	conn      *conn
	limiter   *rate.Limiter
	since     *int64          // what the client has seen; nil: nothing
	pump      *melody.Session // set before anybody else can see the socket
	counted   bool            // see index.enliven

	mu       sync.Mutex
	live     bool             // hello is out
	closing  bool             // the last frame is out
	position int64            // seq of the last frame that went out
	held     map[int64][]byte // frames that are ahead of the position, by seq
	backlog  [][]byte         // frames that melody has no room for
	bytes    int              // of the backlog
	inFlight int              // frames that melody has and has not sent
}

func (k *socket) person() Person {
	return Person{UserID: k.userID, SessionID: k.sessionID, Admin: k.admin.Load()}
}

// welcome ends the joining: hello, what was missed, what came meanwhile, and from then on whatever comes. It tells whether something of
// that has yet to be fetched.
func (k *socket) welcome(hello []byte, head int64, missed []loggedFrame) (behind bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.push(hello)
	for _, m := range missed {
		k.push(m.encoded)
	}
	k.live, k.position = true, head
	k.letGo()
	return len(k.held) > 0
}

// offer gives the socket a frame of the log. It tells whether frames before it are missing.
func (k *socket) offer(seq int64, frame []byte) (behind bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.closing || k.live && seq <= k.position:
		return false
	case !k.live || seq > k.position+1:
		if k.held == nil {
			k.held = map[int64][]byte{}
		}
		if len(k.held) < maxHeld { // beyond, the log has them
			k.held[seq] = frame
		}
		return k.live
	}
	k.position = seq
	k.push(frame)
	k.letGo()
	return len(k.held) > 0
}

// letGo sends the held frames whose turn it is. It must be called with the lock held.
func (k *socket) letGo() {
	for seq := range k.held {
		if seq <= k.position {
			delete(k.held, seq)
		}
	}
	for frame, next := k.held[k.position+1]; next; frame, next = k.held[k.position+1] {
		k.position++
		delete(k.held, k.position)
		k.push(frame)
	}
	if len(k.held) == 0 {
		k.held = nil
	}
}

// pass gives the socket a frame that is in no log. One that is not live yet does not get it.
func (k *socket) pass(frame []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.live {
		k.push(frame)
	}
}

// at returns the position; ok is false while the socket is joining, and when it is closing.
func (k *socket) at() (position int64, behind, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.position, len(k.held) > 0, k.live && !k.closing
}

// ending tells whether the socket is being closed: what its client still sends is of no interest.
func (k *socket) ending() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.closing
}

// push sends a frame, or keeps it until the client has taken those before it. It must be called with the lock held.
func (k *socket) push(frame []byte) {
	switch {
	case k.closing:
		return
	case k.inFlight < window && len(k.backlog) == 0:
		k.inFlight++
		_ = k.pump.Write(frame) // fails only when the connection has ended, which the pump hears by itself
	case k.bytes+len(frame) > maxBacklog:
		k.end(closeSlow, "too slow")
	default:
		k.backlog = append(k.backlog, frame)
		k.bytes += len(frame)
	}
}

// sent notes that melody has sent a frame.
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

// close ends the connection with a code. Frames that have not gone out are dropped: the log has them.
func (k *socket) close(code int, text string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.end(code, text)
}

// end is close with the lock held. A client that does not answer, or takes nothing any more, is cut off.
func (k *socket) end(code int, text string) {
	if k.closing {
		return
	}
	k.closing, k.backlog, k.held = true, nil, nil
	k.hub.metrics.closed.WithLabelValues(reasons[code]).Inc()
	_ = k.pump.CloseWithMsg(melody.FormatCloseMessage(code, text)) // as in push
	time.AfterFunc(closeGrace, k.conn.cut)
}
