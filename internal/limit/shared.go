package limit

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"amanat/internal/clock"
)

const (
	callTimeout = 100 * time.Millisecond
	// restPause is how long Redis is left alone after a failure. Then one call tries it, while the others go on without.
	restPause = 5 * time.Second
)

// script is GCRA on one bucket, in microseconds. It returns how long to wait, 0 when the change was made.
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
	redis   redis.Scripter
	log     *slog.Logger
	resting atomic.Int64 // until when Redis is left alone, in Unix microseconds; 0: it is well
}

type restingError struct{}

// Error says why there is no answer.
func (restingError) Error() string { return "limit: Redis is left alone for a moment" }

// apply returns how long to wait, 0 when the change was made. An error means that Redis has not counted, or that nobody knows.
func (s *shared) apply(ctx context.Context, spend spend) (time.Duration, error) {
	if !s.rested() {
		return 0, restingError{}
	}
	bounded, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	wait, err := script.Run(bounded, s.redis, []string{spend.id},
		spend.now.UnixMicro(), spend.rate.interval().Microseconds(), spend.rate.Per.Microseconds(), spend.cost).Int64()
	if err != nil {
		s.failed(ctx, err)
		return 0, err
	}
	s.resting.Store(0)
	return time.Duration(wait) * time.Microsecond, nil
}

// rested tells whether to try Redis. After a pause it says so to one caller, who finds out for the others.
func (s *shared) rested() bool {
	until := s.resting.Load()
	if until == 0 {
		return true
	}
	now := clock.System{}.Now()
	return now.UnixMicro() >= until && s.resting.CompareAndSwap(until, now.Add(restPause).UnixMicro())
}

func (s *shared) failed(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return // the caller's time was up
	}
	if s.resting.Swap(clock.System{}.Now().Add(restPause).UnixMicro()) == 0 {
		s.log.WarnContext(ctx, "limits: lost Redis, each process counts by itself", "error", err)
	}
}
