package realtime

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"
	"github.com/olahol/melody"

	"amanat/internal/lib/fault"
)

const (
	pongWait     = 60 * time.Second // without a pong the client is gone
	pingPeriod   = 50 * time.Second
	writeWait    = 10 * time.Second // per frame
	readBuffer   = 1 << 10
	writeBuffer  = 4 << 10          // pooled: a socket has one only while it writes
	joinWait     = time.Second      // for Redis to confirm a subscription
	joinTimeout  = 10 * time.Second // for reading the log
	maxJoins     = 8                // concurrent log reads: requests need the database too
	frameTimeout = 10 * time.Second // for handling a client's frame
	socketKey    = "socket"
)

const textFailed = "Something went wrong"

// newPump returns the melody that reads and writes connections. Its own session hub is not used for
// delivery: it iterates over all sessions for each event.
func (h *Hub) newPump() *melody.Melody {
	m := melody.New()
	m.Config = &melody.Config{
		WriteWait: writeWait, PongWait: pongWait, PingPeriod: pingPeriod,
		MaxMessageSize: h.opts.Limits.FrameBytes, MessageBufferSize: messagesAtOnce,
	}
	m.Upgrader = &websocket.Upgrader{
		ReadBufferSize: readBuffer, WriteBufferSize: writeBuffer, WriteBufferPool: &h.buffers,
		CheckOrigin: func(*http.Request) bool { return true }, // checked by the caller of Join
	}
	m.HandleConnect(h.connected)
	m.HandleDisconnect(h.disconnected)
	m.HandleMessage(h.received)
	m.HandleMessageBinary(func(s *melody.Session, _ []byte) { socketOf(s).close(closeGarbage, "not text") })
	m.HandleSentMessage(func(s *melody.Session, _ []byte) { socketOf(s).sent() })
	return m
}

func socketOf(s *melody.Session) *socket {
	k, _ := s.Keys[socketKey].(*socket)
	return k
}

// isHandshake reports whether melody can upgrade the request. It is checked before the connection
// is hijacked, because no error can be sent afterwards.
func isHandshake(r *http.Request) bool {
	key, err := base64.StdEncoding.DecodeString(r.Header.Get("Sec-Websocket-Key"))
	return err == nil && len(key) == 16 && websocket.IsWebSocketUpgrade(r) && r.Header.Get("Sec-Websocket-Version") == "13"
}

// Join upgrades the request of an authenticated user to a socket and returns immediately; the
// request is over then. since is the client's cursor, nil for a new client. The caller must have
// checked the Origin. Codes, before anything is written: Invalid if the request is no handshake,
// Unavailable while the hub is not running or is draining.
func (h *Hub) Join(w http.ResponseWriter, r *http.Request, p Identity, since *int64) error {
	if !isHandshake(r) {
		return fault.New(fault.Invalid, "websocket_only", "This address speaks WebSocket only.")
	}
	h.mu.Lock()
	pump := h.pump
	if pump != nil {
		h.pumping.Add(1)
	}
	h.mu.Unlock()
	if pump == nil {
		return fault.New(fault.Unavailable, "service_restarting", "The service is restarting. Please try again in a moment.")
	}
	taken, err := hijack(w)
	if err != nil {
		h.pumping.Done()
		return err
	}
	k := &socket{
		hub: h, userID: p.UserID, sessionID: p.SessionID, conn: taken.conn, since: since,
	}
	k.admin.Store(p.Admin)
	go h.serve(pump, taken, r, k) // a new goroutine frees the request's stack and objects
	return nil
}

// serve reads and writes the connection until it ends. It takes arguments instead of capturing
// them, so that those melody no longer needs can be garbage collected.
func (h *Hub) serve(pump *melody.Melody, w *hijacked, r *http.Request, k *socket) {
	defer h.pumping.Done()
	defer k.conn.finish()
	if err := pump.HandleRequestWithKeys(w, r, map[string]any{socketKey: k}); err != nil {
		h.log.Debug("realtime: handshake failed", "error", err)
	}
}

