package reports

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
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
select (select count(*) from users) as users,
       coalesce((select sum(amount) from deposits where status = 'completed'), 0)::bigint as deposits`

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
	stats, err := postgres.Query[PublicStats]("reports.public_stats", sqlPublicStats).One(ctx, s.DB, nil)
	if err != nil {
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

// Bounds of Pace (docs/rules.md#pace).
const (
	paceDeals         = 50
	paceConversations = 50
	paceAge           = 90 * 24 * time.Hour
	paceMin           = 3
)

// Pace is how fast a user typically delivers and answers. A figure is nil until there are three
// cases to compute it from, and otherwise at least 1.
type Pace struct {
	DeliveryHours *int // from the payment to the first delivery, as seller
	AnswerMinutes *int // from another's first message to the first reply
}

// Reads at most 50 deals and 50 conversations, each by an index. The messages before the first
// reply are found by the primary key of messages.
const sqlPace = `
select case when d.cases >= @min then greatest(ceil(d.seconds / 3600), 1)::int end as delivery_hours,
       case when a.cases >= @min then greatest(ceil(a.seconds / 60), 1)::int end as answer_minutes
  from (select count(*) as cases,
               percentile_cont(0.5) within group (order by extract(epoch from first_delivered_at - activated_at)) as seconds
          from (select activated_at, first_delivered_at from deals
                 where seller_id = @user and deal_counts(status, price, refunded_amount, accepted_at) and first_delivered_at is not null
                 order by closed_at desc limit @deals) latest) d,
       (select count(*) as cases,
               percentile_cont(0.5) within group (order by extract(epoch from reply.created_at - asked.created_at)) as seconds
          from (select id from (
                  (select id, updated_at from conversations
                    where user_a = @user and answered and updated_at >= @since and created_at >= @since
                    order by updated_at desc, id desc limit @conversations)
                  union all
                  (select id, updated_at from conversations
                    where user_b = @user and answered and updated_at >= @since and created_at >= @since
                    order by updated_at desc, id desc limit @conversations)) both_sides
                 order by updated_at desc, id desc limit @conversations) c
         cross join lateral (
           select seq, created_at from messages where conversation_id = c.id and sender_id <> @user order by seq limit 1) asked
         cross join lateral (
           select created_at from messages where conversation_id = c.id and sender_id = @user and seq > asked.seq
            order by seq limit 1) reply) a`

// Pace returns how fast a user typically delivers and answers. It is public.
func (s *Service) Pace(ctx context.Context, userID uuid.UUID) (Pace, error) {
	return postgres.Query[Pace]("reports.pace", sqlPace).One(ctx, s.DB, postgres.Args{
		"user": userID, "since": s.Clock.Now().Add(-paceAge), "min": paceMin, "deals": paceDeals, "conversations": paceConversations,
	})
}

// Period is the time from From up to but excluding To. Nil means unbounded.
type Period struct {
	From, To *time.Time
}

// Standing is the track record of a user as buyer and seller.
type Standing struct {
	Completed     int      // deals that count as completed
	Finished      int      // closed deals of $1 or more that both parties had agreed to, however they ended
	Ratings       int      // received reviews that count, without hidden ones
	AverageRating *float64 // of them, to one decimal; nil without any
}

// SuccessScore returns completed over finished deals in percent, rounded, or nil if no deal is
// finished.
func (s Standing) SuccessScore() *int {
	if s.Finished == 0 {
		return nil
	}
	score := (200*s.Completed + s.Finished) / (2 * s.Finished)
	return &score
}

// A deal that its seller never accepted, or below $1, does not count for either party, however it
// ended.
const sqlStanding = `
select d.completed, d.finished, r.ratings, r.average_rating
  from (select count(*) filter (where deal_counts(status, price, refunded_amount, accepted_at)) as completed, count(*) as finished
          from deals
         where (buyer_id = @user or seller_id = @user) and removed_at is null and closed_at is not null
           and accepted_at is not null and price >= 100
           and (@from::timestamptz is null or closed_at >= @from) and (@to::timestamptz is null or closed_at < @to)) d,
       (select count(*) as ratings, round(avg(rating), 1)::double precision as average_rating
          from reviews
         where reviewed_id = @user and hidden_by is null and counts
           and (@from::timestamptz is null or created_at >= @from) and (@to::timestamptz is null or created_at < @to)) r`

// Standing returns a user's track record in a period: the deals closed and the reviews written in
// it. It is public.
func (s *Service) Standing(ctx context.Context, userID uuid.UUID, period Period) (Standing, error) {
	return postgres.Query[Standing]("reports.standing", sqlStanding).One(ctx, s.DB,
		postgres.Args{"user": userID, "from": period.From, "to": period.To})
}

// Trade is how much a user has traded in completed deals, as buyer and seller.
type Trade struct {
	Partners int         // distinct users
	Volume   money.Cents // sum of prices, less what was refunded
}

// Each half has a covering index.
const sqlTrade = `
select count(distinct partner) as partners, coalesce(sum(paid), 0)::bigint as volume
  from (select seller_id as partner, price - coalesce(refunded_amount, 0) as paid from deals
         where buyer_id = @user and deal_counts(status, price, refunded_amount, accepted_at)
        union all
        select buyer_id, price - coalesce(refunded_amount, 0) from deals
         where seller_id = @user and deal_counts(status, price, refunded_amount, accepted_at)) completed`

// Trade returns how much a user has traded. The exact volume is private to the user; VolumeBand is
// public.
func (s *Service) Trade(ctx context.Context, userID uuid.UUID) (Trade, error) {
	return postgres.Query[Trade]("reports.trade", sqlTrade).One(ctx, s.DB, postgres.Args{"user": userID})
}

// VolumeBand is the rough trade volume of a user.
type VolumeBand string

// Bands in dollars. Each includes its lower bound.
const (
	VolumeNone        VolumeBand = "none"
	VolumeUnder100    VolumeBand = "under_100"
	VolumeUnder1000   VolumeBand = "100_1000"
	VolumeUnder10000  VolumeBand = "1000_10000"
	VolumeBeyond10000 VolumeBand = "over_10000"
)

// VolumeBand returns the band of the volume.
func (t Trade) VolumeBand() VolumeBand {
	switch {
	case t.Volume == 0:
		return VolumeNone
	case t.Volume < 100_00:
		return VolumeUnder100
	case t.Volume < 1_000_00:
		return VolumeUnder1000
	case t.Volume < 10_000_00:
		return VolumeUnder10000
	}
	return VolumeBeyond10000
}
