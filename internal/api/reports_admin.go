package api

import (
	"context"
	"net/http"
	"time"

	"amanat/internal/domain/reports"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

func (s *Server) registerAdminReports() {
	register(s, endpoint{
		id: "total-users", method: http.MethodGet, path: "/admin/total-users", tag: adminTag, access: admin,
		summary: "How many people signed up",
	}, s.totalUsers)
	register(s, endpoint{
		id: "total-deals", method: http.MethodGet, path: "/admin/total-deals", tag: adminTag, access: admin,
		summary: "How many deals were made",
	}, s.totalDeals)
	register(s, endpoint{
		id: "total-withdraw-amount", method: http.MethodGet, path: "/admin/total-withdraw-amount", tag: adminTag, access: admin,
		summary: "What was paid out",
	}, s.totalWithdrawAmount)
	register(s, endpoint{
		id: "total-deposits", method: http.MethodGet, path: "/admin/total-deposits", tag: adminTag, access: admin,
		summary: "What was credited",
	}, s.totalDeposits)
	register(s, endpoint{
		id: "platform-earnings", method: http.MethodGet, path: "/admin/platform-earnings", tag: adminTag, access: admin,
		summary: "Fees, less what referrers get of them",
	}, s.platformEarnings)
	register(s, endpoint{
		id: "admin-series", method: http.MethodGet, path: "/admin/series", tag: adminTag, access: admin,
		summary: "One of the totals by day, for charts",
	}, s.series)
}

// total answers with a metric's sum over a range of days.
func total[T any](ctx context.Context, s *Server, in *Dates, of reports.Metric, body func(reports.Sum) T) (*output[T], error) {
	period, err := in.period()
	if err != nil {
		return nil, err
	}
	sum, err := s.reports.Total(ctx, of, period)
	return respond(body(sum)), err
}

// TotalUsers counts users.
type TotalUsers struct {
	TotalUsers int64 `json:"totalUsers" example:"1"`
}

func (s *Server) totalUsers(ctx context.Context, in *Dates) (*output[TotalUsers], error) {
	return total(ctx, s, in, reports.Users, func(sum reports.Sum) TotalUsers { return TotalUsers{sum.Count} })
}

// TotalDeals counts deals.
type TotalDeals struct {
	TotalDeals int64 `json:"totalDeals" example:"1"`
}

func (s *Server) totalDeals(ctx context.Context, in *Dates) (*output[TotalDeals], error) {
	return total(ctx, s, in, reports.Deals, func(sum reports.Sum) TotalDeals { return TotalDeals{sum.Count} })
}

// TotalWithdrawAmount sums up what was paid out.
type TotalWithdrawAmount struct {
	TotalWithdrawAmount money.Cents `json:"totalWithdrawAmount" example:"50.5"`
}

func (s *Server) totalWithdrawAmount(ctx context.Context, in *Dates) (*output[TotalWithdrawAmount], error) {
	return total(ctx, s, in, reports.Withdrawals, func(sum reports.Sum) TotalWithdrawAmount { return TotalWithdrawAmount{sum.Amount} })
}

// TotalDeposits sums up what was credited.
type TotalDeposits struct {
	TotalDepositAmount money.Cents `json:"totalDepositAmount" example:"500"`
}

func (s *Server) totalDeposits(ctx context.Context, in *Dates) (*output[TotalDeposits], error) {
	return total(ctx, s, in, reports.Deposits, func(sum reports.Sum) TotalDeposits { return TotalDeposits{sum.Amount} })
}

// PlatformEarnings sums up the platform's earnings.
type PlatformEarnings struct {
	TotalEarnings money.Cents `json:"totalEarnings" example:"1.02"`
}

func (s *Server) platformEarnings(ctx context.Context, in *Dates) (*output[PlatformEarnings], error) {
	return total(ctx, s, in, reports.Earnings, func(sum reports.Sum) PlatformEarnings { return PlatformEarnings{sum.Amount} })
}

const (
	defaultSeriesDays = 30
	maxSeriesDays     = 366
)

// SeriesInput selects a daily total.
type SeriesInput struct {
	StartDate string `query:"startDate" doc:"YYYY-MM-DD in Asia/Dhaka; without it 30 days before endDate." example:"2026-01-01"`
	EndDate   string `query:"endDate" doc:"YYYY-MM-DD in Asia/Dhaka, included; without it today." example:"2026-01-31"`
	Of        string `query:"of" enum:"deposits,withdrawals,earnings,deals,users"`
}

// read returns the range with the defaults. Code Invalid as with Days, or longer than a year.
func (in *SeriesInput) read(now time.Time) (first time.Time, days int, err error) {
	if in.EndDate == "" {
		in.EndDate = now.In(clock.Dhaka).Format(time.DateOnly)
	}
	given, err := Dates{in.StartDate, in.EndDate}.period()
	if err != nil {
		return time.Time{}, 0, err
	}
	first = given.To.Add(-defaultSeriesDays * day)
	if given.From != nil {
		first = *given.From
	}
	days = int(given.To.Sub(first) / day)
	if days > maxSeriesDays {
		return time.Time{}, 0, fault.Field("startDate", "range_too_long", "The range must be at most 366 days.")
	}
	return first, days, nil
}

// Series is a daily total without gaps, oldest first.
type Series struct {
	Of        string      `json:"of" enum:"deposits,withdrawals,earnings,deals,users"`
	StartDate string      `json:"startDate" format:"date" example:"2026-01-01"`
	EndDate   string      `json:"endDate" format:"date" example:"2026-01-31"`
	Days      []SeriesDay `json:"days"`
}

// SeriesDay is one day in Asia/Dhaka.
type SeriesDay struct {
	Date   string      `json:"date" format:"date" example:"2026-01-31"`
	Count  int64       `json:"count" example:"1"`
	Amount money.Cents `json:"amount" doc:"USD; of deals their prices, of users 0." example:"500"`
}

func (s *Server) series(ctx context.Context, in *SeriesInput) (*output[Series], error) {
	of, err := oneOf("of", in.Of, reports.Deposits, reports.Withdrawals, reports.Earnings, reports.Deals, reports.Users)
	if err != nil {
		return nil, err
	}
	if of == "" {
		return nil, fault.Field("of", "count_missing", "Choose what to count.")
	}
	first, days, err := in.read(s.clock.Now())
	if err != nil {
		return nil, err
	}
	sums, err := s.reports.Series(ctx, of, first, days)
	if err != nil {
		return nil, err
	}
	series := Series{Of: string(of), Days: make([]SeriesDay, days)}
	for i, sum := range sums {
		date := first.Add(time.Duration(i) * day).Format(time.DateOnly)
		series.Days[i] = SeriesDay{Date: date, Count: sum.Count, Amount: sum.Amount}
	}
	series.StartDate, series.EndDate = series.Days[0].Date, series.Days[days-1].Date
	return respond(series), nil
}
