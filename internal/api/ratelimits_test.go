package api_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/lib/ratelimit"
)

// behindProxy trusts the X-Forwarded-For header of the tests.
func behindProxy(c *config.API) {
	c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
}

func from(address string) []string { return []string{"X-Forwarded-For", address} }

// retryAfter requires a Retry-After of at most want and more than two thirds of it.
func (r reply) retryAfter(want time.Duration) {
	r.t.Helper()
	seconds, err := strconv.Atoi(r.header.Get("Retry-After"))
	require.NoError(r.t, err)
	require.LessOrEqual(r.t, seconds, int(want.Seconds()))
	require.Greater(r.t, seconds, int(want.Seconds()*2/3))
}

func TestLogin_lock(t *testing.T) {
	t.Parallel()
	f := newFixture(t, behindProxy, func(c *config.API) {
		c.Limits.LoginAccountLimit = ratelimit.Rate{Count: 5, Per: 15 * time.Minute}
		c.Limits.LoginBrowserLimit = ratelimit.Rate{Count: 5, Per: 15 * time.Minute}
		c.Limits.LoginAddressLimit = ratelimit.Rate{Count: 30, Per: 15 * time.Minute}
	})
	owner, stranger := f.member("rahim"), f.visitor()
	owner.post("/auth/logout", nil).want(200)
	for i := range 5 {
		stranger.post("/auth/login", fields{"username": "rahim", "password": "wrong!"}, from(fmt.Sprintf("198.51.100.%d", i))...).
			refused(401, "invalid_credentials", "Invalid credentials")
	}
	locked := stranger.post("/auth/login", fields{"username": "rahim", "password": password}, from("198.51.100.9")...)
	locked.refused(429, "locked", "Too many attempts. Login is locked for now. Please try again later.")
	locked.retryAfter(3 * time.Minute)
	require.Contains(t, f.log.String(), "login locked")

	owner.post("/auth/login", fields{"username": "rahim", "password": password}, from("203.0.113.1")...).want(200)
	stranger.post("/auth/login", nil).refused(400, "invalid", "Username is required.")
}

func TestLogin_browser_cookie(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.PublicURL = "https://amanat.example" })
	cookies := f.visitor().post("/auth/signup", fields{"username": "rahim", "email": "r@example.com", "password": password}).want(201).
		header.Values("Set-Cookie")
	require.Len(t, cookies, 2)
	require.Regexp(t, `^__Host-amanat-browser=[A-Za-z0-9_-]{43}; Path=/; Max-Age=31536000; HttpOnly; Secure; SameSite=Lax$`, cookies[1])

	f = newFixture(t)
	b := f.member("rahim")
	first := b.cookie("amanat-browser")
	b.post("/auth/logout", nil).want(200)
	require.Equal(t, first, b.cookie("amanat-browser"), "signing out does not make it a stranger")
	b.post("/auth/login", fields{"username": "rahim", "password": password}).want(200)
	require.Equal(t, first, b.cookie("amanat-browser"))
	f.visitor().do(http.MethodGet, "/auth/check", nil, "Cookie", "amanat="+first).refused(401, "unauthenticated", "Please log in to continue.")
}

func TestRateLimits(t *testing.T) {
	t.Parallel()
	two := ratelimit.Rate{Count: 2, Per: time.Hour}
	f := newFixture(t, behindProxy, func(c *config.API) {
		c.Limits.SignupLimit, c.Limits.FeedbackLimit, c.Limits.ForgotAddressLimit = two, two, two
		c.Limits.DepositLimit, c.Limits.SupportLimit, c.Limits.SearchLimit = two, two, two
	})
	one, other := f.member("rahim"), f.member("karim") // 127.0.0.1 is a trusted proxy, not a client
	limited := func(r reply) {
		t.Helper()
		r.refused(429, "rate_limited", "Too many attempts. Please try again later.")
		r.retryAfter(30 * time.Minute)
	}
	v, people := f.visitor(), 0
	for path, valid := range map[string]func() fields{
		"/auth/signup": func() fields {
			people++
			return fields{"username": fmt.Sprintf("person%d", people), "email": fmt.Sprintf("person%d@example.com", people), "password": password}
		},
		"/contact":              func() fields { return fields{"name": "Nusrat", "email": "nusrat@example.com", "message": "Hello"} },
		"/auth/forgot-password": func() fields { return fields{"email": "rahim@example.com"} },
	} {
		for range 4 { // invalid requests do not count
			v.post(path, nil, from("198.51.100.1")...).want(400)
		}
		for range 2 {
			require.Less(t, v.post(path, valid(), from("198.51.100.1")...).status, 300)
		}
		limited(v.post(path, valid(), from("198.51.100.1")...))
		require.Less(t, v.post(path, valid(), from("198.51.100.2")...).status, 300)
	}
	// Bug reports and the contact form share one bucket.
	limited(v.post("/auth/bug-report", fields{"subject": "Pay", "description": "x"}, from("198.51.100.1")...))

	for path, call := range map[string]struct {
		method string
		body   func() fields
	}{
		"/auth/deposit": {http.MethodPost, func() fields {
			return fields{"amount": 10, "transactionId": transactionID(), "paymentMethod": "Bkash"}
		}},
		"/deals/support":          {http.MethodPost, func() fields { return fields{"dealId": uuid.New(), "issueDescription": "Help"} }},
		"/wallet/search?query=xy": {http.MethodGet, func() fields { return nil }},
	} {
		for range 2 {
			require.NotContains(t, []int{400, 429}, one.do(call.method, path, call.body()).status)
		}
		limited(one.do(call.method, path, call.body()))
		require.NotEqual(t, 429, other.do(call.method, path, call.body()).status)
	}
	limited(one.post("/checkouts", fields{"amount": 10})) // counted together with the deposits
	f.visitor().post("/auth/deposit", nil).refused(401, "unauthenticated", "Please log in to continue.")
}

