// Package listener is a client of the socket that behaves as the UI does, in numbers: it keeps connected, comes back with its position, and
// counts whatever was lost or came twice. It serves the bench and the tests of whole systems.
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

// Options say whose socket it is and where it connects.
type Options struct {
	Site    func() string // URL of the site to connect to next
	Origin  string
	Session string             // value of the session's cookie
	Since   int64              // position to begin at
	Newest  bool               // begin at the end of the log instead
	Heard   func(frame []byte) // gets every frame after hello, if not nil
	Stalled bool               // reads nothing after hello, as a phone that lost its network does
}

// Report is how it went.
type Report struct {
	Connects    int // times connected
	Gaps        int // events that were skipped
	Doubles     int // events that came again
	Unrecovered int // times told to read everything anew
	Closed      map[int]int
	Refused     map[int]int
}

// Listener is one person's socket.
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
	smallWindow   = 4 << 10 // of a stalled client, so that it is noticed soon
	minPause      = 50 * time.Millisecond
	maxPause      = 500 * time.Millisecond
	dialTimeout   = 10 * time.Second
	closeNormally = time.Second
)

// Open connects, again and again, until ctx ends or Close is called.
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

// Position is the last event that has come.
func (l *Listener) Position() int64 { return l.position.Load() }

// Connected tells whether hello has come and the socket is open.
func (l *Listener) Connected() bool { return l.open.Load() }

// Report returns how it went so far.
func (l *Listener) Report() Report {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.report
	r.Closed, r.Refused = maps.Clone(r.Closed), maps.Clone(r.Refused)
	return r
}

// Close disconnects and returns how it went.
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

// connect serves one connection to its end.
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
	if closed, ok := err.(*websocket.CloseError); ok && ctx.Err() == nil { //nolint:errorlint // the library wraps nothing
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

// frame is what a listener must know of a frame.
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

// take moves the position on by one event, and counts what is amiss.
func (l *Listener) take(text []byte) error {
	var f frame
	if err := json.Unmarshal(text, &f); err != nil {
		return fmt.Errorf("frame %s: %w", text, err)
	}
	at := l.Position()
	switch {
	case f.Seq == 0: // in no log
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
