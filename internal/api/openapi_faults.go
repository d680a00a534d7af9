package api

import (
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"amanat/internal/lib/fault"
)

// refusals describes when each code is answered, with a sample text.
var refusals = map[fault.Code]struct{ means, text string }{
	fault.AlreadyHandled:      {"somebody else has handled it, or is about to", "Already handled."},
	fault.Conflict:            {"the state of things does not allow it", "This deal is Completed, so it cannot be cancelled."},
	fault.Duplicate:           {"there is one already", "This transaction ID has already been used."},
	fault.Forbidden:           {"not for this caller, or sent by another site", "Only admins may do this."},
	fault.IdempotencyMismatch: {"the key belongs to another request", "This Idempotency-Key was used for another request."},
	fault.InsufficientBalance: {"the wallet has less; shortfall says by how much", "Insufficient balance"},
	fault.Internal:            {"a mistake of ours; the log has it under the X-Request-Id", textInternal},
	fault.Invalid:             {"the message is the first rule that fails; fields says where", "All fields are required."},
	fault.InvalidCredentials:  {"unknown username or wrong password", "Invalid credentials"},
	fault.Locked: {
		"too many failures; Retry-After says how long",
		"Too many attempts. Login is locked for now. Please try again later.",
	},
	fault.LoginExpired:     {"the login took too long, or five codes were wrong: start again", "Please log in again."},
	fault.NotFound:         {"there is no such thing, or none that the caller may know of", "Not found."},
	fault.MailCodeRequired: {"have a code mailed, and confirm it first", "Please enter the code that we mail you."},
	fault.PasswordRequired: {"confirm the password first", "Please enter your password again."},
	fault.RateChanged: {
		"the taka that the client showed are not those that the server counts",
		"The exchange rate has changed. Please check the amount and try again.",
	},
	fault.RateLimited:         {"too many calls; Retry-After says how long", "Too many attempts. Please try again later."},
	fault.SecondFactorMissing: {"an admin has to set up a second factor first", "Set up two-step login first."},
	fault.SecondFactorRequired: {
		"a proof of the second factor is missing; params.methods says what the user has: totp, passkey, backup, with commas",
		"Please confirm that it is you.",
	},
	fault.TooLarge:        {"the body or its image is too large", "The request is too large: the limit is 64 KiB."},
	fault.Unauthenticated: {"nobody is signed in", "Please log in to continue."},
	fault.Unavailable:     {"try again after Retry-After", textUnavailable},
	fault.WeakPassword:    {"an admin's password is too short", "Set a password of at least 12 characters first."},
	requestTimeout:        {"the body took too long to arrive", "The request took too long to arrive."},
}

// refusedWith returns the error codes of a call: the api's own and those of its use case.
func (e endpoint) refusedWith(operation *huma.Operation) map[fault.Code]bool {
	codes := map[fault.Code]bool{fault.Internal: true, fault.Unavailable: true}
	add := func(when bool, more ...fault.Code) {
		for _, code := range more {
			codes[code] = codes[code] || when
		}
	}
	add(!e.public(), fault.Unauthenticated)
	add(e.access >= admin, fault.Forbidden, fault.SecondFactorMissing)
	add(e.access == reauthenticated, fault.PasswordRequired, fault.WeakPassword)
	add(e.access == confirmed || e.access == owner || e.access == enrolling, fault.PasswordRequired)
	add(e.access == owner || e.access == enrolling, fault.MailCodeRequired)
	add(e.access == enrolling, fault.Conflict)
	add(e.method != http.MethodGet, fault.Forbidden, fault.TooLarge, requestTimeout)
	add(e.hasID(), fault.NotFound)
	add(operation.RequestBody != nil || slices.ContainsFunc(operation.Parameters, mayBeWrong), fault.Invalid)
	add(e.idempotent, fault.IdempotencyMismatch)
	add(len(e.rateLimits) > 0 || e.image || e.visitorsRead(), fault.RateLimited)
	add(true, e.codes...)
	maps.DeleteFunc(codes, func(_ fault.Code, possible bool) bool { return !possible })
	return codes
}

