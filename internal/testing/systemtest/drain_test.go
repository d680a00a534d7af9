package systemtest

import (
	"context"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	nodeStopBound = 30 * time.Second // of an api with sockets
	balancerEvery = 100 * time.Millisecond
)

// balance sends requests to the apis that are ready, like a load balancer, until the test ends.
func (s *system) balance(apis ...*process) {
	s.t.Helper()
	ctx, stop := context.WithCancel(s.t.Context())
	ended := make(chan struct{})
	probe := func() {
		var ready []*process
		for _, api := range apis {
			if status, _ := api.opsPage("/readyz"); status == http.StatusOK {
				ready = append(ready, api)
			}
		}
		if len(ready) > 0 {
			s.serve(ready...)
		}
	}
	probe()
	go func() {
		defer close(ended)
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(balancerEvery):
				probe()
			}
		}
	}()
	s.t.Cleanup(func() { stop(); <-ended })
}

// A node with many chatting users is stopped. It asks their sockets to reconnect, which they do at
// the other node; no request fails and no event is lost.
func TestDrain_loses_nothing(t *testing.T) { //nolint:paralleltest // the others' load would count
	s := newSystem(t, released)
	east := s.startAPI()
	s.serve(east)
	g := newChatLoad(s, 2*pairs)
	s.balance(east, s.startAPI())
	chatting, stopChat := context.WithCancel(t.Context())
	defer stopChat()
	g.chat(chatting)
	some := int64(pairs / 5)
	g.awaitSent(some)
	east.signal(syscall.SIGTERM)
	asked := time.Now()
	east.awaitStopped(nodeStopBound)
	t.Logf("stopped after %s", time.Since(asked).Round(time.Millisecond))
	g.awaitConnected()
	g.awaitSent(some)
	stopChat()
	g.group.Wait()
	require.Zero(t, g.failed.Load(), "requests")
	total := g.requireNothingLost()
	require.Equal(t, map[int]int{1012: len(g.users)}, total.Closed, "asked to come back")
	require.LessOrEqual(t, total.Connects, 2*len(g.users))
}
