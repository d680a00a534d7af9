// Package listener is a client of the socket that behaves like the UI: it stays connected, resumes
// at its position, and counts events that were lost or repeated. The bench and the system tests use
// it.
package listener

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// Options configure a Listener.
type Options struct {
	Site    func() string // returns the URL of the site to connect to next
	Origin  string
	Session string             // value of the session cookie
	Since   int64              // position to start at
	Newest  bool               // start at the end of the log instead
	Heard   func(frame []byte) // called with every frame after hello, if not nil
	Stalled bool               // reads nothing after hello, like a phone that lost its network
}

// Report counts what happened to a Listener.
type Report struct {
	Connects    int // successful connections
	Gaps        int // events that were lost
	Doubles     int // events that were repeated
	Unrecovered int // times the server asked the client to reload everything
	Closed      map[int]int
	Refused     map[int]int
}

// Listener is the socket of one user.
type Listener struct {
	options  Options
	cancel   context.CancelFunc
	ended    chan struct{}
	position atomic.Int64
	open     atomic.Bool

	mu     sync.Mutex
	report Report
}

const (
	cookieName    = "amanat" // of a site without HTTPS
	bufferSize    = 1 << 10
	smallWindow   = 4 << 10 // of a stalled client, so that the server notices soon
	minPause      = 50 * time.Millisecond
	maxPause      = 500 * time.Millisecond
	dialTimeout   = 10 * time.Second
	closeNormally = time.Second
)

// Open connects, and reconnects, until ctx ends or Close is called.
func Open(ctx context.Context, o Options) *Listener {
	ctx, cancel := context.WithCancel(ctx)
	l := &Listener{options: o, cancel: cancel, ended: make(chan struct{})}
	l.report.Closed, l.report.Refused = map[int]int{}, map[int]int{}
	l.position.Store(o.Since)
	go func() {
		defer close(l.ended)
		for ctx.Err() == nil {
			l.connect(ctx)
			select {
			case <-ctx.Done():
			case <-time.After(minPause + rand.N(maxPause-minPause)):
			}
		}
	}()
	return l
}

// Position returns the sequence number of the last event received.
func (l *Listener) Position() int64 { return l.position.Load() }

// Connected reports whether the socket is open and has received hello.
func (l *Listener) Connected() bool { return l.open.Load() }

// Report returns the counts so far.
func (l *Listener) Report() Report {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.report
	r.Closed, r.Refused = maps.Clone(r.Closed), maps.Clone(r.Refused)
	return r
}

// Close disconnects and returns the final counts.
func (l *Listener) Close() Report {
	l.cancel()
	<-l.ended
	return l.Report()
}

func (l *Listener) count(add func(r *Report)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	add(&l.report)
}

// connect runs one connection until it ends.
func (l *Listener) connect(ctx context.Context) {
	conn, err := l.dial(ctx)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	stop := context.AfterFunc(ctx, func() {
		goodbye := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
		_ = conn.WriteControl(websocket.CloseMessage, goodbye, time.Now().Add(closeNormally))
		_ = conn.Close()
	})
	defer stop()
	defer l.open.Store(false)
	err = l.listen(ctx, conn)
	if closed, ok := err.(*websocket.CloseError); ok && ctx.Err() == nil { //nolint:errorlint // not wrapped
		l.count(func(r *Report) { r.Closed[closed.Code]++ })
	}
}

func (l *Listener) dial(ctx context.Context) (*websocket.Conn, error) {
	dialer := websocket.Dialer{ReadBufferSize: bufferSize, WriteBufferSize: bufferSize, HandshakeTimeout: dialTimeout}
	if l.options.Stalled {
		dialer.NetDialContext = dialSlow
	}
	url := strings.Replace(l.options.Site(), "http", "ws", 1) + "/api/ws"
	if !l.options.Newest || l.Report().Connects > 0 {
		url += "?since=" + strconv.FormatInt(l.Position(), 10)
	}
	conn, response, err := dialer.DialContext(ctx, url, http.Header{
		"Cookie": {cookieName + "=" + l.options.Session}, "Origin": {l.options.Origin},
	})
	if err == nil {
		l.count(func(r *Report) { r.Connects++ })
		return conn, nil
	}
	if response != nil {
		_ = response.Body.Close()
		l.count(func(r *Report) { r.Refused[response.StatusCode]++ })
	}
	return nil, fmt.Errorf("connect: %w", err)
}

// frame holds the fields of a frame that a Listener needs.
type frame struct {
	Seq  int64  `json:"seq"`
	Type string `json:"type"`
}

func (l *Listener) listen(ctx context.Context, conn *websocket.Conn) error {
	_, first, err := conn.ReadMessage()
	if err != nil {
		return err
	}
	var hello struct {
		Type string
		Data struct {
			Recovered bool
			Seq       int64
		}
	}
	if err := json.Unmarshal(first, &hello); err != nil || hello.Type != "hello" {
		return fmt.Errorf("the first frame is %s", first)
	}
	if !hello.Data.Recovered {
		l.count(func(r *Report) { r.Unrecovered++ })
	}
	if !hello.Data.Recovered || (l.options.Newest && l.Report().Connects == 1) {
		l.position.Store(hello.Data.Seq)
	}
	l.open.Store(true)
	if l.options.Stalled {
		<-ctx.Done()
		return nil
	}
	for {
		_, text, err := conn.ReadMessage()
		if err != nil {
			return err
		}
		if err := l.take(text); err != nil {
			return err
		}
		if l.options.Heard != nil {
			l.options.Heard(text)
		}
	}
}

// take advances the position by one event and counts lost and repeated ones.
func (l *Listener) take(text []byte) error {
	var f frame
	if err := json.Unmarshal(text, &f); err != nil {
		return fmt.Errorf("frame %s: %w", text, err)
	}
	at := l.Position()
	switch {
	case f.Seq == 0: // not in the event log
		return nil
	case f.Seq <= at:
		l.count(func(r *Report) { r.Doubles++ })
		return nil
	case f.Seq > at+1:
		l.count(func(r *Report) { r.Gaps += int(f.Seq - at - 1) })
	}
	l.position.Store(f.Seq)
	return nil
}
