package realtime_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/lib/redisclient"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
)

const waitTimeout = 20 * time.Second

// fixture is a database, a Redis and the users who connect to processes.
type fixture struct {
	t           *testing.T
	db          *dbtest.DB
	redis       *dbtest.RedisServer
	users       []uuid.UUID
	log         *realtime.Log // publishes its events
	unpublished *realtime.Log // does not

	mu    sync.Mutex
	ended map[uuid.UUID]bool // sessions that have ended
}

func newFixture(t *testing.T, users int) *fixture {
	t.Helper()
	f := &fixture{t: t, db: dbtest.New(t), redis: dbtest.Redis(t), ended: map[uuid.UUID]bool{}}
	f.users = newUsers(t, f.db, users)
	publisher := realtime.NewRedis(f.client(f.redis.URL), discardLogger())
	f.background(publisher.Run)
	f.log = &realtime.Log{Clock: clock.System{}, Publish: publisher}
	f.unpublished = &realtime.Log{Clock: clock.System{}, Publish: &recorder{}}
	return f
}

func discardLogger() *slog.Logger { return slog.New(slog.DiscardHandler) }

func (f *fixture) client(url string) *redis.Client {
	f.t.Helper()
	client, err := redisclient.New(url, "")
	require.NoError(f.t, err)
	f.t.Cleanup(func() { _ = client.Close() })
	return client
}

// background runs a function until the returned stop is called or the test ends, and waits for it
// to return.
func (f *fixture) background(run func(ctx context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); run(ctx) }()
	stop = func() { cancel(); <-done }
	f.t.Cleanup(stop)
	return stop
}

// appendEvents appends n events of a user, each in its own transaction.
func (f *fixture) appendEvents(log *realtime.Log, userID uuid.UUID, n int) {
	f.t.Helper()
	f.appendPayload(log, userID, n, map[string]int{"n": 1})
}

// appendPayload is appendEvents with a payload.
func (f *fixture) appendPayload(log *realtime.Log, userID uuid.UUID, n int, payload any) {
	f.t.Helper()
	for range n {
		err := postgres.WithTx(context.Background(), f.db.Worker(), func(tx *postgres.Tx) error {
			log.Append(tx, userID, realtime.TypeDealUpdated, payload)
			return nil
		})
		if err != nil {
			f.t.Errorf("event: %v", err)
			return
		}
	}
}

func (f *fixture) head(userID uuid.UUID) int64 {
	f.t.Helper()
	var seq int64
	require.NoError(f.t, f.db.Owner().QueryRow(f.t.Context(),
		`select coalesce((select seq from user_seq where user_id = $1), 0)`, userID).Scan(&seq))
	return seq
}

// process is an api process that serves sockets.
type process struct {
	*fixture
	hub     *realtime.Hub
	link    *realtime.Link
	metrics *prometheus.Registry
	server  *httptest.Server
	stop    func() // stops the hub
}

type change func(o *realtime.Options)

// process starts a process with a link to the Redis at url.
func (f *fixture) process(url string, changes ...change) *process {
	f.t.Helper()
	return f.processOn(f.client(url), changes...)
}

func (f *fixture) processOn(client *redis.Client, changes ...change) *process {
	f.t.Helper()
	n := &process{fixture: f, link: realtime.NewLink(client, discardLogger()), metrics: prometheus.NewRegistry()}
	o := realtime.Options{
		DB: f.db.API(), Clock: clock.System{}, Link: n.link, Logger: discardLogger(), Metrics: n.metrics,
		Limits:   realtime.Limits{Sockets: 10, FrameBytes: 4 << 10, Frames: ratelimit.Rate{Count: 20, Per: 2 * time.Second}},
		Sessions: f.sessions,
	}
	for _, change := range changes {
		change(&o)
	}
	var err error
	n.hub, err = realtime.New(o)
	require.NoError(f.t, err)
	f.background(func(ctx context.Context) { n.link.Run(ctx, n.hub) })
	n.stop = f.background(n.hub.Run)
	n.server = httptest.NewServer(http.HandlerFunc(n.serve))
	f.t.Cleanup(n.server.Close)
	return n
}

