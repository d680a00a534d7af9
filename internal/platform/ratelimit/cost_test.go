package ratelimit_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/platform/clock"
	"amanat/internal/platform/ratelimit"
)

func TestWhatCostsMoreTakesMore(t *testing.T) {
	t.Parallel()
	pictures := ratelimit.Limit{Name: "pictures", Rate: ratelimit.Rate{Count: 10, Per: 10 * time.Minute}}
	c := clock.NewOffset(0)
	for name, limiter := range limiters(t, c) {
		allow := func(cost int) ratelimit.Decision {
			return limiter.Allow(t.Context(), pictures.For("rahim").WithCost(cost))
		}
		require.True(t, allow(4).Allowed, name)
		require.True(t, allow(4).Allowed, name)
		refused := allow(4)
		require.False(t, refused.Allowed, name)
		require.InDelta(t, 2*time.Minute, refused.RetryAfter, float64(2*time.Second), name)
		require.True(t, allow(2).Allowed, "%s: what is refused takes nothing", name)
		require.False(t, allow(1).Allowed, name)

		limiter.GiveBack(t.Context(), pictures.For("rahim").WithCost(4))
		require.True(t, allow(4).Allowed, name)
		require.False(t, allow(0).Allowed, "%s: nothing is free", name)

		require.True(t, limiter.Allow(t.Context(), pictures.For("karim").WithCost(40)).Allowed, "%s: a whole bucket is enough", name)
		require.False(t, limiter.Allow(t.Context(), pictures.For("karim")).Allowed, name)
		require.True(t, limiter.Allow(t.Context(), ratelimit.Limit{Name: "off"}.For("rahim").WithCost(4)).Allowed, name)
	}
}

func TestPartsAndMultiplesOfARate(t *testing.T) {
	t.Parallel()
	hourly := ratelimit.Rate{Count: 30, Per: time.Hour}
	require.Equal(t, ratelimit.Rate{Count: 7, Per: time.Hour}, hourly.Divided(4))
	require.Equal(t, ratelimit.Rate{Count: 1, Per: time.Hour}, hourly.Divided(100), "at least once")
	require.Equal(t, hourly, hourly.Divided(1))
	require.Equal(t, ratelimit.Rate{Count: 300, Per: time.Hour}, hourly.Times(10))
	require.Zero(t, ratelimit.Rate{}.Divided(4), "what is unbounded stays so")
	require.Zero(t, ratelimit.Rate{}.Times(10))
}
