package torture

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"amanat/internal/money"
)

const (
	answerTimeout = 10 * time.Second
	waiting       = 8                     // people for each one who acts
	minPause      = 20 * time.Millisecond // between two attempts
	maxPause      = 1500 * time.Millisecond
	sessionCookie = "amanat" // without HTTPS
)

// person is a user with a session.
type person struct {
	id      uuid.UUID
	session string
}

// client makes calls and records them.
type client struct {
	http    *http.Client
	sites   []string
	turn    atomic.Int64
	history *History
	start   time.Time
	acting  chan struct{} // as large as the number of people who act at the same time
}

func newClient(sites []string, acting int) *client {
	return &client{
		http:    &http.Client{Timeout: answerTimeout, Transport: &http.Transport{MaxIdleConnsPerHost: waiting * acting}},
		acting:  make(chan struct{}, acting),
		sites:   sites,
		history: &History{},
		start:   time.Now(),
	}
}

// request is what a call sends.
type request struct {
	by     person
	method string
	path   string // below /api
	body   any
	once   bool // it has no idempotency key, so that it is not repeated
}

// fields is the body of a request.
type fields map[string]any

func post(by person, path string, body fields) request {
	if body == nil {
		body = fields{}
	}
	return request{by: by, method: http.MethodPost, path: path, body: body}
}

func get(by person, path string) request { return request{by: by, method: http.MethodGet, path: path} }

// answer is a response, or none with status 0.
type answer struct {
	status int
	body   []byte
}

// final reports whether the outcome is known: the call has had its effect, or is refused. An
// operation that is accepted is still under way, and a server that is busy may have done it.
func (a answer) final() bool {
	switch a.status {
	case 0, http.StatusAccepted, http.StatusRequestTimeout, http.StatusTooManyRequests:
		return false
	}
	return a.status < http.StatusInternalServerError
}

// id returns the id in the body, or that of the object in one of its fields.
func (a answer) id(within string) uuid.UUID {
	var object struct {
		ID uuid.UUID `json:"_id"`
	}
	body := a.body
	if within != "" {
		var whole map[string]json.RawMessage
		if json.Unmarshal(body, &whole) != nil {
			return uuid.UUID{}
		}
		body = whole[within]
	}
	_ = json.Unmarshal(body, &object) // no id: the call that uses it is refused, which is a violation
	return object.ID
}

// call makes a request, and repeats it with the same key at one api after the other until its
// outcome is known or ctx ends. It fills in the record, which the caller adds to the history.
func (c *client) call(ctx context.Context, r request, record *Call) answer {
	key := uuid.NewString()
	record.Actor = r.by.id
	record.Invoked = time.Since(c.start)
	var a answer
	for {
		began := time.Since(c.start)
		a = c.attempt(ctx, r, key, record.Attempts == 0)
		record.Attempts++
		record.Status = a.status
		if record.Kind.reads() { // the reads before this one have seen nothing
			record.Invoked = began
		}
		if a.final() {
			record.concludeWith(a)
			break
		}
		record.Unanswered++
		record.Outcome = Unknown
		if a.status == http.StatusAccepted {
			record.Pending = began
		}
		if r.once || !pause(ctx, backOff(record.Attempts)) {
			break
		}
	}
	record.Returned = time.Since(c.start)
	return a
}

// concludeWith fills in what a final answer says.
func (c *Call) concludeWith(a answer) {
	if a.status < http.StatusMultipleChoices {
		c.Outcome = OK
		return
	}
	c.Outcome = Refused
	var failure struct {
		Code, Reason string
		Shortfall    *money.Cents
	}
	if json.Unmarshal(a.body, &failure) == nil {
		c.Code, c.Reason = failure.Code, failure.Reason
		if failure.Shortfall != nil {
			c.Shortfall = int64(*failure.Shortfall)
		}
	}
}

// attempt makes the request once. People who wait for the outcome of an earlier attempt do not
// count among those who act.
func (c *client) attempt(ctx context.Context, r request, key string, first bool) answer {
	if first {
		c.acting <- struct{}{}
		defer func() { <-c.acting }()
	}
	var body io.Reader
	if r.body != nil {
		encoded, err := json.Marshal(r.body)
		if err != nil {
			return answer{}
		}
		body = bytes.NewReader(encoded)
	}
	site := c.sites[int(c.turn.Add(1))%len(c.sites)]
	call, err := http.NewRequestWithContext(ctx, r.method, site+"/api"+r.path, body)
	if err != nil {
		return answer{}
	}
	call.Header.Set("Cookie", sessionCookie+"="+r.by.session)
	if body != nil {
		call.Header.Set("Content-Type", "application/json")
	}
	if r.method != http.MethodGet && !r.once {
		call.Header.Set("Idempotency-Key", key)
	}
	response, err := c.http.Do(call)
	if err != nil {
		return answer{}
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil { // the answer was cut off
		return answer{}
	}
	return answer{response.StatusCode, content}
}

// backOff returns how long to wait after some attempts. Many people wait while a server is down,
// and must not keep it from coming back.
func backOff(attempts int) time.Duration {
	most := min(minPause<<min(attempts, 10), maxPause)
	return most/2 + rand.N(most/2)
}

// pause waits, and returns false if ctx ends.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
