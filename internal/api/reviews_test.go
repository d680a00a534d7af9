package api_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

// trade creates a deal, pays it and completes it.
func (b *browser) trade(seller *browser, price float64) api.DealDetail {
	b.t.Helper()
	deal := b.agreed(seller, price)
	b.post(pay(deal), nil).want(200)
	b.post(complete(deal), nil).want(200)
	return deal
}

func (b *browser) deal(id uuid.UUID) api.DealDetail {
	b.t.Helper()
	var deal api.DealDetail
	b.get("/deals/" + id.String()).want(200).into(&deal)
	return deal
}

func TestReviews(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.agreed(seller, 50)
	review := func(changes fields) fields {
		body := fields{"dealId": deal.ID, "reviewedUser": seller.user.ID, "rating": 4, "comment": " Fast and honest. "}
		for name, value := range changes {
			body[name] = value
		}
		return body
	}
	for _, id := range []string{"", "x"} {
		buyer.post("/reviews", review(fields{"dealId": id, "rating": 0})).refused(404, "not_found", "Deal not found.")
	}
	buyer.post("/reviews", review(fields{"rating": 4.5})).refused(400, "invalid", "rating must be a whole number.")
	buyer.post("/reviews", review(nil), "Idempotency-Key", "r").
		refused(409, "conflict", "You can review the seller once the deal is completed.")
	buyer.post(pay(deal), nil).want(200)
	buyer.post(complete(deal), nil).want(200)
	require.False(t, buyer.deal(deal.ID).ReviewGiven)

	var written api.Review
	first := buyer.post("/reviews", review(nil), "Idempotency-Key", "r").want(201)
	first.into(&written)
	require.Equal(t, "Fast and honest.", written.Comment)
	require.Equal(t, "buyer", written.Reviewer.Username)
	require.JSONEq(t, string(first.body), string(buyer.post("/reviews", review(nil), "Idempotency-Key", "r").want(201).body))
	buyer.post("/reviews", review(nil)).refused(409, "duplicate", "You already reviewed this seller.")
	require.True(t, buyer.deal(deal.ID).ReviewGiven)
	require.True(t, seller.deal(deal.ID).ReviewGiven)

	list := f.visitor().get("/reviews?user=" + seller.user.ID.String()).want(200)
	var reviews []api.Review
	list.into(&reviews)
	require.Equal(t, []api.Review{written}, reviews)
	require.Equal(t, "1", list.header.Get("X-Total-Count"))
	require.JSONEq(t, `[]`, string(f.visitor().get("/reviews?user="+buyer.user.ID.String()).want(200).body))
	f.visitor().get("/reviews?user=x").refused(404, "not_found", "User not found")
	var notice, link string
	require.NoError(t, f.owner.QueryRow(t.Context(),
		"select params ->> 'rating', link from notifications where user_id = $1 and kind = 'review_received'",
		seller.user.ID).Scan(&notice, &link))
	require.Equal(t, "4 /profile/seller", notice+" "+link)
}

