package systemtest

import (
	"encoding/json"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"amanat/internal/queue/jobs"
)

const answerBound = 3 * time.Second // of every answer while Redis is away

// Redis carries only what may be lost: without it people sign in and money moves, and when it is back everything is as before.
func TestRedisIsAway(t *testing.T) { //nolint:paralleltest // the others' load would count
	for name, absent := range map[string]bool{"from the start": true, "later": false} { //nolint:paralleltest // as above
		t.Run(name, func(t *testing.T) {
			f := newTradeFixture(t, released)
			if absent {
				for _, api := range f.apis {
					api.kill()
				}
				f.redis.Stop()
				f.serve(f.startAPI(), f.startAPI())
			}
			processes := append(f.apis[:2:2], f.startWorker(allQueues), f.startWorker(jobs.QueueMoney))
			if !absent {
				f.redis.Stop()
			}
			const payments = 20
			businessGoesOn(t, f, payments)
			for _, p := range processes {
				requireWatched(t, p, false)
			}

			f.redis.Start()
			framesArrive(t, f)
			for _, p := range processes {
				await(t, startWait, "in touch with Redis", func() bool { return redisWatched(t, p) })
			}
			f.requireOnce(tally{jobs.KindDealPay: payments + 1})
			f.requireSettledInTime(answerBound)
		})
	}
}

// A Redis that takes connections and never answers is worse than none.
func TestRedisIsSilent(t *testing.T) { //nolint:paralleltest // the others' load would count
	f := newTradeFixture(t, released)
	url := "REDIS_URL=redis://" + silentServer(t)
	processes := []*process{f.startAPI(url), f.startAPI(url), f.startWorker(allQueues, url)}
	f.serve(processes[:2]...)
	const payments = 20
	businessGoesOn(t, f, payments)
	for _, p := range processes {
		requireWatched(t, p, false)
	}
	f.requireOnce(tally{jobs.KindDealPay: payments})
	f.requireSettledInTime(answerBound)
	processes[2].stop(softStop)
	for _, api := range processes[:2] {
		api.stop(drainBound)
	}
}

// silentServer returns the address of a server that takes every connection and says nothing.
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

func businessGoesOn(t *testing.T, f *tradeFixture, payments int) {
	t.Helper()
	signedIn := f.visitor()
	for _, a := range []answer{
		signedIn.post("/auth/login", fields{"username": "nusrat", "password": password}).want(http.StatusOK),
		signedIn.get("/auth/check").want(http.StatusOK),
		f.visitor().post("/auth/signup", fields{"username": "new", "email": "new@example.com", "password": password}).
			want(http.StatusCreated),
	} {
		require.Less(t, a.took, answerBound)
	}
	people := newLoadUsers(t)
	people.insist(f.payments(payments)...)
	people.wait()
	require.Less(t, people.made.longest, answerBound)
}

// framesArrive subscribes as an api does for its sockets and makes a payment.
func framesArrive(t *testing.T, f *tradeFixture) {
	t.Helper()
	options, err := redis.ParseURL(f.redis.URL)
	require.NoError(t, err)
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	await(t, startWait, "listened to by both apis", func() bool {
		listeners, err := client.PubSubNumSub(t.Context(), "rt:settled").Result()
		return err == nil && listeners["rt:settled"] == 2
	})
	subscription := client.Subscribe(t.Context(), "rt:u:"+f.buyers[0].ID.String())
	t.Cleanup(func() { _ = subscription.Close() })
	_, err = subscription.Receive(t.Context())
	require.NoError(t, err)
	people := newLoadUsers(t)
	people.insist(f.payment(f.buyers[0]))
	for {
		received, err := subscription.ReceiveTimeout(t.Context(), startWait)
		require.NoError(t, err)
		message, ok := received.(*redis.Message)
		if !ok {
			continue
		}
		var frame struct{ Type string }
		require.NoError(t, json.Unmarshal([]byte(message.Payload), &frame))
		if frame.Type == "operationSettled" {
			break
		}
	}
	people.wait()
}

// requireWatched wants the process ready and its watch of Redis to say how that is.
func requireWatched(t *testing.T, p *process, ok bool) {
	t.Helper()
	require.Equal(t, ok, redisWatched(t, p), p.name)
}

func redisWatched(t *testing.T, p *process) bool {
	t.Helper()
	started := time.Now()
	status, body := p.look("/readyz")
	require.Equal(t, http.StatusOK, status, body)
	require.Less(t, time.Since(started), answerBound)
	var ready struct {
		Watches map[string]struct{ OK bool }
	}
	require.NoError(t, json.Unmarshal([]byte(body), &ready))
	require.Contains(t, ready.Watches, "redis", body)
	return ready.Watches["redis"].OK
}
