package realtime_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
)

func TestSettledOperationsAreHeardAlsoAfterRedisWasAway(t *testing.T) {
	t.Parallel()
	server := dbtest.Redis(t)
	options, err := redis.ParseURL(server.URL)
	require.NoError(t, err)
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	log := slog.New(slog.DiscardHandler)

	ctx, stop := context.WithCancel(t.Context())
	publisher := realtime.NewRedis(client, log)
	heard := make(chan uuid.UUID, 1000)
	link := realtime.NewLink(client, log)
	link.HandleSettled(func(id uuid.UUID) { heard <- id })
	ended := make(chan struct{}, 2)
	go func() { publisher.Run(ctx); ended <- struct{}{} }()
	go func() { link.Run(ctx, nobody{}); ended <- struct{}{} }()
	// Messages may be lost while the listener is not there yet, so they are sent until one is
	// heard.
	heardOne := func() bool {
		id := uuid.New()
		publisher.OperationSettled(id)
		timeout := time.After(200 * time.Millisecond)
		for {
			select {
			case got := <-heard:
				if got == id {
					return true
				}
			case <-timeout:
				return false
			}
		}
	}
	require.Eventually(t, heardOne, 20*time.Second, time.Millisecond)
	server.Stop()
	publisher.OperationSettled(uuid.New())
	require.Eventually(t, func() bool { return dropped(t, publisher) > 0 }, 20*time.Second, 5*time.Millisecond)
	server.Start()
	require.Eventually(t, heardOne, 20*time.Second, time.Millisecond)
	stop()
	<-ended
	<-ended
}

// dropped returns the metric of the messages that were not sent.
func dropped(t *testing.T, publisher *realtime.Redis) float64 {
	t.Helper()
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(publisher.Metrics())
	return gathered(t, metrics, "amanat_realtime_messages_dropped_total")
}

func TestPublishingNeverWaits(t *testing.T) {
	t.Parallel()
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1"})
	t.Cleanup(func() { _ = client.Close() })
	publisher := realtime.NewRedis(client, slog.New(slog.DiscardHandler)) // nothing sends
	const sent, queued = 10_000, 4096
	for range sent {
		publisher.OperationSettled(uuid.New())
	}
	require.InDelta(t, sent-queued, dropped(t, publisher), 0, "what does not fit is counted")
}

// nobody has no sockets.
type nobody struct{}

func (nobody) ReceiveFrame(uuid.UUID, string) {}
func (nobody) Resubscribed()                  {}
