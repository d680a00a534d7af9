package api

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/pauses"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
)

const (
	keyHeader = "Idempotency-Key"
	maxKey    = 200
)

func keyParameter() *huma.Param {
	one, most := 1, maxKey
	return &huma.Param{
		Name: keyHeader, In: "header",
		Description: "Makes repeating the request safe: the same key with the same request does nothing more, " +
			"and is answered with what the first one did, as it is now.",
		Schema: &huma.Schema{Type: huma.TypeString, MinLength: &one, MaxLength: &most, Examples: []any{sampleKey}},
	}
}

// parseIdempotencyKey returns the request's Idempotency-Key, nil when there is none. userID is nil
// for a visitor. Code Invalid: it is not 1 to 200 visible characters.
func parseIdempotencyKey(r *http.Request, userID *uuid.UUID, body []byte) (*idempotency.Key, error) {
	values := r.Header.Values(keyHeader)
	if len(values) == 0 {
		return nil, nil
	}
	value := values[0]
	malformed := len(values) > 1 || value == "" || len(value) > maxKey
	for _, c := range []byte(value) {
		malformed = malformed || c <= ' ' || c > '~'
	}
	if malformed {
		return nil, fault.New(fault.Invalid, "key_malformed", "The Idempotency-Key must be 1 to 200 visible ASCII characters.")
	}
	hash := sha256.New()
	for _, part := range []string{r.Method, r.URL.EscapedPath()} {
		_, _ = hash.Write([]byte(part + "\n")) // never fails
	}
	_, _ = hash.Write(body)
	return &idempotency.Key{UserID: userID, Value: value, Hash: [sha256.Size]byte(hash.Sum(nil))}, nil
}

// Settled is the answer of an idempotent endpoint's handler: its result, or the pending money
// operation. Exactly one is set.
type Settled[T any] struct {
	Result  *T
	Pending *operations.View
}

// settledWith returns the answer with a result.
func settledWith[T any](result T) *Settled[T] { return &Settled[T]{Result: &result} }

// Underway is the body of a 202.
type Underway struct {
	Operation operations.View `json:"operation"`
}

// idempotentOutput is an answer for huma: a result or an Underway.
type idempotentOutput struct {
	Status int
	Body   any
}

func (o Settled[T]) output(status int) *idempotentOutput {
	if o.Pending != nil {
		return &idempotentOutput{Status: http.StatusAccepted, Body: Underway{*o.Pending}}
	}
	return &idempotentOutput{Status: status, Body: *o.Result}
}

// registerIdempotent serves an endpoint that accepts an Idempotency-Key. money means that the
// handler may wait for an operation. The handler reserves the key in the transaction that it tells
// of; a repeated request gets what was made then, as it is now. What may change until then is
// checked after the reservation, or see unlessRepeated.
func registerIdempotent[I, T any](s *Server, e endpoint, money bool, handler func(context.Context, *I) (*Settled[T], error)) {
	e.idempotent, e.money = true, money
	if money && e.area == "" {
		e.area = pauses.Money
	}
	handler = withRateLimits(s, e, handler)
	if e.status == 0 {
		e.status = http.StatusOK
	}
	responses := map[string]*huma.Response{
		strconv.Itoa(e.status): s.response(http.StatusText(e.status), reflect.TypeFor[T]()),
	}
	if money {
		responses[strconv.Itoa(http.StatusAccepted)] = s.response("Still being processed", reflect.TypeFor[Underway]())
	}
	registerAs(s, e, responses, func(ctx context.Context, in *I) (*idempotentOutput, error) {
		answer, err := handler(ctx, in)
		if err != nil {
			return nil, err
		}
		return answer.output(e.status), nil
	})
}

// unlessRepeated returns a refusal, or nil if an earlier request used the key of the call: the
// earlier one has passed the check that refuses now. Code IdempotencyMismatch.
func (s *Server) unlessRepeated(ctx context.Context, refusal error) error {
	if refusal == nil {
		return nil
	}
	_, used, err := idempotency.Lookup(ctx, s.db, callOf(ctx).key)
	if used || err != nil {
		return err
	}
	return refusal
}

// awaitOperation waits for an operation. The answer is load's result once it is done, its
// rejection, or the pending operation if the wait times out.
func awaitOperation[T any](
	ctx context.Context, s *Server, op operations.Operation, load func(done catalog.Outcome) (T, error),
) (*Settled[T], error) {
	return awaitAndRead(ctx, s, op, func(postgres.Queue) {}, load)
}

// awaitAndRead is awaitOperation that reads what also queues together with the outcome; see
// operations.Waiter.WaitAndRead.
func awaitAndRead[T any](
	ctx context.Context, s *Server, op operations.Operation, also func(q postgres.Queue), load func(done catalog.Outcome) (T, error),
) (*Settled[T], error) {
	op, err := s.waiter.WaitAndRead(ctx, op, also)
	if err != nil {
		return nil, err
	}
	if err := op.Err(); err != nil {
		return nil, err
	}
	view, err := op.View()
	if err != nil {
		return nil, err
	}
	if op.Status == operations.Pending {
		return &Settled[T]{Pending: &view}, nil
	}
	if view.Result == nil {
		return nil, fmt.Errorf("operation %s is done without a result", op.ID)
	}
	result, err := load(view.Result.Outcome)
	return settledWith(result), err
}
