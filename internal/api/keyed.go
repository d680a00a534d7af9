package api

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"amanat/internal/fault"
	"amanat/internal/operations"
)

const (
	keyHeader = "Idempotency-Key"
	maxKey    = 200
)

func keyParameter() *huma.Param {
	one, most := 1, maxKey
	return &huma.Param{
		Name: keyHeader, In: "header",
		Description: "Makes repeating the request safe: the same key with the same request is answered as the first time.",
		Schema:      &huma.Schema{Type: huma.TypeString, MinLength: &one, MaxLength: &most},
	}
}

// readKey returns the request's Idempotency-Key, nil when there is none. Code Invalid: it is not 1 to 200 visible characters.
func readKey(r *http.Request, userID uuid.UUID, body []byte) (*operations.Key, error) {
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
		return nil, fault.New(fault.Invalid, "The Idempotency-Key must be 1 to 200 visible ASCII characters.")
	}
	hash := sha256.New()
	for _, part := range []string{r.Method, r.URL.EscapedPath()} {
		_, _ = hash.Write([]byte(part + "\n")) // a hash never fails to take bytes
	}
	_, _ = hash.Write(body)
	return &operations.Key{UserID: userID, Value: value, Hash: [sha256.Size]byte(hash.Sum(nil))}, nil
}

// Settled is the answer to a call that takes an Idempotency-Key: the result T, or 202 with the money operation that is still pending.
type Settled[T any] struct {
	Status int
	Body   any
}

// Underway is the body of a 202.
type Underway struct {
	Operation Operation `json:"operation"`
}

// registerKeyed serves an endpoint that takes an Idempotency-Key. Its final answer is kept under the key, and a repeated request is
// given that answer without asking the handler. money says that the outcome may have to be waited for.
func registerKeyed[I, T any](s *Server, e endpoint, money bool, handler func(context.Context, *I) (*Settled[T], error)) {
	e.keyed, e.money = true, money
	if e.status == 0 {
		e.status = http.StatusOK
	}
	responses := map[string]*huma.Response{
		strconv.Itoa(e.status): s.response(http.StatusText(e.status), reflect.TypeFor[T]()),
	}
	if money {
		responses[strconv.Itoa(http.StatusAccepted)] = s.response("Still being processed", reflect.TypeFor[Underway]())
	}
	registerAs(s, e, responses, func(ctx context.Context, in *I) (*Settled[T], error) {
		key := callOf(ctx).key
		if key == nil {
			return handler(ctx, in)
		}
		kept, found, err := s.operations.Answer(ctx, s.db, key)
		if err != nil {
			return nil, err
		}
		if found {
			return &Settled[T]{Status: kept.Status, Body: kept.Body}, nil
		}
		out, err := handler(ctx, in)
		if err == nil && out.Status != http.StatusAccepted {
			s.keep(ctx, key, out.Status, out.Body)
		}
		return out, err
	})
}

// keep stores a final answer. When that fails, a repeated request is answered from the state as it then is, so the answer still stands.
func (s *Server) keep(ctx context.Context, key *operations.Key, status int, body any) {
	encoded, err := json.Marshal(body)
	if err == nil {
		err = s.operations.KeepAnswer(ctx, s.db, key, operations.StoredAnswer{Status: status, Body: encoded})
	}
	if err != nil {
		s.logger.WarnContext(ctx, "answer not kept under its Idempotency-Key", "request_id", requestInfoOf(ctx).id, "error", err)
	}
}

// settled waits for an operation and answers with it: what load makes of it and of its message when it is done, its refusal, or 202.
func settled[T any](
	ctx context.Context, s *Server, op operations.Operation, load func(message string) (T, error),
) (*Settled[T], error) {
	op, err := s.waiter.Wait(ctx, op)
	if err != nil {
		return nil, err
	}
	if err := op.Err(); err != nil {
		return nil, err
	}
	wire, err := operationOf(op)
	if err != nil {
		return nil, err
	}
	if op.Status == operations.Pending {
		return &Settled[T]{Status: http.StatusAccepted, Body: Underway{wire}}, nil
	}
	if wire.Result == nil {
		return nil, fmt.Errorf("operation %s is done without a result", op.ID)
	}
	body, err := load(wire.Result.Message)
	return &Settled[T]{Status: http.StatusOK, Body: body}, err
}
