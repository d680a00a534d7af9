package main

import (
	"context"
	"net/http"
	"time"
)

// talk creates conversations between the parties of the delivered deal, and of two others with the
// buyer. The last message is the seller's, unread.
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
	farhana, rakib := s.people["farhana"], s.people["rakib"]
	for _, said := range []struct {
		before time.Duration
		by, to *person
		text   string
	}{
		{4*time.Hour - 2*time.Minute, s.buyer, s.seller, "I have looked at it on my phone. The first picture is cut off at the right."},
		{3*time.Hour + 50*time.Minute, farhana, s.buyer, "I can start on Saturday. Do you have the old logo as a file?"},
		{3*time.Hour + 44*time.Minute, s.buyer, farhana, "Only a photo of the sign. I send it tonight."},
		{3*time.Hour + 20*time.Minute, s.seller, s.buyer, "Thank you for telling me. Which phone is it?"},
		{3*time.Hour + 17*time.Minute, s.buyer, s.seller, "A Redmi 12. ক্রোমে একই রকম দেখায়।"},
		{3 * time.Hour, rakib, s.buyer, "The Seiko is still here. I could send it on Sunday, insured."},
		{2*time.Hour + 40*time.Minute, s.seller, s.buyer, "ঠিক করে দিয়েছি। অনুগ্রহ করে পেজটি আবার লোড করে দেখুন।"},
		{2*time.Hour + 38*time.Minute, s.seller, s.buyer, "The form sends to your mail now, too."},
	} {
		s.ago(said.before)
		if said.by == s.seller {
			if err := s.read(ctx, opened.Conversation); err != nil {
				return err
			}
		}
		message := fields{"receiverId": said.to.id, "text": said.text}
		if err := said.by.call(ctx, http.MethodPost, "/messages/send-or-start", message, nil); err != nil {
			return err
		}
	}
	return nil
}

// read marks the conversation as read by the seller.
func (s *story) read(ctx context.Context, conversation resource) error {
	return s.seller.call(ctx, http.MethodPost, "/messages/mark-as-read", fields{"conversationId": conversation.ID}, nil)
}
