package deals

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// The status now: an Active deal is late from its due date on, even if not stored as Late yet.
const sqlStatusNow = `case when d.status = 'Active' and d.due_at < @now then 'Late' else d.status end`

const sqlCountByStatus = `
select ` + sqlStatusNow + ` as status, count(*) as deals
  from deals d
 where (d.buyer_id = @user or d.seller_id = @user) and d.removed_at is null
 group by 1`

func countByStatus(ctx context.Context, q postgres.Querier, userID uuid.UUID, now time.Time) (map[Status]int, error) {
	type line struct {
		Status Status
		Deals  int
	}
	lines, err := postgres.Query[line]("deals.count_by_status", sqlCountByStatus).Many(ctx, q, postgres.Args{"user": userID, "now": now})
	count := map[Status]int{}
	for _, l := range lines {
		count[l.Status] = l.Deals
	}
	return count, err
}

// monthLayout formats a month as to_char does in sqlCompletedByMonth.
const monthLayout = "2006-01"

const sqlCompletedByMonth = `
select to_char(d.closed_at at time zone interval '6 hours', 'YYYY-MM') as month,
       sum(d.price - coalesce(d.refunded_amount, 0))::bigint as price
  from deals d
 where (d.buyer_id = @user or d.seller_id = @user) and d.removed_at is null and d.status = 'Completed' and d.closed_at >= @from
 group by 1`

// completedByMonth returns what was paid in the deals completed since a time, keyed by month in
// Dhaka: their prices, less what disputes gave back.
func completedByMonth(ctx context.Context, q postgres.Querier, userID uuid.UUID, from time.Time) (map[string]money.Cents, error) {
	type line struct {
		Month string
		Price int64
	}
	lines, err := postgres.Query[line]("deals.completed_by_month", sqlCompletedByMonth).Many(ctx, q,
		postgres.Args{"user": userID, "from": from})
	sums := map[string]money.Cents{}
	for _, l := range lines {
		sums[l.Month] = money.Cents(l.Price)
	}
	return sums, err
}
