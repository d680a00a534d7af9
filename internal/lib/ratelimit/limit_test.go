package ratelimit_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/lib/redisclient"
	"amanat/internal/testing/dbtest"
)

var login = ratelimit.Limit{Name: "login", Rate: ratelimit.Rate{Count: 5, Per: 15 * time.Minute}}

func client(t *testing.T, url string) *redis.Client {
	t.Helper()
	c, err := redisclient.New(url, "")
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// testLimiter is a Limiter with its own clock.
type testLimiter struct {
	*ratelimit.Limiter
	clock *clock.Offset
}

// limiters returns a Limiter that counts locally and one that counts in Redis. They must make the
// same decisions.
func limiters(t *testing.T) map[string]testLimiter {
	t.Helper()
	local, shared := clock.NewOffset(0), clock.NewOffset(0)
	redisOptions := ratelimit.Options{
		Clock: shared, Redis: client(t, dbtest.Redis(t).URL), Logger: slog.New(slog.DiscardHandler),
	}
	return map[string]testLimiter{
		"local": {ratelimit.New(ratelimit.Options{Clock: local}), local},
		"redis": {ratelimit.New(redisOptions), shared},
	}
}

func TestAllow(t *testing.T) {
	t.Parallel()
	for name, limiter := range limiters(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			allow := func(key string) ratelimit.Decision { return limiter.Allow(t.Context(), login.For(key)) }
			for range 5 {
				require.Equal(t, ratelimit.Decision{Allowed: true}, allow("rahim"))
			}
			refused := allow("rahim")
			require.False(t, refused.Allowed)
			require.InDelta(t, 3*time.Minute, refused.RetryAfter, float64(2*time.Second), "a fifth of fifteen minutes")
			require.True(t, allow("karim").Allowed, "another key is not affected")
			require.True(t, limiter.Allow(t.Context(), ratelimit.Limit{Name: "other", Rate: login.Rate}.For("rahim")).Allowed)

			limiter.clock.Advance(3 * time.Minute)
			require.True(t, allow("rahim").Allowed)
			require.False(t, allow("rahim").Allowed)
			limiter.clock.Advance(time.Hour)
			for range 5 {
				require.True(t, allow("rahim").Allowed)
			}
			require.False(t, allow("rahim").Allowed)
		})
	}
}

func TestGiveBack(t *testing.T) {
	t.Parallel()
	for name, limiter := range limiters(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bucket := login.For("rahim")
			for range 50 {
				require.True(t, limiter.Allow(t.Context(), bucket).Allowed)
				limiter.GiveBack(t.Context(), bucket)
			}
			for range 5 {
				require.True(t, limiter.Allow(t.Context(), bucket).Allowed)
			}
			require.False(t, limiter.Allow(t.Context(), bucket).Allowed)
			limiter.GiveBack(t.Context(), bucket)
			require.True(t, limiter.Allow(t.Context(), bucket).Allowed)
			require.False(t, limiter.Allow(t.Context(), bucket).Allowed)
		})
	}
}

func TestAllow_refusal_takes_nothing(t *testing.T) {
	t.Parallel()
	narrow := ratelimit.Limit{Name: "narrow", Rate: ratelimit.Rate{Count: 1, Per: time.Minute}}
	for name, limiter := range limiters(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.True(t, limiter.Allow(t.Context(), login.For("rahim"), narrow.For("rahim")).Allowed)
			for range 20 {
				require.False(t, limiter.Allow(t.Context(), login.For("rahim"), narrow.For("rahim")).Allowed)
			}
			for range 4 {
				require.True(t, limiter.Allow(t.Context(), login.For("rahim")).Allowed)
			}
		})
	}
}

func TestAllow_concurrent(t *testing.T) {
	t.Parallel()
	for name, limiter := range limiters(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var allowed atomic.Int32
			var group sync.WaitGroup
			for range 100 {
				group.Go(func() {
					if limiter.Allow(t.Context(), login.For("rahim")).Allowed {
						allowed.Add(1)
					}
				})
			}
			group.Wait()
			require.Positive(t, allowed.Load())
			require.LessOrEqual(t, allowed.Load(), int32(5))
		})
	}
}

func TestAllow_shared_between_processes(t *testing.T) {
	t.Parallel()
	c, server := clock.NewOffset(0), dbtest.Redis(t)
	process := func() *ratelimit.Limiter {
		return ratelimit.New(ratelimit.Options{Clock: c, Redis: client(t, server.URL), Logger: slog.New(slog.DiscardHandler)})
	}
	one, other := process(), process()
	for range 4 {
		require.True(t, one.Allow(t.Context(), login.For("rahim")).Allowed)
	}
	require.True(t, other.Allow(t.Context(), login.For("rahim")).Allowed)
	for range 10 {
		require.False(t, other.Allow(t.Context(), login.For("rahim")).Allowed)
	}
	require.False(t, one.Allow(t.Context(), login.For("rahim")).Allowed)

	keys, err := client(t, server.URL).Keys(t.Context(), "*").Result()
	require.NoError(t, err)
	require.Len(t, keys, 1)
	require.True(t, strings.HasPrefix(keys[0], "limit:login:"))
	require.NotContains(t, keys[0], "rahim", "keys, which are users' addresses and emails, are hashed")
	left, err := client(t, server.URL).PTTL(t.Context(), keys[0]).Result()
	require.NoError(t, err)
	require.InDelta(t, 15*time.Minute, left, float64(time.Minute), "keys expire")
}

