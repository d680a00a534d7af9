package api_test

import (
	"bufio"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
)

func TestRouter_unknown_path_or_method(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b := f.visitor()
	for _, path := range []string{"", "/", "/nothing", "/deals", "/auth/login/"} {
		b.get(path).refused(404, "not_found", "There is nothing at this address.")
	}
	wrong := b.get("/auth/login")
	wrong.refused(405, "method_not_allowed", "This address does not take this kind of request.")
	require.Equal(t, "POST", wrong.header.Get("Allow"))
	require.Equal(t, "GET, DELETE", b.do(http.MethodPut, "/deals/x", nil).header.Get("Allow"))
	b.do("STRANGE", "/auth/login", nil).refused(405, "method_not_allowed", "This address does not take this kind of request.")
}

func TestResponse_headers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.clock.Advance(72 * time.Hour)
	for _, path := range []string{"/nothing", "/auth/check", "/public/pauses", "/openapi.json"} {
		header := f.visitor().get(path).header
		require.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'")
		require.Contains(t, header.Get("Content-Security-Policy"), "connect-src 'self' ws://"+strings.TrimPrefix(f.url, "http://")+";")
		require.Contains(t, header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
		require.Equal(t, "nosniff", header.Get("X-Content-Type-Options"))
		require.Equal(t, "strict-origin-when-cross-origin", header.Get("Referrer-Policy"))
		require.Equal(t, "no-store", header.Get("Cache-Control"))
		require.Equal(t, "application/json", header.Get("Content-Type"))
		require.NoError(t, uuid.Validate(header.Get("X-Request-Id")))
		date, err := http.ParseTime(header.Get("Date"))
		require.NoError(t, err)
		require.WithinDuration(t, f.clock.Now(), date, time.Minute, "the business clock")
	}
}

// Shared caches may answer visitors with what is public, for a moment. They keep nothing that a
// session was sent for, nor what is not there.
func TestResponse_shared(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	visitor, post := f.visitor(), seller.publish(nil)
	var proof api.DealProof
	buyer.do(http.MethodPut, "/deals/"+buyer.active(seller, 20).ID.String()+"/proof", fields{"shown": true}).want(200).into(&proof)
	for path, seconds := range map[string]int{
		"/posts/public?seed=1-" + strconv.FormatInt(f.clock.Now().UnixMicro(), 36): 10, path(post): 10, "/posts/user/seller": 10,
		"/auth/profile/seller": 10, "/reviews?user=" + seller.user.ID.String(): 10, "/exchange-rate": 10, "/held/" + *proof.Code: 2,
		"/public/public-stats": 30, "/public/chat-warnings": 30,
	} {
		whole := visitor.get(path).want(200)
		require.Equal(t, fmt.Sprintf("public, max-age=0, s-maxage=%d", seconds), whole.header.Get("Cache-Control"), path)
		require.Equal(t, "Cookie", whole.header.Get("Vary"), "a cache must not answer a session with it: %s", path)
		require.Empty(t, whole.header.Get("Set-Cookie"), path)
		for _, cached := range []reply{
			visitor.do(http.MethodGet, path, nil, "If-None-Match", "*").want(304),
			visitor.do(http.MethodHead, path, nil).want(200),
		} {
			require.NotEmpty(t, cached.header.Get("ETag"), path)
			for _, name := range []string{"Cache-Control", "Vary"} {
				require.Equal(t, whole.header.Get(name), cached.header.Get(name), path)
			}
		}
		for _, session := range []reply{
			buyer.do(http.MethodGet, path, nil, "If-None-Match", "*"),
			visitor.do(http.MethodGet, path, nil, "If-None-Match", "*", "Cookie", "amanat=of-no-session"),
		} {
			session.want(200)
			require.Equal(t, "no-store", session.header.Get("Cache-Control"), path)
			require.Empty(t, session.header.Get("ETag"), path)
		}
	}
	require.Equal(t, "no-store", visitor.get("/posts/"+uuid.NewString()).want(404).header.Get("Cache-Control"))
	require.Equal(t, "no-store", visitor.get("/auth/check").want(401).header.Get("Cache-Control"))
}

// The ETag of a list follows its rows and its total.
func TestResponse_shared_changed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	seller, visitor := f.member("seller"), f.visitor()
	post := seller.publish(nil)
	const list = "/posts/user/seller?page=1&limit=1"
	tags := map[string]bool{}
	read := func() {
		t.Helper()
		known := strings.Join(slices.Collect(maps.Keys(tags)), ", ")
		tag := visitor.do(http.MethodGet, list, nil, "If-None-Match", known).want(200).header.Get("ETag")
		for _, sent := range []string{tag, `"other", W/` + tag} {
			require.Equal(t, tag, visitor.do(http.MethodGet, list, nil, "If-None-Match", sent).want(304).header.Get("ETag"))
		}
		require.Equal(t, tag, visitor.do(http.MethodHead, list, nil).want(200).header.Get("ETag"))
		tags[tag] = true
	}
	read()
	seller.put(path(post), offer(fields{"title": "Two logos"})).want(200)
	read()
	f.clock.Advance(time.Second)
	newer := seller.publish(nil)
	read()
	seller.do(http.MethodDelete, path(post), nil).want(200)
	read() // the row stays, the total changes
	seller.do(http.MethodDelete, path(newer), nil).want(200)
	read()
	require.Len(t, tags, 5)
}

func TestCrossSite_refused(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b := f.member("rahim")
	for _, headers := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://evil.example"}, {"Origin", "null"}} {
		b.post("/auth/logout", nil, headers...).refused(403, "forbidden", "This request came from another site.")
	}
	b.do(http.MethodDelete, "/deals/x", nil, "Sec-Fetch-Site", "cross-site").
		refused(403, "forbidden", "This request came from another site.")
	b.get("/auth/check").want(200)
	b.post("/auth/logout", nil, "Origin", f.url, "Sec-Fetch-Site", "same-origin").want(200)
}

