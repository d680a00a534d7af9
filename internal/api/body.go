package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"regexp"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"

	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

// Maximum body sizes: of most routes, and of those that accept images as data URLs.
const (
	maxBody          = 64 << 10
	bodyTimeout      = 10 * time.Second
	maxImageBody     = 7 << 20
	imageBodyTimeout = 60 * time.Second
)

// readBody reads a whole body of at most limit bytes, sent within timeout. Codes: TooLarge, or
// request_timeout.
func readBody(w http.ResponseWriter, r *http.Request, limit int64, timeout time.Duration) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	setReadDeadline(w, timeout)
	return readAll(w, http.MaxBytesReader(w, r.Body, limit), limit)
}

// readAll reads a body, at most limit bytes. Codes as for readBody, and those of the reader.
func readAll(w http.ResponseWriter, source io.Reader, limit int64) ([]byte, error) {
	body, err := io.ReadAll(source)
	var tooLarge *http.MaxBytesError
	var netErr net.Error
	switch {
	case err == nil:
		setReadDeadline(w, 0) // after success only: otherwise the server waits for the rest
		setWriteDeadline(w, writeTimeout)
		return body, nil
	case fault.As(err) != nil:
		return nil, err
	case errors.As(err, &tooLarge):
		return nil, fault.Newf(fault.TooLarge, "request_too_large",
			"The request is too large: the limit is {limit}.", fault.Params{"limit": sizeText(limit)})
	case errors.As(err, &netErr) && netErr.Timeout():
		return nil, fault.New(requestTimeout, "request_slow", "The request took too long to arrive.")
	}
	return nil, fault.New(fault.Invalid, "request_cut_off", "The request did not arrive whole.").Because(err)
}

func sizeText(bytes int64) string {
	if bytes >= 1<<20 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d KiB", bytes>>10)
}

// requireObject rejects JSON other than an object before any lookup: null would be taken for an
// empty one. A missing body is accepted, and invalid JSON is rejected where it is decoded. Code
// Invalid.
func requireObject(body []byte) error {
	trimmed := bytes.TrimSpace(body)
	if len(trimmed) > 0 && trimmed[0] != '{' && json.Valid(trimmed) {
		return errNoObject()
	}
	return nil
}

func errNoObject() error {
	return fault.New(fault.Invalid, "body_not_object", "The request body must be a JSON object.")
}

// Payload is a request body of type T. The handler decodes it after existence and roles have been
// checked (docs/rules.md#access).
type Payload[T any] struct {
	raw []byte
}

// Resolve takes the body read by the middleware. huma calls it.
func (p *Payload[T]) Resolve(ctx huma.Context) []error {
	p.raw = callOf(ctx.Context()).body
	return nil
}

// decode decodes the body; a missing one is an empty object. Code Invalid: it is not JSON or a
// field has another type. Unknown fields are ignored.
func (p *Payload[T]) decode() (T, error) {
	var value T
	if len(bytes.TrimSpace(p.raw)) == 0 {
		return value, nil
	}
	err := json.Unmarshal(p.raw, &value)
	var wrongType *json.UnmarshalTypeError
	switch {
	case err == nil:
		return value, nil
	case errors.As(err, &wrongType) && wrongType.Field != "":
		field := embedding.ReplaceAllString(wrongType.Field, "")
		return value, fault.Fieldf(field, "wrong_type", "{field} must be {type}.",
			fault.Params{"field": field, "type": jsonName(wrongType.Type)})
	case errors.As(err, &wrongType):
		return value, errNoObject()
	}
	return value, fault.New(fault.Invalid, "body_not_json", "The request body is not valid JSON.")
}

// embedding matches the names of embedded structs in a path, which are not part of the JSON.
var embedding = regexp.MustCompile(`\b[A-Z]\w*\.`)

// schema documents the body.
func (p *Payload[T]) schema(registry huma.Registry) *huma.Schema {
	return registry.Schema(reflect.TypeFor[T](), true, "")
}

// describer is the part of Payload that registration uses for any T.
type describer interface {
	schema(registry huma.Registry) *huma.Schema
}

func jsonName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Slice, reflect.Array:
		return "a list"
	default:
		return "an object"
	}
}

// Amount is a decimal number in a request. Decoding never fails; read reports an invalid amount, so
// that rules are checked in their order.
type Amount struct {
	given bool
	units money.Cents
	err   error
}

// UnmarshalJSON keeps the JSON token; it is never converted to a float.
func (a *Amount) UnmarshalJSON(token []byte) error {
	if string(token) == "null" {
		return nil
	}
	a.given = true
	a.err = a.units.UnmarshalJSON(token)
	return nil
}

// Schema documents the amount as a number.
func (Amount) Schema(huma.Registry) *huma.Schema { return decimalSchema("At most two decimals.") }

// read returns the amount, 0 if it is missing. Code Invalid: it is not a number, or has more than
// two decimals.
func (a Amount) read(field string) (money.Cents, error) {
	named := fault.Params{"field": field}
	switch {
	case a.err == nil:
		return a.units, nil
	case errors.Is(a.err, money.ErrDecimals):
		return 0, fault.Fieldf(field, "too_many_decimals", "{field} may have at most two decimals.", named)
	case errors.Is(a.err, money.ErrRange):
		return 0, fault.Fieldf(field, "number_too_large", "{field} is too large.", named)
	}
	return 0, fault.Fieldf(field, "not_a_number", "{field} must be a number.", named)
}

