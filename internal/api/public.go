package api

import (
	"context"
	"net/http"

	"amanat/internal/money"
)

func (s *Server) registerPublic() {
	register(s, endpoint{
		id: "public-stats", method: http.MethodGet, path: "/public/public-stats", tag: "Public", access: anyone,
		summary: "Counters of the landing page, up to half a minute old",
	}, s.publicStats)
}

// Offsets are what the landing page adds to the counters (SPEC §9).
type Offsets struct {
	Users int64
	USD   money.Cents
}

// PublicStats are the counters as they are, and what the UI adds to them.
type PublicStats struct {
	TotalUsers         int64       `json:"totalUsers"`
	TotalDepositAmount money.Cents `json:"totalDepositAmount"`
	UserOffset         int64       `json:"userOffset"`
	USDOffset          money.Cents `json:"usdOffset"`
}

func (s *Server) publicStats(ctx context.Context, _ *struct{}) (*output[PublicStats], error) {
	stats, err := s.reports.PublicStats(ctx)
	return respond(PublicStats{
		TotalUsers: stats.Users, TotalDepositAmount: stats.Deposits, UserOffset: s.offsets.Users, USDOffset: s.offsets.USD,
	}), err
}
