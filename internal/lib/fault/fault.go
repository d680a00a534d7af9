// Package fault defines the error type of the project: a stable code for programs, a text for the
// user with a stable reason and its values, so that programs can render it in another language, and
// a cause for the log.
package fault

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Code identifies a kind of failure on the wire. Its HTTP status is defined in
// internal/api/errors.go only.
type Code string

// Codes (docs/rules.md#errors).
const (
	AlreadyHandled       Code = "already_handled"
	Conflict             Code = "conflict"
	Duplicate            Code = "duplicate"
	Forbidden            Code = "forbidden"
	IdempotencyMismatch  Code = "idempotency_mismatch"
	InsufficientBalance  Code = "insufficient_balance"
	Internal             Code = "internal"
	Invalid              Code = "invalid"
	InvalidCredentials   Code = "invalid_credentials"
	LoginExpired         Code = "login_expired"
	Locked               Code = "locked"
	MailCodeRequired     Code = "mail_code_required"
	NotFound             Code = "not_found"
	PasswordRequired     Code = "password_required"
	RateChanged          Code = "rate_changed"
	RateLimited          Code = "rate_limited"
	SecondFactorMissing  Code = "second_factor_missing"
	SecondFactorRequired Code = "second_factor_required"
	TooLarge             Code = "too_large"
	Unauthenticated      Code = "unauthenticated"
	Unavailable          Code = "unavailable"
	WeakPassword         Code = "weak_password"
)

// Params are the values of a text's {placeholders}: strings, whole numbers, or types of which both
// the text and the JSON are one of these. The text shows them as fmt.Sprint does.
type Params map[string]any

// Error is a failure with a text that may be shown to the user. Err, if any, is for the log only.
type Error struct {
	Code       Code
	Reason     string // identifies the text; "" in errors stored by versions that had none
	Message    string
	Params     Params            // the values in Message
	Fields     map[string]string // text per request field, for code Invalid
	Shortfall  int64             // USD cents that are missing, for code InsufficientBalance
	RetryAfter time.Duration     // for codes Locked, RateLimited and Unavailable
	Err        error
}

// New returns an error of the given code with a text for the user. reason identifies the text:
// internal/devtools/sentences lists all calls, and refuses two texts with one reason.
func New(code Code, reason, text string) *Error {
	return &Error{Code: code, Reason: reason, Message: text}
}

// Newf is New for a text with {placeholders}.
func Newf(code Code, reason, text string, params Params) *Error {
	pairs := make([]string, 0, 2*len(params))
	for name, value := range params {
		pairs = append(pairs, "{"+name+"}", fmt.Sprint(value))
	}
	return &Error{Code: code, Reason: reason, Message: strings.NewReplacer(pairs...).Replace(text), Params: params}
}

// Field returns an Invalid error about a request field. Its text is also that of the field.
func Field(field, reason, text string) *Error { return New(Invalid, reason, text).on(field) }

// Fieldf is Field for a text with {placeholders}.
func Fieldf(field, reason, text string, params Params) *Error {
	return Newf(Invalid, reason, text, params).on(field)
}

// Taken returns a Duplicate error about a request field.
func Taken(field, reason, text string) *Error { return New(Duplicate, reason, text).on(field) }

// Takenf is Taken for a text with {placeholders}.
func Takenf(field, reason, text string, params Params) *Error {
	return Newf(Duplicate, reason, text, params).on(field)
}

// Retry returns an error of the given code that tells the client when to try again.
func Retry(code Code, after time.Duration, reason, text string) *Error {
	err := New(code, reason, text)
	err.RetryAfter = after
	return err
}

// With returns the error with values for programs, which its text does not show.
func (e *Error) With(params Params) *Error {
	more := *e
	more.Params = params
	return &more
}

// on adds a request field with the error's text.
func (e *Error) on(field string) *Error {
	e.Fields = map[string]string{field: e.Message}
	return e
}

// Because returns the error with a cause for the log.
func (e *Error) Because(cause error) *Error {
	caused := *e
	caused.Err = cause
	return &caused
}

// In returns err with the request field added if it is an Invalid error without fields, and err
// unchanged otherwise.
func In(field string, err error) error {
	if f := As(err); f != nil && f.Code == Invalid && len(f.Fields) == 0 {
		named := *f
		return named.on(field)
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
