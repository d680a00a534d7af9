package api

import (
	"context"
	"net/http"

	"amanat/internal/deals"
	"amanat/internal/fault"
)

func (s *Server) registerCancellations() {
	registerKeyed(s, endpoint{
		id: "deal-cancel", method: http.MethodPost, path: "/deals/cancel/{id}", tag: dealTag,
		summary: "Give the money back, as the seller, or as the buyer of a deal that is too late; else ask the seller for it",
		codes:   []fault.Code{fault.Conflict},
	}, true, s.dealCancel)
	register(s, endpoint{
		id: "deal-reset-delivery", method: http.MethodPost, path: "/deals/reset-delivery/{id}", tag: dealTag,
		summary: "Say that what was delivered is not what was agreed; for the buyer",
		codes:   []fault.Code{fault.Conflict},
	}, s.dealResetDelivery)
	registerKeyed(s, endpoint{
		id: "deal-accept-cancellation", method: http.MethodPost, path: "/deals/accept-cancellation/{id}", tag: dealTag,
		summary: "Give the buyer who asked for it the price less the fee; for the seller",
		codes:   []fault.Code{fault.Conflict},
	}, true, s.dealAcceptCancellation)
	register(s, endpoint{
		id: "deal-decline-cancellation", method: http.MethodPost, path: "/deals/decline-cancellation/{id}", tag: dealTag,
		summary: "Refuse the buyer's request: the deal goes on; for the seller",
		codes:   []fault.Code{fault.Conflict},
	}, s.dealDeclineCancellation)
}

func (s *Server) dealCancel(ctx context.Context, _ *IDPath) (*Settled[DealChange], error) {
	cancelled, err := s.deals.Cancel(ctx, actor(ctx).ID, pathID(ctx), callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	if cancelled.Operation != nil {
		return s.settledDeal(ctx, *cancelled.Operation)
	}
	change, err := dealChangeOf(deals.MessageRequested, cancelled.Deal)
	return &Settled[DealChange]{Status: http.StatusOK, Body: change}, err
}

func (s *Server) dealResetDelivery(ctx context.Context, _ *IDPath) (*output[DealChange], error) {
	return s.dealStep(ctx, deals.MessageReset, s.deals.ResetDelivery)
}

func (s *Server) dealAcceptCancellation(ctx context.Context, _ *IDPath) (*Settled[DealChange], error) {
	return s.dealMove(ctx, s.deals.RequestAcceptCancellation)
}

func (s *Server) dealDeclineCancellation(ctx context.Context, _ *IDPath) (*output[DealChange], error) {
	return s.dealStep(ctx, deals.MessageDeclined, s.deals.DeclineCancellation)
}
