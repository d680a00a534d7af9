package main

import (
	"context"
	"net/http"
	"time"
)

// quarrel creates a delivered deal whose buyer will request a refund and get no answer, so that an
// admin has to decide.
func (s *story) quarrel(ctx context.Context, id *string) error {
	if err := s.payIn(ctx, s.nusrat, 140, "Bkash", "CKN4P0ZQ3U"); err != nil {
		return err
	}
	var deal resource
	err := s.nusrat.call(ctx, http.MethodPost, "/deals/create", fields{
		"price": 55, "deliveryDuration": 2, "buyerId": s.nusrat.id, "sellerId": s.karim.id,
		"description": "Second-hand phone, 128 GB, with box and charger. Sent by courier from Chattogram.",
	}, &deal)
	if err != nil {
		return err
	}
	*id = deal.ID
	if err := s.karim.call(ctx, http.MethodPut, "/deals/accept/"+deal.ID, nil, nil); err != nil {
		return err
	}
	if err := s.acts(ctx, s.nusrat, "pay", deal.ID); err != nil {
		return err
	}
	return s.acts(ctx, s.karim, "deliver", deal.ID)
}

// queues ends the story with the work that an admin has today.
func (s *story) queues(ctx context.Context) error {
	feedback := func(path, subject, text string) func() error {
		return func() error {
			return s.karim.call(ctx, http.MethodPost, path, fields{
				"name": "Karim", "email": "karim@amanat.example", "subject": subject, "description": text, "message": text,
			}, nil)
		}
	}
	for _, scene := range []struct {
		before  time.Duration
		happens func() error
	}{
		{2*time.Hour + 20*time.Minute, func() error {
			return s.unfounded(ctx, claim{s.buyer, 50, "Bkash", "CKP5M3XB6N"}, "other_amount", "bKash shows ৳5,000 with this ID.")
		}},
		{112 * time.Minute, func() error {
			return s.unfounded(ctx, claim{s.karim, 200, "Nagad", "75LQ1FZT"}, "not_found", "Nagad shows no payment with this ID.")
		}},
		{98 * time.Minute, func() error { return s.reports(ctx, s.karim, 50, "Bkash", "CKP7Q1W9PA") }},
		{95 * time.Minute, func() error { return s.waitsForPayout(ctx, s.nusrat, 40, "Nagad", "01812345670") }}, // held
		{time.Hour, feedback("/auth/bug-report", "The picture of my post is turned",
			"I took it upright with my phone, and in the post it lies on its side. It is right in the gallery.")},
		{52 * time.Minute, func() error { return s.offence(ctx) }},
		{46 * time.Minute, func() error { return s.reports(ctx, s.nusrat, 80, "Nagad", "75LQ02XR") }},
		{20 * time.Minute, feedback("/contact", "", "Can two of us sell under one account? We run the shop together.")},
		{12 * time.Minute, func() error { return s.reports(ctx, s.buyer, 25, "Bkash", "CKP8H2TY5J") }},
		{3 * time.Minute, func() error { return s.reports(ctx, s.seller, 15, "Bkash", "CKP8L6RW4C") }},
	} {
		s.ago(scene.before)
		if err := scene.happens(); err != nil {
			return err
		}
	}
	return nil
}

func (s *story) reports(ctx context.Context, who *person, amount float64, method, transaction string) error {
	_, err := s.report(ctx, who, amount, method, transaction)
	return err
}

// offence lets two users report a post, which makes a case.
func (s *story) offence(ctx context.Context) error {
	var posts []resource
	if err := s.buyer.call(ctx, http.MethodGet, "/posts/user/sumaiya", nil, &posts); err != nil {
		return err
	}
	for _, report := range []struct {
		by           *person
		reason, text string
	}{
		{s.nusrat, "off_platform", "She wants half of the price by bKash before she makes the deal here."},
		{s.karim, "scam", ""},
	} {
		about := fields{"subject": "post", "subjectId": posts[0].ID, "reason": report.reason, "text": report.text}
		if err := report.by.call(ctx, http.MethodPost, "/reports", about, nil); err != nil {
			return err
		}
	}
	return nil
}

// claim is a deposit that somebody reports.
type claim struct {
	who                 *person
	amount              float64
	method, transaction string
}

// unfounded reports a deposit that was not paid so, which the admin rejects ten minutes later.
func (s *story) unfounded(ctx context.Context, c claim, code, reason string) error {
	id, err := s.report(ctx, c.who, c.amount, c.method, c.transaction)
	if err != nil {
		return err
	}
	s.ago(s.left - 10*time.Minute)
	return s.admin.call(ctx, http.MethodPost, "/admin/deposit/reject/"+id, fields{"code": code, "reason": reason}, nil)
}
