package api

import (
	"context"
	"net/http"

	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
)

func (s *Server) registerAdminDisputes() {
	register(s, endpoint{
		id: "admin-disputes", method: http.MethodGet, path: "/admin/disputes", tag: adminTag, access: admin,
		summary: "Disputes: of a status that waits for an admin the oldest first, otherwise the newest first",
	}, s.adminDisputes)
	register(s, endpoint{
		id: "admin-dispute-claim", method: http.MethodPost, path: "/admin/disputes/{id}/claim", tag: adminTag, access: admin,
		summary: "Keep other admins away from a dispute for five minutes", exists: s.deals.DisputeExists,
		codes: []fault.Code{fault.AlreadyHandled},
	}, s.adminDisputeClaim)
	registerIdempotent(s, endpoint{
		id: "admin-dispute-decide", method: http.MethodPost, path: "/admin/disputes/{id}/decide", tag: adminTag, access: reauthenticated,
		summary: "Decide a dispute; carried out when both parties accept it, or after 72 hours without an appeal",
		exists:  s.deals.DisputeExists,
		codes:   []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, false, s.adminDisputeDecide)
	registerIdempotent(s, endpoint{
		id: "admin-dispute-appeal", method: http.MethodPost, path: "/admin/disputes/{id}/appeal/decide", tag: adminTag,
		access: reauthenticated, exists: s.deals.DisputeExists,
		summary: "Decide an appeal, which is carried out at once; for another admin than the one who decided first",
		codes:   []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, true, s.adminDisputeAppeal)
}

// AdminDisputesInput is the query of the disputes' worklist.
type AdminDisputesInput struct {
	Paged
	Status string `query:"status" enum:"open,decided,appealed,settled,closed" doc:"All when not given."`
}

// AdminDisputes is a page of the disputes' worklist.
type AdminDisputes struct {
	Disputes []DisputeSummary `json:"disputes"`
	Pages
}

func (s *Server) adminDisputes(ctx context.Context, in *AdminDisputesInput) (*output[AdminDisputes], error) {
	status, err := oneOf("status", in.Status, deals.DisputeStatuses()...)
	if err != nil {
		return nil, err
	}
	slice, number, err := in.slice()
	if err != nil {
		return nil, err
	}
	list, total, err := s.deals.ListDisputes(ctx, status, slice)
	return respond(AdminDisputes{
		mapped(list, func(x deals.Dispute) DisputeSummary { return disputeSummaryOf(x, true) }), pagesOf(number, slice.Limit, total),
	}), err
}

func (s *Server) adminDisputeClaim(ctx context.Context, _ *IDPath) (*output[DisputeChange], error) {
	x, err := s.deals.ClaimDispute(ctx, actor(ctx).ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	change, err := s.disputeChangeOf(ctx, deals.OutcomeDisputeClaimed, x)
	return respond(change), err
}

// DisputeRulingBody is the body of a decision.
type DisputeRulingBody struct {
	BuyerGets Amount `json:"buyerGets" doc:"What goes back to the buyer, from 0 to the price." example:"40"`
	Reason    string `json:"reason" doc:"Both parties read it; 10 to 2,000 characters." example:"The channel was never handed over."`
}

func (b DisputeRulingBody) ruling() (deals.Ruling, error) {
	buyerGets, err := readBuyerGets(b.BuyerGets)
	return deals.Ruling{BuyerGets: buyerGets, Reason: b.Reason}, err
}

// DisputeRulingInput decides a dispute or an appeal.
type DisputeRulingInput struct {
	IDPath
	Payload Payload[DisputeRulingBody]
}

func (s *Server) adminDisputeDecide(ctx context.Context, in *DisputeRulingInput) (*Settled[DisputeChange], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	ruling, err := body.ruling()
	if err != nil {
		return nil, err
	}
	x, err := s.deals.DecideDispute(ctx, actor(ctx).ID, pathID(ctx), ruling, callOf(ctx).key)
	return s.disputeChanged(ctx, deals.OutcomeDisputeDecided, x, err)
}

func (s *Server) adminDisputeAppeal(ctx context.Context, in *DisputeRulingInput) (*Settled[DisputeChange], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	ruling, err := body.ruling()
	if err != nil {
		return nil, err
	}
	op, err := s.deals.DecideDisputeAppeal(ctx, actor(ctx).ID, pathID(ctx), ruling, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	return s.settledDispute(ctx, op)
}
