package main

import (
	"context"
	"embed"
	"encoding/base64"
	"net/http"
	"time"
)

// demoPost is a post of the demo.
type demoPost struct {
	by                    string // username
	title, description    string
	price                 float64
	category, subcategory string
	tags                  []string
	picture               string // a file in pictures; "" for none
	facts                 fields
}

// demoPosts returns posts in every category by several users, because any user may sell. They fill
// more than a page.
func demoPosts() []demoPost {
	return append(services(), append(goods(), assets()...)...)
}

func services() []demoPost {
	const category = "Freelance Service"
	return []demoPost{
		{
			"farhana", "Logo that works in one colour", "Three drafts, two rounds of changes. You get SVG, PDF and PNG.",
			45, category, "Logo Design",
			[]string{"logo", "branding", "vector"},
			"logo",
			nil,
		},
		{
			"seller", "Landing page in Bangla and English",
			"One page, fast on cheap phones, with your domain set up.\n\nYou send the words and the pictures. I write nothing for you, but I tell you what is missing. After delivery I keep an eye on it for a month.",
			90, category, "Web Development",
			[]string{"landing page", "bangla", "responsive"},
			"website",
			nil,
		},
		{
			"buyer", "বাংলায় পণ্যের বিবরণ লিখে দিই", "আপনার অনলাইন দোকানের জন্য দশটি পণ্যের পরিষ্কার, বিক্রি বাড়ানো বিবরণ।",
			20, category, "Writing",
			[]string{"বাংলা", "copywriting"},
			"writing",
			nil,
		},
	}
}

func goods() []demoPost {
	const category = "Physical Product"
	return []demoPost{
		{
			"seller", "ThinkPad T480, 16 GB, new battery",
			"Used for two years in an office. The battery was changed in May and lasts six hours. One key is a little shiny, the screen has no dead pixel.\n\nPick-up in Dhaka or by courier, insured. You have three days to look at it before the money is released.",
			310, category, "Laptop",
			[]string{"thinkpad", "used", "16 GB"},
			"laptop",
			fields{"condition": "used", "warranty": 0, "place": "Dhaka"},
		},
		{
			"buyer", "Physics textbooks for class 11 and 12", "Six books in good condition, some pencil notes.",
			18.50, category, "Books",
			[]string{"hsc", "books"},
			"books",
			fields{"condition": "used", "place": "Dhaka"},
		},
		{
			"sumaiya", "Handmade jute wall hanging", "Made in Jashore, 60 by 90 cm, natural dye.",
			24, category, "Home Decor",
			[]string{"jute", "handmade"},
			"wall-hanging",
			fields{"condition": "new", "place": "Jashore"},
		},
		{
			"rakib", "Samsung Galaxy A54, 8/256 GB, 11 months old", "With box, charger and the shop's receipt. No scratch on the screen.",
			185, category, "Mobile Phone",
			[]string{"samsung", "used"},
			"phone",
			fields{"condition": "likeNew", "warranty": 1, "place": "Chattogram"},
		},
		{
			"rakib", "Seiko 5 automatic, box and papers", "Bought in Singapore in 2021, serviced this year. Loses four seconds a day.",
			118, category, "Hand Watch",
			[]string{"seiko", "automatic"},
			"watch",
			fields{"condition": "used", "warranty": 0, "place": "Dhaka"},
		},
	}
}

func assets() []demoPost {
	const category = "Online Asset"
	return []demoPost{
		{
			"seller", "YouTube channel about cricket, 21,000 subscribers",
			"Monetised since 2023, no strikes, 214 videos, about $70 a month.\n\nI hand over the brand account with all raw footage, and answer questions for 30 days.",
			640, category, "YouTube Channel",
			[]string{"youtube", "cricket", "monetised"},
			"channel",
			fields{"subscribers": 21000, "monetised": true, "niche": "Cricket", "strikes": 0, "accountType": "brand", "income": 70},
		},
		{
			"seller", "Facebook page for a bakery, 8,200 followers", "Local followers from Chattogram, active every week.",
			130, category, "Facebook Page",
			[]string{"facebook", "food"},
			"bakery",
			fields{"subscribers": 8200, "monetised": false, "niche": "Food"},
		},
		{
			"buyer", "Domain deshikhabar.shop", "Registered until 2028, transfer code included.",
			55, category, "Domain Name",
			[]string{"domain"},
			"domain",
			fields{"age": 3},
		},
		{
			"sumaiya", "Instagram page about home plants, 36,000 followers", "Run since 2020, mostly followers from Dhaka and Kolkata. The mail address comes along.",
			175, category, "Instagram Page",
			[]string{"instagram", "plants"},
			"plants",
			fields{"subscribers": 36000, "monetised": false, "niche": "Plants", "strikes": 0},
		},
		{
			"rakib", "eFootball account, all legends, level 94", "Never lent, never banned. I change the mail address to yours while we talk.",
			55, category, "Game Id",
			[]string{"efootball", "game"},
			"",
			fields{"game": "eFootball", "level": 94, "region": "Asia", "loginType": "email"},
		},
		{
			"farhana", "Ebook: two hundred Bangla lettering samples", "A PDF with the right to print and sell. One buyer only.",
			38, category, "Ebook",
			[]string{"ebook", "lettering"},
			"",
			nil,
		},
	}
}

// posts publishes the demo's posts, one per hour.
func (s *story) posts(ctx context.Context) error {
	for _, post := range demoPosts() {
		s.ago(s.left - time.Hour)
		image, err := picture(post.picture)
		if err != nil {
			return err
		}
		if err := s.people[post.by].call(ctx, http.MethodPost, "/posts", fields{
			"title": post.title, "description": post.description, "price": post.price, "category": post.category,
			"subcategory": post.subcategory, "tags": post.tags, "image": image, "facts": post.facts,
		}, nil); err != nil {
			return err
		}
	}
	return nil
}

// pictures are those of the demo's offers and deliveries.
//
//go:embed pictures
var pictures embed.FS

// picture returns a file of pictures as a data URL, the form in which it is uploaded. "" is none.
func picture(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	file, err := pictures.ReadFile("pictures/" + name + ".webp")
	return "data:image/webp;base64," + base64.StdEncoding.EncodeToString(file), err
}

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
