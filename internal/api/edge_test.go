package api_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"image/color"
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
	receipt := buyer.paper("/deals/" + buyer.active(seller, 20).ID.String() + "/receipt")
	for path, seconds := range map[string]int{
		"/check/" + receipt.Code: 10,
		"/posts/public?seed=1-" + strconv.FormatInt(f.clock.Now().UnixMicro(), 36): 10, path(post): 10, "/posts/user/seller": 10,
		"/auth/profile/seller": 10, "/reviews?user=" + seller.user.ID.String(): 10, "/exchange-rate": 10, "/held/" + *proof.Code: 2,
		"/public/public-stats": 30, "/public/chat-warnings": 30, "/wallet/limits": 30,
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
	b.get("/invites/secret-of-a-link").want(404)
	reply := b.get("/auth/check").want(200)
	log := f.log.String()
	require.Contains(t, log, `"route":"/api/invites/{code}"`)
	require.Contains(t, log, `"user_id":"`+b.user.ID.String()+`"`)
	require.Contains(t, log, `"request_id":"`+reply.header.Get("X-Request-Id")+`"`)
	for _, secret := range []string{"secret-of-a-link", password, "rahim@example.com", "amanat="} {
		require.NotContains(t, log, secret)
	}
}

// A refused call can be found by its user or its deal, with the reason.
func TestRequestLog_refusal(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b := f.member("rahim")
	id := uuid.NewString()
	b.post("/deals/pay/"+id, nil, "Idempotency-Key", uuid.NewString()).refused(404, "not_found", "Deal not found.")
	for line := range strings.Lines(f.log.String()) {
		var logged map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &logged))
		if logged["route"] != "/api/deals/pay/{id}" {
			continue
		}
		require.Equal(t, "not_found", logged["code"])
		require.Equal(t, "deal_not_found", logged["reason"])
		require.Equal(t, id, logged["path.id"])
		require.Equal(t, b.user.ID.String(), logged["user_id"])
		return
	}
	require.Fail(t, "the call is not in the log")
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

