package api

import (
	"context"
	"net/http"

	"amanat/internal/deals"
	"amanat/internal/fault"
	"amanat/internal/money"
)

func (s *Server) registerDealLists() {
	register(s, endpoint{
		id: "deal-list", method: http.MethodGet, path: "/deals/my-deals", tag: dealTag,
		summary: "Deals of the user, newest first; of another user for admins",
		codes:   []fault.Code{fault.NotFound, fault.Forbidden},
	}, s.dealList)
	register(s, endpoint{
		id: "deals-between", method: http.MethodGet, path: "/deals/between/{userId}/{otherUserId}", tag: dealTag,
		summary: "Deals of two users with each other, newest first; to either of them and to admins",
		codes:   []fault.Code{fault.NotFound, fault.Forbidden},
	}, s.dealsBetween)
	register(s, endpoint{
		id: "active-deals", method: http.MethodGet, path: "/deals/active-deals", tag: dealTag,
		summary: "How many deals of the user are open, and for how much",
	}, s.activeDeals)
}

const textOwnDealsOnly = "You may see your own deals only."

// DealListInput is the query of /deals/my-deals.
type DealListInput struct {
	Paged
	UserID string `query:"userId" doc:"Another user; for admins."`
}

type dealListOutput struct {
	Total int `header:"X-Total-Count"`
	Body  []Deal
}

func (s *Server) dealList(ctx context.Context, in *DealListInput) (*dealListOutput, error) {
	of := actor(ctx).ID
	if in.UserID != "" {
		asked, err := parseID(in.UserID)
		if err != nil {
			return nil, err
		}
		if asked != of && !actor(ctx).IsAdmin {
			return nil, fault.New(fault.Forbidden, textOwnDealsOnly)
		}
		of = asked
	}
	slice, err := in.sliceOrAll()
	if err != nil {
		return nil, err
	}
	list, total, err := s.deals.ListByUser(ctx, of, deals.Page(slice))
	return &dealListOutput{Total: total, Body: mapped(list, dealOf)}, err
}

// DealsBetweenInput names two users.
type DealsBetweenInput struct {
	Paged
	UserID      string `path:"userId" format:"uuid"`
	OtherUserID string `path:"otherUserId" format:"uuid"`
}

func (s *Server) dealsBetween(ctx context.Context, in *DealsBetweenInput) (*dealListOutput, error) {
	one, err := parseID(in.UserID)
	if err != nil {
		return nil, err
	}
	other, err := parseID(in.OtherUserID)
	if err != nil {
		return nil, err
	}
	if reader := actor(ctx); reader.ID != one && reader.ID != other && !reader.IsAdmin {
		return nil, fault.New(fault.Forbidden, textOwnDealsOnly)
	}
	slice, err := in.sliceOrAll()
	if err != nil {
		return nil, err
	}
	list, total, err := s.deals.ListBetween(ctx, one, other, deals.Page(slice))
	return &dealListOutput{Total: total, Body: mapped(list, dealOf)}, err
}

// ActiveDeals sums up a user's open deals.
type ActiveDeals struct {
	ActiveDeals int         `json:"activeDeals" doc:"Deals that are Active, Late or Delivered."`
	TotalPrice  money.Cents `json:"totalPrice"`
}

func (s *Server) activeDeals(ctx context.Context, _ *struct{}) (*output[ActiveDeals], error) {
	count, total, err := s.deals.OpenTotals(ctx, actor(ctx).ID)
	return respond(ActiveDeals{count, total}), err
}
