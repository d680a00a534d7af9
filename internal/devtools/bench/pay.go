package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

const (
	callTimeout = 30 * time.Second
	pollPause   = 20 * time.Millisecond
	sessionName = "amanat" // name of the session cookie without HTTPS
	idempotency = "Idempotency-Key"
	// An open loop may have this many calls in flight for each client of the closed loop.
	connsAClient = 10
)

var errNoDeals = errors.New("all prepared deals are paid: this machine is faster than expected, prepare more")

// payment is a deal to pay and its buyer.
type payment struct {
	deal  uuid.UUID
	buyer int // index into the sessions
}

// warmUp returns for how long payments are made before the first measurement, at most three
// seconds: PostgreSQL plans the statements of each connection several times before it keeps a plan.
func (e *environment) warmUp() time.Duration { return min(e.options.Duration, 3*time.Second) }

// warmUpPayments pays deals without measuring.
func (e *environment) warmUpPayments(ctx context.Context) error {
	if e.warm {
		return nil
	}
	e.warm = true
	duration := e.options.Duration
	defer func() { e.options.Duration = duration }()
	e.options.Duration = e.warmUp()
	if _, err := e.pay(ctx, 0); err != nil {
		return err
	}
	return e.waitIdle(ctx)
}

// pay measures payments over HTTP, each from its POST to the final 200: in a closed loop, or at a
// fixed rate if perSecond is positive.
func (e *environment) pay(ctx context.Context, perSecond float64) (Sample, error) {
	client := e.newClient()
	defer client.CloseIdleConnections()
	var taken atomic.Int64
	payNext := func(ctx context.Context, _ int) error {
		n := int(taken.Add(1)) - 1
		if n >= len(e.unpaid) {
			return errNoDeals
		}
		return e.payDeal(ctx, client, e.unpaid[n])
	}
	sample, err := e.load(ctx, perSecond, payNext)
	e.unpaid = e.unpaid[min(len(e.unpaid), int(taken.Load())):]
	return sample, err
}

// newClient returns a client that keeps a connection for each call in flight.
func (e *environment) newClient() *http.Client {
	return &http.Client{Timeout: callTimeout, Transport: &http.Transport{MaxIdleConnsPerHost: connsAClient * e.options.Clients}}
}

// load calls do in a closed loop, or at a fixed rate if perSecond is positive.
func (e *environment) load(ctx context.Context, perSecond float64, do func(ctx context.Context, client int) error) (Sample, error) {
	if perSecond > 0 {
		return openLoop(ctx, perSecond, e.options.Duration, do)
	}
	return closedLoop(ctx, e.options.Clients, e.options.Duration, do)
}

// operation is the api's representation of a payment in progress.
type operation struct {
	ID     string `json:"_id"`
	Status string `json:"status"`
}

// payDeal pays one deal and returns when the payment is done. If the api answers 202, payDeal polls
// the operation.
func (e *environment) payDeal(ctx context.Context, client *http.Client, p payment) error {
	session := e.sessions[p.buyer]
	status, body, err := e.call(ctx, client, request{
		method: http.MethodPost, path: "/api/deals/pay/" + p.deal.String(), session: session,
	})
	if err != nil {
		return err
	}
	switch status {
	case http.StatusOK:
		return nil
	case http.StatusAccepted:
		var underway struct{ Operation operation }
		if err := json.Unmarshal(body, &underway); err != nil {
			return err
		}
		return e.awaitPaid(ctx, client, underway.Operation, session)
	}
	return fmt.Errorf("deal %s: %d %s", p.deal, status, body)
}

// awaitPaid polls the operation until it is done. It fails if the operation is rejected.
func (e *environment) awaitPaid(ctx context.Context, client *http.Client, op operation, session string) error {
	for op.Status == "pending" {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollPause):
		}
		status, body, err := e.call(ctx, client, request{
			method: http.MethodGet, path: "/api/operations/" + op.ID, session: session,
		})
		if err != nil {
			return err
		}
		if status != http.StatusOK {
			return fmt.Errorf("operation %s: %d %s", op.ID, status, body)
		}
		if err := json.Unmarshal(body, &op); err != nil {
			return err
		}
	}
	if op.Status != "done" {
		return fmt.Errorf("operation %s is %s", op.ID, op.Status)
	}
	return nil
}

// request is a call such as a browser makes.
type request struct {
	method, path string
	session      string // "": signed out
	body         []byte
}

func (e *environment) call(ctx context.Context, client *http.Client, r request) (status int, body []byte, err error) {
	return r.sendTo(ctx, e.site, client)
}

func (r request) sendTo(ctx context.Context, site string, client *http.Client) (status int, body []byte, err error) {
	call, err := http.NewRequestWithContext(ctx, r.method, site+r.path, bytes.NewReader(r.body))
	if err != nil {
		return 0, nil, err
	}
	if r.session != "" {
		call.Header.Set("Cookie", sessionName+"="+r.session)
	}
	if r.method == http.MethodPost {
		call.Header.Set(idempotency, uuid.NewString())
	}
	response, err := client.Do(call)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err = io.ReadAll(response.Body)
	return response.StatusCode, body, err
}
