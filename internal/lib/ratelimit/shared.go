package ratelimit

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"amanat/internal/lib/clock"
)

const (
	callTimeout = 100 * time.Millisecond
	// retryPause is how long Redis is not called after a failure. Then a single call tries it
	// again, while the others continue without it.
	retryPause = 5 * time.Second
)

// script is GCRA on one bucket, in microseconds. It returns how long to wait, 0 if the change was
// made.
var script = redis.NewScript(`
local now, interval, per, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local full = math.max(tonumber(redis.call("GET", KEYS[1]) or "0"), now) + cost * interval
if cost > 0 and full - now > per then
  return full - now - per
end
if full > now then
  redis.call("SET", KEYS[1], string.format("%.0f", full), "PX", math.ceil((full - now) / 1000))
else
  redis.call("DEL", KEYS[1])
end
return 0`)

// shared counts in Redis, for all processes together.
type shared struct {
	redis       redis.Scripter
	log         *slog.Logger
	pausedUntil atomic.Int64 // when to call Redis again, in Unix microseconds; 0 while it works
}

type pausedError struct{}

// Error implements error.
func (pausedError) Error() string { return "limit: Redis is left alone for a moment" }

// apply changes the bucket and returns 0, or returns how long to wait. After an error the change
// may or may not have been made.
func (s *shared) apply(ctx context.Context, spend spend) (time.Duration, error) {
	if !s.available() {
		return 0, pausedError{}
	}
	callCtx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	wait, err := script.Run(callCtx, s.redis, []string{spend.id},
		spend.now.UnixMicro(), spend.rate.interval().Microseconds(), spend.rate.Per.Microseconds(), spend.cost).Int64()
	if err != nil {
		s.failed(ctx, err)
		return 0, err
	}
	s.pausedUntil.Store(0)
	return time.Duration(wait) * time.Microsecond, nil
}

// available reports whether to call Redis. After a pause it returns true to one caller only, which
// probes Redis for the others.
func (s *shared) available() bool {
	until := s.pausedUntil.Load()
	if until == 0 {
		return true
	}
	now := clock.System{}.Now()
	return now.UnixMicro() >= until && s.pausedUntil.CompareAndSwap(until, now.Add(retryPause).UnixMicro())
}

func (s *shared) failed(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return // the caller's deadline or cancellation
	}
	if s.pausedUntil.Swap(clock.System{}.Now().Add(retryPause).UnixMicro()) == 0 {
		s.log.WarnContext(ctx, "limits: lost Redis, each process counts by itself", "error", err)
	}
}