// Shown is the amount in taka that the client says it showed to the user. An invalid one counts as
// missing.
type Shown struct {
	taka *money.Poisha
}

// UnmarshalJSON keeps the JSON token; it is never converted to a float.
func (s *Shown) UnmarshalJSON(token []byte) error {
	var taka money.Poisha
	if taka.UnmarshalJSON(token) == nil {
		s.taka = &taka
	}
	return nil
}

// Schema documents the sum as a number.
func (Shown) Schema(huma.Registry) *huma.Schema { return decimalSchema("At most two decimals.") }

// Ignored is a field that clients send although the server knows its value (docs/rules.md#wire):
// documented as a T, and accepted whatever it is.
type Ignored[T any] struct{}

// UnmarshalJSON ignores the token.
func (*Ignored[T]) UnmarshalJSON([]byte) error { return nil }

// Schema documents the field as a T.
func (Ignored[T]) Schema(schemas huma.Registry) *huma.Schema {
	return schemas.Schema(reflect.TypeFor[T](), true, "")
}

// Bounds of the picture bodies in memory. A body is kept until its request is answered, and
// decoding takes three times its size, so all of them together take about 300 MiB at most.
const (
	uploadRoom   = 16 * maxImageBody
	uploadStep   = 256 << 10       // of room acquired at once, as the body arrives
	uploadsOfOne = 4               // per user, so that slow connections do not block other users
	uploadsOfNew = 1               // per new user: new accounts are free
	uploadWait   = 2 * time.Second // for room
	uploadGrace  = 5 * time.Second // before uploadRate is enforced
	uploadRate   = 20_000          // bytes a second, on average
)

// uploads are the large bodies being read or processed.
type uploads struct {
	room *semaphore.Weighted // in bytes

	mu sync.Mutex
	of map[uuid.UUID]int // by user
}

func newUploads() *uploads {
	return &uploads{room: semaphore.NewWeighted(uploadRoom), of: map[uuid.UUID]int{}}
}

// upload is a body that may be large. It acquires room as it arrives, so that an announced body
// that does not arrive takes none.
type upload struct {
	all     *uploads
	person  uuid.UUID
	ctx     context.Context //nolint:containedctx // the request's, while its body is read
	writer  http.ResponseWriter
	body    io.Reader
	elapsed func() time.Duration

	received int64
	room     int64
	waited   time.Duration // for room, not charged to the client
}

// mayBeLarge reports whether a body needs room. Bodies within maxBody do not, so texts never wait
// for pictures.
func mayBeLarge(r *http.Request) bool { return r.ContentLength < 0 || r.ContentLength > maxBody }

// upload prepares for reading a body. It returns nil if the body is not large. Code RateLimited
// while the user has too many other uploads in progress.
func (s *Server) upload(w http.ResponseWriter, r *http.Request, e endpoint, c *call) (*upload, error) {
	if !e.image || !mayBeLarge(r) {
		return nil, nil
	}
	most := uploadsOfOne
	if isNew(c, s.clock) {
		most = uploadsOfNew
	}
	if !s.uploads.begin(c.user.ID, most) {
		s.logRateLimit(r.Context(), e, c)
		return nil, rateLimitError(retryAfter)
	}
	return &upload{
		all: s.uploads, person: c.user.ID, ctx: r.Context(), writer: w,
		body: http.MaxBytesReader(w, r.Body, maxImageBody), elapsed: stopwatch(),
	}, nil
}

// end releases the room after the request has been answered. u may be nil.
func (u *upload) end() {
	if u == nil {
		return
	}
	u.all.room.Release(u.room)
	u.all.finish(u.person)
}

// Read reads the next part of the body once there is room for it. Code Unavailable if there is none
// in time; a slow client hits the connection's deadline.
func (u *upload) Read(p []byte) (int, error) {
	free := maxBody + u.room - u.received
	if free == 0 {
		if err := u.grow(); err != nil {
			return 0, err
		}
		free = uploadStep
	}
	setReadDeadline(u.writer, max(time.Millisecond, u.readTimeout()))
	n, err := u.body.Read(p[:min(int64(len(p)), free)])
	u.received += int64(n)
	return n, err
}

func (u *upload) grow() error {
	asked := stopwatch()
	ctx, cancel := context.WithTimeout(u.ctx, uploadWait)
	defer cancel()
	if err := u.all.room.Acquire(ctx, uploadStep); err != nil {
		return errUnavailable().Because(err)
	}
	u.room += uploadStep
	u.waited += asked()
	return nil
}

// readTimeout returns how long the next byte may take.
func (u *upload) readTimeout() time.Duration {
	due := min(uploadGrace+time.Duration(u.received)*time.Second/uploadRate, imageBodyTimeout)
	return due + u.waited - u.elapsed()
}

// begin counts an upload of a user and reports whether it is allowed: a user has at most most at
// once.
func (u *uploads) begin(person uuid.UUID, most int) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.of[person] >= most {
		return false
	}
	u.of[person]++
	return true
}

func (u *uploads) finish(person uuid.UUID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.of[person]--; u.of[person] == 0 {
		delete(u.of, person)
	}
}
