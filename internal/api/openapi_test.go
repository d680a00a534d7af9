package api_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

type document struct {
	OpenAPI    string
	Servers    []struct{ URL string }
	Paths      map[string]map[string]operation
	Components struct {
		Schemas   map[string]schema
		Responses map[string]response
	}
}

type operation struct {
	OperationID string
	Summary     string
	Description string
	Security    []map[string][]string
	Parameters  []struct {
		Name, In string
		Example  any
	}
	RequestBody *struct{ Content map[string]content }
	Responses   map[string]response
}

// takes reports whether the call has a parameter.
func (o operation) takes(name string) bool {
	for _, parameter := range o.Parameters {
		if parameter.Name == name {
			return true
		}
	}
	return false
}

type response struct {
	Ref         string `json:"$ref"`
	Description string
	Content     map[string]content
}

type content struct {
	Schema   schema
	Example  json.RawMessage
	Examples map[string]struct{ Value json.RawMessage }
}

type schema struct {
	Ref        string `json:"$ref"`
	Type       any
	Enum       []any
	Format     string
	Items      *schema
	OneOf      []schema
	AllOf      []schema
	Properties map[string]schema
	Required   []string
}

func (d document) resolve(s schema) schema {
	if name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/"); ok {
		return d.Components.Schemas[name]
	}
	return s
}

func loadDocument(tb testing.TB) document {
	tb.Helper()
	reply := newFixture(tb).visitor().get("/openapi.json").want(http.StatusOK)
	require.Equal(tb, "application/json", reply.header.Get("Content-Type"))
	var d document
	require.NoError(tb, json.Unmarshal(reply.body, &d))
	return d
}

// files are the calls whose answer is a file.
var files = map[string]string{
	"data-export-file": "application/zip", "wallet-statement-csv": "text/csv",
}