// connected is called before the socket reads or writes.
func (h *Hub) connected(s *melody.Session) {
	k := socketOf(s)
	s.Request = nil
	k.pump = s
	for _, old := range h.index.add(k, h.opts.Limits.Sockets) {
		old.close(closeReplaced, "replaced")
	}
	if h.work.Err() != nil { // abort may have missed it
		k.conn.abort()
	}
	go h.join(k, h.link.users.acquire(k.userID))
}

func (h *Hub) disconnected(s *melody.Session) {
	k := socketOf(s)
	h.index.remove(k, func() {
		if h.opts.Hooks.Left != nil {
			h.calls.add(func() { h.opts.Hooks.Left(k.userID) })
		}
	})
	h.link.users.release(k.userID)
}

// join brings a new socket up to date. The socket is already in the index and holds what arrives;
// the log is read only after Redis has confirmed the subscription, so no event is missed between
// the two. Without Redis it does not wait for the confirmation: checkCursors finds missed events.
func (h *Hub) join(k *socket, subscribed <-chan struct{}) {
	if h.link.Healthy() {
		select {
		case <-subscribed:
		case <-time.After(h.joinWait):
		}
	}
	ctx, cancel := context.WithTimeout(h.work, joinTimeout)
	defer cancel()
	caught, err := h.readSince(ctx, k)
	if err != nil {
		h.log.Warn("realtime: log not read", "error", err)
		k.close(closeFailed, "failed")
		return
	}
	hello, err := h.encode(TypeHello, Hello{Recovered: caught.recovered, Seq: caught.head})
	if err != nil {
		h.log.Error("realtime: frame not encoded", "type", TypeHello, "error", err)
		k.close(closeFailed, "failed")
		return
	}
	if k.completeJoin(hello, caught.head, caught.frames) {
		h.backfills.add(k.userID, 0)
	}
	h.index.markReady(k, func(first bool) {
		switch hooks := h.opts.Hooks; {
		case first && hooks.Joined != nil:
			h.calls.add(func() { hooks.Joined(k.identity()) })
		case !first && hooks.Socket != nil:
			h.calls.add(func() { hooks.Socket(k.userID) })
		}
	})
}

func (h *Hub) readSince(ctx context.Context, k *socket) (replay, error) {
	if err := h.joins.Acquire(ctx, 1); err != nil {
		return replay{}, err
	}
	defer h.joins.Release(1)
	return readSince(ctx, h.db, k.userID, k.since)
}

// received is called from the socket's own goroutine.
func (h *Hub) received(s *melody.Session, message []byte) {
	k := socketOf(s)
	h.metrics.received.Inc()
	if k.ending() {
		return
	}
	if !k.frames.Allow(h.opts.Limits.Frames, now()) {
		k.close(closeTooMany, "too many frames")
		return
	}
	var frame struct {
		Type string          `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	if json.Unmarshal(message, &frame) != nil {
		k.close(closeGarbage, "not a frame")
		return
	}
	if frame.Type == TypePing {
		h.answer(k, TypePong, struct{}{})
		return
	}
	err := ErrGarbage
	if h.opts.Hooks.Receive != nil {
		ctx, cancel := context.WithTimeout(h.work, frameTimeout)
		defer cancel()
		err = h.opts.Hooks.Receive(ctx, k.identity(), frame.Type, frame.Data)
	}
	switch problem := fault.As(err); {
	case err == nil:
	case errors.Is(err, ErrGarbage):
		k.close(closeGarbage, "unknown type")
	case problem != nil:
		h.answer(k, TypeProblem, Problem{Code: problem.Code, Reason: problem.Reason, Message: problem.Message, Params: problem.Params})
	default:
		h.log.Error("realtime: frame failed", "type", frame.Type, "error", err)
		h.answer(k, TypeProblem, Problem{Code: fault.Internal, Reason: "internal", Message: textFailed})
	}
}

// answer sends a frame to one socket.
func (h *Hub) answer(k *socket, frameType string, data any) {
	frame, err := h.encode(frameType, data)
	if err != nil {
		h.log.Error("realtime: frame not encoded", "type", frameType, "error", err)
		return
	}
	k.enqueueUnsequenced(frame)
}

// Identity is the authenticated user and session of a socket.
type Identity struct {
	UserID, SessionID uuid.UUID
	Admin             bool
}
