package dbtest

import (
	"context"
	"errors"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/localstack"
)

// RedisServer is a Redis of one test, which can stop and restart it.
type RedisServer struct {
	URL string

	tb     testing.TB
	server interface {
		Interrupt()
		Resume(ctx context.Context) error
		Stop()
		URL() string
	}
}

// Redis starts a server that ends with the test: redis-server if it is on PATH, otherwise an
// in-process one.
func Redis(tb testing.TB) *RedisServer {
	tb.Helper()
	r := &RedisServer{tb: tb}
	program, err := exec.LookPath("redis-server")
	if errors.Is(err, exec.ErrNotFound) {
		r.server, err = localstack.StartRedis()
	} else if err == nil {
		r.server, err = localstack.StartRedisServer(tb.Context(), program, tb.TempDir())
	}
	require.NoError(tb, err)
	tb.Cleanup(r.server.Stop)
	r.URL = r.server.URL()
	return r
}

// Stop ends the server and all its connections, and waits until it has ended.
func (r *RedisServer) Stop() { r.server.Interrupt() }

// Start restarts a stopped server at the same address, without its data.
func (r *RedisServer) Start() {
	r.tb.Helper()
	require.NoError(r.tb, r.server.Resume(r.tb.Context()))
}