func TestDocument_covers_routes(t *testing.T) {
	t.Parallel()
	d := loadDocument(t)
	require.True(t, strings.HasPrefix(d.OpenAPI, "3.1"))
	require.Equal(t, "/api", d.Servers[0].URL)
	var calls []string
	for path, methods := range d.Paths {
		for method, operation := range methods {
			name := strings.ToUpper(method) + " " + path
			calls = append(calls, name)
			require.NotEmpty(t, operation.OperationID, name)
			require.NotEmpty(t, operation.Summary, name)
			require.NotEmpty(t, operation.Description, name)
			require.NotContains(t, operation.Responses, "default", name)
			successes := 0
			for status, response := range operation.Responses {
				response = d.resolveResponse(response)
				require.NotEmpty(t, response.Description, name)
				for mediaType, content := range response.Content {
					if status == "200" && files[operation.OperationID] == mediaType {
						continue
					}
					require.Equal(t, "application/json", mediaType, name)
					d.requireWhole(t, name, content.Schema, true)
				}
				if code, err := strconv.Atoi(status); err == nil && code < 300 {
					successes++
					require.NotEmpty(t, response.Content, name)
				}
			}
			require.Positive(t, successes, name)
			require.Greater(t, len(operation.Responses), successes+1, name)
			if operation.RequestBody != nil {
				d.requireWhole(t, name, operation.RequestBody.Content["application/json"].Schema, false)
			}
		}
	}
	require.ElementsMatch(t, []string{
		"POST /auth/signup", "POST /auth/login", "POST /auth/login/code", "POST /auth/login/passkey/options", "POST /auth/login/passkey",
		"POST /auth/passkey/options", "POST /auth/passkey",
		"POST /auth/data-export", "GET /auth/data-export", "GET /auth/data-export/{id}/file", "GET /auth/close", "POST /auth/close",
		"GET /auth/second-factor", "POST /auth/second-factor/totp",
		"POST /auth/second-factor/totp/confirm", "POST /auth/second-factor/totp/remove", "POST /auth/second-factor/backup-codes",
		"POST /auth/second-factor/passkeys/options", "POST /auth/second-factor/passkeys", "PATCH /auth/second-factor/passkeys/{id}",
		"DELETE /auth/second-factor/passkeys/{id}", "POST /auth/confirm/options", "POST /withdraw/{id}/confirm",
		"POST /auth/logout", "GET /auth/check", "GET /auth/me", "POST /auth/terms",
		"GET /wallet/limits", "GET /wallet/payout-numbers", "POST /wallet/payout-numbers", "PATCH /wallet/payout-numbers/{id}",
		"DELETE /wallet/payout-numbers/{id}", "POST /auth/confirm-password",
		"PUT /auth/update-profile", "GET /auth/profile/{username}", "GET /dashboard", "GET /reviews", "POST /reviews",
		"GET /posts/public", "GET /posts/my-posts", "GET /posts/user/{username}", "GET /posts/{id}", "POST /posts", "PUT /posts/{id}",
		"DELETE /posts/{id}", "POST /posts/pictures", "POST /posts/{id}/seen",
		"GET /posts/saved", "GET /posts/saved/ids", "PUT /posts/{id}/saved", "DELETE /posts/{id}/saved",
		"GET /posts/saved/searches", "PUT /posts/saved/searches", "PATCH /posts/saved/searches/{id}", "DELETE /posts/saved/searches/{id}",
		"POST /auth/forgot-password", "POST /auth/reset-password", "POST /auth/change-password", "POST /auth/verify-email",
		"GET /auth/activity", "POST /auth/email", "DELETE /auth/email", "POST /auth/email/confirm", "POST /auth/email/undo",
		"POST /auth/resend-verification", "GET /auth/sessions", "DELETE /auth/sessions", "DELETE /auth/sessions/{id}", "PUT /auth/language",
		"PUT /auth/mail-notices", "PUT /auth/away", "POST /mail/unsubscribe", "POST /auth/bug-report", "POST /contact", "GET /admin/bug-reports",
		"GET /admin/contact-messages",
		"GET /wallet", "GET /wallet/history", "GET /wallet/statement", "GET /wallet/statement/csv",
		"GET /invites", "GET /invites/{code}", "POST /invites/{code}/join", "DELETE /invites/{code}",
		"GET /deals/{id}/proof", "PUT /deals/{id}/proof", "GET /held/{code}", "GET /deals/{id}/receipt", "GET /check/{code}",
		"GET /deposits/pending", "GET /deposits/{id}", "POST /deposits/{id}/retract",
		"GET /wallet/search", "GET /wallet/receivers", "POST /wallet/payment-code", "GET /exchange-rate",
		"POST /checkouts", "GET /checkouts/{id}", "POST /checkouts/{id}/return", "POST /ipn/bkash",
		"POST /auth/deposit", "GET /auth/deposit/history", "POST /withdraw", "GET /withdraw/history", "POST /withdraw/{id}/cancel",
		"POST /withdraw/{id}/not-mine",
		"POST /auth/confirm-withdrawal", "POST /auth/stop-withdrawal",
		"POST /auth/mail-code", "POST /auth/confirm-mail-code", "POST /auth/remove-factor",
		"GET /messages/conversations", "GET /messages/conversations/{id}", "GET /messages/{id}", "POST /messages",
		"POST /messages/send-or-start", "POST /messages/mark-as-read", "GET /messages/unread-dot",
		"GET /notifications", "GET /notifications/unread-status", "PATCH /notifications/{id}/read", "POST /notifications/mark-all-as-read",
		"GET /notifications/settings", "PUT /notifications/settings", "POST /push/subscriptions", "DELETE /push/subscriptions/{id}",
		"POST /push/test", "GET /admin/notifications",
		"GET /admin/users", "GET /admin/users/search", "GET /admin/users/{id}",
		"POST /admin/users/{id}/disable", "POST /admin/users/{id}/enable",
		"GET /admin/total-users", "GET /admin/total-deals", "GET /admin/total-withdraw-amount", "GET /admin/total-deposits",
		"GET /admin/platform-earnings", "GET /admin/series", "GET /admin/audit", "GET /admin/messages/by-users/{userId1}/{userId2}",
		"POST /deals/create", "GET /deals/my-deals", "GET /deals/{id}", "DELETE /deals/{id}", "POST /deals/pay/{id}",
		"PUT /deals/accept/{id}", "POST /deals/deliver/{id}", "POST /deals/complete/{id}", "POST /deals/cancel/{id}",
		"POST /deals/reset-delivery/{id}", "POST /deals/{id}/arrived", "POST /deals/{id}/pictures", "DELETE /deals/{id}/pictures/{pictureId}",
		"POST /deals/accept-cancellation/{id}", "POST /deals/decline-cancellation/{id}", "GET /deals/between/{userId}/{otherUserId}",
		"GET /deals/active-deals", "GET /deals/totals", "GET /deals/refer/stats", "POST /deals/support", "GET /admin/deals",
		"POST /admin/deals/complete/{id}", "POST /admin/deals/cancel/{id}", "GET /admin/support-request",
		"POST /admin/support-request/{id}/close", "GET /operations/{id}", "GET /public/public-stats", "GET /public/chat-warnings",
		"GET /public/pauses",
		"GET /admin/deposits", "POST /admin/deposits/{id}/claim", "POST /admin/deposit/approve/{id}", "POST /admin/deposit/reject/{id}",
		"GET /admin/withdrawals", "POST /admin/withdrawals/{id}/claim", "POST /admin/withdrawals/{id}/send",
		"POST /admin/withdrawals/{id}/reject", "PUT /admin/exchange-rate", "GET /admin/exchange-rates", "GET /ws",
		"POST /admin/deposits/{id}/confirm",
		"GET /users/blocked", "GET /users/{id}/relation", "POST /users/{id}/block", "DELETE /users/{id}/block",
		"POST /reports", "GET /reports/mine", "GET /decisions", "GET /decisions/{id}", "POST /decisions/{id}/appeal",
		"POST /appeals/open", "POST /appeals", "GET /admin/reports", "GET /admin/reports/{id}", "POST /admin/reports/{id}/claim",
		"POST /admin/reports/{id}/decide", "POST /admin/reports/{id}/appeal",
		"POST /deals/{id}/counteroffers", "POST /deals/{id}/counteroffers/{counterofferId}/accept",
		"POST /deals/{id}/counteroffers/{counterofferId}/decline", "DELETE /deals/{id}/counteroffers/{counterofferId}",
		"POST /deals/{id}/dispute", "POST /deals/{id}/dispute/pictures", "GET /disputes/{id}", "POST /disputes/{id}/answer",
		"POST /disputes/{id}/messages", "POST /disputes/{id}/close", "POST /disputes/{id}/offers",
		"DELETE /disputes/{id}/offers/{offerId}", "POST /disputes/{id}/offers/{offerId}/accept", "POST /disputes/{id}/accept",
		"POST /disputes/{id}/appeal", "GET /admin/disputes", "POST /admin/disputes/{id}/claim", "POST /admin/disputes/{id}/decide",
		"POST /admin/disputes/{id}/appeal/decide",
		"POST /phones/{phone}", "GET /admin/receivers", "POST /admin/receivers/{id}/balance", "GET /admin/payments",
		"GET /admin/drift",
		"GET /admin/corrections", "POST /admin/corrections", "GET /admin/corrections/{id}", "POST /admin/corrections/{id}/confirm",
		"POST /admin/corrections/{id}/reject", "POST /admin/corrections/{id}/withdraw",
	}, calls)
}

