package api_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// oddities are JSON values that no field expects.
var oddities = []string{
	`null`, `true`, `-1`, `0`, `0.001`, `1e400`, `99999999999999999999`, `""`, `" "`,
	`"\u0000"`, `"\ud800"`, `"\u202e"`, `"'; --"`, `"undefined"`,
	`"data:image/png;base64,AAAA"`, `"00000000-0000-0000-0000-000000000000"`, `[]`, `[null]`, `{}`, `"` + strings.Repeat("ক", 6000) + `"`,
}

// sound returns a valid body for each call, so that odd values reach the rules of every field.
func sound(f *matrixFixture) map[string]fields {
	return map[string]fields{
		"POST /auth/signup": {"username": "karim", "email": "karim@example.com", "password": password, "referredBy": "x", "language": "en"},
		"POST /auth/login":  {"username": "buyer", "password": password},
		"POST /contact":     {"name": "Karim", "email": "karim@example.com", "message": "Hello"},
		"POST /auth/deposit": {
			"amount": 1, "transactionId": "AB12CD34", "paymentMethod": "Bkash", "convertedAmount": 121, "actionType": "deposit",
		},
		"POST /withdraw": {
			"amount": 1, "phonenumber": "01712345678", "paymentMethod": "Bkash", "convertedAmount": 120, "actionType": "withdraw",
		},
		"POST /posts":     offer(fields{"image": ""}),
		"PUT /posts/{id}": offer(fields{"image": ""}),
		"POST /messages":  {"conversationId": f.talk, "text": "Hello", "image": ""},
		"POST /auth/bug-report": {
			"name": "Karim", "email": "karim@example.com", "subject": "Broken", "description": "It does not open.",
		},
		"POST /deals/create": {
			"price": 1, "description": "A channel", "deliveryDuration": 7, "inspectionDays": 3,
			"buyerId": f.buyer().user.ID, "sellerId": f.seller().user.ID,
		},
		"POST /messages/send-or-start":        {"receiverId": f.buyer().user.ID, "text": "Hello", "image": "", "postId": "", "dealId": ""},
		"POST /deals/support":                 {"dealId": f.open.ID, "issueDescription": "Help"},
		"POST /reviews":                       {"dealId": f.closed.ID, "reviewedUser": f.seller().user.ID, "rating": 5, "comment": "Good"},
		"POST /admin/deposit/approve/{id}":    {"amount": 1, "userId": f.buyer().user.ID, "reason": "so"},
		"POST /admin/deposit/reject/{id}":     {"reason": "so"},
		"POST /admin/withdrawals/{id}/send":   {"amount": 1, "transactionId": "AB12CD34"},
		"POST /admin/withdrawals/{id}/reject": {"reason": "so"},
		"POST /admin/users/{id}/disable":      {"reason": "so"},
	}
}

// called is a matrix entry with a caller that it allows and an existing resource.
type called struct {
	entry
	caller, about string
	fields        []string // of its body
	queries       []string
}

// calls returns the documented calls of the matrix, each once.
func calls(f *matrixFixture, d document) []called {
	var list []called
	for _, e := range matrix {
		path := strings.Fields(e.call)[1]
		operation, documented := d.Paths[path][strings.ToLower(e.method())]
		caller := slices.IndexFunc(callers, e.lets) // -1 for sockets
		// The query is replaced by odd values, so entries that differ only in it are one call.
		again := e.query != nil && slices.ContainsFunc(list, func(c called) bool { return c.call == e.call })
		if !documented || again || caller < 0 {
			continue
		}
		c := called{entry: e, about: e.make(f), caller: callers[caller]}
		if operation.RequestBody != nil {
			for name := range d.resolve(operation.RequestBody.Content["application/json"].Schema).Properties {
				c.fields = append(c.fields, name)
			}
			slices.Sort(c.fields)
		}
		for _, p := range operation.Parameters {
			if p.In == "query" {
				c.queries = append(c.queries, p.Name)
			}
		}
		list = append(list, c)
	}
	return list
}

// odd returns bodies with value in each field of a valid body and in all fields at once; for a GET
// it returns the decoded string.
func (c called) odd(sound fields, value string) (texts []string) {
	if c.method() == http.MethodGet {
		var text string
		if json.Unmarshal([]byte(value), &text) != nil {
			return nil
		}
		return []string{text}
	}
	all := fields{}
	for _, name := range c.fields {
		all[name] = json.RawMessage(value)
		if sound != nil {
			one := maps.Clone(sound)
			one[name] = json.RawMessage(value)
			texts = append(texts, encoded(one))
		}
	}
	return append(texts, encoded(all))
}

func encoded(body fields) string {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// send makes the call with text as its body or, for a GET, as its path and query parameters.
func (c called) send(b *browser, text string) reply {
	path := strings.Fields(c.call)[1]
	if c.method() != http.MethodGet {
		return b.do(c.method(), parameters.ReplaceAllLiteralString(path, c.about), text)
	}
	if strings.Trim(text, ".") != "" { // dot segments would change the path
		c.about = url.PathEscape(text)
	}
	values := url.Values{}
	for _, name := range c.queries {
		values.Set(name, text)
	}
	return b.do(c.method(), parameters.ReplaceAllLiteralString(path, c.about)+"?"+values.Encode(), nil)
}

// answers requires that the call with text succeeds or fails with a documented code below 500.
func (c called) answers(tb testing.TB, f *matrixFixture, codes []any, text string) {
	tb.Helper()
	caller := *f.people[c.caller]
	caller.t = tb
	reply := c.send(&caller, text)
	require.Less(tb, reply.status, http.StatusInternalServerError, "%s: %s: %s", c.call, text, reply.body)
	if reply.status >= http.StatusBadRequest {
		var refused failure
		reply.into(&refused)
		require.Contains(tb, codes, any(refused.Code), c.call)
	}
}

func (d document) codes(tb testing.TB) []any {
	tb.Helper()
	codes := d.Components.Schemas["Error"].Properties["code"].Enum
	require.NotEmpty(tb, codes)
	return codes
}

func TestRouter_odd_values(t *testing.T) {
	t.Parallel()
	f, d := newMatrixFixture(t), loadDocument(t)
	whole := sound(f)
	for _, c := range calls(f, d) {
		for _, odd := range oddities {
			for _, text := range c.odd(whole[c.call], odd) {
				c.answers(t, f, d.codes(t), text)
			}
		}
	}
	for line := range strings.Lines(f.log.String()) {
		require.NotContains(t, line, `"level":"ERROR"`)
	}
}

func FuzzCalls(f *testing.F) {
	w, d := newMatrixFixture(f), loadDocument(f)
	list, whole := calls(w, d), sound(w)
	for i, c := range list {
		seed := "{}"
		if body, ok := whole[c.call]; ok {
			seed = encoded(body)
		}
		f.Add(uint8(i), seed)
	}
	codes := d.codes(f)
	f.Fuzz(func(t *testing.T, index uint8, text string) {
		list[int(index)%len(list)].answers(t, w, codes, text)
	})
}
