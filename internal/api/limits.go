package api

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"amanat/internal/fault"
	"amanat/internal/limit"
)

// bound is how often an endpoint may be called by each of somebody.
type bound struct {
	limit limit.Limit
	by    func(c *call) string
}

// perAddress bounds the calls from one address, or one network of IPv6.
func perAddress(name string, rate limit.Rate) bound {
	return bound{limit.Limit{Name: name, Rate: rate}, func(c *call) string { return c.client.Network() }}
}

// perUser bounds the calls of one signed-in user.
func perUser(name string, rate limit.Rate) bound {
	return bound{limit.Limit{Name: name, Rate: rate}, func(c *call) string { return c.user.ID.String() }}
}

// bounded counts a call. Code RateLimited.
func (s *Server) bounded(r *http.Request, e endpoint, c *call) error {
	ctx := r.Context()
	buckets := make([]limit.Bucket, len(e.bounds))
	for i, b := range e.bounds {
		buckets[i] = b.limit.For(b.by(c))
	}
	if decision := s.limiter.Allow(ctx, buckets...); !decision.Allowed {
		return s.limited(ctx, e, c, decision.RetryAfter)
	}
	return nil
}

// limited is what somebody is told who has reached a limit.
func (s *Server) limited(ctx context.Context, e endpoint, c *call, retryAfter time.Duration) error {
	s.limitEvent(ctx, e, c)
	return &fault.Error{Code: fault.RateLimited, Message: "Too many attempts. Please try again later.", RetryAfter: retryAfter}
}

func (s *Server) limitEvent(ctx context.Context, e endpoint, c *call) {
	s.event(ctx, slog.LevelWarn, "limit reached", c.user.ID, "endpoint", e.id)
}
