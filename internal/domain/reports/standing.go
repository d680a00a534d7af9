package reports

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

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
	return postgres.One[Standing](ctx, s.DB, "reports.standing", sqlStanding,
		pgx.NamedArgs{"user": userID, "from": period.From, "to": period.To})
}
