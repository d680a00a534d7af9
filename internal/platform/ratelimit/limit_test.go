package ratelimit_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"amanat/internal/platform/clock"
	"amanat/internal/platform/ratelimit"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
)

var login = ratelimit.Limit{Name: "login", Rate: ratelimit.Rate{Count: 5, Per: 15 * time.Minute}}

func client(t *testing.T, url string) *redis.Client {
	t.Helper()
	c, err := realtime.NewClient(url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// limiters are one that counts alone and one that counts in Redis: they must decide alike.
func limiters(t *testing.T, c clock.Clock) map[string]*ratelimit.Limiter {
	t.Helper()
	return map[string]*ratelimit.Limiter{
		"alone": ratelimit.New(ratelimit.Options{Clock: c}),
		"Redis": ratelimit.New(ratelimit.Options{Clock: c, Redis: client(t, dbtest.Redis(t).URL), Logger: slog.New(slog.DiscardHandler)}),
	}
}

func TestABucketIsUsedUpAndFillsAgain(t *testing.T) {
	t.Parallel()
	c := clock.NewOffset(0)
	for name, limiter := range limiters(t, c) {
		allow := func(key string) ratelimit.Decision { return limiter.Allow(t.Context(), login.For(key)) }
		for range 5 {
			require.Equal(t, ratelimit.Decision{Allowed: true}, allow("rahim"), name)
		}
		refused := allow("rahim")
		require.False(t, refused.Allowed, name)
		require.InDelta(t, 3*time.Minute, refused.RetryAfter, float64(2*time.Second), "%s: one of five in fifteen minutes", name)
		require.True(t, allow("karim").Allowed, "%s: others are not concerned", name)
		require.True(t, limiter.Allow(t.Context(), ratelimit.Limit{Name: "other", Rate: login.Rate}.For("rahim")).Allowed, name)

		c.Advance(3 * time.Minute)
		require.True(t, allow("rahim").Allowed, name)
		require.False(t, allow("rahim").Allowed, name)
		c.Advance(time.Hour)
		for range 5 {
			require.True(t, allow("rahim").Allowed, name)
		}
		require.False(t, allow("rahim").Allowed, name)
	}
}

func TestWhatIsGivenBackDoesNotCount(t *testing.T) {
	t.Parallel()
	c := clock.NewOffset(0)
	for name, limiter := range limiters(t, c) {
		bucket := login.For("rahim")
		for range 50 {
			require.True(t, limiter.Allow(t.Context(), bucket).Allowed, name)
			limiter.GiveBack(t.Context(), bucket)
		}
		for range 5 {
			require.True(t, limiter.Allow(t.Context(), bucket).Allowed, name)
		}
		require.False(t, limiter.Allow(t.Context(), bucket).Allowed, name)
		limiter.GiveBack(t.Context(), bucket)
		require.True(t, limiter.Allow(t.Context(), bucket).Allowed, name)
		require.False(t, limiter.Allow(t.Context(), bucket).Allowed, name)
	}
}

func TestARefusalTakesFromNoBucket(t *testing.T) {
	t.Parallel()
	c := clock.NewOffset(0)
	narrow := ratelimit.Limit{Name: "narrow", Rate: ratelimit.Rate{Count: 1, Per: time.Minute}}
	for name, limiter := range limiters(t, c) {
		require.True(t, limiter.Allow(t.Context(), login.For("rahim"), narrow.For("rahim")).Allowed, name)
		for range 20 {
			require.False(t, limiter.Allow(t.Context(), login.For("rahim"), narrow.For("rahim")).Allowed, name)
		}
		for range 4 {
			require.True(t, limiter.Allow(t.Context(), login.For("rahim")).Allowed, name)
		}
	}
}

func TestManyAtOnceGetNoMoreThanTheLimit(t *testing.T) {
	t.Parallel()
	for name, limiter := range limiters(t, clock.NewOffset(0)) {
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
		require.Positive(t, allowed.Load(), name)
		require.LessOrEqual(t, allowed.Load(), int32(5), name)
	}
}

func TestProcessesCountTogether(t *testing.T) {
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
	require.NotContains(t, keys[0], "rahim", "keys are addresses and e-mails of people")
	left, err := client(t, server.URL).PTTL(t.Context(), keys[0]).Result()
	require.NoError(t, err)
	require.InDelta(t, 15*time.Minute, left, float64(time.Minute), "nothing stays in Redis for ever")
}

// What was counted before Redis failed still counts, and calls do not block.
func TestWithoutRedisEachProcessCounts(t *testing.T) {
	t.Parallel()
	server := dbtest.Redis(t)
	limiter := ratelimit.New(ratelimit.Options{
		Clock: clock.NewOffset(0), Redis: client(t, server.URL), Logger: slog.New(slog.DiscardHandler),
	})
	for range 3 {
		require.True(t, limiter.Allow(t.Context(), login.For("rahim")).Allowed)
	}
	server.Stop()
	require.True(t, limiter.Allow(t.Context(), login.For("rahim")).Allowed)
	require.True(t, limiter.Allow(t.Context(), login.For("rahim")).Allowed)
	require.False(t, limiter.Allow(t.Context(), login.For("rahim")).Allowed, "never open")
}

func TestARedisThatSaysNothingSlowsNobodyDown(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() }) // not accepted: connections open and stay silent
	limiter := ratelimit.New(ratelimit.Options{
		Clock: clock.NewOffset(0), Redis: client(t, "redis://"+listener.Addr().String()), Logger: slog.New(slog.DiscardHandler),
	})
	started := time.Now()
	for i := range 1_000 {
		require.True(t, limiter.Allow(t.Context(), login.For(fmt.Sprint(i))).Allowed)
	}
	require.Less(t, time.Since(started), 20*time.Second, "one call finds out, the others do not ask")
}

func TestACallersImpatienceIsNotRedissFault(t *testing.T) {
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
	require.False(t, other.Allow(t.Context(), login.For("rahim")).Allowed, "Redis is still asked")
}

func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	limiter := ratelimit.New(ratelimit.Options{Clock: clock.NewOffset(0)})
	for i := range 250_000 {
		require.True(t, limiter.Allow(t.Context(), login.For(fmt.Sprint(i))).Allowed)
	}
	require.LessOrEqual(t, limiter.Kept(), 100_000)
}

func TestRates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]ratelimit.Rate{
		"5/15m": {Count: 5, Per: 15 * time.Minute}, "3/1h": {Count: 3, Per: time.Hour}, "off": {},
	} {
		var rate ratelimit.Rate
		require.NoError(t, rate.UnmarshalText([]byte(text)))
		require.Equal(t, want, rate)
		var again ratelimit.Rate
		require.NoError(t, again.UnmarshalText([]byte(rate.String())))
		require.Equal(t, rate, again)
	}
	for _, text := range []string{"", "5", "/", "5/", "/15m", "0/1m", "-1/1m", "5/0s", "5/1ms", "5/15", "many/1m", "5/9000h", "5/15m/1"} {
		var rate ratelimit.Rate
		require.ErrorContains(t, rate.UnmarshalText([]byte(text)), "must be", text)
	}
	limiter := ratelimit.New(ratelimit.Options{Clock: clock.NewOffset(0)})
	for range 10_000 {
		require.True(t, limiter.Allow(t.Context(), ratelimit.Limit{Name: "off"}.For("rahim")).Allowed)
	}
}
