package api_test

import (
	"fmt"
	"image/color"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/images"
	"amanat/internal/domain/accounts"
)

// offer returns the body of a valid post with changes applied.
func offer(changes fields) fields {
	body := fields{
		"title": "A logo for your shop", "description": "Three drafts, source files.", "price": 25.50,
		"category": "Freelance Service", "subcategory": "Logo Design", "tags": []string{"logo"},
	}
	maps.Copy(body, changes)
	return body
}

func (b *browser) publish(changes fields) api.Post {
	b.t.Helper()
	var post api.Post
	b.post("/posts", offer(changes)).want(http.StatusCreated).into(&post)
	return post
}

func (b *browser) put(path string, body any) reply {
	b.t.Helper()
	return b.do(http.MethodPut, path, body)
}

func path(p api.Post) string { return "/posts/" + p.ID.String() }

func TestPosts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	seller, visitor := f.member("Karim"), f.visitor()
	post := seller.publish(fields{"image": pictureURL(t, color.White, 700, 300), "tags": []string{" Logo ", "logo", "", "brand"}})
	require.Equal(t, "Karim", post.CreatedBy.Username)
	require.Equal(t, []string{"Logo", "brand"}, post.Tags)
	require.Equal(t, 320, visitor.get(belowAPI(post.Image)+"?w=300").want(200).width())
	require.Contains(t, string(visitor.get(path(post)).want(200).body), `"price":25.50`)

	for _, list := range []reply{
		seller.get("/posts/my-posts"), visitor.get("/posts/user/kaRIM"), visitor.get("/posts/user/karim?page=1&limit=5"),
	} {
		var found []api.Post
		list.want(200).into(&found)
		require.Equal(t, []api.Post{post}, found)
		require.Equal(t, "1", list.header.Get("X-Total-Count"))
	}
	require.JSONEq(t, `[]`, string(f.member("rahim").get("/posts/my-posts").want(200).body))
	visitor.get("/posts/user/nobody").refused(404, "not_found", "User not found")

	var changed api.Post
	seller.put(path(post), offer(fields{"title": "Two logos", "price": 40, "image": post.Image})).want(200).into(&changed)
	require.Equal(t, "Two logos", changed.Title)
	require.Equal(t, post.Image, changed.Image, "the URL it has keeps the image")
	seller.put(path(post), offer(nil)).want(200).into(&changed)
	require.Equal(t, post.Image, changed.Image, "nothing said keeps it too")
	seller.put(path(post), offer(fields{"image": pictureURL(t, color.Black, 30, 30)})).want(200).into(&changed)
	require.NotEqual(t, post.Image, changed.Image)
	seller.put(path(post), offer(fields{"image": ""})).want(200).into(&changed)
	require.Empty(t, changed.Image)

	seller.do(http.MethodDelete, path(post), nil).want(200)
	visitor.get(path(post)).refused(404, "not_found", "Post not found")
	seller.do(http.MethodDelete, path(post), nil).refused(404, "not_found", "Post not found")
	require.JSONEq(t, `[]`, string(visitor.get("/posts/user/karim").want(200).body))
}

// A deal is what its parties agreed on: it keeps no reference to the post that it began with.
func TestPosts_edited_after_deal(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	post := seller.publish(fields{"image": pictureURL(t, color.White, 30, 30)})
	greeting := fields{"receiverId": seller.user.ID, "postId": post.ID}
	buyer.post("/messages/send-or-start", greeting).want(201)
	deal := buyer.active(seller, 25.5)
	before := buyer.see(deal)
	seller.put(path(post), offer(fields{"title": "Two logos", "price": 40, "image": pictureURL(t, color.Black, 30, 30)})).want(200)
	require.Equal(t, before, buyer.see(deal))
	seller.do(http.MethodDelete, path(post), nil).want(200)
	require.Equal(t, before, buyer.see(deal))
}

// addPicture adds a picture of one color to show in a post and returns its URL.
func (b *browser) addPicture(c color.Color) string {
	b.t.Helper()
	var added api.PostPictureAdded
	b.post("/posts/pictures", fields{"image": pictureURL(b.t, c, 30, 20)}).want(201).into(&added)
	return added.URL
}

