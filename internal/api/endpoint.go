package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/google/uuid"

	"amanat/internal/accounts"
	"amanat/internal/fault"
)

// access says who may call an endpoint.
type access int

const (
	member    access = iota // whoever is signed in
	anyone                  // public: a session is neither needed nor looked at
	visitor                 // public too, but who is signed in is known
	admin                   // an admin
	confirmed               // an admin who has lately entered the password again: what moves money
)

// endpoint describes one call. Its zero values are the safe ones: a session is required, a body is small.
type endpoint struct {
	id      string // operationId
	method  string
	path    string // below /api
	summary string
	tag     string
	access  access
	status  int  // of success; 0 means 200
	keyed   bool // takes an Idempotency-Key; set by registerKeyed
	money   bool // its outcome may have to be waited for; set by registerKeyed
	image   bool // its body may carry an image, and how many a person may send is limited; for whoever is signed in
	bounds  []bound
	codes   []fault.Code // of its use case, beside those that the edge answers with: see refusedWith

	// exists tells whether the {id} of the path is known, with a NotFound if not. Required for admins' paths with an id, where it is
	// checked before the role (DESIGN §2).
	exists func(ctx context.Context, id uuid.UUID) error
}

func (e endpoint) public() bool { return e.access == anyone || e.access == visitor }

func (e endpoint) hasID() bool { return strings.Contains(e.path, "{id}") }

// register serves an endpoint and documents it.
func register[I, O any](s *Server, e endpoint, handler func(context.Context, *I) (*O, error)) {
	registerAs(s, e, map[string]*huma.Response{}, handler)
}

// registerAs is register with answers that the type O does not tell of.
func registerAs[I, O any](s *Server, e endpoint, responses map[string]*huma.Response, handler func(context.Context, *I) (*O, error)) {
	if e.access >= admin && e.hasID() != (e.exists != nil) {
		panic("api: " + e.id + ": an admin's path with an id, and only that, needs exists")
	}
	if e.image && e.public() {
		panic("api: " + e.id + ": nobody sends images without a name")
	}
	op := huma.Operation{
		OperationID: e.id, Method: e.method, Path: e.path, Summary: e.summary, Description: e.description(),
		Tags: []string{e.tag}, DefaultStatus: e.status,
		Responses: responses, Security: []map[string][]string{},
		SkipValidateBody: true, SkipValidateParams: true,
		Middlewares: huma.Middlewares{s.serve(e)},
	}
	if e.keyed {
		op.Parameters = []*huma.Param{keyParameter()}
	}
	if !e.public() {
		op.Security = []map[string][]string{{sessionScheme: {}}}
	}
	huma.Register(s.huma, op, func(ctx context.Context, in *I) (*O, error) {
		ctx, cancel := context.WithTimeout(ctx, handleTimeout)
		defer cancel()
		out, err := handler(ctx, in)
		if err != nil {
			if e.image && fault.CodeOf(err) == fault.RateLimited { // counted where the image is decoded
				s.limitEvent(ctx, e, callOf(ctx))
			}
			return nil, s.failure(ctx, err)
		}
		return out, nil
	})
	operation, err := s.documented(e)
	if err != nil {
		panic(err)
	}
	s.documentBody(operation, reflect.TypeFor[I]())
	s.documentExamples(operation)
	s.documentFaults(e, operation)
}

// serve prepares the request for its handler: session, existence and role, limits, body, in this order.
func (s *Server) serve(e endpoint) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		r, w := humachi.Unwrap(ctx)
		c, err := s.admit(r, e)
		if err == nil {
			err = s.bounded(r, e, c)
		}
		release := func() {}
		if err == nil {
			release, err = s.upload(r, e, c)
		}
		defer release()
		if err == nil && r.Method != http.MethodGet {
			c.body, err = e.readBody(w, r)
		}
		if err == nil && e.keyed {
			c.key, err = readKey(r, c.user.ID, c.body)
		}
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		next(huma.WithValue(ctx, callKey, c))
	}
}

func (e endpoint) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if e.image {
		return readBody(w, r, maxImageBody, imageBodyTimeout)
	}
	return readBody(w, r, maxBody, bodyTimeout)
}

// admit checks who calls.
func (s *Server) admit(r *http.Request, e endpoint) (*call, error) {
	ctx, cancel := context.WithTimeout(r.Context(), handleTimeout)
	defer cancel()
	info := requestInfoOf(ctx)
	var err error
	c := &call{
		token: readCookie(r, s.cookie), browser: readCookie(r, s.browserCookie),
		client: accounts.Client{UserAgent: r.UserAgent(), Address: info.address},
	}
	if e.access != anyone {
		c.user, c.session, err = s.accounts.Authenticate(ctx, c.token)
		if err != nil && (e.access != visitor || fault.CodeOf(err) != fault.Unauthenticated) {
			return nil, err
		}
		info.userID = c.user.ID
	}
	if e.hasID() {
		if c.id, err = parseID(r.PathValue("id")); err != nil {
			return nil, err
		}
	}
	if e.exists != nil {
		if err := e.exists(ctx, c.id); err != nil {
			return nil, err
		}
	}
	switch {
	case e.access >= admin && !c.user.IsAdmin:
		s.event(ctx, slog.LevelWarn, "admin denied", c.user.ID, "endpoint", e.id)
		return nil, fault.New(fault.Forbidden, "Only admins may do this.")
	case e.access == confirmed && !s.accounts.Confirmed(c.session, s.adminReauth):
		return nil, fault.New(fault.PasswordRequired, "Please enter your password again.")
	}
	return c, nil
}

// parseID reads an id of a path. A malformed one is one that nothing has: NotFound.
func parseID(text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil || len(text) != 36 { // other notations would give one thing several addresses
		return uuid.Nil, errNotFound()
	}
	return id, nil
}

func errNotFound() error { return fault.New(fault.NotFound, "Not found.") }

// documentBody describes the Payload of the input. It comes after huma's registration, which would otherwise read the body itself.
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

// operationsOf returns the calls of one path.
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

// output is an answer that is nothing but its body.
type output[T any] struct {
	Body T
}

func respond[T any](body T) *output[T] { return &output[T]{Body: body} }
