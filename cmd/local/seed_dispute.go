package main

import (
	"context"
	"net/http"
	"time"
)

// disagree creates a deal with a dispute that waits for its buyer or an admin. It ends nine hours
// later.
func (s *story) disagree(ctx context.Context) error {
	deal, err := s.buyHeadset(ctx)
	if err != nil {
		return err
	}
	s.ago(s.left - 3*time.Hour)
	path, err := s.dispute(ctx, deal)
	if err != nil {
		return err
	}
	s.ago(s.left - 5*time.Hour)
	answer := "It lasted a day when I used it. I cannot check it from here, but I do not want to argue about a battery. " +
		"A new one costs about twelve dollars."
	if err := s.karim.call(ctx, http.MethodPost, path+"/answer", fields{"text": answer}, nil); err != nil {
		return err
	}
	return s.karim.call(ctx, http.MethodPost, path+"/offers", fields{"buyerGets": 12}, nil)
}

// buyHeadset creates a delivered deal of farhana and returns its ID.
func (s *story) buyHeadset(ctx context.Context) (string, error) {
	farhana := s.people["farhana"]
	if err := s.payIn(ctx, farhana, 45, "Nagad", "74W8LM2C"); err != nil {
		return "", err
	}
	var deal resource
	err := s.karim.call(ctx, http.MethodPost, "/deals/create", fields{
		"price": 45, "deliveryDuration": 2, "inspectionDays": 5, "buyerId": farhana.id, "sellerId": s.karim.id,
		"description": "Wireless headset, two years old\nWith case and cable. The battery lasts a day. Sent by courier.",
	}, &deal)
	if err == nil {
		err = s.acts(ctx, farhana, "pay", deal.ID)
	}
	if err == nil {
		err = s.acts(ctx, s.karim, "deliver", deal.ID)
	}
	return deal.ID, err
}

// dispute opens farhana's dispute about a deal and returns the path of its room.
func (s *story) dispute(ctx context.Context, dealID string) (string, error) {
	var opened struct {
		Dispute resource `json:"dispute"`
	}
	err := s.people["farhana"].call(ctx, http.MethodPost, "/deals/"+dealID+"/dispute", fields{
		"reason": "not_as_agreed", "links": []string{"https://example.com/headset-manual"},
		"text": "The battery is empty after two hours. The manual says a day, and so did the deal. " +
			"I do not want all of the money back, but this is not what I paid for.",
	}, &opened)
	return "/disputes/" + opened.Dispute.ID, err
}
