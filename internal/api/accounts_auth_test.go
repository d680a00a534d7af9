package api_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
)

func TestSignup_validation(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.member("taken")
	for _, test := range []struct {
		body                 any
		field, code, message string
		status               int
	}{
		{"", "username", "invalid", "Username is required.", 400},
		{"{}", "username", "invalid", "Username is required.", 400},
		{fields{"username": " . "}, "username", "invalid", "Username is required.", 400},
		{fields{"username": "new"}, "email", "invalid", "Email is required.", 400},
		{fields{"username": "new", "email": "new"}, "email", "invalid", "Invalid email", 400},
		{fields{"username": "new", "email": "new@example.com"}, "password", "invalid", "Password is required.", 400},
		{
			fields{"username": "new", "email": "new@example.com", "password": "12345"},
			"password", "invalid", "Password must be at least 6 characters", 400,
		},
		{
			fields{"username": "TAKEN", "email": "new@example.com", "password": "river-stone"},
			"username", "duplicate", "Username is already taken.", 409,
		},
		{
			fields{"username": "new", "email": "TAKEN@example.com", "password": "river-stone"},
			"email", "duplicate", "Email is already registered.", 409,
		},
		{
			fields{"username": "new", "email": "new@example.com", "password": "river-stone", "language": "fr"},
			"language", "invalid", "Language must be en or bn.", 400,
		},
		{fields{"username": 5}, "username", "invalid", "username must be a text.", 400},
	} {
		failure := f.visitor().post("/auth/signup", test.body).refused(test.status, test.code, test.message)
		require.Equal(t, map[string]string{test.field: test.message}, failure.Fields)
	}
	f.visitor().post("/auth/signup", "{").refused(400, "invalid", "The request body is not valid JSON.")
	f.visitor().post("/auth/signup", "[]").refused(400, "invalid", "The request body must be a JSON object.")
	f.visitor().post("/auth/signup", fields{"username": "new", "email": "a\u0000b@c.de", "password": "river-stone"}).
		refused(400, "invalid", "Invalid email")
}

func TestSignup_returns_user(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b := f.visitor()
	reply := b.post("/auth/signup", fields{
		"username": "Ra. him", "email": "rahim@example.com", "password": "river-stone", "referredBy": nil, "isAdmin": true, "wallet": 5,
	}).want(http.StatusCreated)
	var user map[string]json.RawMessage
	reply.into(&user)
	require.JSONEq(t, `"Rahim"`, string(user["username"]))
	require.JSONEq(t, `"rahim@example.com"`, string(user["email"]))
	require.JSONEq(t, `""`, string(user["profilePic"]))
	require.JSONEq(t, `"en"`, string(user["language"]))
	require.Equal(t, "false", string(user["isAdmin"]), "what the client says of itself is ignored")
	require.Equal(t, "false", string(user["isVerified"]))
	require.Equal(t, "0.00", string(user["wallet"]))
	require.Regexp(t, `^"[0-9a-f-]{36}"$`, string(user["_id"]))
	require.Regexp(t, `^"\d{4}-\d\d-\d\dT[0-9:.]+Z"$`, string(user["createdAt"]))
	require.Equal(t, "0", string(user["eventSeq"]), "nothing has happened yet")
	names := []string{
		"_id", "username", "email", "profilePic", "isStaff", "language", "isAdmin", "isVerified", "wallet", "createdAt",
		"secondFactor", "eventSeq", "terms",
	}
	require.ElementsMatch(t, names, slices.Collect(maps.Keys(user)))

	var me map[string]json.RawMessage
	b.get("/auth/me").want(http.StatusOK).into(&me)
	require.Regexp(t, `^"[2-9A-Z]{8}"$`, string(me["referralCode"]))
	require.Equal(t, "true", string(me["mailNotices"]))
	require.ElementsMatch(t, append(names, "referralCode", "mailNotices", "pendingEmail"), slices.Collect(maps.Keys(me)))
	var check map[string]json.RawMessage
	b.get("/auth/check").want(http.StatusOK).into(&check)
	require.Equal(t, user, check)
}