func (d document) resolveResponse(r response) response {
	if name, ok := strings.CutPrefix(r.Ref, "#/components/responses/"); ok {
		return d.Components.Responses[name]
	}
	return r
}

// requireWhole requires a type for every part of a schema and, in responses, a list of required
// fields.
func (d document) requireWhole(t *testing.T, name string, s schema, answered bool) {
	t.Helper()
	s = d.resolve(s)
	if parts := append(s.OneOf, s.AllOf...); len(parts) > 0 {
		for _, part := range parts {
			d.requireWhole(t, name, part, answered)
		}
		return
	}
	require.NotEmpty(t, s.Type, name)
	if s.Items != nil {
		d.requireWhole(t, name, *s.Items, answered)
	}
	if answered && len(s.Properties) > 0 && !strings.HasSuffix(name, " facts") { // a post states some of them
		require.NotEmpty(t, s.Required, name)
	}
	for field, property := range s.Properties {
		d.requireWhole(t, name+" "+field, property, answered)
	}
}

func TestDocument_required_fields(t *testing.T) {
	t.Parallel()
	schemas := loadDocument(t).Components.Schemas
	require.ElementsMatch(t, []string{"message", "code"}, schemas["Error"].Required)
	require.ElementsMatch(t, []string{"_id", "username", "profilePic", "isStaff"}, schemas["Party"].Required)
	require.ElementsMatch(t, []string{"_id", "kind", "subject", "status", "createdAt"}, schemas["Operation"].Required)
	for _, name := range []string{
		"WalletSummary", "Pages", "PublicStats", "Receiver", "Session", "BugReport", "ContactMessage",
	} {
		if s, ok := schemas[name]; ok {
			require.Len(t, s.Required, len(s.Properties), name)
		}
	}
	for name, optional := range map[string][]string{
		"User": {"closed", "awayUntil"}, "Me": {"closed", "awayUntil"}, "Deal": {"descriptionErased", "openDispute", "shipment"},
		"DealChange": {"outcome"}, "DealDetail": {"operation", "descriptionErased", "openDispute", "dispute", "counteroffer", "shipment"},
		"Deposit": {"operation"}, "Withdrawal": {"operation"}, "AdminDeposit": {"operation"}, "AdminWithdrawal": {"operation"},
	} {
		require.Len(t, schemas[name].Required, len(schemas[name].Properties)-len(optional), name)
		require.NotContains(t, schemas[name].Required, optional[0])
	}
	require.Empty(t, schemas["ApproveBody"].Properties["reason"].Enum)
	require.ElementsMatch(t, []string{"amount", "userId"}, schemas["ApproveBody"].Required)
}

