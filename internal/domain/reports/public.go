package reports

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

const (
	publicMaxAge  = 30 * time.Second // of the cached counters
	publicTimeout = 10 * time.Second // of the query that all callers share
)

// PublicStats are the counters of the landing page.
type PublicStats struct {
	Users    int64
	Deposits money.Cents // sum of all credited deposits
}

// publicStats caches the counters, since the endpoint is public and counting reads every user and
// every deposit.
type publicStats struct {
	counting singleflight.Group

	mu    sync.Mutex
	last  PublicStats
	until time.Time
}

const sqlPublicStats = `
select (select count(*) from users),
       coalesce((select sum(amount) from deposits where status = 'completed'), 0)::bigint`

// PublicStats returns the counters of the landing page. It is public. They are up to 30 seconds
// old: a process counts at most once in that time.
func (s *Service) PublicStats(ctx context.Context) (PublicStats, error) {
	if stats, kept := s.public.get(s.Clock.Now()); kept {
		return stats, nil
	}
	counted := s.public.counting.DoChan("", func() (any, error) {
		// The first caller may go away while others still wait for the result.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), publicTimeout)
		defer cancel()
		return s.countPublic(ctx)
	})
	select {
	case <-ctx.Done():
		return PublicStats{}, ctx.Err()
	case result := <-counted:
		stats, _ := result.Val.(PublicStats)
		return stats, result.Err
	}
}

func (s *Service) countPublic(ctx context.Context) (PublicStats, error) {
	now := s.Clock.Now()
	if stats, kept := s.public.get(now); kept { // another call has just counted
		return stats, nil
	}
	var stats PublicStats
	if err := postgres.Scan(ctx, s.DB, "reports.public_stats", sqlPublicStats, nil, &stats.Users, &stats.Deposits); err != nil {
		return PublicStats{}, err
	}
	s.public.keep(stats, now.Add(publicMaxAge))
	return stats, nil
}

func (p *publicStats) get(now time.Time) (stats PublicStats, kept bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last, now.Before(p.until)
}

func (p *publicStats) keep(stats PublicStats, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last, p.until = stats, until
}
