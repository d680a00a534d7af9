package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"amanat/internal/deals"
	"amanat/internal/fault"
)

func (s *Server) registerAdminDeals() {
	register(s, endpoint{
		id: "admin-deals", method: http.MethodGet, path: "/admin/deals", tag: adminTag, access: admin,
		summary: "Deals, newest first; those that wait for a decision, the longest wait first",
	}, s.adminDeals)
	registerKeyed(s, endpoint{
		id: "admin-deal-complete", method: http.MethodPost, path: "/admin/deals/complete/{id}", tag: adminTag, access: confirmed,
		summary: "Release an open deal's escrow to its seller", exists: s.dealExists,
		codes: []fault.Code{fault.Conflict},
	}, true, s.adminDealComplete)
	registerKeyed(s, endpoint{
		id: "admin-deal-cancel", method: http.MethodPost, path: "/admin/deals/cancel/{id}", tag: adminTag, access: confirmed,
		summary: "Give an open deal's price back to its buyer, in full", exists: s.dealExists,
		codes: []fault.Code{fault.Conflict},
	}, true, s.adminDealCancel)
}

func (s *Server) dealExists(ctx context.Context, id uuid.UUID) error {
	_, found, err := s.deals.ListAll(ctx, deals.Filter{DealID: id}, deals.Page{Limit: 1})
	if err == nil && (found == 0 || id == uuid.Nil) { // a filter takes uuid.Nil for any deal
		err = fault.New(fault.NotFound, "Deal not found.")
	}
	return err
}

// AdminDealsInput is the query of /admin/deals.
type AdminDealsInput struct {
	Paged
	Status    string    `query:"status" enum:"Pending,Active,Late,Delivered,Completed,Cancelled,Cancelled by Buyer,Cancelled by Seller"`
	DealID    string    `query:"dealId"`
	Escalated queryFlag `query:"escalated" doc:"true: only deals that wait for an admin's decision."`
}

func (s *Server) adminDeals(ctx context.Context, in *AdminDealsInput) (*dealListOutput, error) {
	status, err := oneOf("status", in.Status, deals.Pending, deals.Active, deals.Late, deals.Delivered, deals.Completed,
		deals.Cancelled, deals.CancelledByBuyer, deals.CancelledBySeller)
	if err != nil {
		return nil, err
	}
	escalated, err := oneOf("escalated", string(in.Escalated), "true", "false")
	if err != nil {
		return nil, err
	}
	slice, err := in.sliceOrAll()
	if err != nil {
		return nil, err
	}
	filter := deals.Filter{Status: status, Escalated: escalated == "true"}
	if text := strings.TrimSpace(in.DealID); text != "" {
		filter.DealID, _ = parseID(text)
		if filter.DealID == uuid.Nil { // half an id, or something else: a search that finds nothing
			return &dealListOutput{Body: []Deal{}}, nil
		}
	}
	list, total, err := s.deals.ListAll(ctx, filter, deals.Page(slice))
	return &dealListOutput{Total: total, Body: mapped(list, dealOf)}, err
}

// DealDecided is the answer to an admin's decision on a deal.
type DealDecided struct {
	Message string     `json:"message"`
	Deal    DealDetail `json:"deal"`
}

func (s *Server) adminDealComplete(ctx context.Context, _ *IDPath) (*Settled[DealDecided], error) {
	return s.decideDeal(ctx, s.deals.RequestForceComplete)
}

func (s *Server) adminDealCancel(ctx context.Context, _ *IDPath) (*Settled[DealDecided], error) {
	return s.decideDeal(ctx, s.deals.RequestForceCancel)
}

func (s *Server) decideDeal(ctx context.Context, request dealRequest) (*Settled[DealDecided], error) {
	op, err := request(ctx, actor(ctx).ID, pathID(ctx), callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	return settled(ctx, s, op, func(message string) (DealDecided, error) {
		found, err := s.deals.GetAny(ctx, actor(ctx).ID, pathID(ctx))
		if err != nil {
			return DealDecided{}, err
		}
		detail, err := dealDetailOf(found)
		return DealDecided{message, detail}, err
	})
}
