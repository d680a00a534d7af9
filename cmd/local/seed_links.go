package main

import (
	"context"
	"net/http"
)

// link makes a deal of the seller that waits for somebody to join it by its link.
func (s *story) link(ctx context.Context) error {
	return s.seller.call(ctx, http.MethodPost, "/deals/create", fields{
		"price": 65, "deliveryDuration": 5, "sellerId": s.seller.id, "invite": fields{"email": "farhana@example.com"},
		"description": "Shop page for hand-made jewellery\nOne page with up to 30 pictures. You send pictures and prices.",
	}, nil)
}

// prove switches on the public page of a paid deal.
func (s *story) prove(ctx context.Context, dealID string) error {
	return s.buyer.call(ctx, http.MethodPut, "/deals/"+dealID+"/proof", fields{"shown": true}, nil)
}
