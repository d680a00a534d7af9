package api

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

func (s *Server) registerCounteroffers() {
	registerIdempotent(s, endpoint{
		id: "deal-counteroffer-make", method: http.MethodPost, path: "/deals/{id}/counteroffers", tag: dealTag, status: http.StatusCreated,
		summary:    "Propose other terms for a pending deal, which replaces the open counter-offer; the deal cannot be paid meanwhile",
		rateLimits: s.proposalLimits(),
		codes:      []fault.Code{fault.Conflict},
	}, false, s.counterofferMake)
	register(s, endpoint{
		id: "deal-counteroffer-accept", method: http.MethodPost, path: "/deals/{id}/counteroffers/{counterofferId}/accept", tag: dealTag,
		summary: "Give the deal the proposed terms; for the party who did not propose them",
		codes:   []fault.Code{fault.Conflict},
	}, s.counterofferAccept)
	register(s, endpoint{
		id: "deal-counteroffer-decline", method: http.MethodPost, path: "/deals/{id}/counteroffers/{counterofferId}/decline", tag: dealTag,
		summary: "Decline the proposed terms: the deal keeps its own; for the party who did not propose them",
		codes:   []fault.Code{fault.Conflict},
	}, s.counterofferDecline)
	register(s, endpoint{
		id: "deal-counteroffer-withdraw", method: http.MethodDelete, path: "/deals/{id}/counteroffers/{counterofferId}", tag: dealTag,
		summary: "Withdraw the proposed terms: the deal keeps its own; for whoever proposed them",
		codes:   []fault.Code{fault.Conflict},
	}, s.counterofferWithdraw)
}

// Counteroffer is other terms that a party has proposed for a deal.
type Counteroffer struct {
	ID               uuid.UUID   `json:"_id"`
	MadeBy           uuid.UUID   `json:"madeBy" doc:"The party who proposes them."`
	Price            money.Cents `json:"price" example:"100.01"`
	Fee              money.Cents `json:"fee" example:"2"`
	Payout           money.Cents `json:"payout" doc:"What the seller would receive: price less fee." example:"98.01"`
	Description      string      `json:"description" example:"A cooking channel with 12,000 subscribers."`
	DeliveryDuration int         `json:"deliveryDuration" doc:"Days, from when the terms are accepted." example:"7"`
	InspectionDays   int         `json:"inspectionDays" doc:"Days the buyer may check what was delivered." example:"3"`
	Text             string      `json:"text" doc:"What was written to the other party with it; may be empty." example:"I need two days more."`
	CreatedAt        time.Time   `json:"createdAt"`
}

func counterofferOf(o *deals.Counteroffer) *Counteroffer {
	if o == nil {
		return nil
	}
	return &Counteroffer{
		ID: o.ID, MadeBy: o.MadeBy, Price: o.Price, Fee: o.Fee, Payout: o.Payout(), Description: o.Description,
		DeliveryDuration: o.DeliveryDays, InspectionDays: o.InspectionDays, Text: o.Text, CreatedAt: o.CreatedAt,
	}
}

// CounterofferBody is what a party proposes: all terms, also those that stay.
type CounterofferBody struct {
	Price            Amount `json:"price" example:"100.01"`
	Description      string `json:"description" doc:"1 to 5,000 characters." example:"A cooking channel with 12,000 subscribers."`
	DeliveryDuration int    `json:"deliveryDuration" doc:"Days, 1 to 99." example:"7"`
	InspectionDays   int    `json:"inspectionDays" doc:"Days the buyer may check what was delivered, 1 to 30." example:"3"`
	Text             string `json:"text,omitempty" doc:"At most 2,000 characters." example:"I need two days more."`
}

func (b CounterofferBody) terms() (deals.Terms, error) {
	price, err := b.Price.read("price")
	return deals.Terms{
		Price: price, Description: b.Description, DeliveryDays: b.DeliveryDuration, InspectionDays: b.InspectionDays,
	}, err
}

func (s *Server) counterofferMake(
	ctx context.Context, in *struct {
		IDPath
		Payload Payload[CounterofferBody]
	},
) (*Settled[DealChange], error) {
	if err := s.deals.CheckParty(ctx, actor(ctx).ID, pathID(ctx)); err != nil { // before the body is judged
		return nil, err
	}
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	terms, err := body.terms()
	if err != nil {
		return nil, err
	}
	d, err := s.deals.MakeCounteroffer(ctx, actor(ctx).ID, pathID(ctx), terms, body.Text, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	change, err := dealChangeOf(deals.OutcomeCountered, d)
	return settledWith(change), err
}

// CounterofferPath names a counter-offer of a deal.
type CounterofferPath struct {
	IDPath
	CounterofferID string `path:"counterofferId" format:"uuid"`
}

func (s *Server) counterofferAccept(ctx context.Context, in *CounterofferPath) (*output[DealChange], error) {
	return s.endCounteroffer(ctx, in, deals.OutcomeCounterofferAccepted, s.deals.AcceptCounteroffer)
}

func (s *Server) counterofferDecline(ctx context.Context, in *CounterofferPath) (*output[DealChange], error) {
	return s.endCounteroffer(ctx, in, deals.OutcomeCounterofferDeclined, s.deals.DeclineCounteroffer)
}

func (s *Server) counterofferWithdraw(ctx context.Context, in *CounterofferPath) (*output[DealChange], error) {
	return s.endCounteroffer(ctx, in, deals.OutcomeCounterofferWithdrawn, s.deals.WithdrawCounteroffer)
}

func (s *Server) endCounteroffer(
	ctx context.Context, in *CounterofferPath, done catalog.Outcome,
	end func(ctx context.Context, userID, id, offerID uuid.UUID) (deals.Detail, error),
) (*output[DealChange], error) {
	offerID, err := parseID(in.CounterofferID)
	if err != nil {
		return nil, err
	}
	return s.changeDeal(ctx, done, func(ctx context.Context, actor, id uuid.UUID) (deals.Detail, error) {
		return end(ctx, actor, id, offerID)
	})
}
