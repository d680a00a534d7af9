package main

import (
	"context"
	"net/http"
	"time"
)

// handOver delivers the page of the completed deal.
func (s *story) handOver(ctx context.Context, dealID string) error {
	return s.deliver(ctx, dealID, "You are an admin of the page now. Please accept the invitation in Facebook.")
}

// correct makes the buyer ask for changes of the page, and the seller deliver again two hours
// later.
func (s *story) correct(ctx context.Context, dealID string) error {
	text := "The page works. The linked Instagram account still has your phone number, please take it out."
	if err := s.changes(ctx, dealID, text); err != nil {
		return err
	}
	s.ago(s.left - 2*time.Hour)
	return s.deliver(ctx, dealID, "নম্বরটি সরিয়ে দিয়েছি। এখন অ্যাকাউন্টে শুধু আপনার মেইল আছে।")
}

// present delivers the landing page with pictures of it.
func (s *story) present(ctx context.Context, dealID string) error {
	text := "The page is online at the address that you sent me. The pictures show it on a computer and the text as you wrote it."
	return s.deliver(ctx, dealID, text, website, writing)
}

// deliver delivers a deal with words and drawn pictures.
func (s *story) deliver(ctx context.Context, dealID, text string, draw ...func(c *canvas)) error {
	ids := make([]string, len(draw))
	for i, picture := range draw {
		c := newCanvas(mist)
		picture(c)
		url, err := c.dataURL()
		if err != nil {
			return err
		}
		var added struct {
			Picture resource `json:"picture"`
		}
		if err := s.seller.call(ctx, http.MethodPost, "/deals/"+dealID+"/pictures", fields{"image": url}, &added); err != nil {
			return err
		}
		ids[i] = added.Picture.ID
	}
	return s.seller.call(ctx, http.MethodPost, "/deals/deliver/"+dealID, fields{"text": text, "pictures": ids}, nil)
}

// changes asks for changes of a delivered deal.
func (s *story) changes(ctx context.Context, dealID, text string) error {
	return s.buyer.call(ctx, http.MethodPost, "/deals/reset-delivery/"+dealID, fields{"text": text}, nil)
}
