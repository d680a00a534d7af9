package main

import (
	"context"
	"net/http"
	"time"
)

// talk lets the two people of the delivered deal write to each other. The last word is the seller's, unread.
func (s *story) talk(ctx context.Context) error {
	var deals []struct {
		resource
		Status string `json:"status"`
	}
	if err := s.buyer.call(ctx, http.MethodGet, "/deals/my-deals", nil, &deals); err != nil {
		return err
	}
	var opened struct {
		Conversation resource `json:"conversation"`
	}
	for _, deal := range deals {
		if deal.Status != "Delivered" {
			continue
		}
		s.ago(4 * time.Hour)
		start := fields{"receiverId": s.seller.id, "dealId": deal.ID}
		if err := s.buyer.call(ctx, http.MethodPost, "/messages/send-or-start", start, &opened); err != nil {
			return err
		}
	}
	for _, said := range []struct {
		before time.Duration
		by     *person
		text   string
	}{
		{4*time.Hour - 2*time.Minute, s.buyer, "I have looked at it on my phone. The first picture is cut off at the right."},
		{3*time.Hour + 20*time.Minute, s.seller, "Thank you for telling me. Which phone is it?"},
		{3*time.Hour + 17*time.Minute, s.buyer, "A Redmi 12. ক্রোমে একই রকম দেখায়।"},
		{2*time.Hour + 40*time.Minute, s.seller, "ঠিক করে দিয়েছি। অনুগ্রহ করে পেজটি আবার লোড করে দেখুন।"},
		{2*time.Hour + 38*time.Minute, s.seller, "The form sends to your mail now, too."},
	} {
		s.ago(said.before)
		if said.by == s.seller {
			if err := s.read(ctx, opened.Conversation); err != nil {
				return err
			}
		}
		message := fields{"conversationId": opened.Conversation.ID, "text": said.text}
		if err := said.by.call(ctx, http.MethodPost, "/messages", message, nil); err != nil {
			return err
		}
	}
	return nil
}

// read marks the conversation as read by the seller.
func (s *story) read(ctx context.Context, conversation resource) error {
	return s.seller.call(ctx, http.MethodPost, "/messages/mark-as-read", fields{"conversationId": conversation.ID}, nil)
}
