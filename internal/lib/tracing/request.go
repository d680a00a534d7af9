// Package tracing follows a call from its request to the transfer it causes: the request id, the
// short reference of it that people see, and OpenTelemetry spans. Without a provider, which package
// otlp has, spans cost nothing.
package tracing

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"strings"
)

type requestIDKey struct{}

// WithRequestID returns a context that carries the id of the call that work is done for; "": of
// none.
func WithRequestID(ctx context.Context, id string) context.Context {
	if id == RequestID(ctx) {
		return ctx
	}
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID returns the id of the call that work is done for, "" if there is none.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// referenceEncoding is Crockford's: without I, L, O and U, which are easily misread.
var referenceEncoding = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)

const (
	referenceBytes = 5 // 8 characters
	referenceHalf  = 4
)

// Reference returns the short code of a call that people can read out, such as 7F3K-9Q2M, and ""
// for an empty id. It is made of the hash of the id, because ids begin with the time.
func Reference(requestID string) string {
	if requestID == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(requestID))
	code := referenceEncoding.EncodeToString(sum[:referenceBytes])
	return code[:referenceHalf] + "-" + code[referenceHalf:]
}

var errReference = errors.New("a reference has eight letters and digits, as in 7F3K-9Q2M")

// ParseReference returns the first bytes of the SHA-256 hash of the request id that a reference
// stands for. It accepts what people write: lower case, no dash, O for 0 and I or L for 1.
func ParseReference(text string) ([]byte, error) {
	code := strings.NewReplacer("-", "", " ", "", "O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(text))
	prefix, err := referenceEncoding.DecodeString(code)
	if err != nil || len(code) != 2*referenceHalf {
		return nil, errReference
	}
	return prefix, nil
}
