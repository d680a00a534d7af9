package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/google/uuid"

	"amanat/internal/app/pauses"
	"amanat/internal/domain/accounts"
	"amanat/internal/lib/fault"
	"amanat/internal/money/idempotency"
)

// access tells who may call an endpoint.
type access int

const (
	member          access = iota // any signed-in user
	anyone                        // public; the session is ignored
	visitor                       // public; the session is read if there is one
	confirmed                     // a signed-in user who confirmed lately; for changes of the second factor
	enrolling                     // a signed-in user who may add a factor; see accounts.CheckEnrolment
	owner                         // a signed-in user who has proved that the account is theirs; see accounts.CheckOwner
	admin                         // an admin
	reauthenticated               // an admin who re-authenticated recently; for money and chats
)

// adminTag groups the calls for admins in the document.
const adminTag = "Admin"

// endpoint describes a call. Its zero values are the safe ones: a session is required, and the body
// is small.
type endpoint struct {
	id         string // operationId
	method     string
	path       string // below /api
	summary    string
	tag        string
	access     access
	status     int           // of success; 0 means 200
	idempotent bool          // accepts an Idempotency-Key; set by registerIdempotent
	money      bool          // may wait for an operation; set by registerIdempotent
	area       pauses.Area   // refused while an operator has paused it; "": never. Defaults to pauses.Money where money is set
	image      bool          // its body may have an image, limited per user
	shared     time.Duration // how long shared caches may answer visitors with its answer; 0: not at all

	rateLimits []rateLimit  // see withRateLimits
	codes      []fault.Code // of its use case; refusedWith adds the api's own

	// visible refuses the {id} of the path before what the body says is judged
	// (docs/rules.md#access): NotFound if the caller may not know of it, Forbidden if it is for
	// another of those who may. Required for admins' paths with an id, where it is checked even
	// before the role and the form of the body.
	visible visibility
}

// visibility is a check of endpoint.visible.
type visibility func(ctx context.Context, c *call) error

// known returns the visibility of what get finds, for admins.
func known[T any](get func(ctx context.Context, id uuid.UUID) (T, error)) visibility {
	return func(ctx context.Context, c *call) error {
		_, err := get(ctx, c.id)
		return err
	}
}

// allowed returns the visibility of what check allows a user.
func allowed(check func(ctx context.Context, userID, id uuid.UUID) error) visibility {
	return func(ctx context.Context, c *call) error { return check(ctx, c.user.ID, c.id) }
}

// orAdmin returns the visibility to a user, or else to an admin.
func (s *Server) orAdmin(user, admin visibility) visibility {
	return func(ctx context.Context, c *call) error {
		if s.accounts.ActsAsAdmin(c.user) {
			return admin(ctx, c)
		}
		return user(ctx, c)
	}
}

func (e endpoint) public() bool { return e.access == anyone || e.access == visitor }

func (e endpoint) hasID() bool { return strings.Contains(e.path, "{id}") }

// register serves an endpoint and documents it.
func register[I, O any](s *Server, e endpoint, handler func(context.Context, *I) (*O, error)) {
	registerAs(s, e, map[string]*huma.Response{}, withRateLimits(s, e, handler))
}

// registerAs is register with responses that are not derived from O.
func registerAs[I, O any](s *Server, e endpoint, responses map[string]*huma.Response, handler func(context.Context, *I) (*O, error)) {
	if e.access >= admin && e.hasID() != (e.visible != nil) {
		panic("api: " + e.id + ": an admin's path with an id, and only that, needs visible")
	}
	if e.shared != 0 && (e.method != http.MethodGet || !e.public() || e.shared > maxShared) {
		panic("api: " + e.id + ": shared caches keep only public reads, and none for long")
	}
	if e.image && e.public() {
		panic("api: " + e.id + ": image uploads require a signed-in user")
	}
	op := huma.Operation{
		OperationID: e.id, Method: e.method, Path: e.path, Summary: e.summary, Description: e.description(),
		Tags: []string{e.tag}, DefaultStatus: e.status,
		Responses: responses, Security: []map[string][]string{},
		SkipValidateBody: true, SkipValidateParams: true,
		Middlewares: huma.Middlewares{s.serve(e, takesBody(reflect.TypeFor[I]()))},
	}
	if e.idempotent {
		op.Parameters = []*huma.Param{keyParameter()}
	}
	if !e.public() {
		op.Security = []map[string][]string{{sessionScheme: {}}}
	}
	huma.Register(s.huma, op, func(ctx context.Context, in *I) (*O, error) {
		ctx, end, err := s.begin(ctx)
		defer end()
		var out *O
		if err == nil && e.access < admin && e.visible != nil {
			err = e.visible(ctx, callOf(ctx))
		}
		if err == nil {
			out, err = handler(ctx, in)
		}
		if err != nil {
			if fault.CodeOf(err) == fault.RateLimited {
				s.logRateLimit(ctx, e, callOf(ctx))
			}
			refused := s.failure(ctx, err)
			refused.cookie = callOf(ctx).refusalCookie
			return nil, refused
		}
		if err := s.encodeAnswer(ctx, out); err != nil {
			return nil, s.failure(ctx, err)
		}
		return out, callOf(ctx).share(e.shared, out)
	})
	operation, err := s.documented(e)
	if err != nil {
		panic(err)
	}
	s.documentBody(operation, reflect.TypeFor[I]())
	s.documentExamples(operation)
	s.documentFaults(e, operation)
}