func TestSession(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.member("rahim")
	b := f.visitor()
	b.get("/auth/check").refused(401, "unauthenticated", "Please log in to continue.")
	b.post("/auth/login", fields{"username": "rahim", "password": "wrong!"}).refused(401, "invalid_credentials", "Invalid credentials")
	b.post("/auth/login", fields{"username": "nobody", "password": "wrong!"}).refused(401, "invalid_credentials", "Invalid credentials")
	b.post("/auth/login", fields{"username": "rahim"}).refused(400, "invalid", "Password is required.")

	cookie := b.post("/auth/login", fields{"username": "RAHIM", "password": password}).want(200).header.Get("Set-Cookie")
	require.Regexp(t, `^amanat=[A-Za-z0-9_-]{43}; Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax$`, cookie)
	b.get("/auth/check").want(200)

	stolen := strings.Split(cookie, ";")[0]
	logout := b.post("/auth/logout", nil).want(200)
	require.JSONEq(t, `{"message": "Logout successfully!", "outcome": "logged_out"}`, string(logout.body))
	require.Contains(t, logout.header.Get("Set-Cookie"), "Max-Age=0")
	b.get("/auth/check").refused(401, "unauthenticated", "Please log in to continue.")
	b.post("/auth/logout", nil).want(200)
	f.visitor().do(http.MethodGet, "/auth/check", nil, "Cookie", stolen).
		refused(401, "unauthenticated", "Please log in to continue.")

	b.post("/auth/login", fields{"username": "rahim", "password": password}).want(200)
	f.clock.Advance(24 * time.Hour)
	b.get("/auth/check").refused(401, "unauthenticated", "Please log in to continue.")
}

func TestLogin_disabled_user(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b := f.member("rahim")
	_, err := f.accounts.Disable(t.Context(), "rahim")
	require.NoError(t, err)
	b.get("/auth/check").refused(401, "unauthenticated", "Please log in to continue.")
	b.post("/auth/login", fields{"username": "rahim", "password": password}).
		refused(403, "forbidden", "This account has been disabled. Please contact support.")
	b.post("/auth/login", fields{"username": "rahim", "password": "wrong!"}).refused(401, "invalid_credentials", "Invalid credentials")
	b.post("/auth/forgot-password", fields{"email": "rahim@example.com"}).refused(404, "not_found", "No account has this email address.")
}

func TestSignup_secure_cookie_over_https(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.PublicURL = "https://amanat.example" })
	reply := f.visitor().post("/auth/signup", fields{"username": "rahim", "email": "r@example.com", "password": password}).want(201)
	require.Regexp(t, `^__Host-amanat=[A-Za-z0-9_-]{43}; Path=/; Max-Age=1209600; HttpOnly; Secure; SameSite=Lax$`,
		reply.header.Get("Set-Cookie"))
	require.NotEmpty(t, reply.header.Get("Strict-Transport-Security"))
}

func TestConfirmPassword_admin(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss := f.admin("boss")
	rate := func() reply { return boss.do(http.MethodPut, "/admin/exchange-rate", fields{"usdToBdt": 120.5}) }
	rate().want(200)
	f.clock.Advance(15 * time.Minute)
	rate().refused(403, "password_required", "Please enter your password again.")
	boss.get("/admin/deposits").want(200) // reading moves no money
	boss.post("/auth/confirm-password", fields{}).refused(400, "invalid", "Password is required.")
	boss.post("/auth/confirm-password", fields{"password": "wrong!"}).refused(400, "invalid", "Incorrect password.")
	rate().refused(403, "password_required", "Please enter your password again.")
	boss.post("/auth/confirm-password", fields{"password": password}).want(200)
	rate().want(200)

	never := newFixture(t, func(c *config.API) { c.AdminReauth = 0 })
	boss = never.admin("boss")
	never.clock.Advance(20 * time.Hour)
	rate().want(200)
}

func TestUserSearch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	me := f.member("rahima")
	other := f.member("rahim")
	require.JSONEq(t, `[]`, string(me.get("/wallet/search?query=r").want(200).body))
	require.JSONEq(t, `[]`, string(me.get("/wallet/search").want(200).body))
	require.JSONEq(t, `[{"_id": "`+other.user.ID.String()+`", "username": "rahim", "profilePic": "", "isStaff": false}]`,
		string(me.get("/wallet/search?query=RAH").want(200).body))
	me.get("/wallet/search?query=%00%00").refused(400, "invalid", "The request contains characters that cannot be stored.")
	me.get("/wallet/search?query=%ff%ff").refused(400, "invalid", "The request contains characters that cannot be stored.")
}

func TestReceivers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	require.JSONEq(t, `[{"paymentMethod": "Bkash", "number": "01700000001"}, {"paymentMethod": "Nagad", "number": "01800000002"}]`,
		string(f.member("rahim").get("/wallet/receivers").want(200).body))
}

func TestPublicStats(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.member("rahim")
	var stats api.PublicStats
	f.visitor().get("/public/public-stats").want(200).into(&stats)
	require.Equal(t, api.PublicStats{TotalUsers: 1, UserOffset: 12499, USDOffset: 45499_00}, stats)
}
