package main

import (
	"context"
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
	// If drawn is nil, the post has no picture.
	ground uint32
	drawn  func(*canvas)
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
			cream, logo,
		},
		{
			"seller", "Landing page in Bangla and English",
			"One page, fast on cheap phones, with your domain set up.\n\nYou send the words and the pictures. I write nothing for you, but I tell you what is missing. After delivery I keep an eye on it for a month.",
			90, category, "Web Development",
			[]string{"landing page", "bangla", "responsive"},
			ink, website,
		},
		{
			"buyer", "বাংলায় পণ্যের বিবরণ লিখে দিই", "আপনার অনলাইন দোকানের জন্য দশটি পণ্যের পরিষ্কার, বিক্রি বাড়ানো বিবরণ।",
			20, category, "Writing",
			[]string{"বাংলা", "copywriting"},
			sky, writing,
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
			0xE6E2D9, laptop,
		},
		{
			"buyer", "Physics textbooks for class 11 and 12", "Six books in good condition, some pencil notes.",
			18.50, category, "Books",
			[]string{"hsc", "books"},
			0xF2EEE7, books,
		},
		{
			"sumaiya", "Handmade jute wall hanging", "Made in Jashore, 60 by 90 cm, natural dye.",
			24, category, "Home Decor",
			[]string{"jute", "handmade"},
			0xE9E4D4, wallHanging,
		},
		{
			"rakib", "Samsung Galaxy A54, 8/256 GB, 11 months old", "With box, charger and the shop's receipt. No scratch on the screen.",
			185, category, "Mobile Phone",
			[]string{"samsung", "used"},
			0xDFE4F0, phone,
		},
		{
			"rakib", "Seiko 5 automatic, box and papers", "Bought in Singapore in 2021, serviced this year. Loses four seconds a day.",
			118, category, "Hand Watch",
			[]string{"seiko", "automatic"},
			0x27303B, watch,
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
			mist, channel,
		},
		{
			"seller", "Facebook page for a bakery, 8,200 followers", "Local followers from Chattogram, active every week.",
			130, category, "Facebook Page",
			[]string{"facebook", "food"},
			0xE9EEF8, bakery,
		},
		{
			"buyer", "Domain deshikhabar.shop", "Registered until 2028, transfer code included.",
			55, category, "Domain Name",
			[]string{"domain"},
			0xBFD3E6, domain,
		},
		{
			"sumaiya", "Instagram page about home plants, 36,000 followers", "Run since 2020, mostly followers from Dhaka and Kolkata. The mail address comes along.",
			175, category, "Instagram Page",
			[]string{"instagram", "plants"},
			mist, plantsPage,
		},
		{
			"rakib", "eFootball account, all legends, level 94", "Never lent, never banned. I change the mail address to yours while we talk.",
			55, category, "Game Id",
			[]string{"efootball", "game"},
			0, nil,
		},
		{
			"farhana", "Ebook: two hundred Bangla lettering samples", "A PDF with the right to print and sell. One buyer only.",
			38, category, "Ebook",
			[]string{"ebook", "lettering"},
			0, nil,
		},
	}
}

// posts publishes the demo's posts, one per hour.
func (s *story) posts(ctx context.Context) error {
	for _, post := range demoPosts() {
		s.ago(s.left - time.Hour)
		picture, err := post.picture()
		if err != nil {
			return err
		}
		if err := s.people[post.by].call(ctx, http.MethodPost, "/posts", fields{
			"title": post.title, "description": post.description, "price": post.price, "category": post.category,
			"subcategory": post.subcategory, "tags": post.tags, "image": picture,
		}, nil); err != nil {
			return err
		}
	}
	return nil
}

// picture returns the picture to upload, or "" for none.
func (p demoPost) picture() (string, error) {
	if p.drawn == nil {
		return "", nil
	}
	drawing := newCanvas(p.ground)
	p.drawn(drawing)
	return drawing.dataURL()
}