// Refusals are counted by limit, from 0 for one that has refused nothing yet.
func TestMetrics_refusals(t *testing.T) {
	t.Parallel()
	limiter := ratelimit.New(ratelimit.Options{Clock: clock.NewOffset(0)})
	limiter.Allow(t.Context(), ratelimit.Limit{Name: "signup", Rate: login.Rate}.For("rahim"))
	for range 7 { // five are allowed
		limiter.Allow(t.Context(), login.For("rahim"))
	}
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(limiter.Metrics()...)
	require.NoError(t, testutil.GatherAndCompare(registry, strings.NewReader(`
		# HELP amanat_ratelimit_refusals_total Actions that a limit refused, by the limit.
		# TYPE amanat_ratelimit_refusals_total counter
		amanat_ratelimit_refusals_total{limit="login"} 2
		amanat_ratelimit_refusals_total{limit="signup"} 0
	`), "amanat_ratelimit_refusals_total"))
}

func fallbacks(t *testing.T, limiter *ratelimit.Limiter) float64 {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(limiter.Metrics()...)
	families, err := registry.Gather()
	require.NoError(t, err)
	require.Equal(t, "amanat_ratelimit_fallbacks_total", families[0].GetName())
	return families[0].GetMetric()[0].GetCounter().GetValue()
}

// The local count includes what was counted before Redis failed.
func TestAllow_redis_down(t *testing.T) {
	t.Parallel()
	server := dbtest.Redis(t)
	limiter := ratelimit.New(ratelimit.Options{
		Clock: clock.NewOffset(0), Redis: client(t, server.URL), Logger: slog.New(slog.DiscardHandler),
	})
	for range 3 {
		require.True(t, limiter.Allow(t.Context(), login.For("rahim")).Allowed)
	}
	require.InDelta(t, 0, fallbacks(t, limiter), 0)
	server.Stop()
	require.True(t, limiter.Allow(t.Context(), login.For("rahim")).Allowed)
	require.True(t, limiter.Allow(t.Context(), login.For("rahim")).Allowed)
	require.False(t, limiter.Allow(t.Context(), login.For("rahim")).Allowed, "the limit applies without Redis")
	require.InDelta(t, 2, fallbacks(t, limiter), 0)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	limiter.Allow(gone, login.For("karim"))
	require.InDelta(t, 2, fallbacks(t, limiter), 0, "a caller that has gone says nothing about Redis")
}

func TestAllow_redis_silent(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() }) // connections are opened, not accepted
	limiter := ratelimit.New(ratelimit.Options{
		Clock: clock.NewOffset(0), Redis: client(t, "redis://"+listener.Addr().String()), Logger: slog.New(slog.DiscardHandler),
	})
	started := time.Now()
	for i := range 1_000 {
		require.True(t, limiter.Allow(t.Context(), login.For(fmt.Sprint(i))).Allowed)
	}
	require.Less(t, time.Since(started), 20*time.Second, "only one call waits for Redis")
}

func TestAllow_cancelled_context(t *testing.T) {
	t.Parallel()
	server := dbtest.Redis(t)
	c := clock.NewOffset(0)
	process := func() *ratelimit.Limiter {
		return ratelimit.New(ratelimit.Options{Clock: c, Redis: client(t, server.URL), Logger: slog.New(slog.DiscardHandler)})
	}
	one, other := process(), process()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	one.Allow(gone, login.For("karim"))
	for range 5 {
		require.True(t, one.Allow(t.Context(), login.For("rahim")).Allowed)
	}
	require.False(t, other.Allow(t.Context(), login.For("rahim")).Allowed, "Redis is still used")
}

func TestAllow_bounded_memory(t *testing.T) {
	t.Parallel()
	limiter := ratelimit.New(ratelimit.Options{Clock: clock.NewOffset(0)})
	for i := range 250_000 {
		require.True(t, limiter.Allow(t.Context(), login.For(fmt.Sprint(i))).Allowed)
	}
	require.LessOrEqual(t, limiter.Kept(), 100_000)
}

func TestRate_UnmarshalText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]ratelimit.Rate{
		"5/15m": {Count: 5, Per: 15 * time.Minute}, "3/1h": {Count: 3, Per: time.Hour}, "off": {},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			var rate ratelimit.Rate
			require.NoError(t, rate.UnmarshalText([]byte(text)))
			require.Equal(t, want, rate)
			var again ratelimit.Rate
			require.NoError(t, again.UnmarshalText([]byte(rate.String())))
			require.Equal(t, rate, again)
		})
	}
	for _, text := range []string{"", "5", "/", "5/", "/15m", "0/1m", "-1/1m", "5/0s", "5/1ms", "5/15", "many/1m", "5/9000h", "5/15m/1"} {
		t.Run(strconv.Quote(text), func(t *testing.T) {
			t.Parallel()
			var rate ratelimit.Rate
			require.ErrorContains(t, rate.UnmarshalText([]byte(text)), "must be")
		})
	}
}

func TestAllow_unlimited(t *testing.T) {
	t.Parallel()
	limiter := ratelimit.New(ratelimit.Options{Clock: clock.NewOffset(0)})
	for range 10_000 {
		require.True(t, limiter.Allow(t.Context(), ratelimit.Limit{Name: "off"}.For("rahim")).Allowed)
	}
}
