// Package fault defines the error type of the project: a stable code for programs, a text for the
// user and a cause for the log.
package fault

import (
	"errors"
	"fmt"
	"time"
)

// Code identifies a kind of failure on the wire. Its HTTP status is defined in
// internal/api/errors.go only.
type Code string

// Codes (docs/rules.md#errors).
const (
	AlreadyHandled      Code = "already_handled"
	Conflict            Code = "conflict"
	Duplicate           Code = "duplicate"
	Forbidden           Code = "forbidden"
	IdempotencyMismatch Code = "idempotency_mismatch"
	InsufficientBalance Code = "insufficient_balance"
	Internal            Code = "internal"
	Invalid             Code = "invalid"
	InvalidCredentials  Code = "invalid_credentials"
	Locked              Code = "locked"
	NotFound            Code = "not_found"
	PasswordRequired    Code = "password_required"
	RateChanged         Code = "rate_changed"
	RateLimited         Code = "rate_limited"
	TooLarge            Code = "too_large"
	Unauthenticated     Code = "unauthenticated"
	Unavailable         Code = "unavailable"
	WeakPassword        Code = "weak_password"
)

// Error is a failure with a text that may be shown to the user. Err, if any, is for the log only.
type Error struct {
	Code       Code
	Message    string
	Fields     map[string]string // text per request field, for code Invalid
	Shortfall  int64             // USD cents that are missing, for code InsufficientBalance
	RetryAfter time.Duration     // for codes Locked, RateLimited and Unavailable
	Err        error
}

// New returns an error of the given code with a text for the user.
func New(code Code, message string) *Error {
	return &Error{Code: code, Message: message}
}

// Newf is New with a format.
func Newf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Field returns an Invalid error about a request field. message is the text of both the error and
// the field.
func Field(field, message string) *Error {
	return &Error{Code: Invalid, Message: message, Fields: map[string]string{field: message}}
}

// In returns err with the request field added if it is an Invalid error without fields, and err
// unchanged otherwise.
func In(field string, err error) error {
	if f := As(err); f != nil && f.Code == Invalid && len(f.Fields) == 0 {
		named := *f
		named.Fields = map[string]string{field: f.Message}
		return &named
	}
	return err
}

// Error returns the code, the user's text and the cause, for logs.
func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.Err)
	}
	return fmt.Sprintf("%s: %s", e.Code, e.Message)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// As returns the *Error in err's tree, or nil if there is none.
func As(err error) *Error {
	var f *Error
	if errors.As(err, &f) {
		return f
	}
	return nil
}

// CodeOf returns the code of err: "" for nil, Internal for an error without a code.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if f := As(err); f != nil {
		return f.Code
	}
	return Internal
}
