// Package ratelimit implements the generic cell rate algorithm (GCRA), counted in Redis for all
// processes together and in each process locally. A caller can give tokens back, so that only
// failed attempts are charged. Taking first and giving back later bounds concurrent attempts, which
// counting after the fact would not.
package ratelimit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"

	"amanat/internal/lib/clock"
)

// Limit is a named rate. Each key is counted separately.
type Limit struct {
	Name string // part of the keys in Redis
	Rate Rate
}

// For returns the limit's bucket of the key.
func (l Limit) For(key string) Bucket { return Bucket{limit: l, key: key} }

// Bucket is the count of one key of a limit.
type Bucket struct {
	limit Limit
	key   string
	extra int // cost beyond one token
}

// WithCost returns the bucket with a cost of n tokens, at most the bucket's capacity: an action
// that costs more than that is allowed if the bucket is full.
func (b Bucket) WithCost(n int) Bucket {
	b.extra = max(1, min(n, b.limit.Rate.Count)) - 1
	return b
}

func (b Bucket) cost() int { return 1 + b.extra }

// id returns the key in Redis. It is hashed because keys are users' addresses and emails.
func (b Bucket) id() string {
	sum := sha256.Sum256([]byte(b.key))
	return "limit:" + b.limit.Name + ":" + hex.EncodeToString(sum[:16])
}

// Decision reports whether an action is allowed now, and if not, when it will be.
type Decision struct {
	Allowed    bool
	RetryAfter time.Duration // 0 when allowed
}

// Limiter enforces limits. It is safe for concurrent use and never fails: it always counts locally,
// and relies on the local count alone while Redis is down. Calls to Redis have a short timeout.
type Limiter struct {
	clock  clock.Clock
	local  *local
	shared *shared // nil: local counts only
	alone  prometheus.Counter

	refusals *prometheus.CounterVec
}

// Options are the dependencies of a Limiter. Clock is required.
type Options struct {
	Clock  clock.Clock
	Redis  redis.Scripter // nil: local counts only
	Logger *slog.Logger   // required with Redis
}

// New returns a Limiter.
func New(options Options) *Limiter {
	l := &Limiter{clock: options.Clock, local: newLocal(), alone: newAlone(), refusals: newRefusals()}
	if options.Redis != nil {
		l.shared = &shared{redis: options.Redis, log: options.Logger}
	}
	return l
}

func newAlone() prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{
		Name: "amanat_ratelimit_fallbacks_total",
		Help: "Actions that were counted by this process alone, because Redis could not be asked.",
	})
}

func newRefusals() *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "amanat_ratelimit_refusals_total",
		Help: "Actions that a limit refused, by the limit.",
	}, []string{"limit"})
}

// Metrics counts refusals, from 0 for each limit that was asked, and the actions for which Redis
// could not be asked.
func (l *Limiter) Metrics() []prometheus.Collector {
	return []prometheus.Collector{l.alone, l.refusals}
}

// Allow takes the cost of each bucket, or takes nothing if one of them has too few tokens.
func (l *Limiter) Allow(ctx context.Context, buckets ...Bucket) Decision {
	for i, b := range buckets {
		refusals := l.refusals.WithLabelValues(b.limit.Name)
		if wait := l.take(ctx, b); wait > 0 {
			refusals.Inc()
			l.GiveBack(ctx, buckets[:i]...)
			return Decision{RetryAfter: wait}
		}
	}
	return Decision{Allowed: true}
}

// GiveBack returns the tokens that Allow took.
func (l *Limiter) GiveBack(ctx context.Context, buckets ...Bucket) {
	ctx = context.WithoutCancel(ctx) // a cancelled request must not be charged
	for _, b := range buckets {
		if b.limit.Rate.unlimited() {
			continue
		}
		s := spend{id: b.id(), rate: b.limit.Rate, cost: -b.cost(), now: l.clock.Now()}
		l.local.apply(s)
		if l.shared != nil {
			_, _ = l.shared.apply(ctx, s)
		}
	}
}

// take takes the bucket's cost and returns 0, or returns how long to wait.
func (l *Limiter) take(ctx context.Context, b Bucket) time.Duration {
	if b.limit.Rate.unlimited() {
		return 0
	}
	s := spend{id: b.id(), rate: b.limit.Rate, cost: b.cost(), now: l.clock.Now()}
	if wait := l.local.apply(s); wait > 0 || l.shared == nil {
		return wait
	}
	wait, err := l.shared.apply(ctx, s)
	if err != nil {
		if ctx.Err() == nil {
			l.alone.Inc()
		}
		return 0 // the local count applies
	}
	if wait > 0 {
		s.cost = -s.cost
		l.local.apply(s)
	}
	return wait
}

