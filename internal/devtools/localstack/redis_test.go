package localstack

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"amanat/internal/testing/program"
)

type redisUnderTest interface {
	URL() string
	Interrupt()
	Resume(ctx context.Context) error
	Stop()
}

func TestRedis(t *testing.T) {
	t.Parallel()
	server, err := StartRedis()
	require.NoError(t, err)
	testRedis(t, server)
}

func TestRedisServer(t *testing.T) {
	t.Parallel()
	server, err := StartRedisServer(t.Context(), program.Path(t, "redis-server"), t.TempDir())
	require.NoError(t, err)
	testRedis(t, server)
}

func testRedis(t *testing.T, server redisUnderTest) {
	t.Helper()
	t.Cleanup(server.Stop)
	opts, err := redis.ParseURL(server.URL())
	require.NoError(t, err)
	opts.DialerRetries, opts.MaxRetries = 1, -1
	client := redis.NewClient(opts)
	t.Cleanup(func() { _ = client.Close() })
	exists := func(ctx context.Context, key string) bool { return client.Exists(ctx, key).Val() == 1 }

	require.NoError(t, client.Set(t.Context(), "short", "1", 300*time.Millisecond).Err())
	require.NoError(t, client.Set(t.Context(), "long", "1", time.Minute).Err())
	require.Eventually(t, func() bool { return !exists(t.Context(), "short") }, 5*time.Second, 10*time.Millisecond)
	require.True(t, exists(t.Context(), "long"))

	server.Interrupt()
	require.Error(t, client.Ping(t.Context()).Err())
	require.NoError(t, server.Resume(t.Context()))
	require.Eventually(t, func() bool { return client.Ping(t.Context()).Err() == nil }, 5*time.Second, 10*time.Millisecond)
	require.False(t, exists(t.Context(), "long"))
}
