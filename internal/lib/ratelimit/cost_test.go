package ratelimit_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/ratelimit"
)

func TestWithCost(t *testing.T) {
	t.Parallel()
	pictures := ratelimit.Limit{Name: "pictures", Rate: ratelimit.Rate{Count: 10, Per: 10 * time.Minute}}
	for name, limiter := range limiters(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			allow := func(cost int) ratelimit.Decision {
				return limiter.Allow(t.Context(), pictures.For("rahim").WithCost(cost))
			}
			require.True(t, allow(4).Allowed)
			require.True(t, allow(4).Allowed)
			refused := allow(4)
			require.False(t, refused.Allowed)
			require.InDelta(t, 2*time.Minute, refused.RetryAfter, float64(2*time.Second))
			require.True(t, allow(2).Allowed, "a refused call takes nothing")
			require.False(t, allow(1).Allowed)

			limiter.GiveBack(t.Context(), pictures.For("rahim").WithCost(4))
			require.True(t, allow(4).Allowed)
			require.False(t, allow(0).Allowed, "the minimum cost is 1")

			require.True(t, limiter.Allow(t.Context(), pictures.For("karim").WithCost(40)).Allowed, "a full bucket is enough")
			require.False(t, limiter.Allow(t.Context(), pictures.For("karim")).Allowed)
			require.True(t, limiter.Allow(t.Context(), ratelimit.Limit{Name: "off"}.For("rahim").WithCost(4)).Allowed)
		})
	}
}

func TestRate_Divided(t *testing.T) {
	t.Parallel()
	hourly := ratelimit.Rate{Count: 30, Per: time.Hour}
	require.Equal(t, ratelimit.Rate{Count: 7, Per: time.Hour}, hourly.Divided(4))
	require.Equal(t, ratelimit.Rate{Count: 1, Per: time.Hour}, hourly.Divided(100), "at least one")
	require.Equal(t, hourly, hourly.Divided(1))
	require.Zero(t, ratelimit.Rate{}.Divided(4), "unlimited")
}

func TestRate_Times(t *testing.T) {
	t.Parallel()
	require.Equal(t, ratelimit.Rate{Count: 300, Per: time.Hour}, ratelimit.Rate{Count: 30, Per: time.Hour}.Times(10))
	require.Zero(t, ratelimit.Rate{}.Times(10), "unlimited")
}

func TestMeter(t *testing.T) {
	t.Parallel()
	rate := ratelimit.Rate{Count: 3, Per: 3 * time.Second}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var meter ratelimit.Meter
	allowed := func(after time.Duration, tries int) (count int) {
		now = now.Add(after)
		for range tries {
			if meter.Allow(rate, now) {
				count++
			}
		}
		return count
	}
	require.Equal(t, 3, allowed(0, 5), "all at once")
	require.Equal(t, 0, allowed(time.Second-1, 1))
	require.Equal(t, 1, allowed(1, 2), "refilled evenly, and refusals cost nothing")
	require.Equal(t, 3, allowed(time.Hour, 5), "never more than at once")
	rate = ratelimit.Rate{}
	require.Equal(t, 5, allowed(0, 5), "unlimited")
}
