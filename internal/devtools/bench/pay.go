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
	callTimeout  = 30 * time.Second
	pollPause    = 20 * time.Millisecond
	sessionName  = "amanat" // the cookie's, without HTTPS
	idempotency  = "Idempotency-Key"
	connsAClient = 10 // an open loop may have that many calls under way for each client of the closed one
)

var errNoDeals = errors.New("all prepared deals are paid: this machine is faster than expected, prepare more")

// bill is a deal to be paid, and who has to.
type bill struct {
	deal  uuid.UUID
	buyer int // index into the sessions
}

// pay measures deals being paid over HTTP, each from its POST to the final 200: by so many clients who go on at once, or at a fixed rate.
func (m *market) pay(ctx context.Context, perSecond float64) (Sample, error) {
	client := &http.Client{Timeout: callTimeout, Transport: &http.Transport{MaxIdleConnsPerHost: connsAClient * m.options.Clients}}
	defer client.CloseIdleConnections()
	var taken atomic.Int64
	payNext := func(ctx context.Context, _ int) error {
		n := int(taken.Add(1)) - 1
		if n >= len(m.unpaid) {
			return errNoDeals
		}
		return m.payDeal(ctx, client, m.unpaid[n])
	}
	var sample Sample
	var err error
	if perSecond > 0 {
		sample, err = openLoop(ctx, perSecond, m.options.Duration, payNext)
	} else {
		sample, err = closedLoop(ctx, m.options.Clients, m.options.Duration, payNext)
	}
	m.unpaid = m.unpaid[min(len(m.unpaid), int(taken.Load())):]
	return sample, err
}

// operation is a payment under way, as the api tells of it.
type operation struct {
	ID     string `json:"_id"`
	Status string `json:"status"`
}

// payDeal pays one deal and returns when it is paid. An answer that it is still being processed is followed up.
func (m *market) payDeal(ctx context.Context, client *http.Client, b bill) error {
	session := m.sessions[b.buyer]
	status, body, err := m.call(ctx, client, request{method: http.MethodPost, path: "/api/deals/pay/" + b.deal.String(), session: session})
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
		return m.awaitPaid(ctx, client, underway.Operation, session)
	}
	return fmt.Errorf("deal %s: %d %s", b.deal, status, body)
}

// awaitPaid asks for the operation until it is done. A rejected one is a failure of the bench.
func (m *market) awaitPaid(ctx context.Context, client *http.Client, op operation, session string) error {
	for op.Status == "pending" {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollPause):
		}
		status, body, err := m.call(ctx, client, request{method: http.MethodGet, path: "/api/operations/" + op.ID, session: session})
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

// request is a call as a browser makes it.
type request struct {
	method, path string
	session      string // "": signed out
	body         []byte
}

func (m *market) call(ctx context.Context, client *http.Client, r request) (status int, body []byte, err error) {
	call, err := http.NewRequestWithContext(ctx, r.method, m.site+r.path, bytes.NewReader(r.body))
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
