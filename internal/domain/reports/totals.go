package reports

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// Metric is a quantity that admins see totals and charts of.
type Metric string

// The metrics.
const (
	Users       Metric = "users"       // sign-ups
	Deals       Metric = "deals"       // created and not removed; sums their prices
	Deposits    Metric = "deposits"    // credited
	Withdrawals Metric = "withdrawals" // paid out
	Earnings    Metric = "earnings"    // fees less the rewards paid from them
)

// sources are the events that each metric counts: the time and the amount.
var sources = map[Metric]string{
	Users:       `select created_at as at, 0::bigint as amount from users`,
	Deals:       `select created_at as at, price as amount from deals where removed_at is null`,
	Deposits:    `select handled_at as at, amount from deposits where status = 'completed'`,
	Withdrawals: `select handled_at as at, amount from withdrawals where status = 'completed'`,
	// "balance_after is null" matches the partial index on entries of the provider's accounts.
	Earnings: `select e.at, e.amount from ledger.entries e join ledger.accounts a on a.id = e.account_id
	            where a.kind = 'fees' and a.currency = 'USD' and e.balance_after is null`,
}

// Sum is the number of events and their total amount.
type Sum struct {
	Count  int64
	Amount money.Cents
}

const sqlInRange = ` where (@from::timestamptz is null or at >= @from) and (@to::timestamptz is null or at < @to)`

// Total returns the sum of a metric, for admins.
func (s *Service) Total(ctx context.Context, of Metric, in Period) (Sum, error) {
	source, known := sources[of]
	if !known {
		return Sum{}, fmt.Errorf("reports: no metric %q", of)
	}
	var sum Sum
	err := postgres.Scan(ctx, s.DB, "reports.total",
		`select count(*), coalesce(sum(amount), 0)::bigint from (`+source+`) facts`+sqlInRange,
		pgx.NamedArgs{"from": in.From, "to": in.To}, &sum.Count, &sum.Amount)
	return sum, err
}

const day = 24 * time.Hour

// Series returns the daily sums of a metric for the given number of days beginning at first, for
// admins. They add up to Total's sum.
func (s *Service) Series(ctx context.Context, of Metric, first time.Time, days int) ([]Sum, error) {
	source, known := sources[of]
	if !known {
		return nil, fmt.Errorf("reports: no metric %q", of)
	}
	type dailySum struct {
		Day    int
		Count  int64
		Amount money.Cents
	}
	rows, err := postgres.Many[dailySum](ctx, s.DB, "reports.series", `
		select floor(extract(epoch from at - @from::timestamptz) / 86400)::int as day, count(*) as count,
		       coalesce(sum(amount), 0)::bigint as amount
		  from (`+source+`) facts`+sqlInRange+` group by 1`,
		pgx.NamedArgs{"from": first, "to": first.Add(time.Duration(days) * day)})
	if err != nil {
		return nil, err
	}
	sums := make([]Sum, days)
	for _, r := range rows {
		sums[r.Day] = Sum{Count: r.Count, Amount: r.Amount}
	}
	return sums, nil
}