func TestDocument_amounts_and_nulls(t *testing.T) {
	t.Parallel()
	d := loadDocument(t)
	require.Equal(t, "number", d.Components.Schemas["Deal"].Properties["price"].Type)
	require.Equal(t, "number", d.Components.Schemas["Deposit"].Properties["convertedAmount"].Type)
	require.Equal(t, "number", d.Components.Schemas["ApproveBody"].Properties["amount"].Type)
	require.Equal(t, []any{"string", "null"}, d.Components.Schemas["Deal"].Properties["activatedAt"].Type)
	require.Equal(t, []any{"number", "null"}, d.Components.Schemas["Deal"].Properties["refund"].Type)
	next := d.Components.Schemas["Deal"].Properties["nextAction"]
	require.Equal(t, []any{"string", "null"}, next.Type)
	require.Equal(t, []any{"expire", "complete", "refund", "refund_unanswered", "escalate", nil}, next.Enum)
	claim := d.Components.Schemas["AdminDeposit"].Properties["claim"]
	require.Len(t, claim.OneOf, 2)
	require.Equal(t, "#/components/schemas/Claim", claim.OneOf[0].Ref)
	require.Equal(t, "null", claim.OneOf[1].Type)
	require.Contains(t, d.Components.Schemas["Error"].Properties["code"].Enum, "insufficient_balance")
}

