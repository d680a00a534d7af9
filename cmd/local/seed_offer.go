package main

import (
	"context"
	"net/http"
)

// offer proposes a deal as a buyer, which the seller has yet to accept.
func (s *story) offer(ctx context.Context) error {
	return s.karim.call(ctx, http.MethodPost, "/deals/create", fields{
		"price": 45, "deliveryDuration": 6, "buyerId": s.karim.id, "sellerId": s.seller.id,
		"description": "Menu for a tea house\nTwo pages in Bangla, ready to print. I send the dishes and prices.",
	}, nil)
}
