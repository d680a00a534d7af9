package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"time"
)

// demoPost is an offer of the demo. Its picture is drawn in two colours, so that the demo needs no files.
type demoPost struct {
	by                    string // username
	title, description    string
	price                 float64
	category, subcategory string
	tags                  []string
	sky, ground           color.RGBA
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xFF}
}

// demoPosts has offers in every category, by both the seller and the buyer: anybody may sell.
func demoPosts() []demoPost {
	return []demoPost{
		{
			"seller", "Logo that works in one colour", "Three drafts, two rounds of changes. You get SVG, PDF and PNG.",
			45, "Freelance Service", "Logo Design",
			[]string{"logo", "branding", "vector"},
			rgb(0x0B6E4F), rgb(0xF2C14E),
		},
		{
			"seller", "Landing page in Bangla and English", "One page, fast on cheap phones, with your domain set up.",
			90, "Freelance Service", "Web Development",
			[]string{"landing page", "bangla", "responsive"},
			rgb(0x1D3557), rgb(0xA8DADC),
		},
		{
			"buyer", "বাংলায় পণ্যের বিবরণ লিখে দিই", "আপনার অনলাইন দোকানের জন্য দশটি পণ্যের পরিষ্কার, বিক্রি বাড়ানো বিবরণ।",
			20, "Freelance Service", "Writing",
			[]string{"বাংলা", "copywriting"},
			rgb(0x6D597A), rgb(0xE56B6F),
		},
		{
			"seller", "ThinkPad T480, 16 GB, new battery", "Used for two years in an office. Pick-up in Dhaka or courier.",
			310, "Physical Product", "Laptop",
			[]string{"thinkpad", "used"},
			rgb(0x264653), rgb(0xE76F51),
		},
		{
			"buyer", "Physics textbooks for class 11 and 12", "Six books in good condition, some pencil notes.",
			18.50, "Physical Product", "Books",
			[]string{"hsc", "books"},
			rgb(0x7F5539), rgb(0xEDE0D4),
		},
		{
			"seller", "Handmade jute wall hanging", "Made in Jashore, 60 by 90 cm, natural dye.",
			24, "Physical Product", "Home Decor",
			[]string{"jute", "handmade"},
			rgb(0x606C38), rgb(0xDDA15E),
		},
		{
			"seller", "YouTube channel about cricket, 21,000 subscribers", "Monetised since 2023, no strikes. I hand over the brand account.",
			640, "Online Asset", "YouTube Channel",
			[]string{"youtube", "cricket", "monetised"},
			rgb(0x9D0208), rgb(0xFFBA08),
		},
		{
			"seller", "Facebook page for a bakery, 8,200 followers", "Local followers from Chattogram, active every week.",
			130, "Online Asset", "Facebook Page",
			[]string{"facebook", "food"},
			rgb(0x3A0CA3), rgb(0xF72585),
		},
		{
			"buyer", "Domain deshikhabar.shop", "Registered until 2028, transfer code included.",
			55, "Online Asset", "Domain Name",
			[]string{"domain"},
			rgb(0x023047), rgb(0x8ECAE6),
		},
	}
}

// posts publishes the demo's offers, one an hour.
func (s *story) posts(ctx context.Context) error {
	for _, post := range demoPosts() {
		s.ago(s.left - time.Hour)
		if err := s.publish(ctx, post); err != nil {
			return err
		}
	}
	return nil
}

func (s *story) publish(ctx context.Context, post demoPost) error {
	picture, err := post.picture()
	if err != nil {
		return err
	}
	by := s.seller
	if post.by == "buyer" {
		by = s.buyer
	}
	return by.call(ctx, http.MethodPost, "/posts", fields{
		"title": post.title, "description": post.description, "price": post.price, "category": post.category,
		"subcategory": post.subcategory, "tags": post.tags, "image": picture,
	}, nil)
}

const pictureWidth, pictureHeight = 640, 400

// picture draws a sun over hills and returns it as a data URL.
func (p demoPost) picture() (string, error) {
	const sunX, sunY, sunRadius, horizon, slope = 460, 150, 70, 290, 9
	drawn := image.NewRGBA(image.Rect(0, 0, pictureWidth, pictureHeight))
	for y := range pictureHeight {
		for x := range pictureWidth {
			dx, dy := x-sunX, y-sunY
			c := p.sky
			switch hill := (x - pictureWidth/3) * (x - pictureWidth/3) / pictureWidth / slope; {
			case y > horizon+hill, dx*dx+dy*dy < sunRadius*sunRadius:
				c = p.ground
			}
			drawn.SetRGBA(x, y, c)
		}
	}
	var file bytes.Buffer
	if err := png.Encode(&file, drawn); err != nil {
		return "", err
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(file.Bytes()), nil
}