func TestDocument_security_and_idempotency_keys(t *testing.T) {
	t.Parallel()
	d := loadDocument(t)
	public := []string{
		"post /auth/signup", "post /auth/login", "post /auth/login/code", "post /auth/login/passkey/options", "post /auth/login/passkey",
		"post /auth/passkey/options", "post /auth/passkey", "post /auth/logout", "get /exchange-rate", "get /public/public-stats",
		"get /public/chat-warnings", "get /public/pauses", "get /wallet/limits",
		"get /auth/profile/{username}", "get /posts/public", "get /posts/user/{username}", "get /posts/{id}", "get /reviews",
		"post /posts/{id}/seen",
		"post /auth/forgot-password", "post /auth/reset-password", "post /auth/verify-email", "post /auth/confirm-withdrawal",
		"post /auth/email/confirm", "post /auth/email/undo",
		"post /auth/stop-withdrawal", "post /auth/remove-factor", "post /mail/unsubscribe", "post /auth/bug-report", "post /contact",
		"post /appeals/open", "post /appeals", "get /invites/{code}", "get /held/{code}", "get /check/{code}", "post /phones/{phone}",
		"post /ipn/bkash",
	}
	keyed := []string{
		"post /deals/create", "post /auth/deposit", "post /checkouts", "post /withdraw",
		"post /withdraw/{id}/cancel", "post /withdraw/{id}/not-mine",
		"post /deals/pay/{id}", "post /deals/complete/{id}", "post /admin/deposit/approve/{id}",
		"post /admin/deposits/{id}/confirm", "post /admin/withdrawals/{id}/send", "post /admin/withdrawals/{id}/reject",
		"post /deals/cancel/{id}", "post /deals/accept-cancellation/{id}",
		"delete /deals/{id}", "post /deals/support", "post /admin/deals/complete/{id}", "post /admin/deals/cancel/{id}",
		"post /posts", "post /posts/pictures", "post /reviews", "post /wallet/payout-numbers",
		"post /messages", "post /messages/send-or-start", "post /auth/bug-report", "post /contact",
		"post /reports", "post /decisions/{id}/appeal", "post /admin/reports/{id}/decide", "post /admin/reports/{id}/appeal",
		"post /invites/{code}/join", "post /deals/{id}/counteroffers",
		"post /deals/{id}/pictures", "post /deals/{id}/dispute", "post /deals/{id}/dispute/pictures",
		"post /disputes/{id}/answer", "post /disputes/{id}/messages", "post /disputes/{id}/offers",
		"post /disputes/{id}/offers/{offerId}/accept", "post /disputes/{id}/accept", "post /disputes/{id}/appeal",
		"post /admin/disputes/{id}/decide", "post /admin/disputes/{id}/appeal/decide",
		"post /admin/corrections", "post /admin/corrections/{id}/confirm",
	}
	for path, methods := range d.Paths {
		for method, operation := range methods {
			call := method + " " + path
			require.Equal(t, !slices.Contains(public, call), len(operation.Security) > 0, call)
			require.Equal(t, slices.Contains(keyed, call), operation.takes("Idempotency-Key"), call)
		}
	}
	require.Contains(t, d.Paths["/deals/pay/{id}"]["post"].Responses, "202")
	require.NotContains(t, d.Paths["/deals/create"]["post"].Responses, "202")
}

// Every request, parameter and response has an example that matches its schema, and every error
// response has one for each of its codes.
func TestDocument_examples_match_schemas(t *testing.T) {
	t.Parallel()
	c := theContract()
	const body = "/content/application~1json/schema"
	for path, methods := range c.document.Paths {
		for method, operation := range methods {
			name, pointer := method+" "+path, "/paths/"+escape(path)+"/"+method
			for _, parameter := range operation.Parameters {
				require.NotNil(t, parameter.Example, name+" "+parameter.Name)
			}
			if operation.RequestBody != nil {
				example := operation.RequestBody.Content["application/json"].Example
				require.NotEmpty(t, example, name)
				c.requireValid(t, pointer+"/requestBody"+body, example)
			}
			for status, response := range operation.Responses {
				if code, err := strconv.Atoi(status); err != nil || code >= 400 {
					require.NotEmpty(t, response.Ref, name+" "+status)
					continue
				}
				if fileType(response) != "" || status == "304" { // which has no body
					continue
				}
				example := response.Content["application/json"].Example
				require.NotEmpty(t, example, name+" "+status)
				c.requireValid(t, pointer+"/responses/"+status+body, example)
			}
		}
	}
	for name, response := range c.document.Components.Responses {
		codes := strings.Split(name, "_or_")
		examples := response.Content["application/json"].Examples
		require.Len(t, examples, len(codes), name)
		for _, code := range codes {
			var f failure
			require.NoError(t, json.Unmarshal(examples[code].Value, &f), name)
			require.Equal(t, code, f.Code, name)
			c.requireValid(t, "/components/responses/"+name+body, examples[code].Value)
		}
	}
}

