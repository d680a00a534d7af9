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

// buyer is somebody who is signed in and has money.
type buyer struct {
	id      uuid.UUID
	session string
}

// bill is a deal to be paid, and who has to.
type bill struct {
	deal  uuid.UUID
	buyer int // index into buyers
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

// payDeal pays one deal and returns when it is paid. An answer that it is still being processed is followed up.
func (m *market) payDeal(ctx context.Context, client *http.Client, b bill) error {
	session := m.buyers[b.buyer].session
	status, body, err := m.call(ctx, client, request{method: http.MethodPost, path: "/api/deals/pay/" + b.deal.String(), session: session})
	for err == nil && status == http.StatusAccepted {
		var underway struct {
			Operation struct {
				ID     string `json:"_id"`
				Status string `json:"status"`
			} `json:"operation"`
		}
		if err := json.Unmarshal(body, &underway); err != nil {
			return err
		}
		if underway.Operation.Status == "done" {
			return nil
		}
		time.Sleep(pollPause)
		status, body, err = m.call(ctx, client, request{method: http.MethodGet, path: "/api/operations/" + underway.Operation.ID, session: session})
	}
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("deal %s: %d %s", b.deal, status, body)
	}
	return err
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
