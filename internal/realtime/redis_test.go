package realtime_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/redisclient"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
)

//nolint:paralleltest // go-redis has one logger for the whole process
func TestLogTo(t *testing.T) {
	var out bytes.Buffer
	redisclient.LogTo(slog.New(slog.NewJSONHandler(&out, nil)))
	defer redisclient.LogTo(slog.New(slog.DiscardHandler))
	client, err := redisclient.New("redis://127.0.0.1:1", "")
	require.NoError(t, err)
	require.Error(t, client.Ping(t.Context()).Err())
	require.NoError(t, client.Close())
	var line struct{ Level, Report string }
	require.NoError(t, json.Unmarshal(out.Bytes(), &line), out.String())
	require.Equal(t, "WARN", line.Level)
	require.NotEmpty(t, line.Report)
}

func TestOperationSettled_redis_restart(t *testing.T) {
	t.Parallel()
	server := dbtest.Redis(t)
	options, err := redis.ParseURL(server.URL)
	require.NoError(t, err)
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	log := slog.New(slog.DiscardHandler)

	ctx, stop := context.WithCancel(t.Context())
	publisher := realtime.NewRedis(client, log)
	settled := make(chan uuid.UUID, 1000)
	link := realtime.NewLink(client, log)
	link.HandleSettled(func(id uuid.UUID) { settled <- id })
	ended := make(chan struct{}, 2)
	go func() { publisher.Run(ctx); ended <- struct{}{} }()
	go func() { link.Run(ctx, noReceiver{}); ended <- struct{}{} }()
	// Messages are lost while the link is not subscribed, so they are sent until one arrives.
	delivers := func() bool {
		id := uuid.New()
		publisher.OperationSettled(id)
		timeout := time.After(200 * time.Millisecond)
		for {
			select {
			case got := <-settled:
				if got == id {
					return true
				}
			case <-timeout:
				return false
			}
		}
	}
	require.Eventually(t, delivers, 20*time.Second, time.Millisecond)
	server.Stop()
	publisher.OperationSettled(uuid.New())
	require.Eventually(t, func() bool { return dropped(t, publisher) > 0 }, 20*time.Second, 5*time.Millisecond)
	server.Start()
	require.Eventually(t, delivers, 20*time.Second, time.Millisecond)
	stop()
	<-ended
	<-ended
}

// dropped returns the number of messages that were not sent, from the metric.
func dropped(t *testing.T, publisher *realtime.Redis) float64 {
	t.Helper()
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(publisher.Metrics())
	return gathered(t, metrics, "amanat_realtime_messages_dropped_total")
}

func TestOperationSettled_never_blocks(t *testing.T) {
	t.Parallel()
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1"})
	t.Cleanup(func() { _ = client.Close() })
	publisher := realtime.NewRedis(client, slog.New(slog.DiscardHandler)) // Run is not called
	const sent, queued = 10_000, 4096
	for range sent {
		publisher.OperationSettled(uuid.New())
	}
	require.InDelta(t, sent-queued, dropped(t, publisher), 0, "messages beyond the queue are dropped and counted")
}

// noReceiver is a Receiver without sockets.
type noReceiver struct{}

func (noReceiver) ReceiveFrame(uuid.UUID, string) {}
func (noReceiver) Resubscribed()                  {}
