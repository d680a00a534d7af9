//go:build soak

package system

import (
	"context"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