func TestPosts_pictures(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	seller, visitor := f.member("karim"), f.visitor()
	white, black, other := seller.addPicture(color.White), seller.addPicture(color.Black), f.member("rahim").addPicture(color.White)
	body := fields{"image": pictureURL(t, color.White, 10, 10)}
	again := seller.post("/posts/pictures", body, "Idempotency-Key", "p1").want(201)
	require.JSONEq(t, string(again.body), string(seller.post("/posts/pictures", body, "Idempotency-Key", "p1").want(201).body))
	seller.post("/posts/pictures", fields{"image": pictureURL(t, color.Black, 10, 10)}, "Idempotency-Key", "p1").
		refused(409, "idempotency_mismatch", "This Idempotency-Key was used for another request.")

	lost := "One of the pictures is not there any more. Please add it again."
	nine := make([]string, 9)
	for i := range nine {
		nine[i] = "/api/images/" + uuid.NewString()
	}
	for _, refused := range []struct {
		images  []string
		message string
	}{
		{nine, "A post can have at most 8 pictures."},
		{[]string{white, white}, lost},
		{[]string{white, nine[0]}, lost},
		{[]string{white, other}, lost},
		{[]string{seller.publish(fields{"images": []string{seller.addPicture(color.White)}}).Image}, lost},
		{[]string{"https://example.com/a.png"}, lost},
	} {
		got := seller.post("/posts", offer(fields{"images": refused.images})).refused(400, "invalid", refused.message)
		require.Equal(t, map[string]string{"images": refused.message}, got.Fields)
	}

	post := seller.publish(fields{"images": []string{white, black}, "image": pictureURL(t, color.White, 10, 10)})
	require.Equal(t, []string{white, black}, post.Images)
	require.Equal(t, white, post.Image)
	require.Equal(t, post, visitor.post1(post.ID))
	var listed []api.Post
	visitor.get("/posts/user/karim").want(200).into(&listed)
	require.Equal(t, []string{white}, listed[0].Images, "lists have the first")

	edit := func(changes fields, want ...string) {
		t.Helper()
		var changed api.Post
		seller.put(path(post), offer(changes)).want(200).into(&changed)
		require.Equal(t, want, changed.Images)
	}
	edit(nil, white, black)
	edit(fields{"image": white}, white, black)
	cleanup := func() {
		t.Helper()
		f.clock.Advance(25 * time.Hour)
		_, err := (&images.Cleaner{DB: f.workerDB, Clock: f.clock, Blobs: nil}).Cleanup(t.Context())
		require.NoError(t, err)
		seller.post("/auth/login", fields{"username": "karim", "password": password}).want(200)
	}
	third := seller.addPicture(color.Black)
	edit(fields{"images": []string{third, white}}, third, white)
	edit(fields{"images": []string{third, black}}, third, black) // what was taken off can be put back
	cleanup()
	for _, url := range []string{third, black} {
		visitor.get(belowAPI(url)).want(200)
	}
	for _, url := range []string{white, other} {
		visitor.get(belowAPI(url)).refused(404, "not_found", "Not found.")
	}
	seller.put(path(post), offer(fields{"images": []string{third, white}})).refused(400, "invalid", lost)

	var changed api.Post
	seller.put(path(post), offer(fields{"image": pictureURL(t, color.Black, 30, 30)})).want(200).into(&changed)
	require.Len(t, changed.Images, 1, "image is the only picture")
	edit(fields{"images": []string{}}, []string{}...)
	seller.do(http.MethodDelete, path(post), nil).want(200)
	cleanup()
	visitor.get(belowAPI(third)).refused(404, "not_found", "Not found.")
}

// All pictures of a hidden post are hidden, and a case shows what was reported.
func TestPosts_pictures_hidden(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	seller, visitor, boss := f.member("karim"), f.visitor(), f.admin("boss")
	white, black := seller.addPicture(color.White), seller.addPicture(color.Black)
	post := seller.publish(fields{
		"images": []string{white, black}, "category": "Online Asset", "subcategory": "YouTube Channel",
		"facts": fields{"niche": "Cooking", "subscribers": 100},
	})
	f.member("rahim").reportsOne("post", post.ID.String()).want(201)
	seller.put(path(post), offer(fields{"images": []string{white}})).want(200)
	var detail api.AdminCaseDetail
	found := boss.openCase()
	boss.get("/admin/reports/" + found.ID.String()).want(200).into(&detail)
	require.Equal(t, white, detail.Snapshot.Image)
	require.Equal(t, []string{black}, detail.Snapshot.Pictures)
	require.Equal(t, api.PostFacts{"niche": "Cooking", "subscribers": 100.0}, detail.Snapshot.Facts)
	visitor.get(belowAPI(black)).refused(404, "not_found", "Not found.")
	boss.get(belowAPI(black)).want(200)

	further := seller.addPicture(color.Black)
	seller.put(path(post), offer(fields{"images": []string{white, further}})).want(200)
	visitor.get(belowAPI(further)).want(200)
	boss.rules(found.ID, fields{"action": "hide", "reason": "It is for sale elsewhere."}).want(200)
	for _, url := range []string{white, further} {
		visitor.get(belowAPI(url)).refused(404, "not_found", "Not found.")
		seller.get(belowAPI(url)).want(200)
	}
}