// mayBeWrong reports whether a parameter has invalid values. A malformed id of a path, or code of a
// link, is not found instead.
func mayBeWrong(parameter *huma.Param) bool {
	return parameter.In != "path" || parameter.Schema.Format != "uuid" && parameter.Name != "code"
}

// documentFaults documents the error responses of a call: each status with its codes.
func (s *Server) documentFaults(e endpoint, operation *huma.Operation) {
	delete(operation.Responses, "default") // each status is documented
	if e.shared != 0 {
		operation.Responses["304"] = &huma.Response{Description: "The visitor has the answer: its ETag is in If-None-Match."}
	}
	byStatus := map[int][]fault.Code{}
	for _, code := range slices.Sorted(maps.Keys(e.refusedWith(operation))) {
		byStatus[statuses[code]] = append(byStatus[statuses[code]], code)
	}
	for status, codes := range byStatus {
		operation.Responses[strconv.Itoa(status)] = &huma.Response{Ref: refusalPrefix + s.refusal(codes)}
	}
}

// Names of the error responses, formed from their codes.
const (
	refusalPrefix = "#/components/responses/"
	refusalOr     = "_or_"
)

// refusal documents the error response with the given codes of one status, once for all calls, and
// returns its name.
func (s *Server) refusal(codes []fault.Code) string {
	components := s.huma.OpenAPI().Components
	if components.Responses == nil {
		components.Responses = map[string]*huma.Response{}
	}
	names := make([]string, len(codes))
	meanings := make([]string, len(codes))
	examples := make(map[string]*huma.Example, len(codes))
	for i, code := range codes {
		names[i] = string(code)
		meanings[i] = string(code) + ": " + refusals[code].means + "."
		examples[string(code)] = &huma.Example{Value: Error{Code: code, Message: refusals[code].text}}
	}
	name := strings.Join(names, refusalOr)
	components.Responses[name] = &huma.Response{
		Description: strings.Join(meanings, " "),
		Content: map[string]*huma.MediaType{jsonType: {
			Schema: &huma.Schema{AllOf: []*huma.Schema{
				components.Schemas.Schema(reflect.TypeFor[Error](), true, ""),
				{Type: huma.TypeObject, Required: []string{"code"}, Properties: map[string]*huma.Schema{"code": enumSchema(codes...)}},
			}},
			Examples: examples,
		}},
	}
	return name
}

// description returns what the summary omits: who may call, and the rules for calls of its kind.
func (e endpoint) description() string {
	callers := map[access]string{
		anyone: "Anybody may call it.", visitor: "Anybody may call it.", member: "For whoever is signed in.", admin: "For admins.",
		reauthenticated: "For admins who have lately entered their password again, one of at least 12 characters.",
		confirmed:       "For whoever is signed in and has logged in, or confirmed the password, in the last ten minutes.",
		enrolling: "For whoever is signed in and has confirmed the password and the second factor or, to add the first one, entered a mailed " +
			"code in the last ten minutes.",
		owner: "For whoever is signed in and has proved in the last ten minutes that the account is theirs: with the second factor, if it is " +
			"older than a day, or a mailed code, or with the password if they have neither.",
	}
	sentences := []string{callers[e.access]}
	if e.image {
		sentences = append(sentences, "An image travels as a data URL; the body may have "+sizeText(maxImageBody)+
			". How many images a person may send is limited.")
	}
	if e.idempotent {
		sentences = append(sentences, "Safe to repeat with an Idempotency-Key.")
	}
	if e.money {
		sentences = append(sentences, "It waits two seconds for the outcome at most; "+
			"after that the answer is 202 with the operation, which GET /operations/{id} tells more of.")
	}
	if e.area != "" {
		sentences = append(sentences, "While an operator has paused this part of the service, it is refused with 503 and changes nothing; "+
			"GET /public/pauses tells what is paused.")
	}
	if len(e.rateLimits) > 0 || slices.Contains(e.codes, fault.RateLimited) {
		sentences = append(sentences, "How often it may be called is limited.")
	}
	if e.visitorsRead() {
		sentences = append(sentences, "How often visitors may call such reads from one address is limited.")
	}
	if e.shared != 0 {
		sentences = append(sentences, fmt.Sprintf("Shared caches may answer visitors with it for %.0f seconds.", e.shared.Seconds()))
	}
	return strings.Join(sentences, " ")
}
