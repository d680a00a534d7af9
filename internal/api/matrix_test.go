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

// callers try every call. The buyer and the seller are the parties of all fixtures; the stranger
// is a party of none.
var callers = []string{"anonymous", "stranger", "buyer", "seller", "admin"}

// public lists the calls that need no session (docs/rules.md#access). Images of conversations do
// need one: see matrix.
var public = []string{
	"POST /auth/signup", "POST /auth/login", "POST /auth/login/code", "POST /auth/login/passkey/options", "POST /auth/login/passkey",
	"POST /auth/passkey/options", "POST /auth/passkey", "POST /auth/logout", "POST /auth/forgot-password", "POST /auth/reset-password",
	"POST /auth/verify-email", "POST /auth/email/confirm", "POST /auth/email/undo", "POST /auth/confirm-withdrawal",
	"POST /auth/stop-withdrawal", "POST /auth/remove-factor", "POST /appeals/open", "POST /appeals",
	"POST /auth/bug-report", "GET /auth/profile/{username}", "GET /public/public-stats", "GET /public/chat-warnings", "GET /public/pauses",
	"GET /posts/public",
	"GET /posts/{id}", "GET /posts/user/{username}", "GET /reviews", "GET /exchange-rate", "POST /contact", "GET /images/{id}",
	"GET /images/{id}/card", "GET /openapi.json", "GET /docs", "GET /invites/{code}", "GET /held/{code}",
	// Mail clients have no session: the token in the email authorizes the call (RFC 8058).
	"GET /mail/unsubscribe", "POST /mail/unsubscribe",
}

// entry says who may make a call. The other callers get the status of docs/rules.md#access: 401
// without a session, 404 as a stranger, 403 in the wrong role and, below /admin, if not an admin.
type entry struct {
	call string
	// about creates the resource and returns the value of the path's {…}; nil if the path has none.
	about func(*matrixFixture) string
	// body returns the body that every caller sends; nil sends broken JSON except with GET.
	body    func(*matrixFixture) any
	query   func(*matrixFixture) string
	parties string // callers that can see the resource; "" is all
	allowed string // callers that may make the call; "" is all parties
	answer  int    // to allowed callers; 0 is 200 for a GET and 400, for the broken JSON, otherwise
	// except overrides the status by caller; why gives the reason.
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

// lets reports whether the caller is allowed.
func (e entry) lets(caller string) bool {
	status := e.expected(caller)
	_, excepted := e.except[caller]
	return status < 400 || status == http.StatusBadRequest && !excepted
}

var parameters = regexp.MustCompile(`\{.*\}`)

// try makes the call as caller, with about in the path.
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

// matrix has every call, several times where access depends on the resource.
var matrix = slices.Concat(
	aboutDeal, aboutCounteroffers, aboutDisputes, aboutLinks, aboutDeals, aboutMessages, aboutAccounts, aboutPosts, forAdmins)

func TestAccessMatrix_covers_routes(t *testing.T) {
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

// Refused calls reveal nothing and change nothing.
func TestAccessMatrix_refuses(t *testing.T) {
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

// Allowed callers succeed, each on a resource of its own, and strangers see no data of the parties.
func TestAccessMatrix_allows(t *testing.T) {
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

func TestRouter_covers_specification(t *testing.T) {
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