// Cards show the seller's record and the most telling facts.
func TestPostsPublic_cards(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	seller.publish(fields{
		"category": "Online Asset", "subcategory": "YouTube Channel",
		"facts": fields{"niche": "Cooking", "subscribers": 12400, "monetised": true},
	})
	type shown struct {
		ID       string `json:"_id"`
		Headline []string
		Seller   *api.SellerRecord
	}
	card := func() shown {
		var listing struct{ Posts []shown }
		f.visitor().get("/posts/public").want(200).into(&listing)
		require.Len(t, listing.Posts, 1)
		return listing.Posts[0]
	}
	require.Equal(t, []string{"subscribers", "monetised"}, card().Headline)
	require.Equal(t, api.SellerRecord{}, *card().Seller)
	for _, rating := range []int{5, 4} {
		deal := buyer.trade(seller, 50)
		buyer.post("/reviews", fields{"dealId": deal.ID, "reviewedUser": seller.user.ID, "rating": rating, "comment": "Fine"}).want(201)
	}
	record := *card().Seller
	require.Equal(t, 2, record.CompletedDeals)
	profile := buyer.profile(seller)
	require.Equal(t, profile.RatingCount, record.RatingCount)
	require.Equal(t, profile.AverageRating, record.AverageRating)
	var single shown
	seller.get("/posts/" + card().ID).want(200).into(&single)
	require.Nil(t, single.Seller, "only the listing reads it")
}

func TestCreatePost_invalid(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	seller := f.member("karim")
	post := seller.publish(nil)
	tags := make([]string, 11)
	for i := range tags {
		tags[i] = fmt.Sprint("tag", i)
	}
	broken := "This image cannot be read. Please choose a PNG, JPEG, WebP or GIF file."
	for _, test := range []struct {
		body           fields
		field, message string
	}{
		{offer(fields{"price": nil, "category": ""}), "price", "Price is required."},
		{offer(fields{"price": 25.555}), "price", "price may have at most two decimals."},
		{offer(fields{"price": -1}), "price", "The price must be between $0.01 and $1,000,000.00."},
		{offer(fields{"price": 1000000.01}), "price", "The price must be between $0.01 and $1,000,000.00."},
		{offer(fields{"category": "Other"}), "category", "Choose Freelance Service, Physical Product or Online Asset."},
		{offer(fields{"subcategory": strings.Repeat("x", 41)}), "subcategory", "The subcategory must be at most 40 characters."},
		{offer(fields{"description": strings.Repeat("x", 5001)}), "description", "The description must be at most 5,000 characters."},
		{offer(fields{"tags": tags}), "tags", "A post may have at most ten tags."},
		{offer(fields{"tags": []string{strings.Repeat("x", 31)}}), "tags", "A tag must be at most 30 characters."},
		{offer(fields{"tags": "logo"}), "tags", "tags must be a list."},
		{offer(fields{"image": "/api/images/" + uuid.NewString()}), "", "Please select an image file!"},
		{offer(fields{"image": "data:image/png;base64,AAAA"}), "", broken},
	} {
		refused := seller.post("/posts", test.body).refused(400, "invalid", test.message)
		if test.field != "" {
			require.Equal(t, map[string]string{test.field: test.message}, refused.Fields)
		}
		seller.put(path(post), test.body).refused(400, "invalid", test.message)
	}
	seller.post("/posts", offer(fields{"title": "a\u0000b"})).refused(400, "invalid", "The request contains characters that cannot be stored.")
	require.Equal(t, strings.Repeat("ক", 80), seller.publish(fields{"title": strings.Repeat("ক", 80)}).Title)
	require.Equal(t, "Tutoring", seller.publish(fields{"subcategory": " Tutoring "}).Subcategory)
	require.Contains(t, string(seller.post("/posts", offer(fields{"tags": nil, "price": 0.01})).want(201).body), `"tags":[]`)
}