// call is the state of the request that a handler serves, besides its input.
type call struct {
	id      uuid.UUID // of the path, where it has one
	body    []byte
	answer  encoded          // the successful answer; nil before
	key     *idempotency.Key // nil if none was sent or the route accepts none
	token   accounts.Token   // "" if none was sent
	browser accounts.Token   // the trusted device's token, "" if none
	login   accounts.Token   // of a login that is not finished, "" if none
	client  accounts.Client
	user    accounts.User // zero for a visitor
	known   bool          // whether a user is signed in
	session accounts.Session

	refusalCookie string      // Set-Cookie of the error response; "" for none
	ifNoneMatch   string      // the header of the request
	header        http.Header // of the response
}

func callOf(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey).(*call); ok {
		return c
	}
	return &call{}
}

// userID returns the id of the signed-in user, nil for a visitor.
func (c *call) userID() *uuid.UUID {
	if c.known {
		return &c.user.ID
	}
	return nil
}

// actor returns the signed-in user. Every route except the public ones has one.
func actor(ctx context.Context) accounts.User { return callOf(ctx).user }

// pathID returns the id in the path.
func pathID(ctx context.Context) uuid.UUID { return callOf(ctx).id }

// serve prepares a request for its handler: session, existence, role and pauses, room for an
// upload, body, in this order. A body that is read as a Payload must be an object.
func (s *Server) serve(e endpoint, object bool) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		r, w := humachi.Unwrap(ctx)
		c, err := s.admit(r, e)
		var large *upload
		if err == nil {
			err = s.enforceReadLimit(r, e, c)
		}
		if err == nil {
			if large, err = s.upload(w, r, e, c); err != nil {
				countResult(s.uploaded, uploadResults, err)
			}
		}
		defer large.end()
		if err == nil && r.Method != http.MethodGet && r.Method != http.MethodHead {
			c.body, err = e.readBody(w, r, large)
			if large != nil {
				countResult(s.uploaded, uploadResults, err)
			}
		}
		if err == nil && object {
			err = requireObject(c.body)
		}
		if err == nil && e.idempotent {
			c.key, err = parseIdempotencyKey(r, c.userID(), c.body)
		}
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		c.ifNoneMatch, c.header = r.Header.Get("If-None-Match"), w.Header()
		next(huma.WithValue(ctx, callKey, c))
	}
}

func (e endpoint) readBody(w http.ResponseWriter, r *http.Request, large *upload) ([]byte, error) {
	if large != nil {
		return readAll(w, large, maxImageBody)
	}
	if e.image {
		return readBody(w, r, maxImageBody, imageBodyTimeout)
	}
	return readBody(w, r, maxBody, bodyTimeout)
}

// admit authenticates and authorises the caller.
func (s *Server) admit(r *http.Request, e endpoint) (*call, error) {
	ctx, end, err := s.begin(r.Context())
	defer end()
	if err != nil {
		return nil, err
	}
	info := requestInfoOf(ctx)
	c := &call{
		token: readCookie(r, s.cookie), browser: readCookie(r, s.browserCookie), login: readCookie(r, s.loginCookie),
		client: accounts.Client{UserAgent: r.UserAgent(), Address: info.address},
	}
	if e.access != anyone {
		c.user, c.session, err = s.accounts.Authenticate(ctx, c.token)
		if err != nil && (e.access != visitor || fault.CodeOf(err) != fault.Unauthenticated) {
			return nil, err
		}
		c.known = err == nil
		info.userID = c.userID()
	}
	if e.hasID() {
		if c.id, err = parseID(r.PathValue("id")); err != nil {
			return nil, err
		}
	}
	if e.access >= admin && e.visible != nil {
		if err := e.visible(ctx, c); err != nil {
			return nil, err
		}
	}
	return c, s.authorize(ctx, e, c)
}

