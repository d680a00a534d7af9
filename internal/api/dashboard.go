package api

import (
	"context"
	"net/http"

	"amanat/internal/money"
	"amanat/internal/reviews"
)

func (s *Server) registerDashboard() {
	register(s, endpoint{
		id: "dashboard", method: http.MethodGet, path: "/dashboard", tag: "Dashboard",
		summary: "How the user is doing: the wallet and open deals now, the rest in a range of days",
	}, s.dashboard)
}

// Dashboard is how a user is doing.
type Dashboard struct {
	Wallet         money.Cents `json:"wallet" doc:"Now."`
	ActiveDeals    int         `json:"activeDeals" doc:"Deals that are Active, Late or Delivered now."`
	TotalPrice     money.Cents `json:"totalPrice" doc:"Of the active deals."`
	CompletedDeals int         `json:"completedDeals" doc:"Closed in the range."`
	FinishedDeals  int         `json:"finishedDeals" doc:"Completed or cancelled, closed in the range."`
	SuccessScore   *int        `json:"successScore" doc:"Percent of completed over finished deals of the range; null when none finished."`
	AverageRating  *float64    `json:"averageRating" doc:"Of the reviews of the range, to one decimal; null without any."`
	ReviewCount    int         `json:"reviewCount" doc:"Received in the range."`
	Reviews        []Review    `json:"reviews" doc:"The newest hundred of them."`
}

func (s *Server) dashboard(ctx context.Context, in *Days) (*output[Dashboard], error) {
	period, err := in.period()
	if err != nil {
		return nil, err
	}
	user := actor(ctx)
	var d Dashboard
	if d.Wallet, err = s.accounts.Wallet(ctx, user.ID); err != nil {
		return nil, err
	}
	if d.ActiveDeals, d.TotalPrice, err = s.deals.OpenTotals(ctx, user.ID); err != nil {
		return nil, err
	}
	standing, err := s.reports.Standing(ctx, user.ID, period)
	if err != nil {
		return nil, err
	}
	received, count, err := s.reviews.List(ctx, reviews.Query{
		Reviewed: user.ID, From: period.From, To: period.To, Page: reviews.Page{Limit: maxLimit},
	})
	d.CompletedDeals, d.FinishedDeals = standing.Completed, standing.Finished
	d.SuccessScore, d.AverageRating = standing.SuccessScore(), standing.AverageRating
	d.ReviewCount, d.Reviews = count, mapped(received, reviewOf)
	return respond(d), err
}