// A repeated request gets the post as it is then, and makes no other one if it is gone.
func TestCreatePost_idempotency_key(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	seller := f.member("karim")
	body := offer(fields{"image": pictureURL(t, color.White, 10, 10)})
	first := seller.post("/posts", body, "Idempotency-Key", "k1").want(201)
	require.JSONEq(t, string(first.body), string(seller.post("/posts", body, "Idempotency-Key", "k1").want(201).body))
	seller.post("/posts", offer(nil), "Idempotency-Key", "k1").
		refused(409, "idempotency_mismatch", "This Idempotency-Key was used for another request.")
	require.Equal(t, "1", seller.get("/posts/my-posts").header.Get("X-Total-Count"))

	var post api.Post
	first.into(&post)
	edited := seller.put(path(post), offer(fields{"title": "Another title"})).want(200)
	require.JSONEq(t, string(edited.body), string(seller.post("/posts", body, "Idempotency-Key", "k1").want(201).body))
	seller.do(http.MethodDelete, path(post), nil).want(200)
	seller.post("/posts", body, "Idempotency-Key", "k1").refused(404, "not_found", "Post not found")
	require.Equal(t, "0", seller.get("/posts/my-posts").header.Get("X-Total-Count"))
}

func (b *browser) explore(query string) api.PostListing {
	b.t.Helper()
	var listing api.PostListing
	b.get("/posts/public?" + query).want(200).into(&listing)
	return listing
}

func TestPublicPosts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	seller, visitor := f.member("karim"), f.visitor()
	require.Equal(t, `"posts":[],"totalPages":0,"currentPage":1`,
		strings.Split(strings.Trim(string(visitor.get("/posts/public").want(200).body), "{}\n"), `,"seed"`)[0])
	for i := range 30 {
		category := []string{"Freelance Service", "Online Asset"}[i%2]
		seller.publish(fields{"title": fmt.Sprint("Post ", i), "category": category})
	}
	first := visitor.explore("")
	require.Len(t, first.Posts, 12)
	require.Equal(t, 3, first.TotalPages)
	seller.publish(fields{"title": "too late"})
	seen := map[uuid.UUID]bool{}
	for number := 1; number <= 3; number++ {
		listing := visitor.explore(fmt.Sprintf("page=%d&seed=%s", number, url.QueryEscape(first.Seed)))
		require.Equal(t, first.Seed, listing.Seed)
		require.Equal(t, number, listing.CurrentPage)
		for _, post := range listing.Posts {
			require.False(t, seen[post.ID], "no post comes twice")
			require.NotEqual(t, "too late", post.Title)
			seen[post.ID] = true
		}
		if number == 1 {
			require.Equal(t, first.Posts, listing.Posts)
		}
	}
	require.Len(t, seen, 30)
	require.Empty(t, visitor.explore("page=4&seed="+first.Seed).Posts)
	require.Equal(t, 2, visitor.explore("category=Online+Asset").TotalPages)
	for _, nonsense := range []string{"x", "-", "1-1", "zzzzzzzzzzz-0", "1-zzzzzzzzzzzzzzzzz", "%00"} {
		listing := visitor.explore("seed=" + nonsense)
		require.Len(t, listing.Posts, 12)
		require.NotEqual(t, nonsense, listing.Seed)
	}
	visitor.get("/posts/public?page=0").refused(400, "invalid", "page must be a whole number from 1.")
	visitor.get("/posts/public?category=Cars").
		refused(400, "invalid", "category must be one of Freelance Service, Physical Product, Online Asset.")
	visitor.get("/posts/public?search="+strings.Repeat("x", 101)).refused(400, "invalid", "The search must be at most 100 characters.")
}