func TestCrossSite_allows_public_url(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.PublicURL = "https://amanat.example" })
	f.visitor().post("/auth/logout", nil, "Origin", "https://amanat.example").want(200)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, f.url+"/api/auth/logout", strings.NewReader("{}"))
	require.NoError(t, err)
	r.Host = "amanat.example"
	r.Header.Set("Origin", "http://amanat.example")
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, 403, response.StatusCode, "a page with http")
}

func TestLogin_body_too_large(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const limit = 64 << 10
	f.visitor().post("/auth/login", `{"username": "`+strings.Repeat("x", limit)+`"}`).
		refused(413, "too_large", "The request is too large: the limit is 64 KiB.")
	prefix, suffix := `{"username": "`, `"}`
	f.visitor().post("/auth/login", prefix+strings.Repeat("x", limit-len(prefix+suffix))+suffix).
		refused(400, "invalid", "Password is required.")
	f.visitor().post("/deals/create", strings.Repeat("x", limit+1)).
		refused(401, "unauthenticated", "Please log in to continue.")
}

// A client that stops in the middle of a body is answered 408 once the read deadline passes.
func TestLogin_slow_body(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(f.url, "http://"))
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	_, err = fmt.Fprint(conn, "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
	require.NoError(t, err)
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(30*time.Second)))
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	require.Equal(t, http.StatusRequestTimeout, response.StatusCode)
}

func TestTrustedProxies_request_id_and_address(t *testing.T) {
	t.Parallel()
	headers := []string{"X-Request-Id", "from-the-proxy-1", "X-Forwarded-For", "203.0.113.9, 198.51.100.7"}
	f := newFixture(t)
	require.NotEqual(t, "from-the-proxy-1", f.visitor().do(http.MethodGet, "/auth/check", nil, headers...).header.Get("X-Request-Id"))
	require.NotContains(t, f.log.String(), "198.51.100.7")

	f = newFixture(t, func(c *config.API) { c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
	require.Equal(t, "from-the-proxy-1", f.visitor().do(http.MethodGet, "/auth/check", nil, headers...).header.Get("X-Request-Id"))
	require.Contains(t, f.log.String(), `"address":"198.51.100.7"`, "the last hop, not what the client claims before it")
	require.NotContains(t, f.log.String(), "203.0.113.9")
	strange := f.visitor().do(http.MethodGet, "/auth/check", nil, "X-Request-Id", "bad id \"quoted\"").header.Get("X-Request-Id")
	require.NoError(t, uuid.Validate(strange))
}

func TestRequestLog_routes_without_secrets(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b := f.member("rahim")
	id := uuid.NewString()
	reply := b.get("/deals/" + id)
	reply.refused(404, "not_found", "Deal not found.")
	log := f.log.String()
	require.Contains(t, log, `"route":"/api/deals/{id}"`)
	require.Contains(t, log, `"user_id":"`+b.user.ID.String()+`"`)
	require.Contains(t, log, `"request_id":"`+reply.header.Get("X-Request-Id")+`"`)
	for _, secret := range []string{id, password, "rahim@example.com", "amanat="} {
		require.NotContains(t, log, secret)
	}
}

// Without the database the answer is 503 with Retry-After; the cause appears only in the log.
func TestCheck_database_unavailable(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b := f.member("rahim")
	var name string
	require.NoError(t, f.owner.QueryRow(t.Context(), "select current_database()").Scan(&name))
	_, err := f.owner.Exec(t.Context(), "revoke connect on database "+name+" from public, amanat_api")
	require.NoError(t, err)
	_, err = f.owner.Exec(t.Context(), `
		select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'amanat_api'`)
	require.NoError(t, err)
	reply := b.get("/auth/check")
	reply.refused(503, "unavailable", "The service is busy. Please try again in a moment.")
	require.Equal(t, "2", reply.header.Get("Retry-After"))
	require.Contains(t, f.log.String(), reply.header.Get("X-Request-Id"))
	require.Contains(t, f.log.String(), `"msg":"request failed"`)
}

func TestMyDeals_internal_error_hides_cause(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b := f.member("rahim")
	_, err := f.owner.Exec(t.Context(), "alter table deals rename to elsewhere")
	require.NoError(t, err)
	reply := b.get("/deals/my-deals")
	reply.refused(500, "internal", "Something went wrong")
	require.NotContains(t, string(reply.body), "deals")
	require.Contains(t, f.log.String(), "42P01", "the cause is logged")
}

// Seven calls accept images, up to 7 MiB; every other call refuses bodies over 64 KiB.
func TestRouter_body_limits(t *testing.T) {
	t.Parallel()
	f, d := newMatrixFixture(t), loadDocument(t)
	withPictures := []string{
		"POST /messages", "POST /messages/send-or-start", "POST /posts", "PUT /posts/{id}", "PUT /auth/update-profile",
		"POST /deals/{id}/pictures", "POST /deals/{id}/dispute/pictures",
	}
	const form, picture = 64 << 10, 7 << 20
	for _, c := range calls(f, d) {
		if c.method() == http.MethodGet {
			continue
		}
		limit, text := form, "64 KiB"
		if slices.Contains(withPictures, c.call) {
			limit, text = picture, "7 MiB"
			require.NotEqual(t, 413, c.send(f.people[c.caller], strings.Repeat("x", form+1)).status, c.call)
		}
		c.send(f.people[c.caller], strings.Repeat("x", limit+1)).
			refused(413, "too_large", "The request is too large: the limit is "+text+".")
	}
}
