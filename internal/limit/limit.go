// Package limit bounds how often something may happen: the generic cell rate algorithm (GCRA), counted in Redis for all processes together
// and in each process by itself. Who is counted may be given back what he took, so that only failures count: a library that counts after
// the fact would let any number of guesses through side by side.
package limit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"

	"amanat/internal/clock"
)

// Limit is a named rate. Each of its keys is counted apart.
type Limit struct {
	Name string // part of the keys in Redis
	Rate Rate
}

// For returns what the limit counts of the key.
func (l Limit) For(key string) Bucket { return Bucket{limit: l, key: key} }

// Bucket is what a limit counts of one key.
type Bucket struct {
	limit Limit
	key   string
}

// id names the bucket without telling the key: keys are addresses and e-mails of people.
func (b Bucket) id() string {
	sum := sha256.Sum256([]byte(b.key))
	return "limit:" + b.limit.Name + ":" + hex.EncodeToString(sum[:16])
}

// Decision says whether something may happen now, and if not, when it may.
type Decision struct {
	Allowed    bool
	RetryAfter time.Duration // 0 when allowed
}

// Limiter decides. It is safe for concurrent use and never fails: the process's own count is always kept, and it alone counts while Redis
// is away. Nobody waits for Redis longer than a moment.
type Limiter struct {
	clock  clock.Clock
	local  *local
	shared *shared // nil: this process counts alone
}

// Options are the parts a Limiter is made of. Clock is required.
type Options struct {
	Clock  clock.Clock
	Redis  redis.Scripter // nil: this process counts alone
	Logger *slog.Logger   // required with Redis
}

// New returns a Limiter.
func New(options Options) *Limiter {
	l := &Limiter{clock: options.Clock, local: newLocal()}
	if options.Redis != nil {
		l.shared = &shared{redis: options.Redis, log: options.Logger}
	}
	return l
}

// Allow takes one from each bucket, or from none of them when one is used up.
func (l *Limiter) Allow(ctx context.Context, buckets ...Bucket) Decision {
	for i, b := range buckets {
		if wait := l.take(ctx, b); wait > 0 {
			l.GiveBack(ctx, buckets[:i]...)
			return Decision{RetryAfter: wait}
		}
	}
	return Decision{Allowed: true}
}

// GiveBack undoes an Allow: what happened does not count.
func (l *Limiter) GiveBack(ctx context.Context, buckets ...Bucket) {
	ctx = context.WithoutCancel(ctx) // who goes away has not failed
	for _, b := range buckets {
		if b.limit.Rate.unlimited() {
			continue
		}
		s := spend{id: b.id(), rate: b.limit.Rate, cost: -1, now: l.clock.Now()}
		l.local.apply(s)
		if l.shared != nil {
			_, _ = l.shared.apply(ctx, s)
		}
	}
}

// take returns how long to wait, 0 when one was taken.
func (l *Limiter) take(ctx context.Context, b Bucket) time.Duration {
	if b.limit.Rate.unlimited() {
		return 0
	}
	s := spend{id: b.id(), rate: b.limit.Rate, cost: 1, now: l.clock.Now()}
	if wait := l.local.apply(s); wait > 0 || l.shared == nil {
		return wait
	}
	wait, err := l.shared.apply(ctx, s)
	if err != nil {
		return 0 // the process's own count stands
	}
	if wait > 0 {
		s.cost = -1
		l.local.apply(s)
	}
	return wait
}

// spend is a change of one bucket: cost 1 takes, -1 gives back.
type spend struct {
	id   string
	rate Rate
	cost int
	now  time.Time
}
