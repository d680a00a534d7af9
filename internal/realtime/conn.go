package realtime

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

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