// spend is a change of one bucket: a positive cost takes tokens, a negative one returns them.
type spend struct {
	id   string
	rate Rate
	cost int
	now  time.Time
}

// Rate is a limit of Count actions in Per: Count at once, refilled evenly. The zero value is
// unlimited.
type Rate struct {
	Count int
	Per   time.Duration
}

const (
	rateOff  = "off"
	maxCount = 1_000_000
	maxPer   = 30 * 24 * time.Hour
)

var errRate = errors.New("must be a number of times and a period, as in 5/15m, or off")

// UnmarshalText parses "5/15m", or "off" for unlimited.
func (r *Rate) UnmarshalText(text []byte) error {
	if string(text) == rateOff {
		*r = Rate{}
		return nil
	}
	countText, perText, found := strings.Cut(string(text), "/")
	count, err := strconv.Atoi(countText)
	if err != nil || !found {
		return errRate
	}
	per, err := time.ParseDuration(perText)
	if err != nil || count < 1 || count > maxCount || per < time.Second || per > maxPer {
		return errRate
	}
	*r = Rate{Count: count, Per: per}
	return nil
}

// String returns the format that UnmarshalText parses.
func (r Rate) String() string {
	if r.unlimited() {
		return rateOff
	}
	return fmt.Sprintf("%d/%s", r.Count, r.Per)
}

func (r Rate) unlimited() bool { return r.Count == 0 }

// Divided returns the rate with Count divided by the divisor, at least 1. An unlimited rate stays
// unlimited.
func (r Rate) Divided(by int) Rate {
	if !r.unlimited() {
		r.Count = max(1, r.Count/max(1, by))
	}
	return r
}

// Times returns the rate with Count multiplied by n.
func (r Rate) Times(n int) Rate {
	r.Count = min(r.Count*n, maxCount)
	return r
}

// interval is the time in which one token is refilled.
func (r Rate) interval() time.Duration { return r.Per / time.Duration(r.Count) }

// Meter counts the actions of one client in this process. The zero value has counted none. It is
// not safe for concurrent use.
type Meter struct{ full time.Time } // as in local

// Allow counts an action, unless it is one too many.
func (m *Meter) Allow(rate Rate, now time.Time) bool {
	if rate.unlimited() {
		return true
	}
	at := m.full
	if at.Before(now) {
		at = now
	}
	at = at.Add(rate.interval())
	if at.Sub(now) > rate.Per {
		return false
	}
	m.full = at
	return true
}

// Bounds of the memory of one process: about 10 MiB.
const (
	sweepFrom         = 1_000
	maxKept           = 100_000
	keptAfterEviction = maxKept / 2 // keeps sweeps rare
)

// local counts in this process. For each bucket it keeps the time at which it is full again (the
// "theoretical arrival time" of GCRA).
type local struct {
	mu      sync.Mutex
	full    map[string]time.Time
	sweepAt int // number of buckets that triggers a sweep
}

func newLocal() *local { return &local{full: map[string]time.Time{}, sweepAt: sweepFrom} }

// apply is the counterpart of script: it changes the bucket and returns 0, or returns how long to
// wait.
func (l *local) apply(s spend) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := l.full[s.id]
	if at.Before(s.now) {
		at = s.now
	}
	at = at.Add(time.Duration(s.cost) * s.rate.interval())
	if wait := at.Sub(s.now) - s.rate.Per; s.cost > 0 && wait > 0 {
		return wait
	}
	if !at.After(s.now) {
		delete(l.full, s.id)
		return 0
	}
	l.full[s.id] = at
	l.sweep(s.now)
	return 0
}

// sweep bounds the memory. It drops full buckets, and random ones if too many remain, which takes a
// flood from very many addresses.
func (l *local) sweep(now time.Time) {
	if len(l.full) < l.sweepAt {
		return
	}
	for id, at := range l.full {
		if !at.After(now) {
			delete(l.full, id)
		}
	}
	if len(l.full) >= maxKept {
		l.evict(len(l.full) - keptAfterEviction)
	}
	l.sweepAt = min(max(2*len(l.full), sweepFrom), maxKept)
}

func (l *local) evict(n int) {
	for id := range l.full {
		if n == 0 {
			return
		}
		delete(l.full, id)
		n--
	}
}

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
func (pausedError) Error() string { return "limit: Redis is skipped after a failure" }

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