// The error responses of a call follow from its kind; these calls cover each rule.
func TestDocument_errors(t *testing.T) {
	t.Parallel()
	d := theContract().document
	statuses := func(method, path string) []string {
		var all []string
		for status := range d.Paths[path][method].Responses {
			all = append(all, status)
		}
		return all
	}
	require.ElementsMatch(t, []string{"200", "304", "429", "500", "503"}, statuses("get", "/exchange-rate"))
	require.ElementsMatch(t, []string{"200", "401", "500", "503"}, statuses("get", "/wallet"))
	require.ElementsMatch(t, []string{"200", "401", "404", "500", "503"}, statuses("get", "/deals/{id}"))
	require.ElementsMatch(t, []string{"200", "400", "401", "403", "408", "413", "429", "500", "503"}, statuses("post", "/auth/login"))
	pay := d.Paths["/deals/pay/{id}"]["post"].Responses
	require.Equal(t, "#/components/responses/conflict_or_idempotency_mismatch_or_insufficient_balance", pay["409"].Ref)
	approve := d.Paths["/admin/deposit/approve/{id}"]["post"].Responses
	require.Equal(t, "#/components/responses/forbidden_or_password_required_or_second_factor_missing_or_weak_password", approve["403"].Ref)
}

// The page has an anchor for every call, and no broken or external links.
func TestDocsPage(t *testing.T) {
	t.Parallel()
	answer := newFixture(t).visitor().get("/docs").want(200)
	require.Equal(t, "text/html; charset=utf-8", answer.header.Get("Content-Type"))
	require.Contains(t, answer.header.Get("Content-Security-Policy"), "default-src 'none'")
	page := string(answer.body)
	for path, methods := range theContract().document.Paths {
		for method, operation := range methods {
			require.Contains(t, page, `<article id="`+operation.OperationID+`">`)
			require.Contains(t, page, "<code>"+strings.ToUpper(method)+" "+path+"</code>")
		}
	}
	for _, link := range regexp.MustCompile(`(?:href|src)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if anchor, inside := strings.CutPrefix(link[1], "#"); inside {
			require.Contains(t, page, `id="`+anchor+`"`)
		} else {
			require.Equal(t, "/api/openapi.json", link[1])
		}
	}
	require.NotContains(t, page, "<script")
	require.NotContains(t, page, "ZgotmplZ", "the template engine found something unsafe")
	for _, said := range []string{"insufficient_balance", "Insufficient balance", "price", "One of Bkash, Nagad."} {
		require.Contains(t, page, said)
	}
}

// A body that is not an object, null included, is refused before any lookup.
func TestBody_must_be_object(t *testing.T) {
	t.Parallel()
	f, d := newMatrixFixture(t), loadDocument(t)
	for _, c := range calls(f, d) {
		if c.fields == nil {
			continue
		}
		for _, body := range []string{"null", " null\n", "[]", "[{}]", "5", `"{}"`, "true"} {
			c.send(f.people[c.caller], body).refused(http.StatusBadRequest, "invalid", "The request body must be a JSON object.")
		}
	}
}

// Amounts may be written with exponents.
func TestAmount_exponent(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := func(price string) reply {
		return buyer.post("/deals/create", `{"description": "A", "deliveryDuration": 1, "buyerId": "`+buyer.user.ID.String()+
			`", "sellerId": "`+seller.user.ID.String()+`", "price": `+price+`}`)
	}
	for price, cents := range map[string]int64{"1e1": 1000, "1.5E1": 1500, "100e-2": 100} {
		var made api.DealDetail
		deal(price).want(http.StatusCreated).into(&made)
		require.EqualValues(t, cents, made.Price)
	}
	deal("1e-3").refused(400, "invalid", "price may have at most two decimals.")
}

// A number with a huge exponent is refused quickly.
func TestAmount_odd_values(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller := f.member("buyer"), f.member("seller")
	buyer.post("/deals/create", `{"description": "A", "deliveryDuration": 1, "buyerId": "`+buyer.user.ID.String()+
		`", "sellerId": "`+seller.user.ID.String()+`", "price": 1e999999999999}`).refused(400, "invalid", "price is too large.")
}