func TestRateLimits_of_addresses(t *testing.T) {
	t.Parallel()
	f := newFixture(t, behindProxy, func(c *config.API) {
		c.Limits.PhoneLimit = ratelimit.Rate{Count: 2, Per: time.Hour}
		c.Limits.PostViewLimit = c.Limits.PhoneLimit
	})
	post, v := f.member("rahim").publish(nil), f.visitor()
	for _, path := range []string{"/ipn/bkash", "/phones/shop", path(post) + "/seen"} {
		for range 2 {
			v.post(path, nil, from("198.51.100.1")...).want(200)
		}
		v.post(path, nil, from("198.51.100.1")...).refused(429, "rate_limited", textTooMany)
		v.post(path, nil, from("198.51.100.2")...).want(200)
	}
}

const textTooMany = "Too many attempts. Please try again later."

// trust verifies all addresses and makes all accounts two days old, so that no user counts as new.
func (f *fixture) trust(people ...*browser) {
	f.t.Helper()
	for _, b := range people {
		_, err := f.owner.Exec(f.t.Context(),
			"update users set is_verified = true, created_at = created_at - interval '2 days' where id = $1", b.user.ID)
		require.NoError(f.t, err)
	}
}

// deployed sets the default limits.
func deployed(c *config.API) {
	must(c.Limits.UnmarshalText([]byte("default")))
}

func TestRateLimits_writes_per_user(t *testing.T) {
	t.Parallel()
	two := ratelimit.Rate{Count: 2, Per: time.Hour}
	f := newFixture(t, func(c *config.API) {
		c.Limits.PostLimit, c.Limits.PostEditLimit, c.Limits.MessageLimit, c.Limits.DealLimit = two, two, two, two
		c.Limits.WithdrawalLimit, c.Limits.ReviewLimit, c.Limits.ProfileLimit = two, two, two
		c.Limits.SupportLimit, c.Limits.DepositLimit = two, two
	})
	f.work()
	boss, rahim, karim := f.admin("boss"), f.member("rahim"), f.member("karim")
	boss.setRate(120)
	karim.fund(boss, 100)
	mine := map[*browser]string{rahim: path(rahim.publish(nil)), karim: path(karim.publish(nil))}
	for _, call := range []struct {
		method, path string
		valid        func(b *browser) fields
		free         int // calls that are left
	}{
		{http.MethodPost, "/posts", func(*browser) fields { return offer(nil) }, 1},
		{http.MethodPut, "", func(*browser) fields { return offer(nil) }, 2},
		{http.MethodPost, "/messages/send-or-start", func(*browser) fields { return fields{"receiverId": boss.user.ID, "text": "Hello"} }, 2},
		{http.MethodPost, "/deals/create", func(b *browser) fields {
			return fields{"price": 5, "description": "A channel", "deliveryDuration": 7, "buyerId": b.user.ID, "sellerId": boss.user.ID}
		}, 2},
		{http.MethodPost, "/withdraw", func(*browser) fields {
			return fields{"amount": 10, "phonenumber": "01712345678", "paymentMethod": "Bkash"}
		}, 2},
		{http.MethodPost, "/reviews", func(*browser) fields { return fields{"dealId": uuid.New(), "rating": 5, "comment": "Fine"} }, 2},
		{http.MethodPost, "/deals/support", func(*browser) fields { return fields{"dealId": uuid.New(), "issueDescription": "Help"} }, 2},
		{http.MethodPut, "/auth/update-profile", func(*browser) fields { return fields{"profilePic": ""} }, 2},
	} {
		target := func(b *browser) string {
			if call.path == "" {
				return mine[b]
			}
			return call.path
		}
		for range 4 { // invalid requests do not count
			rahim.do(call.method, target(rahim), "[]").want(400)
		}
		for range call.free {
			require.NotContains(t, []int{400, 429}, rahim.do(call.method, target(rahim), call.valid(rahim)).status, target(rahim))
		}
		refused := rahim.do(call.method, target(rahim), call.valid(rahim))
		refused.refused(429, "rate_limited", textTooMany)
		if call.path != "" && call.free == 2 {
			refused.retryAfter(30 * time.Minute)
		}
		others := karim.do(call.method, target(karim), call.valid(karim)).status
		require.NotContains(t, []int{400, 429}, others, "%s: others are not concerned", target(karim))
	}
	f.clock.Advance(30 * time.Minute)
	rahim.publish(nil)
}

