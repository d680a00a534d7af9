package realtime_test

import (
	"context"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/clock"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
)

// lossy drops every third frame.
type lossy struct {
	realtime.Publisher
	count atomic.Int64
}

func (l *lossy) PublishFrame(userID uuid.UUID, frame realtime.Frame) {
	if l.count.Add(1)%3 != 0 {
		l.Publisher.PublishFrame(userID, frame)
	}
}

func TestHub_lost_messages(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1)
	n := f.healthyProcess()
	user := f.users[0]
	pages := []*client{n.connect(user, ""), n.connect(user, "")}
	for _, c := range pages {
		c.hello()
	}
	f.appendEvents(&realtime.Log{Clock: clock.System{}, Publish: &lossy{Publisher: f.log.Publish}}, user, 30)
	for _, c := range pages {
		c.requireSeqs(1, 30)
	}
	require.GreaterOrEqual(t, n.metric("amanat_realtime_events_backfilled_total"), 10.0)
}

func (n *process) metric(name string) float64 {
	n.t.Helper()
	return gathered(n.t, n.metrics, name)
}

func gathered(t *testing.T, metrics prometheus.Gatherer, name string) float64 {
	t.Helper()
	families, err := metrics.Gather()
	require.NoError(t, err)
	for _, family := range families {
		if family.GetName() == name {
			sum := 0.0
			for _, m := range family.GetMetric() {
				sum += m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
			return sum
		}
	}
	require.FailNow(t, "no metric "+name)
	return 0
}

// A process may die between commit and publish.
func TestHub_unpublished_events(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 2)
	n := f.healthyProcess()
	c, other := n.connect(f.users[0], ""), n.connect(f.users[1], "")
	c.hello()
	other.hello()
	f.appendEvents(f.unpublished, f.users[0], 400) // more than one query fetches
	started := time.Now()
	c.requireSeqs(1, 400)
	require.Less(t, time.Since(started), 8*time.Second)
	require.Empty(t, other.frames)
}

// Pruned events cannot be backfilled: the socket is closed, and the hello after the reconnect makes
// the client refetch everything.
func TestHub_pruned_events(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1)
	n := f.healthyProcess()
	user := f.users[0]
	c := n.connect(user, "")
	c.hello()
	f.appendEvents(f.unpublished, user, 3)
	_, err := f.db.Owner().Exec(t.Context(), `delete from user_events where seq < 3`)
	require.NoError(t, err)
	c.requireClosed(4002)
	require.Equal(t, realtime.Hello{Recovered: false, Seq: 3}, n.connect(user, "0").hello())
}

// Frames arrive out of order if the process that commits second publishes first. The log is empty
// here, so nothing is backfilled.
func TestHub_frames_out_of_order(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1)
	n := f.healthyProcess()
	c := n.connect(f.users[0], "")
	c.hello()
	for _, seq := range []int64{2, 4, 1, 2, 1, 3, 4, 5} {
		frame := realtime.Frame{Version: realtime.Version, ID: uuid.New(), Seq: seq, Type: realtime.TypeDealUpdated, Data: []byte(`{}`)}
		f.log.Publish.PublishFrame(f.users[0], frame)
	}
	c.requireSeqs(1, 5)
	require.Empty(t, c.frames)
}

func TestHub_redis_down(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 2)
	n := f.healthyProcess()
	n.hub.WaitForRedis(20 * time.Second)
	user, other := f.users[0], f.users[1]
	c := n.connect(user, "")
	c.hello()
	f.appendEvents(f.log, user, 1)
	c.requireSeqs(1, 1)

	f.redis.Stop()
	require.Eventually(t, func() bool { return !n.link.Healthy() }, waitTimeout, time.Millisecond)
	f.appendEvents(f.log, user, 5)
	started := time.Now()
	c.requireSeqs(2, 6)
	require.Less(t, time.Since(started), 5*time.Second)
	started = time.Now()
	late := n.connect(other, "")
	late.hello()
	require.Less(t, time.Since(started), 10*time.Second, "joining does not wait for Redis")

	stop := make(chan struct{})
	written := make(chan struct{})
	go func() {
		defer close(written)
		for {
			select {
			case <-stop:
				return
			default:
				f.appendEvents(f.log, user, 1)
			}
		}
	}()
	f.redis.Start()
	n.requireHealthy()
	close(stop)
	<-written
	started = time.Now()
	c.requireSeqs(7, f.head(user))
	require.Less(t, time.Since(started), 5*time.Second)
	require.Equal(t, 2, int(n.metric("amanat_realtime_link_opened_total")))
	f.appendEvents(f.log, other, 1)
	late.requireSeqs(1, 1)
}

// relay is a proxy to a Redis. It can lead new connections to another one, and it can keep back
// what the server answers while its connections stay open.
type relay struct {
	url      string
	upstream atomic.Pointer[string]
	silent   atomic.Bool
}

func newRelay(t *testing.T, url string) *relay {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	r := &relay{url: "redis://" + listener.Addr().String()}
	r.route(url)
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", *r.upstream.Load())
			if err != nil {
				_ = client.Close()
				continue
			}
			go func() { _, _ = io.Copy(server, client); _ = server.Close() }()
			go func() { _, _ = io.Copy(answers{r, client}, server); _ = client.Close() }()
		}
	}()
	return r
}

// route leads new connections to the server of a redis:// URL.
func (r *relay) route(url string) {
	to := strings.TrimPrefix(url, "redis://")
	r.upstream.Store(&to)
}

// answers writes to a client of the relay what the server says.
type answers struct {
	relay  *relay
	client net.Conn
}

func (a answers) Write(p []byte) (int, error) {
	if a.relay.silent.Load() {
		return len(p), nil
	}
	return a.client.Write(p)
}

// TCP does not detect a connection that stays open and silent.
func TestLink_silent(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1)
	user := f.users[0]
	redis := newRelay(t, f.redis.URL)
	n := f.process(redis.url)
	n.requireHealthy()
	c := n.connect(user, "")
	c.hello()
	redis.silent.Store(true)
	started := time.Now()
	f.appendEvents(f.log, user, 3)
	c.requireSeqs(1, 3)
	require.Less(t, time.Since(started), 10*time.Second, "checkCursors finds the events")
	require.Eventually(t, func() bool { return !n.link.Healthy() }, waitTimeout, 5*time.Millisecond)
	require.Less(t, time.Since(started), 15*time.Second)
	redis.silent.Store(false)
	n.requireHealthy()
	f.appendEvents(f.log, user, 2)
	c.requireSeqs(4, 5)
}

// A subscription may answer pings and deliver nothing, for example when it is still connected to a
// server that is no longer in use.
func TestLink_delivers_nothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1)
	redis := newRelay(t, dbtest.Redis(t).URL)
	n := f.process(redis.url)
	n.requireHealthy()
	c := n.connect(f.users[0], "")
	c.hello()
	redis.route(f.redis.URL)
	require.Eventually(t, func() bool { return n.metric("amanat_realtime_link_opened_total") == 2 }, 2*waitTimeout, 20*time.Millisecond)
	f.appendEvents(f.log, f.users[0], 1)
	c.requireSeqs(1, 1)
	require.Zero(t, n.metric("amanat_realtime_events_backfilled_total"), "the event arrived over Redis")
}
