package api

import (
	"cmp"
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

// refusal describes an error code: its status, when it is answered, and a sample text. With a
// status of 500 and above, people see a reference (failure).
type refusal struct {
	status      int
	means, text string
}

// refusals describes every error code (docs/rules.md#errors).
var refusals = map[fault.Code]refusal{
	fault.AlreadyHandled: {http.StatusConflict, "somebody else has handled it, or is about to", "Already handled."},
	fault.Conflict: {
		http.StatusConflict, "the state of things does not allow it", "This deal is Completed, so it cannot be cancelled.",
	},
	fault.Duplicate: {http.StatusConflict, "there is one already", "This transaction ID has already been used."},
	fault.Forbidden: {http.StatusForbidden, "not for this caller, or sent by another site", "Only admins may do this."},
	fault.IdempotencyMismatch: {
		http.StatusConflict, "the key belongs to another request", "This Idempotency-Key was used for another request.",
	},
	fault.InsufficientBalance: {http.StatusConflict, "the wallet has less; shortfall says by how much", "Insufficient balance"},
	fault.Internal: {
		http.StatusInternalServerError, "an internal error; the log has it under the X-Request-Id", textInternal,
	},
	fault.Invalid: {
		http.StatusBadRequest, "the message is the first rule that fails; fields says where", "All fields are required.",
	},
	fault.InvalidCredentials: {http.StatusUnauthorized, "unknown username or wrong password", "Invalid credentials"},
	fault.Locked: {
		http.StatusTooManyRequests, "too many failures; Retry-After says how long",
		"Too many attempts. Login is locked for now. Please try again later.",
	},
	fault.LoginExpired: {
		http.StatusUnauthorized, "the login took too long, or five codes were wrong: start again", "Please log in again.",
	},
	fault.MailCodeRequired: {
		http.StatusForbidden, "have a code mailed, and confirm it first", "Please enter the code that we mail you.",
	},
	fault.NotFound:         {http.StatusNotFound, "there is no such thing, or none that the caller may know of", "Not found."},
	fault.PasswordRequired: {http.StatusForbidden, "confirm the password first", "Please enter your password again."},
	fault.RateChanged: {
		http.StatusConflict, "the taka that the client showed are not those that the server counts",
		"The exchange rate has changed. Please check the amount and try again.",
	},
	fault.RateLimited: {
		http.StatusTooManyRequests, "too many calls; Retry-After says how long", "Too many attempts. Please try again later.",
	},
	fault.SecondFactorMissing: {
		http.StatusForbidden, "an admin has to set up a second factor first", "Set up two-step login first.",
	},
	fault.SecondFactorRequired: {
		http.StatusUnauthorized,
		"a proof of the second factor is missing; params.methods says what the user has: totp, passkey, backup, with commas",
		"Please confirm that it is you.",
	},
	fault.TooLarge: {
		http.StatusRequestEntityTooLarge, "the body or its image is too large", "The request is too large: the limit is 64 KiB.",
	},
	fault.Unauthenticated: {http.StatusUnauthorized, "nobody is signed in", "Please log in to continue."},
	fault.Unavailable:     {http.StatusServiceUnavailable, "try again after Retry-After", textUnavailable},
	fault.WeakPassword: {
		http.StatusForbidden, "an admin's password is too short", "Set a password of at least 12 characters first.",
	},
	methodNotAllowed: {
		http.StatusMethodNotAllowed, "the path has no call with this method", "This address does not take this kind of request.",
	},
	requestTimeout: {
		http.StatusRequestTimeout, "the body took too long to arrive", "The request took too long to arrive.",
	},
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
	wire := &Error{
		status: cmp.Or(refusals[f.Code].status, http.StatusInternalServerError), retryAfter: f.RetryAfter,
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
	requestInfoOf(ctx).refusal = f
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
