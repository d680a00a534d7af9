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

// balance sends requests to those of the apis that say they are ready, as a balancer does, until the test ends.
func (s *system) balance(apis ...*process) {
	s.t.Helper()
	ctx, stop := context.WithCancel(s.t.Context())
	ended := make(chan struct{})
	look := func() {
		var ready []*process
		for _, api := range apis {
			if status, _ := api.look("/readyz"); status == http.StatusOK {
				ready = append(ready, api)
			}
		}
		if len(ready) > 0 {
			s.serve(ready...)
		}
	}
	look()
	go func() {
		defer close(ended)
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(balancerEvery):
				look()
			}
		}
	}()
	s.t.Cleanup(func() { stop(); <-ended })
}

// A node is told to stop while two thousand people have sockets there and chat. They are asked to come back, do so at the other node, and
// neither a request nor an event is lost.
func TestADrainLosesNothing(t *testing.T) { //nolint:paralleltest // the others' load would count
	s := newSystem(t, released)
	east := s.startAPI()
	s.serve(east)
	g := gather(s, 2*pairs())
	s.balance(east, s.startAPI())
	chatting, hush := context.WithCancel(t.Context())
	defer hush()
	g.chat(chatting)
	g.awaitSaid(100)
	east.signal(syscall.SIGTERM)
	asked := time.Now()
	east.awaitStopped(nodeStopBound)
	t.Logf("stopped after %s", time.Since(asked).Round(time.Millisecond))
	g.awaitConnected()
	g.awaitSaid(100)
	hush()
	g.group.Wait()
	require.Zero(t, g.failed.Load(), "requests")
	total := g.requireNothingLost()
	require.Equal(t, map[int]int{1012: len(g.people)}, total.Closed, "asked to come back")
	require.LessOrEqual(t, total.Connects, 2*len(g.people))
}