// healthyProcess is process with a healthy link.
func (f *fixture) healthyProcess(changes ...change) *process {
	f.t.Helper()
	n := f.process(f.redis.URL, changes...)
	n.requireHealthy()
	return n
}

func (n *process) requireHealthy() {
	n.t.Helper()
	require.Eventually(n.t, n.link.Healthy, waitTimeout, 5*time.Millisecond)
}

func (f *fixture) sessions(_ context.Context, ids []uuid.UUID) (map[uuid.UUID]bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	valid := map[uuid.UUID]bool{}
	for _, id := range ids {
		if !f.ended[id] {
			valid[id] = false
		}
	}
	return valid, nil
}

// serve joins a socket for the user named in the query.
func (n *process) serve(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	p := realtime.Identity{
		UserID: uuid.MustParse(query.Get("user")), SessionID: uuid.MustParse(query.Get("session")), Admin: query.Has("admin"),
	}
	var since *int64
	if query.Has("since") {
		seq, _ := strconv.ParseInt(query.Get("since"), 10, 64)
		since = &seq
	}
	if err := n.hub.Join(w, r, p, since); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	}
}

// client is a user's open page.
type client struct {
	t       *testing.T
	user    uuid.UUID
	session uuid.UUID
	conn    *websocket.Conn
	frames  chan realtime.Frame
	ended   chan struct{} // closed when reading fails
	err     error         // the reason, set before ended is closed
}

func (n *process) dial(user uuid.UUID, query string) (*client, error) {
	c := &client{t: n.t, user: user, session: uuid.New(), frames: make(chan realtime.Frame, 10_000), ended: make(chan struct{})}
	url := "ws" + strings.TrimPrefix(n.server.URL, "http") + "/?user=" + user.String() + "&session=" + c.session.String() + query
	conn, response, err := websocket.DefaultDialer.DialContext(n.t.Context(), url, nil)
	if err != nil {
		return nil, err
	}
	_ = response.Body.Close()
	c.conn = conn
	n.t.Cleanup(func() { _ = conn.Close() })
	return c, nil
}

// connect opens a page with the cursor since; "" for a new client.
func (n *process) connect(user uuid.UUID, since string, more ...string) *client {
	n.t.Helper()
	query := strings.Join(more, "")
	if since != "" {
		query += "&since=" + since
	}
	c, err := n.dial(user, query)
	require.NoError(n.t, err)
	go c.listen()
	return c
}

func (c *client) listen() {
	defer close(c.ended)
	for {
		_, message, err := c.conn.ReadMessage()
		if err != nil {
			c.err = err
			return
		}
		var frame realtime.Frame
		if c.err = json.Unmarshal(message, &frame); c.err != nil {
			return
		}
		c.frames <- frame
	}
}

// next returns the next frame.
func (c *client) next() realtime.Frame {
	c.t.Helper()
	select {
	case frame := <-c.frames:
		return frame
	case <-time.After(waitTimeout):
		require.FailNow(c.t, "no frame")
		return realtime.Frame{}
	}
}

func (c *client) hello() realtime.Hello {
	c.t.Helper()
	frame := c.next()
	require.Equal(c.t, realtime.TypeHello, frame.Type)
	require.Zero(c.t, frame.Seq)
	var hello realtime.Hello
	require.NoError(c.t, json.Unmarshal(frame.Data, &hello))
	return hello
}

// requireSeqs requires that the next frames are those of the log from first to last, in order.
func (c *client) requireSeqs(first, last int64) {
	c.t.Helper()
	for seq := first; seq <= last; seq++ {
		require.Equal(c.t, seq, c.next().Seq)
	}
}

func (c *client) send(text string) {
	c.t.Helper()
	require.NoError(c.t, c.conn.WriteMessage(websocket.TextMessage, []byte(text)))
}

// requireClosed requires that the server closes the connection with a code.
func (c *client) requireClosed(code int) {
	c.t.Helper()
	select {
	case <-c.ended:
	case <-time.After(waitTimeout):
		require.FailNow(c.t, "the connection is still open")
	}
	var closed *websocket.CloseError
	require.ErrorAs(c.t, c.err, &closed)
	require.Equal(c.t, code, closed.Code)
}
