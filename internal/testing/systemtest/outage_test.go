package systemtest

import (
	"context"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	freshBound  = 5 * time.Second // after healing, everybody has heard everything
	noticeBound = 10 * time.Second
	outages     = 5
)

// A thousand people chat while Redis dies again and again, and each node once, one of them without a warning. All hear everything, once.
func TestNothingIsLostWhileRedisAndNodesDie(t *testing.T) { //nolint:paralleltest // the others' load would count
	s := newSystem(t, released)
	apis := []*process{s.startAPI(), s.startAPI()}
	s.serve(apis...)
	g := gather(s, pairs())
	chatting, hush := context.WithCancel(t.Context())
	defer hush()
	g.chat(chatting)
	some := int64(pairs() / 5)
	g.awaitSaid(some)
	for range outages {
		s.redis.Stop()
		g.awaitSaid(some)
		s.redis.Start()
		t.Logf("Redis back, all heard after %s", g.awaitHeard(freshBound).Round(time.Millisecond))
	}
	for i, end := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		apis[i].signal(end)
		g.awaitSaid(some)
		<-apis[i].ended
		apis[i] = s.startAPI()
		s.serve(apis...)
		g.awaitConnected()
		t.Logf("node back, all heard after %s", g.awaitHeard(freshBound).Round(time.Millisecond))
	}
	hush()
	g.group.Wait()
	g.requireNothingLost()
}

// A link to Redis on which everything vanishes looks alive. It is noticed, and what goes on is heard from PostgreSQL meanwhile.
func TestABlackHoleBeforeRedisIsNoticed(t *testing.T) { //nolint:paralleltest // the others' load would count
	s := newSystem(t, released)
	hole := newBlackHole(t, s.redis.URL)
	url := "REDIS_URL=redis://" + hole.address
	apis := []*process{s.startAPI(url), s.startAPI(url)}
	s.serve(apis...)
	g := gather(s, 10)
	chatting, hush := context.WithCancel(t.Context())
	defer hush()
	g.chat(chatting)
	g.awaitSaid(5)
	for _, api := range apis {
		require.True(t, linkUp(api), api.name)
	}
	hole.swallow()
	swallowed := time.Now()
	for _, api := range apis {
		await(t, noticeBound, "noticed", func() bool { return !linkUp(api) })
	}
	t.Logf("noticed after %s", time.Since(swallowed).Round(time.Millisecond))
	g.awaitSaid(5)
	t.Logf("heard without Redis after %s", g.awaitHeard(freshBound).Round(time.Millisecond))
	hole.spit()
	for _, api := range apis {
		await(t, noticeBound, "back", func() bool { return linkUp(api) })
	}
	hush()
	g.group.Wait()
	g.requireNothingLost()
}
