package api

import (
	"context"
	"net/http"
	"time"

	"amanat/internal/domain/reports"
	"amanat/internal/domain/reviews"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

func (s *Server) registerDashboard() {
	register(s, endpoint{
		id: "dashboard", method: http.MethodGet, path: "/dashboard", tag: "Dashboard",
		summary: "How the user is doing: the wallet and open deals now, the rest in a range of days",
	}, s.dashboard)
}

// Dashboard is a summary of a user's activity.
type Dashboard struct {
	Wallet         money.Cents `json:"wallet" doc:"Now." example:"399.99"`
	ActiveDeals    int         `json:"activeDeals" doc:"Deals that are Active, Late or Delivered now." example:"1"`
	TotalPrice     money.Cents `json:"totalPrice" doc:"Of the active deals." example:"100.01"`
	CompletedDeals int         `json:"completedDeals" doc:"Closed in the range." example:"1"`
	FinishedDeals  int         `json:"finishedDeals" doc:"Completed or cancelled, closed in the range; not those that the seller never agreed to." example:"1"`
	SuccessScore   *int        `json:"successScore" doc:"Percent of completed over finished deals of the range; null when none finished." example:"96"`
	AverageRating  *float64    `json:"averageRating" doc:"Of the reviews of the range that count, to one decimal; null without any." example:"4.8"`
	RatingCount    int         `json:"ratingCount" doc:"Of the reviews that count in averageRating." example:"1"`
	ReviewCount    int         `json:"reviewCount" doc:"Received in the range." example:"1"`
	Reviews        []Review    `json:"reviews" doc:"The newest ten of them, with the beginnings of their comments; /reviews has all."`
}

func (s *Server) dashboard(ctx context.Context, in *Days) (*output[Dashboard], error) {
	period, err := in.period()
	if err != nil {
		return nil, err
	}
	user := actor(ctx)
	own, err := s.accounts.Own(ctx, user.ID)
	if err != nil {
		return nil, err
	}
	d := Dashboard{Wallet: own.Balance}
	if d.ActiveDeals, d.TotalPrice, err = s.deals.OpenTotals(ctx, user.ID); err != nil {
		return nil, err
	}
	standing, err := s.reports.Standing(ctx, user.ID, period)
	if err != nil {
		return nil, err
	}
	received, count, err := s.reviews.List(ctx, reviews.Query{
		Reviewed: user.ID, From: period.From, To: period.To, Page: postgres.Page{Limit: profileReviews},
	})
	d.CompletedDeals, d.FinishedDeals = standing.Completed, standing.Finished
	d.SuccessScore, d.AverageRating, d.RatingCount = standing.SuccessScore(), standing.AverageRating, standing.Ratings
	d.ReviewCount, d.Reviews = count, mapped(received, reviewOf)
	return respond(d), err
}

func (s *Server) registerPublic() {
	register(s, endpoint{
		id: "pauses", method: http.MethodGet, path: "/public/pauses", tag: "Public", access: anyone,
		summary: "What an operator has paused for now; calls of it are refused with 503 and change nothing",
	}, s.pausesNow)
	register(s, endpoint{
		id: "public-stats", method: http.MethodGet, path: "/public/public-stats", tag: "Public", access: anyone, shared: maxShared,
		summary: "Counters of the landing page, up to a minute old",
	}, s.publicStats)
	register(s, endpoint{
		id: "chat-warnings", method: http.MethodGet, path: "/public/chat-warnings", tag: "Public", access: anyone, shared: maxShared,
		summary: "What a page warns of below a message received",
	}, s.chatWarnings)
}

// Offsets are added to the counters on the landing page (docs/rules.md#public-stats).
type Offsets struct {
	Users int64
	USD   money.Cents
}

// PublicStats are the counters, and the offsets that the UI adds.
type PublicStats struct {
	TotalUsers         int64       `json:"totalUsers" example:"1"`
	TotalDepositAmount money.Cents `json:"totalDepositAmount" example:"500"`
	UserOffset         int64       `json:"userOffset" example:"12499"`
	USDOffset          money.Cents `json:"usdOffset" example:"45499"`
}

func (s *Server) publicStats(ctx context.Context, _ *struct{}) (*output[PublicStats], error) {
	stats, err := s.reports.PublicStats(ctx)
	return respond(PublicStats{
		TotalUsers: stats.Users, TotalDepositAmount: stats.Deposits, UserOffset: s.offsets.Users, USDOffset: s.offsets.USD,
	}), err
}

// ChatWarnings are what received messages are searched for, on the reader's page
// (docs/rules.md#chat-warnings).
type ChatWarnings struct {
	Words []string `json:"words" doc:"Words and phrases of payments outside Amanat, in English and Bangla." example:"send money"`
}

func (s *Server) chatWarnings(context.Context, *struct{}) (*output[ChatWarnings], error) {
	return respond(ChatWarnings{Words: s.warningWords}), nil
}

const day = 24 * time.Hour // Dhaka has no daylight saving time

// Days is an inclusive range of days in Asia/Dhaka. A missing end is open.
type Days struct {
	From string `query:"from" format:"date" doc:"First day, YYYY-MM-DD." example:"2026-01-01"`
	To   string `query:"to" format:"date" doc:"Last day, YYYY-MM-DD." example:"2026-01-31"`
}

func (d Days) period() (reports.Period, error) { return readPeriod("from", d.From, "to", d.To) }

// Dates is Days with the parameter names of admins' calls.
type Dates struct {
	StartDate string `query:"startDate" format:"date" doc:"First day, YYYY-MM-DD." example:"2026-01-01"`
	EndDate   string `query:"endDate" format:"date" doc:"Last day, YYYY-MM-DD." example:"2026-01-31"`
}

func (d Dates) period() (reports.Period, error) {
	return readPeriod("startDate", d.StartDate, "endDate", d.EndDate)
}

// readPeriod reads the first and the last day of a range from two fields. Code Invalid: not dates,
// or in the wrong order.
func readPeriod(firstField, first, lastField, last string) (reports.Period, error) {
	from, err := dayIn(firstField, first)
	if err != nil {
		return reports.Period{}, err
	}
	to, err := dayIn(lastField, last)
	if err != nil {
		return reports.Period{}, err
	}
	if from != nil && to != nil && to.Before(*from) {
		return reports.Period{}, fault.Fieldf(lastField, "dates_swapped",
			"{last} must not be before {first}.", fault.Params{"last": lastField, "first": firstField})
	}
	if to != nil {
		*to = to.Add(day)
	}
	return reports.Period{From: from, To: to}, nil
}

// dayIn returns the start of a day; nil if it is missing.
func dayIn(field, text string) (*time.Time, error) {
	if text == "" {
		return nil, nil
	}
	begins, err := time.ParseInLocation(time.DateOnly, text, clock.Dhaka)
	if err != nil || begins.Year() < 1 { // PostgreSQL has no year 0
		return nil, fault.Fieldf(field, "not_a_date", "{field} must be a date such as 2026-01-31.", fault.Params{"field": field})
	}
	return &begins, nil
}

func (s *Server) registerReferrals() {
	register(s, endpoint{
		id: "referral-stats", method: http.MethodGet, path: "/deals/refer/stats", tag: "Referrals",
		summary: "Whom the user has brought, and what that has earned",
	}, s.referralStats)
}

// ReferralStats is a user's earnings from referrals.
type ReferralStats struct {
	TotalReferred    int         `json:"totalReferred" doc:"Friends who signed up with the user's code." example:"1"`
	ReferralEarnings money.Cents `json:"referralEarnings" doc:"USD credited so far." example:"12.34"`
}

func (s *Server) referralStats(ctx context.Context, _ *struct{}) (*output[ReferralStats], error) {
	has, err := s.referrals.Stats(ctx, actor(ctx).ID)
	return respond(ReferralStats{TotalReferred: has.Referred, ReferralEarnings: has.Earnings}), err
}
