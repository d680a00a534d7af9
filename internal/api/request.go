package api

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/accounts"
	"amanat/internal/operations"
)

type contextKey int

const (
	requestInfoKey contextKey = iota
	callKey
)

// requestInfo is what the middlewares learn of a request, for the log and for each other.
type requestInfo struct {
	id      string
	address string // the client's, see addresses
	userID  uuid.UUID

	upgraded bool // the connection is a socket now
}

func requestInfoOf(ctx context.Context) *requestInfo {
	if info, ok := ctx.Value(requestInfoKey).(*requestInfo); ok {
		return info
	}
	return &requestInfo{}
}

// call is what handlers may ask of the request they serve, beside their input.
type call struct {
	id      uuid.UUID // of the path, where it has one
	body    []byte
	key     *operations.Key // nil when none was sent, or the route takes none
	token   accounts.Token  // "" when the browser sent none
	browser accounts.Token  // what it is known by, "" when nothing
	client  accounts.Client
	user    accounts.User // zero where nobody is signed in, or asked to be
	session accounts.Session
}

func callOf(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey).(*call); ok {
		return c
	}
	return &call{}
}

// actor returns the signed-in user. Every route but the public ones has one.
func actor(ctx context.Context) accounts.User { return callOf(ctx).user }

// pathID returns the id in the path.
func pathID(ctx context.Context) uuid.UUID { return callOf(ctx).id }

// stopwatch returns a function that tells the time since. It measures the machine, not the business.
func stopwatch() func() time.Duration {
	started := time.Now()                                      //nolint:forbidigo // duration of a request
	return func() time.Duration { return time.Since(started) } //nolint:forbidigo // duration of a request
}

// setReadDeadline bounds how long the client may take to send the body; 0 lifts the bound. Writers that know no deadlines, as in tests,
// have none.
func setReadDeadline(w http.ResponseWriter, timeout time.Duration) {
	_ = http.NewResponseController(w).SetReadDeadline(deadline(timeout))
}

// setWriteDeadline bounds how long the client may take to receive the answer, from now: sending a large body may have taken it a while.
func setWriteDeadline(w http.ResponseWriter, timeout time.Duration) {
	_ = http.NewResponseController(w).SetWriteDeadline(deadline(timeout))
}

func deadline(timeout time.Duration) time.Time {
	if timeout <= 0 {
		return time.Time{}
	}
	return time.Now().Add(timeout) //nolint:forbidigo // deadline of a connection
}
