package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

func (s *Server) registerAdminDeals() {
	register(s, endpoint{
		id: "admin-deals", method: http.MethodGet, path: "/admin/deals", tag: adminTag, access: admin,
		summary: "Deals, newest first; those that wait for a decision, the longest wait first",
	}, s.adminDeals)
	registerIdempotent(s, endpoint{
		id: "admin-deal-complete", method: http.MethodPost, path: "/admin/deals/complete/{id}", tag: adminTag, access: reauthenticated,
		summary: "Release an open deal's escrow to its seller", exists: s.dealExists,
		codes: []fault.Code{fault.Conflict},
	}, true, s.adminDealComplete)
	registerIdempotent(s, endpoint{
		id: "admin-deal-cancel", method: http.MethodPost, path: "/admin/deals/cancel/{id}", tag: adminTag, access: reauthenticated,
		summary: "Give an open deal's price back to its buyer, in full", exists: s.dealExists,
		codes: []fault.Code{fault.Conflict},
	}, true, s.adminDealCancel)
}

func (s *Server) dealExists(ctx context.Context, id uuid.UUID) error {
	_, found, err := s.deals.ListAll(ctx, deals.Filter{DealID: &id}, postgres.Page{Limit: 1})
	if err == nil && found == 0 {
		err = fault.New(fault.NotFound, "deal_not_found", "Deal not found.")
	}
	return err
}

// AdminDealsInput is the query of /admin/deals.
type AdminDealsInput struct {
	Paged
	Status    string    `query:"status" enum:"Pending,Active,Late,Delivered,Completed,Cancelled,Cancelled by Buyer,Cancelled by Seller"`
	DealID    string    `query:"dealId" example:"019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	Escalated queryFlag `query:"escalated" doc:"true: only deals that wait for an admin's decision, because the clock or a suspended account has brought them there."`
}

func (s *Server) adminDeals(ctx context.Context, in *AdminDealsInput) (*dealListOutput, error) {
	status, err := oneOf("status", in.Status, deals.Statuses()...)
	if err != nil {
		return nil, err
	}
	escalated, err := oneOf("escalated", string(in.Escalated), "true", "false")
	if err != nil {
		return nil, err
	}
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	filter := deals.Filter{Status: status, Escalated: escalated == "true"}
	if text := strings.TrimSpace(in.DealID); text != "" {
		id, err := parseID(text)
		if err != nil { // text that is not a whole id matches no deal
			return &dealListOutput{Body: []Deal{}}, nil //nolint:nilerr // the search has an answer
		}
		filter.DealID = &id
	}
	list, total, err := s.deals.ListAll(ctx, filter, slice)
	return &dealListOutput{Total: Total{total}, Body: mapped(list, dealOf)}, err
}

// DealDecided is the answer to an admin's decision on a deal.
type DealDecided struct {
	catalog.Outcome
	Deal DealDetail `json:"deal"`
}

func (s *Server) adminDealComplete(ctx context.Context, _ *IDPath) (*Settled[DealDecided], error) {
	return s.decideDeal(ctx, s.deals.RequestForceComplete)
}

func (s *Server) adminDealCancel(ctx context.Context, _ *IDPath) (*Settled[DealDecided], error) {
	return s.decideDeal(ctx, s.deals.RequestForceCancel)
}

func (s *Server) decideDeal(ctx context.Context, request dealOperation) (*Settled[DealDecided], error) {
	op, err := request(ctx, actor(ctx).ID, pathID(ctx), callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	return awaitOperation(ctx, s, op, func(done catalog.Outcome) (DealDecided, error) {
		found, err := s.deals.GetAny(ctx, actor(ctx).ID, pathID(ctx))
		if err != nil {
			return DealDecided{}, err
		}
		detail, err := dealDetailOf(found)
		return DealDecided{done, detail}, err
	})
}
