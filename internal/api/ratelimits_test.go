package api_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

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
		c.LoginAccountLimit = ratelimit.Rate{Count: 5, Per: 15 * time.Minute}
		c.LoginBrowserLimit = ratelimit.Rate{Count: 5, Per: 15 * time.Minute}
		c.LoginAddressLimit = ratelimit.Rate{Count: 30, Per: 15 * time.Minute}
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
		c.SignupLimit, c.FeedbackLimit, c.ForgotAddressLimit = two, two, two
		c.DepositLimit, c.SupportLimit, c.SearchLimit = two, two, two
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
	f.visitor().post("/auth/deposit", nil).refused(401, "unauthenticated", "Please log in to continue.")
}
