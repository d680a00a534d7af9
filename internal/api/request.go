package api

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/domain/accounts"
	"amanat/internal/money/idempotency"
)

type contextKey int

const (
	requestInfoKey contextKey = iota
	callKey
)

// requestInfo is what middlewares record about a request, for the log and for each other.
type requestInfo struct {
	id      string
	method  string
	address string // the client's, see addresses
	userID  *uuid.UUID

	upgraded bool // the connection is a socket now
}

func requestInfoOf(ctx context.Context) *requestInfo {
	if info, ok := ctx.Value(requestInfoKey).(*requestInfo); ok {
		return info
	}
	return &requestInfo{}
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

// stopwatch returns a function that returns the elapsed time of the machine's clock.
func stopwatch() func() time.Duration {
	started := time.Now()                                      //nolint:forbidigo // duration of a request
	return func() time.Duration { return time.Since(started) } //nolint:forbidigo // duration of a request
}

// setReadDeadline bounds how long the client may take to send the body; 0 removes the bound.
// Writers without deadlines, as in tests, ignore it.
func setReadDeadline(w http.ResponseWriter, timeout time.Duration) {
	_ = http.NewResponseController(w).SetReadDeadline(deadline(timeout))
}

// setWriteDeadline bounds how long the client may take to receive the answer, from now: reading a
// large body may have taken a while.
func setWriteDeadline(w http.ResponseWriter, timeout time.Duration) {
	_ = http.NewResponseController(w).SetWriteDeadline(deadline(timeout))
}

func deadline(timeout time.Duration) time.Time {
	if timeout <= 0 {
		return time.Time{}
	}
	return time.Now().Add(timeout) //nolint:forbidigo // deadline of a connection
}