// While the database does not answer, requests beyond the limit are refused soon instead of waiting
// until they time out.
func TestResponse_too_many_at_once(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b := f.member("rahim")
	blocking, err := f.owner.Begin(t.Context())
	require.NoError(t, err)
	_, err = blocking.Exec(t.Context(), "lock table sessions in access exclusive mode")
	require.NoError(t, err)
	const more = 20
	replies := make(chan reply, api.MaxInFlight+more)
	for range cap(replies) {
		go func() { replies <- b.get("/auth/check") }()
	}
	for range more {
		refused := <-replies
		refused.refused(503, "unavailable", "The service is busy. Please try again in a moment.")
		require.Equal(t, "2", refused.header.Get("Retry-After"))
	}
	require.NoError(t, blocking.Rollback(t.Context()))
	for range api.MaxInFlight {
		(<-replies).want(200)
	}
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

// Eight calls accept images, up to 7 MiB; every other call refuses bodies over 64 KiB.
func TestRouter_body_limits(t *testing.T) {
	t.Parallel()
	f, d := newMatrixFixture(t), loadDocument(t)
	withPictures := []string{
		"POST /messages", "POST /messages/send-or-start", "POST /posts", "POST /posts/pictures", "PUT /posts/{id}", "PUT /auth/update-profile",
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

// Admin calls that move money, read others' messages or answer support need a recently confirmed
// password, before any other check.
func TestAdmin_money_calls_need_fresh_password(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	deposit := buyer.reports(20, "9BX7K2M1QK").Deposit.ID.String()
	withdrawal, deal := buyer.withdraws(30, "01712345678").ID.String(), buyer.active(seller, 100)
	buyer.support(deal, "Help").want(201)
	closing := closeSupport(boss.supportRequests()[0])
	f.clock.Advance(15 * time.Minute)
	for _, path := range []string{
		"/admin/deposit/approve/" + deposit, "/admin/deposit/reject/" + deposit,
		"/admin/withdrawals/" + withdrawal + "/send", "/admin/withdrawals/" + withdrawal + "/reject",
		"/admin/deals/complete/" + deal.ID.String(), "/admin/deals/cancel/" + deal.ID.String(), closing,
	} {
		boss.post(path, fields{}).refused(403, "password_required", "Please enter your password again.")
	}
	chat := "/admin/messages/by-users/" + buyer.user.ID.String() + "/" + seller.user.ID.String()
	boss.get(chat).refused(403, "password_required", "Please enter your password again.")
	boss.post("/auth/confirm-password", fields{"password": password}).want(200)
	boss.get(chat).want(200)
	boss.post(closing, answered).want(200)
}

// Pages of long rows are short enough to fit into one response, so that paging skips no row.
func TestAdminLists_every_long_row_on_a_page(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss := f.admin("boss")
	const rows = 60
	long := strings.Repeat("🙂", 5000)
	for _, list := range []struct{ path, insert string }{
		{"/admin/contact-messages", `insert into contact_messages (id, name, email, message, created_at)
			select gen_random_uuid(), 'Rahim', 'rahim@example.com', $1, $2::timestamptz - n * interval '1 minute'
			from generate_series(1, $3::int) n`},
		{"/admin/bug-reports", `insert into bug_reports (id, subject, description, name, email, created_at)
			select gen_random_uuid(), 'A bug', $1, 'Rahim', 'rahim@example.com', $2::timestamptz - n * interval '1 minute'
			from generate_series(1, $3::int) n`},
	} {
		_, err := f.owner.Exec(t.Context(), list.insert, long, f.clock.Now(), rows)
		require.NoError(t, err)
		seen := map[uuid.UUID]bool{}
		for page := 1; page <= 3; page++ {
			var found []struct {
				ID uuid.UUID `json:"_id"`
			}
			boss.get(fmt.Sprintf("%s?page=%d&limit=100", list.path, page)).want(200).into(&found)
			for _, row := range found {
				seen[row.ID] = true
			}
		}
		require.Len(t, seen, rows, list.path)
		var first []struct{}
		boss.get(list.path).want(200).into(&first)
		require.Len(t, first, 25)
	}
}

// mend is an expected error message and the fields that fix it.
type mend struct {
	says string
	with fields
}

// form is a body that breaks every rule, fixed one rule at a time, so that each rule is tested
// while the later ones are broken too.
type form struct {
	method, path string
	wrong        fields
	mends        []mend
	status       int // of the fixed body
}

// mendedBy requires each message in order, and then the status.
func (c form) mendedBy(b *browser) {
	b.t.Helper()
	body := maps.Clone(c.wrong)
	for _, m := range c.mends {
		said := b.do(c.method, c.path, body).refused(400, "invalid", m.says)
		require.NotEmpty(b.t, said.Fields, "%s: which field?", m.says)
		maps.Copy(body, m.with)
	}
	require.Equal(b.t, c.status, b.do(c.method, c.path, body).status, c.path)
}

// The order of the rules for visitors (docs/rules.md#signup).
func TestValidation_visitor_forms(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	v := f.visitor()
	for _, c := range []form{
		{http.MethodPost, "/auth/signup", fields{"username": " . ", "email": "", "password": ""}, []mend{
			{"Username is required.", fields{"username": "ra.h im"}},
			{"Email is required.", fields{"email": "rahim"}},
			{"Invalid email", fields{"email": "rahim@example.com"}},
			{"Password is required.", fields{"password": "12345"}},
			{"Password must be at least 6 characters", fields{"password": "secret"}},
			{"This password is too common. Please choose another.", fields{"password": "river-stone"}},
		}, 201},
		{http.MethodPost, "/auth/login", fields{}, []mend{
			{"Username is required.", fields{"username": "rahim"}},
			{"Password is required.", fields{"password": "river-stone"}},
		}, 200},
		{http.MethodPost, "/auth/reset-password", fields{"password": "12345"}, []mend{
			{"Password must be at least 6 characters long.", fields{"password": "123456"}},
			{"Invalid or missing token", fields{"token": "x"}},
		}, 400},
		{http.MethodPost, "/auth/forgot-password", fields{"email": " "}, []mend{
			{"Email is required.", fields{"email": "rahim@example.com"}},
		}, 200},
		{http.MethodPost, "/auth/bug-report", fields{"subject": " "}, []mend{
			{"Subject is required.", fields{"subject": "Broken"}},
			{"Description is required.", fields{"description": "It does not open."}},
		}, 201},
		{http.MethodPost, "/contact", fields{"email": "rahim"}, []mend{
			{"Name is required.", fields{"name": "Rahim"}},
			{"Invalid email", fields{"email": "rahim@example.com"}},
			{"Message is required.", fields{"message": "Hello"}},
		}, 201},
	} {
		c.mendedBy(v)
	}
}

// The order of the rules for messages, pictures and posts (docs/rules.md#posts).
func TestValidation_messages_and_posts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b, other := f.member("rahim"), f.member("karim")
	talk := b.opens(other, nil).Conversation.ID
	picture := pictureURL(t, color.White, 9, 9)
	for _, c := range []form{
		{http.MethodPost, "/messages", fields{"text": " \n"}, []mend{
			{"Text or Image is needed", fields{"text": strings.Repeat("x", 4001)}},
			{"No valid conversation or receiver.", fields{"conversationId": talk}},
			{"The message must be at most 4,000 characters.", fields{"text": strings.Repeat("x", 4000)}},
		}, 201},
		{http.MethodPost, "/messages/send-or-start", fields{"text": strings.Repeat("x", 4001)}, []mend{
			{"No valid conversation or receiver.", fields{"receiverId": b.user.ID}},
			{"You cannot message yourself.", fields{"receiverId": other.user.ID}},
			{"The message must be at most 4,000 characters.", fields{"text": "Hello"}},
		}, 201},
		{http.MethodPost, "/posts", fields{"title": " ", "subcategory": " ", "image": "data:text/plain,x"}, []mend{
			{"Title is required.", fields{"title": strings.Repeat("x", 81)}},
			{"The title must be at most 80 characters.", fields{"title": strings.Repeat("x", 80)}},
			{"Description is required.", fields{"description": "Three drafts", "price": "25"}},
			{"price must be a number.", fields{"price": 0}},
			{"Price is required.", fields{"price": 25}},
			{"Category is required.", fields{"category": "Online Asset"}},
			{"Subcategory is required.", fields{"subcategory": "Other"}},
			{"Please enter your own subcategory.", fields{"subcategory": "Podcast"}},
			{"Please select an image file!", fields{"image": picture}},
		}, 201},
		{http.MethodPut, "/auth/update-profile", fields{"profilePic": "data:text/plain,x"}, []mend{
			{"Please select an image file!", fields{"profilePic": picture}},
		}, 200},
	} {
		c.mendedBy(b)
	}
	b.post("/messages", fields{"conversationId": talk, "image": "hello"}).refused(400, "invalid", "Please select an image file!")
}

// The order of the rules for deals and what follows them (docs/rules.md#deal-create).
func TestValidation_deals(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	strange := uuid.NewString()
	done, open := buyer.trade(seller, 1), buyer.active(seller, 1)
	for _, c := range []form{
		{http.MethodPost, "/deals/create", fields{"description": " "}, []mend{
			{"Select a user.", fields{"buyerId": strange, "sellerId": "someone"}},
			{"Select a user.", fields{"sellerId": seller.user.ID}},
			{"All fields are required.", fields{"price": "100"}},
			{"price must be a number.", fields{"price": 100.001}},
			{"price may have at most two decimals.", fields{"price": 1e30}},
			{"price is too large.", fields{"price": 1_000_001}},
			{"All fields are required.", fields{"description": strings.Repeat("x", 5001)}},
			{"Please select your role.", fields{"buyerId": buyer.user.ID}},
			{"Please Choose Delivery Duration", fields{"deliveryDuration": 1.5}},
			{"deliveryDuration must be a whole number.", fields{"deliveryDuration": 100, "inspectionDays": 2.5}},
			{"inspectionDays must be a whole number.", fields{"inspectionDays": 31}},
			{"The price must be between $0.01 and $1,000,000.00.", fields{"price": 1_000_000}},
			{"The description must be at most 5,000 characters.", fields{"description": "A channel"}},
			{"The delivery duration must be 1 to 99 days.", fields{"deliveryDuration": 99}},
			{"The inspection period must be 1 to 30 days.", fields{"inspectionDays": 30}},
		}, 201},
		{http.MethodPost, "/deals/support", fields{"dealId": open.ID, "issueDescription": " "}, []mend{
			{"Please describe the issue.", fields{"issueDescription": "Help"}},
		}, 201},
		{http.MethodPost, "/reviews", fields{"dealId": done.ID, "reviewedUser": buyer.user.ID, "rating": 0, "comment": " "}, []mend{
			{"Only the seller of the deal can be reviewed.", fields{"reviewedUser": seller.user.ID}},
			{"The rating must be 1 to 5.", fields{"rating": 6}},
			{"The rating must be 1 to 5.", fields{"rating": 5}},
			{"Please write a comment.", fields{"comment": "Good"}},
		}, 201},
	} {
		c.mendedBy(buyer)
	}
}

// The order of the rules for money in and out (docs/rules.md#deposits).
func TestValidation_money(t *testing.T) {
	t.Parallel()
	f := newMatrixFixture(t)
	buyer, boss := f.buyer(), f.people["admin"]
	for _, c := range []form{
		{http.MethodPost, "/auth/deposit", fields{}, []mend{
			{"Please fill out all fields.", fields{"paymentMethod": "Cash"}},
			{"Please fill out all fields.", fields{"transactionId": " "}},
			{"Please fill out all fields.", fields{"amount": "5"}},
			{"amount must be a number.", fields{"amount": 0}},
			{"Invalid amount or transaction ID", fields{"amount": 5}},
			{"Invalid amount or transaction ID", fields{"transactionId": "AB12CD3"}},
			{"Invalid transaction ID format. It should be 8-12 alphanumeric characters.", fields{"transactionId": "AB12CD34EF567"}},
			{"Invalid transaction ID format. It should be 8-12 alphanumeric characters.", fields{"transactionId": "AB12-D34"}},
			{"Invalid transaction ID format. It should be 8-12 alphanumeric characters.", fields{"transactionId": "AB12CD34"}},
			{"Choose Bkash or Nagad.", fields{"paymentMethod": "Nagad"}},
		}, 201},
		{http.MethodPost, "/withdraw", fields{"paymentMethod": "Cash"}, []mend{
			{"Please fill out all fields.", fields{"amount": -1}},
			{"Please fill out all fields.", fields{"phonenumber": "0171234567"}},
			{"Phone number must start with '01' and be 11 digits.", fields{"phonenumber": "11712345678"}},
			{"Phone number must start with '01' and be 11 digits.", fields{"phonenumber": "01712345678"}},
			{"Enter a valid amount", fields{"amount": 0.999}},
			{"amount may have at most two decimals.", fields{"amount": 0.99}},
			{"Choose Bkash or Nagad.", fields{"paymentMethod": "Nagad"}},
			{"The minimum withdrawal is $1.00.", fields{"amount": 1}},
		}, 201},
	} {
		c.mendedBy(buyer)
	}
	buyer.post("/withdraw", fields{"amount": 5000, "phonenumber": "01712345678", "paymentMethod": "Bkash"}).
		refused(409, "insufficient_balance", "Insufficient balance to withdraw")
	form{http.MethodPost, "/admin/deposit/approve/" + f.deposit(), fields{}, []mend{
		{"Enter a valid amount", fields{"amount": "many"}},
		{"amount must be a number.", fields{"amount": -1}},
		{"Enter a valid amount", fields{"amount": 1}},
		{"The deposit belongs to another user.", fields{"userId": buyer.user.ID}},
	}, 200}.mendedBy(boss)
	asked := f.withdrawal()
	buyer.confirms(uuid.MustParse(asked))
	form{http.MethodPost, "/admin/withdrawals/" + asked + "/send", fields{}, []mend{
		{"Enter a valid amount", fields{"amount": 2}},
		{"The amount must equal the request.", fields{"amount": 1}},
	}, 200}.mendedBy(boss)
}

// Direction controls are removed, and text of invisible characters only counts as empty.
func TestText_removes_invisible_characters(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.work()
	_, buyer, seller := f.market()
	const unseen = "\u200b\u2800\u202e\ufeff"

	deal := fields{
		"buyerId": buyer.user.ID, "sellerId": seller.user.ID, "price": 10, "deliveryDuration": 7, "description": unseen,
	}
	buyer.post("/deals/create", deal).refused(400, "invalid", "All fields are required.")
	deal["description"] = "Refund \u202e00.05$ ecirP"
	var made api.Deal
	buyer.post("/deals/create", deal).want(201).into(&made)
	require.Equal(t, "Refund 00.05$ ecirP", made.Description)

	post := fields{"title": unseen, "description": "A channel", "price": 5, "category": "Social Media Accounts", "subcategory": "YouTube"}
	seller.post("/posts", post).refused(400, "invalid", "Title is required.")
	buyer.post("/messages/send-or-start", fields{"receiverId": seller.user.ID, "text": "ক্\u200dষ\u202e"}).want(201)
	var talks []struct {
		ID          string `json:"_id"`
		LastMessage string
	}
	seller.get("/messages/conversations").want(200).into(&talks)
	require.Equal(t, "ক্\u200dষ", talks[0].LastMessage)
	buyer.post("/messages", fields{"conversationId": talks[0].ID, "text": unseen}).want(400)

	support := fields{"dealId": buyer.active(seller, 10).ID, "issueDescription": unseen}
	buyer.post("/deals/support", support).want(400)
	f.visitor().post("/contact", fields{"name": unseen, "email": "a@example.com", "message": "Hi"}).
		refused(400, "invalid", "Name is required.")
	f.visitor().post("/auth/bug-report", fields{"subject": "Broken", "description": unseen}).
		refused(400, "invalid", "Description is required.")
}