// authorize checks the role of the caller and what else the call requires.
func (s *Server) authorize(ctx context.Context, e endpoint, c *call) error {
	switch {
	case e.access >= admin && !c.user.IsAdmin:
		s.securityEvent(ctx, slog.LevelWarn, "admin denied", &c.user.ID, "endpoint", e.id)
		return fault.New(fault.Forbidden, "admins_only", "Only admins may do this.")
	case e.access >= admin && s.accounts.LacksFactor(c.user):
		return fault.New(fault.SecondFactorMissing, "second_factor_missing", "Set up two-step login first.")
	case e.access == reauthenticated && s.adminReauth > 0 && !c.user.PasswordStrong:
		return fault.Newf(fault.WeakPassword, "longer_password_needed", "Set a password of at least {count} characters first.",
			fault.Params{"count": accounts.MinAdminPassword})
	}
	if err := s.checkProof(ctx, e, c); err != nil {
		return err
	}
	if e.area != "" {
		return s.pauses.Check(ctx, e.area)
	}
	return nil
}

// checkProof checks that the caller has lately proved who they are, as far as the call requires it.
func (s *Server) checkProof(ctx context.Context, e endpoint, c *call) error {
	switch e.access {
	case confirmed:
		return s.accounts.CheckConfirmed(c.user, c.session, accounts.FactorConfirmed)
	case enrolling:
		return s.accounts.CheckEnrolment(ctx, c.user, c.session)
	case owner:
		return s.accounts.CheckOwner(ctx, c.user, c.session)
	case reauthenticated:
		return s.accounts.CheckConfirmed(c.user, c.session, s.adminReauth)
	case anyone, visitor, member, admin:
	}
	return nil
}

// parseID parses the id of a path. Code NotFound if it is malformed.
func parseID(text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil || len(text) != 36 { // other notations would give a resource several URLs
		return uuid.UUID{}, errNotFound()
	}
	return id, nil
}

func errNotFound() error { return fault.New(fault.NotFound, "not_found", "Not found.") }

// takesBody reports whether an input has a Payload.
func takesBody(input reflect.Type) bool {
	for i := range input.NumField() {
		if _, ok := reflect.New(input.Field(i).Type).Interface().(describer); ok {
			return true
		}
	}
	return false
}

// documentBody describes the Payload of the input. It runs after huma's registration, which would
// otherwise read the body itself.
func (s *Server) documentBody(operation *huma.Operation, input reflect.Type) {
	for i := range input.NumField() {
		field, ok := reflect.New(input.Field(i).Type).Interface().(describer)
		if !ok {
			continue
		}
		schemas := s.huma.OpenAPI().Components.Schemas
		body := field.schema(schemas)
		operation.RequestBody = &huma.RequestBody{
			Required: len(schemas.SchemaFromRef(body.Ref).Required) > 0,
			Content:  map[string]*huma.MediaType{jsonType: {Schema: body}},
		}
	}
}

func (s *Server) documented(e endpoint) (*huma.Operation, error) {
	for _, operation := range operationsOf(s.huma.OpenAPI().Paths[e.path]) {
		if operation.Method == e.method {
			return operation, nil
		}
	}
	return nil, errors.New("api: " + e.id + " is not documented")
}

// operationsOf returns the operations of a path.
func operationsOf(item *huma.PathItem) []*huma.Operation {
	all := []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete}
	return slices.DeleteFunc(all, func(operation *huma.Operation) bool { return operation == nil })
}

func (s *Server) response(description string, body reflect.Type) *huma.Response {
	return &huma.Response{
		Description: description,
		Content: map[string]*huma.MediaType{
			jsonType: {Schema: s.huma.OpenAPI().Components.Schemas.Schema(body, true, "")},
		},
	}
}

const jsonType = "application/json"

// output is an answer with only a body.
type output[T any] struct {
	Body T
}

func respond[T any](body T) *output[T] { return &output[T]{Body: body} }