// A retry with the same Idempotency-Key succeeds even when the limit is reached.
func TestRateLimits_replay_not_counted(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.PostLimit = ratelimit.Rate{Count: 1, Per: time.Hour} })
	rahim := f.member("rahim")
	key := []string{"Idempotency-Key", "one-click"}
	var first, again api.Post
	rahim.post("/posts", offer(nil), key...).want(201).into(&first)
	rahim.post("/posts", offer(nil)).refused(429, "rate_limited", textTooMany)
	rahim.post("/posts", offer(nil), key...).want(201).into(&again)
	require.Equal(t, first.ID, again.ID)
}

func TestRateLimits_new_users(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) {
		c.Limits.DealLimit, c.Limits.NewDivisor = ratelimit.Rate{Count: 8, Per: time.Hour}, 4
		c.Limits.VerificationLimit = ratelimit.Rate{Count: 2, Per: time.Hour}
	})
	rahim, karim := f.member("rahim"), f.member("karim")
	limited := func() {
		t.Helper()
		rahim.post("/deals/create", fields{
			"price": 5, "description": "A channel", "deliveryDuration": 7, "buyerId": rahim.user.ID, "sellerId": karim.user.ID,
		}).refused(429, "rate_limited", textTooMany)
	}
	for range 2 {
		rahim.propose(karim, 5)
	}
	limited()
	for range 2 { // not limited for new users
		rahim.post("/auth/resend-verification", nil).want(200)
	}
	_, err := f.owner.Exec(t.Context(), `update users set created_at = created_at - interval '2 days' where id = $1`, rahim.user.ID)
	require.NoError(t, err)
	for range 8 {
		rahim.propose(karim, 5)
	}
	limited()
}

func TestRateLimits_messages_to_strangers(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) {
		c.Limits.ConversationLimit = ratelimit.Rate{Count: 3, Per: time.Hour}
		c.Limits.ConversationDayLimit = ratelimit.Rate{Count: 2, Per: 24 * time.Hour}
	})
	rahim, karim, nusrat, late := f.member("rahim"), f.member("karim"), f.member("nusrat"), f.member("late")
	for range 5 { // starts no conversation
		rahim.post("/messages/send-or-start", fields{"receiverId": uuid.New(), "text": "Hello"}).want(404)
	}
	rahim.opens(karim, fields{"text": "Hello"})
	rahim.opens(nusrat, nil)
	refused := rahim.post("/messages/send-or-start", fields{"receiverId": late.user.ID, "text": "Hello"})
	refused.refused(429, "rate_limited", textTooMany)
	refused.retryAfter(12 * time.Hour)

	for range 5 { // existing conversations
		rahim.says(rahim.opens(karim, fields{"text": "Are you there?"}).Conversation.ID, "It is me.")
		late.opens(rahim, fields{"text": "You wanted to say something?"})
		rahim.opens(late, fields{"text": "Yes."})
	}
}

// Concurrent requests cannot exceed the maximum.
func TestCreatePost_maximum(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.MaxPosts, c.Limits.MaxPostsNew = 5, 3 })
	rahim := f.member("rahim")
	publish := func(times int) (made int) {
		var published, refused atomic.Int32
		var group sync.WaitGroup
		for range times {
			group.Go(func() {
				switch r := rahim.post("/posts", offer(nil)); r.status {
				case http.StatusCreated:
					published.Add(1)
				default:
					require.Equal(t, "conflict", decodeFailure(t, r.want(409)).Code)
					refused.Add(1)
				}
			})
		}
		group.Wait()
		require.EqualValues(t, times, published.Load()+refused.Load())
		return int(published.Load())
	}
	require.Equal(t, 3, publish(8))
	rahim.post("/posts", offer(nil)).refused(409, "conflict", "You may have up to 3 posts for now. Please delete one first.")
	var mine []api.Post
	rahim.get("/posts/my-posts").want(200).into(&mine)
	require.Len(t, mine, 3)
	rahim.do(http.MethodDelete, path(mine[0]), nil).want(200)
	require.Equal(t, 1, publish(2))
	f.trust(rahim)
	require.Equal(t, 2, publish(4))
	f.member("karim").publish(nil)
}

