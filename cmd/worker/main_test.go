package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/config"
	"amanat/internal/app/opsserver"
	"amanat/internal/realtime"
)

type starting struct {
	start   func() error
	stopped chan struct{}
}

func (s starting) Start(context.Context) error { return s.start() }
func (s starting) Stopped() <-chan struct{}    { return s.stopped }

// A deployment that waits for /readyz must not replace the next worker when this one fails to
// start.
func TestServe_ready_once_jobs_are_worked(t *testing.T) {
	t.Parallel()
	free, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	c := config.Worker{}
	c.OpsAddr = free.Addr().String()
	require.NoError(t, free.Close())
	ready := func() bool {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+c.OpsAddr+"/readyz", http.NoBody)
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return false
		}
		require.NoError(t, response.Body.Close())
		return response.StatusCode == http.StatusOK
	}
	server := redis.NewClient(&redis.Options{Addr: c.OpsAddr})
	t.Cleanup(func() { _ = server.Close() })
	run := func(ctx context.Context, client starting) error {
		ops := opsserver.New(opsserver.Options{Registry: prometheus.NewRegistry()})
		return serve(ctx, c, client, ops, realtime.NewRedis(server, slog.New(slog.DiscardHandler)))
	}

	// One service of River that fails cancels the others.
	broken := fmt.Errorf("the database is gone: %w", context.Canceled)
	err = run(t.Context(), starting{start: func() error {
		require.False(t, ready(), "it is not ready while it starts")
		return broken
	}})
	require.ErrorIs(t, err, broken, "or no supervisor starts it again")
	require.False(t, ready())

	ctx, stop := context.WithCancel(t.Context())
	require.NoError(t, run(ctx, starting{start: func() error { stop(); return ctx.Err() }}), "it was told to stop")

	ctx, stop = context.WithCancel(t.Context())
	defer stop()
	client := starting{func() error { return nil }, make(chan struct{})}
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, client) }()
	require.Eventually(t, ready, 10*time.Second, time.Millisecond)
	stop()
	close(client.stopped)
	require.NoError(t, <-ended)
}
