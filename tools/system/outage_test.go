//go:build soak

package system

import (
	"context"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"amanat/queue/jobs"
)

const (
	// After recovery, all users have received everything within this time.
	freshBound  = 5 * time.Second
	noticeBound = 10 * time.Second
	outages     = 5
)

// Users chat while Redis dies again and again, and each node once, one of them killed. All receive
// everything once.
func TestChat_redis_and_nodes_die(t *testing.T) { //nolint:paralleltest // the others' load would count
	s := newSystem(t, released)
	apis := []*process{s.startAPI(), s.startAPI()}
	s.serve(apis...)
	g := newChatLoad(s, pairs)
	chatting, stopChat := context.WithCancel(t.Context())
	defer stopChat()
	g.chat(chatting)
	some := int64(pairs / 5)
	g.awaitSent(some)
	for range outages {
		s.redis.Stop()
		g.awaitSent(some)
		s.redis.Start()
		t.Logf("Redis back, all heard after %s", g.awaitDelivered(freshBound).Round(time.Millisecond))
	}
	for i, end := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		apis[i].signal(end)
		g.awaitSent(some)
		<-apis[i].ended
		apis[i] = s.startAPI()
		s.serve(apis...)
		g.awaitConnected()
		t.Logf("node back, all heard after %s", g.awaitDelivered(freshBound).Round(time.Millisecond))
	}
	stopChat()
	g.group.Wait()
	g.requireNothingLost()
}

// A link to Redis that loses all data looks alive. The apis detect it, and meanwhile deliver events
// from PostgreSQL.
func TestChat_redis_black_hole(t *testing.T) { //nolint:paralleltest // the others' load would count
	s := newSystem(t, released)
	hole := newBlackHole(t, s.redis.URL)
	url := "REDIS_URL=redis://" + hole.address
	apis := []*process{s.startAPI(url), s.startAPI(url)}
	s.serve(apis...)
	g := newChatLoad(s, 10)
	chatting, stopChat := context.WithCancel(t.Context())
	defer stopChat()
	g.chat(chatting)
	g.awaitSent(5)
	for _, api := range apis {
		require.True(t, linkUp(api), api.name)
	}
	hole.block()
	swallowed := time.Now()
	for _, api := range apis {
		await(t, noticeBound, "noticed", func() bool { return !linkUp(api) })
	}
	t.Logf("noticed after %s", time.Since(swallowed).Round(time.Millisecond))
	g.awaitSent(5)
	t.Logf("heard without Redis after %s", g.awaitDelivered(freshBound).Round(time.Millisecond))
	hole.restore()
	for _, api := range apis {
		await(t, noticeBound, "back", func() bool { return linkUp(api) })
	}
	stopChat()
	g.group.Wait()
	g.requireNothingLost()
}

// Redis accepts connections but never responds.
func TestRedis_silent(t *testing.T) { //nolint:paralleltest // the others' load would count
	f := newTradeFixture(t, released)
	url := "REDIS_URL=redis://" + silentServer(t)
	processes := []*process{f.startAPI(url), f.startAPI(url), f.startWorker(allQueues, url)}
	f.serve(processes[:2]...)
	const payments = 20
	requireBusiness(t, f, payments)
	for _, p := range processes {
		requireRedisWatch(t, p, false)
	}
	f.requireOnce(tally{jobs.KindDealPay: payments})
	f.requireSettledInTime(answerBound)
	processes[2].stop(softStop)
	for _, api := range processes[:2] {
		api.stop(drainBound)
	}
}

// silentServer returns the address of a server that accepts every connection and never responds.
func silentServer(t *testing.T) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	var taken []net.Conn
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			taken = append(taken, conn)
		}
	}()
	t.Cleanup(func() {
		_ = listener.Close()
		<-ended
		for _, conn := range taken {
			_ = conn.Close()
		}
	})
	return listener.Addr().String()
}

// blackHole is a proxy to a server that can block: connections stay open, but no data passes in
// either direction.
type blackHole struct {
	t       *testing.T
	proxy   *toxiproxy.Proxy
	address string
}

// newBlackHole starts a proxy to the server of a redis:// URL.
func newBlackHole(t *testing.T, url string) *blackHole {
	t.Helper()
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	h := &blackHole{t: t, proxy: toxiproxy.NewProxy(server, "hole", "127.0.0.1:0", strings.TrimPrefix(url, "redis://"))}
	require.NoError(t, h.proxy.Start())
	t.Cleanup(h.proxy.Stop)
	h.address = h.proxy.Listen
	return h
}

func (h *blackHole) block() {
	h.t.Helper()
	for _, stream := range []string{"upstream", "downstream"} {
		_, err := h.proxy.Toxics.AddToxicJson(strings.NewReader(
			`{"name": "` + stream + `", "type": "timeout", "stream": "` + stream + `", "attributes": {"timeout": 0}}`))
		require.NoError(h.t, err)
	}
}

func (h *blackHole) restore() {
	h.t.Helper()
	for _, stream := range []string{"upstream", "downstream"} {
		require.NoError(h.t, h.proxy.Toxics.RemoveToxic(h.t.Context(), stream))
	}
}

// linkUp reports whether an api considers its link to Redis alive.
func linkUp(api *process) bool { return api.metrics()["amanat_realtime_link_up"] == 1 }

// slowCloses returns the number of sockets that an api has closed because their clients did not
// read.
func slowCloses(api *process) float64 {
	return api.metrics()[`amanat_realtime_sockets_closed_total{reason="slow"}`]
}