func TestPublicPosts_filtered(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	seller, visitor := f.member("karim"), f.visitor()
	for i := range 15 {
		seller.publish(fields{
			"title": fmt.Sprint("Post ", i), "price": 20 - i, "category": "Online Asset", "subcategory": "YouTube Channel",
			"facts": fields{"subscribers": 1000 * i, "monetised": i%2 == 0, "niche": "Cooking", "unknown": 1},
		})
	}
	const query = "subcategory=YouTube+Channel&max=19.50&sort=price&facts=subscribers:1000.."
	first := visitor.explore(query)
	require.Len(t, first.Posts, 12)
	require.Equal(t, "Post 14", first.Posts[0].Title)
	require.Equal(t, api.PostFacts{"subscribers": 14_000.0, "monetised": true, "niche": "Cooking"}, first.Posts[0].Facts)
	require.Equal(t, 14, *first.Total)
	second := visitor.explore(query + "&cursor=" + *first.Next)
	require.Len(t, second.Posts, 2)
	require.Nil(t, second.Total)
	require.Nil(t, second.Next)
	require.Len(t, visitor.explore("facts=monetised:false&min=10").Posts, 5)
	_, err := f.owner.Exec(t.Context(), `refresh materialized view post_words`)
	require.NoError(t, err)
	require.True(t, visitor.explore("search=cookink").Similar)
	require.NotEmpty(t, visitor.explore("sort=random").Seed)

	for query, refusal := range map[string]string{
		"sort=best":             "sort must be one of newest, price, -price.",
		"sort=random&max=5":     "sort must be one of newest, price, -price.",
		"min=cheap":             "min must be a number.",
		"max=-5":                "max must not be negative.",
		"max=1.005":             "max may have at most two decimals.",
		"facts=monetised:maybe": "There is no filter monetised:maybe.",
		"cursor=x":              "This page does not exist. Please start from the first page.",
	} {
		visitor.get("/posts/public?"+query).refused(400, "invalid", refusal)
	}
	seller.post("/posts", offer(fields{"facts": fields{"strikes": -1}})).
		refused(400, "invalid", "A detail of the post does not fit. Please check the details.")
}

func TestPublicPosts_search(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	karim, rahim := f.member("karim_7"), f.member("rahim")
	karim.publish(fields{
		"title": "YouTube channel, 100% organic", "category": "Online Asset", "subcategory": "YouTube Channel", "tags": []string{"gaming"},
	})
	rahim.publish(fields{"title": "Logo and c++ lessons", "description": `Paths like C:\temp_new, and "quotes" & more`})
	rahim.publish(fields{"title": "ইউটিউব চ্যানেল বিক্রি", "description": "ভিডিও সম্পাদনা, য়", "category": "Online Asset"})
	for query, titles := range map[string][]string{
		"youtube":        {"YouTube channel, 100% organic"},
		"TUBE":           {"YouTube channel, 100% organic"},
		"organic ১০০":    {"YouTube channel, 100% organic"},
		"organic 100":    {"YouTube channel, 100% organic"},
		"gaming":         {"YouTube channel, 100% organic"},
		"karim_7":        {"YouTube channel, 100% organic"},
		"%":              {"YouTube channel, 100% organic"},
		"100%":           {"YouTube channel, 100% organic"},
		"_":              {"YouTube channel, 100% organic", "Logo and c++ lessons"},
		"yout_be":        {},
		"logo%lessons":   {},
		"c++":            {"Logo and c++ lessons"},
		`\`:              {"Logo and c++ lessons"},
		`c:\temp_new`:    {"Logo and c++ lessons"},
		`"quotes" & mor`: {"Logo and c++ lessons"},
		"'":              {},
		"quotes | xyz":   {},
		"q":              {"Logo and c++ lessons"},
		"freelance":      {"Logo and c++ lessons"},
		"চ্যানেল":        {"YouTube channel, 100% organic", "ইউটিউব চ্যানেল বিক্রি"},
		"টিউব ভি":        {"ইউটিউব চ্যানেল বিক্রি"},
		"য়":             {"ইউটিউব চ্যানেল বিক্রি"},
		"rahim asset":    {"ইউটিউব চ্যানেল বিক্রি"},
		"  ":             {"YouTube channel, 100% organic", "Logo and c++ lessons", "ইউটিউব চ্যানেল বিক্রি"},
		"nothing":        {},
	} {
		found := []string{}
		for _, post := range f.visitor().explore("search=" + url.QueryEscape(query)).Posts {
			found = append(found, post.Title)
		}
		require.ElementsMatch(t, titles, found, query)
	}
	require.Empty(t, f.visitor().explore("search=youtube&category=Physical+Product").Posts)
}

func TestPublicPosts_disabled_seller(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	seller, visitor := f.member("karim"), f.visitor()
	post := seller.publish(nil)
	_, err := accounts.New(accounts.Options{DB: f.owner, Clock: f.clock}).Disable(t.Context(), "karim")
	require.NoError(t, err)
	visitor.get(path(post)).refused(404, "not_found", "Post not found")
	visitor.get("/posts/user/karim").refused(404, "not_found", "User not found")
	require.Empty(t, visitor.explore("").Posts)
	require.Empty(t, visitor.explore("search=logo").Posts)
}
