//go:build soak

package system

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/queue/jobs"
)

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
