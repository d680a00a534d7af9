package api

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"time"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/tracing"
	"amanat/internal/money"
)

// Codes of the HTTP layer.
const (
	methodNotAllowed fault.Code = "method_not_allowed"
	requestTimeout   fault.Code = "request_timeout"
)

// statuses maps error codes to HTTP statuses (docs/rules.md#errors).
var statuses = map[fault.Code]int{
	fault.AlreadyHandled:       http.StatusConflict,
	fault.Conflict:             http.StatusConflict,
	fault.Duplicate:            http.StatusConflict,
	fault.Forbidden:            http.StatusForbidden,
	fault.IdempotencyMismatch:  http.StatusConflict,
	fault.InsufficientBalance:  http.StatusConflict,
	fault.Internal:             http.StatusInternalServerError,
	fault.Invalid:              http.StatusBadRequest,
	fault.InvalidCredentials:   http.StatusUnauthorized,
	fault.Locked:               http.StatusTooManyRequests,
	fault.LoginExpired:         http.StatusUnauthorized,
	fault.NotFound:             http.StatusNotFound,
	fault.MailCodeRequired:     http.StatusForbidden,
	fault.PasswordRequired:     http.StatusForbidden,
	fault.RateChanged:          http.StatusConflict,
	fault.RateLimited:          http.StatusTooManyRequests,
	fault.SecondFactorMissing:  http.StatusForbidden,
	fault.SecondFactorRequired: http.StatusUnauthorized,
	fault.TooLarge:             http.StatusRequestEntityTooLarge,
	fault.Unauthenticated:      http.StatusUnauthorized,
	fault.Unavailable:          http.StatusServiceUnavailable,
	fault.WeakPassword:         http.StatusForbidden,
	methodNotAllowed:           http.StatusMethodNotAllowed,
	requestTimeout:             http.StatusRequestTimeout,
}

// Texts for errors without one.
const (
	textInternal    = "Something went wrong"
	textUnavailable = "The service is busy. Please try again in a moment."
	textOtherSite   = "This request came from another site."
)

func errInternal() *fault.Error { return fault.New(fault.Internal, "internal", textInternal) }

func errUnavailable() *fault.Error {
	return fault.New(fault.Unavailable, "service_busy", textUnavailable)
}

// retryAfter is the default Retry-After.
const retryAfter = 2 * time.Second

// Error is the body of every error response.
type Error struct {
	status     int
	retryAfter time.Duration
	cookie     string // Set-Cookie, "" for none

	Message   string            `json:"message" doc:"Text for the user." example:"Done."`
	Code      fault.Code        `json:"code"`
	Reason    string            `json:"reason,omitempty" doc:"Identifies the message: more precise than the code, which says what kind of failure it is." example:"deal_status"`
	Params    fault.Params      `json:"params,omitempty" doc:"The values in the message. Times are RFC 3339, amounts decimal numbers."`
	Fields    map[string]string `json:"fields,omitempty" doc:"Text for each request field that is wrong."`
	Reference string            `json:"reference,omitempty" doc:"Of an unexpected failure: the code that support finds it by in the log." example:"7F3K-9Q2M"`
	Shortfall *money.Cents      `json:"shortfall,omitempty" doc:"USD that are missing; with code insufficient_balance."`
}

// Error returns the code and the text, for logs.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// GetStatus returns the HTTP status.
func (e *Error) GetStatus() int { return e.status }

// GetHeaders returns the headers of the error.
func (e *Error) GetHeaders() http.Header {
	header := http.Header{}
	if e.retryAfter > 0 {
		header.Set("Retry-After", strconv.Itoa(int(math.Ceil(e.retryAfter.Seconds()))))
	}
	if e.cookie != "" {
		header.Set("Set-Cookie", e.cookie)
	}
	return header
}

func newError(f *fault.Error) *Error {
	status, known := statuses[f.Code]
	if !known {
		status = http.StatusInternalServerError
	}
	wire := &Error{
		status: status, retryAfter: f.RetryAfter,
		Message: f.Message, Code: f.Code, Reason: f.Reason, Params: f.Params, Fields: f.Fields,
	}
	if f.Code == fault.Unavailable && wire.retryAfter == 0 {
		wire.retryAfter = retryAfter
	}
	if f.Code == fault.InsufficientBalance {
		shortfall := money.Cents(f.Shortfall)
		wire.Shortfall = &shortfall
	}
	return wire
}

// failure converts any error to one that the client may see. Errors that are not a *fault.Error, or
// have a cause, are logged.
func (s *Server) failure(ctx context.Context, err error) *Error {
	f := fault.As(err)
	if f == nil {
		f = classify(err)
	}
	level := slog.LevelWarn
	switch {
	case f.Err == nil:
		return newError(f)
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		level = slog.LevelDebug // the client went away
	case f.Code == fault.Internal:
		level = slog.LevelError
	}
	s.logFailure(ctx, level, f)
	wire := newError(f)
	if wire.status >= http.StatusInternalServerError {
		wire.Reference = tracing.Reference(requestInfoOf(ctx).id)
	}
	return wire
}

// logFailure logs the route, not the path, and nothing that the client sent. The error of a
// statement starts with its name.
func (s *Server) logFailure(ctx context.Context, level slog.Level, f *fault.Error) {
	info := requestInfoOf(ctx)
	attributes := []slog.Attr{
		slog.String("request_id", info.id),
		slog.String("ref", tracing.Reference(info.id)),
		slog.String("method", info.method),
		slog.String("route", routeOf(ctx)),
		slog.String("code", string(f.Code)),
		slog.Any("error", f.Err),
	}
	if info.userID != nil {
		attributes = append(attributes, slog.String("user_id", info.userID.String()))
	}
	s.logger.LogAttrs(ctx, level, "request failed", attributes...)
}

func classify(err error) *fault.Error {
	switch {
	case postgres.Unstorable(err):
		return fault.New(fault.Invalid, "characters_invalid", "The request contains characters that cannot be stored.").Because(err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), postgres.Unavailable(err):
		return errUnavailable().Because(err)
	}
	return errInternal().Because(err)
}

// refuse writes the error response to a request that reaches no handler.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	wire := s.failure(r.Context(), err)
	for name, values := range wire.GetHeaders() {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", jsonType)
	w.WriteHeader(wire.status)
	_ = json.NewEncoder(w).Encode(wire) // fails only if the client is gone
}
