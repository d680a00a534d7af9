package api_test

import (
	_ "embed"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

// callers are those who try every call. The buyer and the seller share what the world has; the stranger has nothing to do with it.
var callers = []string{"anonymous", "stranger", "buyer", "seller", "admin"}

// public are the calls that need no session (docs/rules.md#access). Images of conversations are another matter: see matrix.
var public = []string{
	"POST /auth/signup", "POST /auth/login", "POST /auth/logout", "POST /auth/forgot-password", "POST /auth/reset-password",
	"POST /auth/verify-email", "POST /auth/confirm-withdrawal", "POST /auth/stop-withdrawal", "POST /auth/bug-report", "GET /auth/profile/{username}", "GET /public/public-stats", "GET /posts/public",
	"GET /posts/{id}", "GET /posts/user/{username}", "GET /reviews", "GET /exchange-rate", "POST /contact", "GET /images/{id}",
	"GET /openapi.json", "GET /docs",
	"GET /mail/unsubscribe", "POST /mail/unsubscribe", // mail programs have no session: the token in the mail is what counts (RFC 8058)
}

// entry says who may make a call. What happens to the others follows from docs/rules.md#access: without a session 401, strangers 404, parties in
// the wrong role and everybody but admins below /admin 403.
type entry struct {
	call string
	// about makes what the call is about and returns what stands for the path's {…}. nil: it is about the caller, or about nothing.
	about func(*matrixFixture) string
	// body is what is sent by those who may read on as well as by those who may not; nil: broken JSON where a body is read.
	body    func(*matrixFixture) any
	query   func(*matrixFixture) string
	parties string // whom it exists for; "" is everybody
	allowed string // who may do it; "" is everybody whom it exists for
	answer  int    // to them; 0 means 200 to reading and 400, for the broken JSON, to the rest
	// except has the statuses of the callers that are answered otherwise, and why the reason.
	except map[string]int
	why    string
}

func (e entry) method() string { return strings.Fields(e.call)[0] }

func (e entry) forAdmins() bool { return strings.HasPrefix(strings.Fields(e.call)[1], "/admin/") }

// expected returns the status that a caller gets.
func (e entry) expected(caller string) int {
	among := func(names string) bool { return names == "" || slices.Contains(strings.Fields(names), caller) }
	status, excepted := e.except[caller]
	switch {
	case excepted:
		return status
	case caller == "anonymous" && !slices.Contains(public, e.call):
		return http.StatusUnauthorized
	case e.forAdmins() && caller != "admin":
		return http.StatusForbidden
	case !among(e.parties):
		return http.StatusNotFound
	case !among(e.allowed):
		return http.StatusForbidden
	case e.answer != 0:
		return e.answer
	case e.method() == http.MethodGet:
		return http.StatusOK
	}
	return http.StatusBadRequest
}

// lets tells whether a caller is let in.
func (e entry) lets(caller string) bool {
	status := e.expected(caller)
	_, excepted := e.except[caller]
	return status < 400 || status == http.StatusBadRequest && !excepted
}

var parameters = regexp.MustCompile(`\{.*\}`)

// try makes the call as somebody, about something.
func (e entry) try(f *matrixFixture, caller, about string) reply {
	path := parameters.ReplaceAllLiteralString(strings.Fields(e.call)[1], about)
	if e.query != nil {
		path += e.query(f)
	}
	var body any
	if e.body != nil {
		body = e.body(f)
	} else if e.method() != http.MethodGet {
		body = "{"
	}
	return f.people[caller].do(e.method(), path, body)
}

func (e entry) make(f *matrixFixture) string {
	if e.about == nil {
		return ""
	}
	return e.about(f)
}

// matrix has every call, some of them twice because it depends on what they are about.
var matrix = slices.Concat(aboutDeal, aboutDeals, aboutMessages, aboutAccounts, aboutPosts, forAdmins)

func TestAccessMatrixIsWhole(t *testing.T) {
	t.Parallel()
	var calls []string
	for _, e := range matrix {
		calls = append(calls, e.call)
		require.Equal(t, len(e.except) > 0, e.why != "", e.call)
	}
	routes := api.Routes(t)
	require.Subset(t, calls, routes, "a route without an entry")
	require.Subset(t, routes, calls, "an entry without a route")
	require.Subset(t, routes, public)
}

// Whoever is not let in learns nothing and changes nothing.
func TestAccessMatrixRefuses(t *testing.T) {
	t.Parallel()
	f := newMatrixFixture(t)
	for _, e := range matrix {
		about := e.make(f)
		f.requireQuiet()
		before := f.contents()
		for _, caller := range callers {
			if e.lets(caller) {
				continue
			}
			reply := e.try(f, caller, about)
			require.Equal(t, e.expected(caller), reply.status, "%s as %s: %s", e.call, caller, reply.body)
			f.requireDiscreet(e, caller, reply)
		}
		require.Equal(t, before, f.contents(), "%s changed something for somebody whom it refused", e.call)
	}
}

// Whoever may make a call is let in, each to a thing as if it had just been made, and strangers see nothing of others there.
func TestAccessMatrixLetsIn(t *testing.T) {
	t.Parallel()
	f := newMatrixFixture(t)
	for _, e := range matrix {
		for _, caller := range callers {
			if !e.lets(caller) {
				continue
			}
			reply := e.try(f, caller, e.make(f))
			require.Equal(t, e.expected(caller), reply.status, "%s as %s: %s", e.call, caller, reply.body)
			f.requireDiscreet(e, caller, reply)
			if e.call == "POST /auth/logout" {
				f.signIn(caller)
			}
		}
	}
}

//go:embed testdata/spec-calls.md
var specCalls string

func TestEveryCallOfTheSpecificationExists(t *testing.T) {
	t.Parallel()
	plain := func(call string) string { return regexp.MustCompile(`\{\w+\}`).ReplaceAllLiteralString(call, "{}") }
	var routes []string
	for _, route := range api.Routes(t) {
		routes = append(routes, plain(route))
	}
	found := 0
	row := regexp.MustCompile(`(?m)^\| (GET|POST|PUT|PATCH|DELETE) ([^|]+) \|`)
	for _, cells := range row.FindAllStringSubmatch(specCalls, -1) {
		for _, path := range regexp.MustCompile(`/[\w/{}-]+`).FindAllString(cells[2], -1) {
			require.Contains(t, routes, plain(cells[1]+" "+path))
			found++
		}
	}
	require.Equal(t, 72, found)
}