func TestPublicProfile(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	read := func(username string) (profile api.Profile) {
		f.visitor().get("/auth/profile/" + username).want(200).into(&profile)
		return profile
	}
	fresh := string(f.visitor().get("/auth/profile/SELLER").want(200).body)
	require.Contains(t, fresh, `"posts":[],"postCount":0,"reviews":[],"successScore":null,"completedDeals":0,"finishedDeals":0,`+
		`"averageRating":null,"ratingCount":0,"reviewCount":0`)
	require.NotContains(t, fresh, "example.com", "the address is nobody's business")
	require.NotContains(t, fresh, "wallet")
	post := seller.publish(nil)
	for _, rating := range []int{5, 4, 4} {
		deal := buyer.trade(seller, 10)
		buyer.post("/reviews", fields{"dealId": deal.ID, "rating": rating, "comment": fmt.Sprint("worth ", rating)}).want(201)
	}
	left := buyer.agreed(seller, 10)
	buyer.post(pay(left), nil).want(200)
	seller.post(act("cancel", left), nil).want(200)
	buyer.propose(seller, 10) // unfinished deals do not count

	profile := read("Seller")
	require.Equal(t, seller.user.ID, profile.User.ID)
	require.Equal(t, []api.Post{post}, profile.Posts)
	require.Equal(t, "worth 4", profile.Reviews[0].Comment, "the newest first")
	require.Equal(t, 3, profile.ReviewCount)
	require.Equal(t, 75, *profile.SuccessScore)
	require.Equal(t, []int{3, 4}, []int{profile.CompletedDeals, profile.FinishedDeals})
	require.InDelta(t, 5.0, *profile.AverageRating, 1e-9, "one review of a buyer counts in 30 days")
	require.Equal(t, 1, profile.RatingCount)
	buyers := read("buyer")
	require.Equal(t, 75, *buyers.SuccessScore, "both roles count")
	require.Nil(t, buyers.AverageRating)
	f.visitor().get("/auth/profile/nobody").refused(404, "not_found", "User not found")
	f.visitor().get("/auth/profile/%00").refused(400, "invalid", "The request contains characters that cannot be stored.")
}

func TestDashboard(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	dashboard := func(b *browser, query string) (d api.Dashboard) {
		b.get("/dashboard" + query).want(200).into(&d)
		return d
	}
	require.Contains(t, string(seller.get("/dashboard").want(200).body),
		`"successScore":null,"averageRating":null,"ratingCount":0,"reviewCount":0,"reviews":[]`)
	deal := buyer.trade(seller, 100)
	buyer.post("/reviews", fields{"dealId": deal.ID, "rating": 5, "comment": "Good"}).want(201)
	firstDay := f.clock.Now().In(time.FixedZone("", 6*3600)).Format(time.DateOnly)
	f.clock.Advance(48 * time.Hour)
	laterDay := f.clock.Now().In(time.FixedZone("", 6*3600)).Format(time.DateOnly)
	later := f.visitor() // the sessions have expired
	later.post("/auth/login", fields{"username": "buyer", "password": password}).want(200).into(&later.user)
	other := f.visitor()
	other.post("/auth/login", fields{"username": "seller", "password": password}).want(200).into(&other.user)
	open := later.propose(other, 30)
	later.post(pay(open), nil).want(200)
	left := later.agreed(other, 20)
	later.post(pay(left), nil).want(200)
	other.post(act("cancel", left), nil).want(200)

	all := dashboard(other, "")
	require.Equal(t, "98.00", all.Wallet.String())
	require.Equal(t, []int{1, 1, 2, 50, 1}, []int{all.ActiveDeals, all.CompletedDeals, all.FinishedDeals, *all.SuccessScore, all.ReviewCount})
	require.Equal(t, "30.00", all.TotalPrice.String())
	require.InDelta(t, 5.0, *all.AverageRating, 1e-9)
	first := dashboard(other, "?from="+firstDay+"&to="+firstDay)
	require.Equal(t, []int{1, 1, 1, 100, 1},
		[]int{first.ActiveDeals, first.CompletedDeals, first.FinishedDeals, *first.SuccessScore, first.ReviewCount})
	require.Len(t, first.Reviews, 1)
	last := dashboard(other, "?from="+laterDay)
	require.Equal(t, []int{1, 0, 1, 0, 0},
		[]int{last.ActiveDeals, last.CompletedDeals, last.FinishedDeals, *last.SuccessScore, last.ReviewCount})
	require.Nil(t, last.AverageRating)
	require.Equal(t, "98.00", last.Wallet.String(), "the wallet is as it is now")

	other.get("/dashboard?from=2026-13-01").refused(400, "invalid", "from must be a date such as 2026-01-31.")
	other.get("/dashboard?to=yesterday").refused(400, "invalid", "to must be a date such as 2026-01-31.")
	other.get("/dashboard?from="+laterDay+"&to="+firstDay).refused(400, "invalid", "to must not be before from.")
	f.visitor().get("/dashboard").refused(401, "unauthenticated", "Please log in to continue.")
}
