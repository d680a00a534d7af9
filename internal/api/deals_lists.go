package api

import (
	"context"
	"net/http"

	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
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
	register(s, endpoint{
		id: "deal-totals", method: http.MethodGet, path: "/deals/totals", tag: dealTag,
		summary: "How many deals the user has in each status, and what those came to that were completed in the last six months",
	}, s.dealTotals)
}

const textOwnDealsOnly = "You may see your own deals only."

// DealListInput is the query of /deals/my-deals.
type DealListInput struct {
	Paged
	StatusQuery
	UserID string `query:"userId" doc:"Another user; for admins." example:"019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
}

// StatusQuery filters deals by status.
type StatusQuery struct {
	Status []string `query:"status,explode" doc:"Only deals in this status, or in one of several: the name may be repeated." example:"Pending"`
}

// read returns the statuses; none mean all. Code Invalid: an unknown one.
func (q StatusQuery) read() ([]deals.Status, error) {
	var wanted []deals.Status
	for _, text := range q.Status {
		status, err := oneOf("status", text, deals.Statuses()...)
		if err != nil {
			return nil, err
		}
		if status != "" {
			wanted = append(wanted, status)
		}
	}
	return wanted, nil
}

type dealListOutput struct {
	Total
	Body []Deal
}

func (s *Server) dealList(ctx context.Context, in *DealListInput) (*dealListOutput, error) {
	of := actor(ctx).ID
	if in.UserID != "" {
		asked, err := parseID(in.UserID)
		if err != nil {
			return nil, err
		}
		if asked != of && !s.accounts.ActsAsAdmin(actor(ctx)) {
			return nil, fault.New(fault.Forbidden, "own_deals_only", textOwnDealsOnly)
		}
		of = asked
	}
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	statuses, err := in.read()
	if err != nil {
		return nil, err
	}
	list, total, err := s.deals.ListByUser(ctx, of, statuses, slice)
	return &dealListOutput{Total: Total{total}, Body: mapped(list, dealOf)}, err
}

// DealsBetweenInput names two users.
type DealsBetweenInput struct {
	Paged
	StatusQuery
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
	if reader := actor(ctx); reader.ID != one && reader.ID != other && !s.accounts.ActsAsAdmin(reader) {
		return nil, fault.New(fault.Forbidden, "own_deals_only", textOwnDealsOnly)
	}
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	statuses, err := in.read()
	if err != nil {
		return nil, err
	}
	list, total, err := s.deals.ListBetween(ctx, one, other, statuses, slice)
	return &dealListOutput{Total: Total{total}, Body: mapped(list, dealOf)}, err
}

// ActiveDeals summarises a user's open deals.
type ActiveDeals struct {
	ActiveDeals int         `json:"activeDeals" doc:"Deals that are Active, Late or Delivered." example:"1"`
	TotalPrice  money.Cents `json:"totalPrice" example:"100.01"`
}

func (s *Server) activeDeals(ctx context.Context, _ *struct{}) (*output[ActiveDeals], error) {
	count, total, err := s.deals.OpenTotals(ctx, actor(ctx).ID)
	return respond(ActiveDeals{count, total}), err
}

// DealTotals summarises all deals of a user.
type DealTotals struct {
	Statuses  []StatusTotal `json:"statuses" doc:"Every status, in the order of a deal's life."`
	Completed []MonthTotal  `json:"completed" doc:"The last six months in Asia/Dhaka, oldest first."`
}

// StatusTotal is the number of deals in a status.
type StatusTotal struct {
	Status string `json:"status" enum:"Pending,Active,Late,Delivered,Completed,Cancelled,Cancelled by Buyer,Cancelled by Seller"`
	Deals  int    `json:"deals" example:"1"`
}

// MonthTotal is the total of the deals completed in a month.
type MonthTotal struct {
	Month string      `json:"month" doc:"As in 2026-01." example:"2026-01"`
	Price money.Cents `json:"price" doc:"Of all of them, as buyer and seller." example:"100.01"`
}

func (s *Server) dealTotals(ctx context.Context, _ *struct{}) (*output[DealTotals], error) {
	totals, err := s.deals.Totals(ctx, actor(ctx).ID)
	return respond(DealTotals{
		Statuses: mapped(deals.Statuses(), func(status deals.Status) StatusTotal {
			return StatusTotal{Status: string(status), Deals: totals.Count[status]}
		}),
		Completed: mapped(totals.Completed, func(month deals.Month) MonthTotal {
			return MonthTotal{Month: month.Begins.Format("2006-01"), Price: month.Price}
		}),
	}), err
}