func TestDeposit_maximum_pending(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.MaxPendingDeposits = 3 })
	f.work()
	boss, rahim, karim := f.admin("boss"), f.member("rahim"), f.member("karim")
	boss.setRate(120)
	report := func(b *browser) reply {
		return b.post("/auth/deposit", fields{"amount": 10, "transactionId": transactionID(), "paymentMethod": "Bkash"})
	}
	reported := func(times int) int {
		var accepted atomic.Int32
		var group sync.WaitGroup
		for range times {
			group.Go(func() {
				if report(rahim).status == http.StatusCreated {
					accepted.Add(1)
				}
			})
		}
		group.Wait()
		return int(accepted.Load())
	}
	require.Equal(t, 1, reported(6), "until one was credited")
	report(rahim).refused(409, "conflict", "Your first deposit is being checked. You can report another one when it is in your balance.")
	report(karim).want(201)

	var mine api.DepositHistory
	rahim.get("/auth/deposit/history").want(200).into(&mine)
	boss.post("/admin/deposit/reject/"+mine.Deposits[0].ID.String(), nil).want(200)
	rahim.fund(boss, 10)
	require.Equal(t, 3, reported(6))
	report(rahim).refused(409, "conflict", "You may have up to 3 deposits waiting for approval for now. Please wait until one is handled.")
}

// Mistakes or abuse by one customer of a mobile network do not lock out the others.
func TestRateLimits_shared_address(t *testing.T) {
	t.Parallel()
	f := newFixture(t, behindProxy, deployed)
	v, network := f.visitor(), from("198.51.100.1")
	for range 210 { // more than any limit
		v.post("/auth/signup", fields{}, network...).want(400)
	}
	for range 70 {
		v.post("/contact", fields{}, network...).want(400)
		v.post("/auth/forgot-password", fields{"email": ""}, network...).want(400)
	}
	for i := range 130 {
		name := fmt.Sprintf("person%d", i)
		f.visitor().post("/auth/signup", fields{"username": name, "email": name + "@example.com", "password": password}, network...).want(201)
	}
	v.post("/auth/forgot-password", fields{"email": "person7@example.com"}, network...).want(200)
	v.post("/contact", fields{"name": "Nusrat", "email": "nusrat@example.com", "message": "Hello"}, network...).want(201)
}

func TestRateLimits_500_users_behind_one_address(t *testing.T) {
	t.Parallel()
	f := newFixture(t, behindProxy, deployed)
	seller, network := f.member("seller"), from("198.51.100.1")
	const people = 500
	_, err := f.owner.Exec(t.Context(), `
		insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
		select gen_random_uuid(), 'person' || n, 'person' || n || '@example.com', password_hash, 'CODE' || n, created_at, created_at
		  from users, generate_series(1, $2) as n where id = $1`, seller.user.ID, people)
	require.NoError(t, err)
	var group sync.WaitGroup
	const atOnce = 4
	for first := range atOnce {
		group.Go(func() {
			for n := first + 1; n <= people; n += atOnce {
				b := f.visitor()
				b.post("/auth/login", fields{"username": fmt.Sprintf("person%d", n), "password": password}, network...).want(200)
				b.do(http.MethodGet, "/posts/public", nil, network...).want(200)
				b.post("/messages/send-or-start", fields{"receiverId": seller.user.ID, "text": "Is it still there?"}, network...).want(201)
			}
		})
	}
	group.Wait()
	_, total := seller.inbox("?page=1")
	require.Equal(t, "500", total)
}

// A repeated request costs nothing, and is answered when the limit is reached.
func TestRateLimits_repeated_requests(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.MessageLimit = ratelimit.Rate{Count: 3, Per: time.Hour} })
	rahim, karim := f.member("rahim"), f.member("karim")
	id := rahim.opens(karim, fields{"text": "Hello"}).Conversation.ID
	body, key := fields{"conversationId": id, "text": "Once"}, []string{"Idempotency-Key", "one-click"}
	var first sent
	rahim.post("/messages", body, key...).want(201).into(&first)
	for range 5 {
		var again sent
		rahim.post("/messages", body, key...).want(201).into(&again)
		require.Equal(t, first, again)
	}
	rahim.says(id, "The third")
	rahim.post("/messages", fields{"conversationId": id, "text": "The fourth"}).refused(429, "rate_limited", textTooMany)
	rahim.post("/messages", body, key...).want(201)
}
