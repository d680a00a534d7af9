package realtime

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// lingerTime is how long a client may take to say its last word after ours.
const lingerTime = time.Second

// conn is a socket's connection. melody closes it right after the last frame; if what the client has sent is unread then, the kernel drops
// that frame too, and the client never learns why it was closed. So Close only says that nothing more will come, and finish waits for the
// client's end.
type conn struct {
	net.Conn
	closed atomic.Bool
}

// Close is for melody.
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

// finish closes the connection when its pump has ended.
func (c *conn) finish() {
	_ = c.SetReadDeadline(now().Add(lingerTime))
	_, _ = io.CopyN(io.Discard, c.Conn, gracefulDiscard)
	_ = c.Conn.Close()
}

// cut closes the connection at once, with whatever the client has not taken.
func (c *conn) cut() {
	if tcp, isTCP := c.Conn.(*net.TCPConn); isTCP {
		_ = tcp.SetLinger(0)
	}
	_ = c.Conn.Close()
}

// hijacked is a ResponseWriter whose connection has been taken over. melody, which takes it over once more, then needs neither the
// request's goroutine nor anything that the request holds.
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

// Header returns the headers of the answer.
func (h *hijacked) Header() http.Header { return h.header }

// Write drops the answer to a handshake that failed although it had been checked.
func (h *hijacked) Write(p []byte) (int, error) { return len(p), nil }

// WriteHeader drops the same.
func (h *hijacked) WriteHeader(int) {}

// Hijack returns what hijack took, once: the buffers are large, and melody has its own.
func (h *hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	buffer := h.buffer
	h.buffer = nil
	return h.conn, buffer, nil
}

// now is the machine's time, for deadlines.
func now() time.Time { return time.Now() } //nolint:forbidigo // deadlines of connections
