package api

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/config"
	"amanat/internal/domain/accounts"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/ratelimit"
)

// rateLimit limits an endpoint per key: an address, a user. It returns the bucket that a call
// counts against.
type rateLimit func(c *call) ratelimit.Bucket

// perAddress limits the calls from one address, or one network of IPv6.
func perAddress(name string, rate ratelimit.Rate) rateLimit {
	l := ratelimit.Limit{Name: name, Rate: rate}
	return func(c *call) ratelimit.Bucket { return l.For(c.client.Network()) }
}

// perUser limits the calls of one signed-in user.
func perUser(name string, rate ratelimit.Rate) rateLimit {
	l := ratelimit.Limit{Name: name, Rate: rate}
	return func(c *call) ratelimit.Bucket { return l.For(c.user.ID.String()) }
}

// perPerson limits what one signed-in user creates. New users may create a fraction of it.
func (s *Server) perPerson(name string, rate ratelimit.Rate) rateLimit {
	l := newPersonalLimit(name, rate, s.limits)
	return func(c *call) ratelimit.Bucket { return l.of(c.user.ID, isNew(c, s.clock)) }
}

// personalLimit limits what one user does. New users have a bucket of their own: one who is no
// longer new starts with an empty one.
type personalLimit struct{ usual, whileNew ratelimit.Limit }

func newPersonalLimit(name string, rate ratelimit.Rate, limits config.Limits) personalLimit {
	return personalLimit{
		usual:    ratelimit.Limit{Name: name, Rate: rate},
		whileNew: ratelimit.Limit{Name: name + "-new", Rate: rate.Divided(limits.NewDivisor)},
	}
}

func (l personalLimit) of(person uuid.UUID, isNew bool) ratelimit.Bucket {
	if isNew {
		return l.whileNew.For(person.String())
	}
	return l.usual.For(person.String())
}

func isNew(c *call, now clock.Clock) bool { return c.user.IsNew(now.Now()) }

// maxFor returns how many of something the caller may have at a time.
func (s *Server) maxFor(ctx context.Context, usual, whileNew int) int {
	if isNew(callOf(ctx), s.clock) {
		return whileNew
	}
	return usual
}

// withRateLimits returns the handler with the endpoint's rate limits enforced, after the body has
// been read. A call rejected as invalid gives its tokens back, so that a mistake costs nothing and
// a client cannot lock out others at its address, and so does a repeated request.
func withRateLimits[I, O any](
	s *Server, e endpoint, handler func(context.Context, *I) (*O, error),
) func(context.Context, *I) (*O, error) {
	if len(e.rateLimits) == 0 {
		return handler
	}
	return func(ctx context.Context, in *I) (*O, error) {
		giveBack, err := s.enforceRateLimits(ctx, e.rateLimits...)
		if err != nil {
			return nil, err
		}
		out, err := handler(ctx, in)
		key := callOf(ctx).key
		if fault.CodeOf(err) == fault.Invalid || key != nil && key.Used() {
			giveBack()
		}
		return out, err
	}
}

// enforceRateLimits takes a token of each limit for the call. giveBack returns them. Code
// RateLimited.
func (s *Server) enforceRateLimits(ctx context.Context, limits ...rateLimit) (giveBack func(), err error) {
	c := callOf(ctx)
	buckets := make([]ratelimit.Bucket, len(limits))
	for i, b := range limits {
		buckets[i] = b(c)
	}
	if decision := s.limiter.Allow(ctx, buckets...); !decision.Allowed {
		return nil, rateLimitError(decision.RetryAfter)
	}
	return func() { s.limiter.GiveBack(ctx, buckets...) }, nil
}

// enforceReadLimit limits the public reads of visitors per address. A client whose cookie opens no
// session is a visitor. Code RateLimited.
func (s *Server) enforceReadLimit(r *http.Request, e endpoint, c *call) error {
	if !e.visitorsRead() || s.limits.AnonymousReadLimit == (ratelimit.Rate{}) {
		return nil
	}
	ctx, cancel := context.WithTimeout(r.Context(), handleTimeout)
	defer cancel()
	if c.known {
		return nil
	}
	if e.access == anyone && c.token != "" { // admit has not read the session
		if _, _, err := s.accounts.Authenticate(ctx, c.token); err == nil {
			return nil
		}
	}
	if decision := s.allowVisitor(ctx, c.client, 1); !decision.Allowed {
		s.logRateLimit(ctx, e, c)
		return rateLimitError(decision.RetryAfter)
	}
	return nil
}

// allowVisitor counts a public read of a visitor, which costs as much as so many usual ones.
func (s *Server) allowVisitor(ctx context.Context, client accounts.Client, cost int) ratelimit.Decision {
	visitors := ratelimit.Limit{Name: "anonymous-reads", Rate: s.limits.AnonymousReadLimit}
	if visitors.Rate == (ratelimit.Rate{}) {
		return ratelimit.Decision{Allowed: true}
	}
	return s.limiter.Allow(ctx, visitors.For(client.Network()).WithCost(cost))
}

// visitorsRead reports whether the call is a public read.
func (e endpoint) visitorsRead() bool { return e.public() && e.method == http.MethodGet }

// rateLimitError returns RateLimited with Retry-After.
func rateLimitError(retryAfter time.Duration) error {
	return fault.Retry(fault.RateLimited, retryAfter, "too_many_attempts", "Too many attempts. Please try again later.")
}

func (s *Server) logRateLimit(ctx context.Context, e endpoint, c *call) {
	s.securityEvent(ctx, slog.LevelWarn, "limit reached", c.userID(), "endpoint", e.id)
}
