// Package ratelimit implements the generic cell rate algorithm (GCRA), counted in Redis for all
// processes together and in each process locally. A caller can give tokens back, so that only
// failed attempts are charged. Taking first and giving back later bounds concurrent attempts, which
// counting after the fact would not.
package ratelimit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
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

// Declare makes the metric of refusals start at 0 for limits with these names. The others appear
// with their first refusal.
func (l *Limiter) Declare(names ...string) {
	for _, name := range names {
		l.refusals.WithLabelValues(name)
	}
}

// Metrics counts refusals, and the actions for which Redis could not be asked.
func (l *Limiter) Metrics() []prometheus.Collector {
	return []prometheus.Collector{l.alone, l.refusals}
}

// Allow takes the cost of each bucket, or takes nothing if one of them has too few tokens.
func (l *Limiter) Allow(ctx context.Context, buckets ...Bucket) Decision {
	for i, b := range buckets {
		if wait := l.take(ctx, b); wait > 0 {
			l.refusals.WithLabelValues(b.limit.Name).Inc()
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
