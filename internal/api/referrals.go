package api

import (
	"context"
	"net/http"

	"amanat/internal/money"
)

func (s *Server) registerReferrals() {
	register(s, endpoint{
		id: "referral-stats", method: http.MethodGet, path: "/deals/refer/stats", tag: "Referrals",
		summary: "Whom the user has brought, and what that has earned",
	}, s.referralStats)
}

// ReferralStats is what a user has from bringing friends.
type ReferralStats struct {
	TotalReferred    int         `json:"totalReferred" doc:"Friends who signed up with the user's code."`
	ReferralEarnings money.Cents `json:"referralEarnings" doc:"USD credited so far."`
}

func (s *Server) referralStats(ctx context.Context, _ *struct{}) (*output[ReferralStats], error) {
	has, err := s.referrals.Stats(ctx, actor(ctx).ID)
	return respond(ReferralStats{TotalReferred: has.Referred, ReferralEarnings: has.Earnings}), err
}
