package api

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"amanat/internal/deals"
	"amanat/internal/fault"
	"amanat/internal/operations"
)

const dealTag = "Deals"

func (s *Server) registerDeals() {
	registerKeyed(s, endpoint{
		id: "deal-create", method: http.MethodPost, path: "/deals/create", tag: dealTag, status: http.StatusCreated,
		summary: "Propose a deal as its buyer or its seller",
	}, false, s.dealCreate)
	register(s, endpoint{
		id: "deal", method: http.MethodGet, path: "/deals/{id}", tag: dealTag, summary: "One deal, to its buyer, its seller and admins",
	}, s.deal)
	register(s, endpoint{
		id: "deal-remove", method: http.MethodDelete, path: "/deals/{id}", tag: dealTag,
		summary: "Decline a pending deal, or withdraw it",
		codes:   []fault.Code{fault.Conflict},
	}, s.dealRemove)
	registerKeyed(s, endpoint{
		id: "deal-pay", method: http.MethodPost, path: "/deals/pay/{id}", tag: dealTag,
		summary: "Pay the price into escrow; for the buyer",
		codes:   []fault.Code{fault.Conflict, fault.InsufficientBalance},
	}, true, s.dealPay)
	register(s, endpoint{
		id: "deal-deliver", method: http.MethodPost, path: "/deals/deliver/{id}", tag: dealTag, summary: "Mark delivered; for the seller",
		codes: []fault.Code{fault.Conflict},
	}, s.dealDeliver)
	registerKeyed(s, endpoint{
		id: "deal-complete", method: http.MethodPost, path: "/deals/complete/{id}", tag: dealTag,
		summary: "Release the escrow to the seller; for the buyer",
		codes:   []fault.Code{fault.Conflict},
	}, true, s.dealComplete)
}

// DealCreateBody is the body of a new deal. The caller is its buyer or its seller.
type DealCreateBody struct {
	BuyerID          string `json:"buyerId" format:"uuid"`
	SellerID         string `json:"sellerId" format:"uuid"`
	Price            Amount `json:"price"`
	Description      string `json:"description"`
	DeliveryDuration int    `json:"deliveryDuration" doc:"Days, 1 to 99."`
	InspectionDays   int    `json:"inspectionDays,omitempty" doc:"Days the buyer may check what was delivered, 1 to 30; 3 when not given."`
}

func (b DealCreateBody) draft() (deals.Draft, error) {
	var err error
	draft := deals.Draft{Description: b.Description, DeliveryDays: b.DeliveryDuration, InspectionDays: b.InspectionDays}
	if draft.Price, err = b.Price.read("price"); err != nil {
		return deals.Draft{}, err
	}
	if draft.BuyerID, err = userID("buyerId", b.BuyerID); err != nil {
		return deals.Draft{}, err
	}
	draft.SellerID, err = userID("sellerId", b.SellerID)
	return draft, err
}

// userID reads the id of a chosen user; none is uuid.Nil.
func userID(field, text string) (uuid.UUID, error) {
	if text == "" {
		return uuid.Nil, nil
	}
	id, err := uuid.Parse(text)
	if err != nil {
		return uuid.Nil, fault.Field(field, "Select a user.")
	}
	return id, nil
}

func (s *Server) dealCreate(ctx context.Context, in *struct{ Payload Payload[DealCreateBody] }) (*Settled[DealDetail], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	draft, err := body.draft()
	if err != nil {
		return nil, err
	}
	created, err := s.deals.Create(ctx, actor(ctx).ID, draft, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	detail, err := dealDetailOf(created)
	return &Settled[DealDetail]{Status: http.StatusCreated, Body: detail}, err
}

func (s *Server) deal(ctx context.Context, _ *IDPath) (*output[DealDetail], error) {
	get := s.deals.Get
	if actor(ctx).IsAdmin {
		get = s.deals.GetAny
	}
	found, err := get(ctx, actor(ctx).ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	detail, err := dealDetailOf(found)
	return respond(detail), err
}

func (s *Server) dealRemove(ctx context.Context, _ *IDPath) (*output[Message], error) {
	err := s.deals.Remove(ctx, actor(ctx).ID, pathID(ctx))
	return respond(Message{deals.MessageRemoved}), err
}

func (s *Server) dealDeliver(ctx context.Context, _ *IDPath) (*output[DealChange], error) {
	return s.dealStep(ctx, deals.MessageDelivered, s.deals.Deliver)
}

// dealStep makes a change of a deal that moves no money.
func (s *Server) dealStep(
	ctx context.Context, message string, step func(ctx context.Context, actor, id uuid.UUID) (deals.Detail, error),
) (*output[DealChange], error) {
	changed, err := step(ctx, actor(ctx).ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	change, err := dealChangeOf(message, changed)
	return respond(change), err
}

func (s *Server) dealPay(ctx context.Context, _ *IDPath) (*Settled[DealChange], error) {
	return s.dealMove(ctx, s.deals.RequestPay)
}

func (s *Server) dealComplete(ctx context.Context, _ *IDPath) (*Settled[DealChange], error) {
	return s.dealMove(ctx, s.deals.RequestComplete)
}

type dealRequest func(ctx context.Context, actor, id uuid.UUID, key *operations.Key) (operations.Operation, error)

// dealMove asks for a money operation on a deal and answers with what it comes to.
func (s *Server) dealMove(ctx context.Context, request dealRequest) (*Settled[DealChange], error) {
	op, err := request(ctx, actor(ctx).ID, pathID(ctx), callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	return s.settledDeal(ctx, op)
}

func (s *Server) settledDeal(ctx context.Context, op operations.Operation) (*Settled[DealChange], error) {
	return settled(ctx, s, op, func(message string) (DealChange, error) {
		found, err := s.deals.Get(ctx, actor(ctx).ID, pathID(ctx))
		if err != nil {
			return DealChange{}, err
		}
		return dealChangeOf(message, found)
	})
}
