package main

import (
	"context"
	"net/http"
)

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
