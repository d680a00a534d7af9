package system

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"amanat/queue/jobs"
)

const answerBound = 3 * time.Second // of every response while Redis is down

// Redis holds only disposable data: while it is down, users sign in and money moves, with processes
// that have lost it and others that have never seen it. Afterwards everything works as before.
func TestRedis_down(t *testing.T) { //nolint:paralleltest // the others' load would count
	f := newTradeFixture(t, released)
	lost := f.startWorker(jobs.QueueMoney)
	f.redis.Stop()
	f.apis[1].kill()
	f.serve(f.apis[0], f.startAPI())
	processes := append(f.apis[:2:2], lost, f.startWorker(allQueues))
	const payments = 20
	requireBusiness(t, f, payments)
	for _, p := range processes {
		requireRedisWatch(t, p, false)
	}

	f.redis.Start()
	requireFrames(t, f)
	for _, p := range processes {
		await(t, startWait, "in touch with Redis", func() bool { return redisWatch(t, p) })
	}
	f.requireOnce(tally{jobs.KindDealPay: payments + 1})
	f.requireSettledInTime(answerBound)
}

func requireBusiness(t *testing.T, f *tradeFixture, payments int) {
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
	users := newLoadUsers(t)
	users.retry(f.payments(payments)...)
	users.wait()
	require.Less(t, users.made.longest, answerBound)
}

// requireFrames subscribes as an api does for its sockets, makes a payment and waits for its frame.
func requireFrames(t *testing.T, f *tradeFixture) {
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
	users := newLoadUsers(t)
	users.retry(f.payment(f.buyers[0]))
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
	users.wait()
}

// requireRedisWatch requires that the process is ready and that its Redis watch reports ok.
func requireRedisWatch(t *testing.T, p *process, ok bool) {
	t.Helper()
	require.Equal(t, ok, redisWatch(t, p), p.name)
}

func redisWatch(t *testing.T, p *process) bool {
	t.Helper()
	started := time.Now()
	status, body := p.opsPage("/readyz")
	require.Equal(t, http.StatusOK, status, body)
	require.Less(t, time.Since(started), answerBound)
	var ready struct {
		Watches map[string]struct{ OK bool }
	}
	require.NoError(t, json.Unmarshal([]byte(body), &ready))
	require.Contains(t, ready.Watches, "redis", body)
	return ready.Watches["redis"].OK
}
