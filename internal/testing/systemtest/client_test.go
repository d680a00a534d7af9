package systemtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

const (
	password   = "amanat-secret"
	answerWait = 30 * time.Second
	retryPause = 100 * time.Millisecond
	insistFor  = 3 * time.Minute
)

type fields map[string]any

// person is somebody with a browser, which keeps cookies.
type person struct {
	t      *testing.T
	system *system
	http   *http.Client

	ID       uuid.UUID `json:"_id"`
	Username string    `json:"username"`
	IsAdmin  bool      `json:"isAdmin"`
}

// visitor is somebody who is not signed in.
func (s *system) visitor() *person {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(s.t, err)
	// No connection outlives its request: an api that was killed must not be taken for one that lives.
	transport := &http.Transport{DisableKeepAlives: true}
	return &person{t: s.t, system: s, http: &http.Client{Jar: jar, Transport: transport, Timeout: answerWait}}
}

// member is somebody who has just signed up.
func (s *system) member(username string) *person {
	s.t.Helper()
	p := s.visitor()
	p.post("/auth/signup", fields{"username": username, "email": username + "@example.com", "password": password}).
		want(http.StatusCreated).into(p)
	return p
}

// admin is a member whom the operator has made an admin.
func (s *system) admin(username string) *person {
	s.t.Helper()
	p := s.member(username)
	s.amanat(s.db.OwnerURL, "grant-admin", username)
	p.get("/auth/check").want(http.StatusOK).into(p)
	require.True(s.t, p.IsAdmin)
	return p
}

// answer is what an api said.
type answer struct {
	t      *testing.T
	status int
	body   []byte
	took   time.Duration
}

func (a answer) want(status int) answer {
	a.t.Helper()
	require.Equal(a.t, status, a.status, string(a.body))
	return a
}

func (a answer) into(value any) {
	a.t.Helper()
	require.NoError(a.t, json.Unmarshal(a.body, value), string(a.body))
}

// message returns the text for the user.
func (a answer) message() string {
	var body struct{ Message string }
	_ = json.Unmarshal(a.body, &body)
	return body.Message
}

// get and post make one request, which must be answered.
func (p *person) get(path string) answer { p.t.Helper(); return p.do(request{path: path}) }

func (p *person) post(path string, body fields) answer {
	p.t.Helper()
	return p.do(request{path: path, body: orEmpty(body)})
}

func (p *person) do(r request) answer {
	p.t.Helper()
	r.by = p
	a, err := r.send(p.t.Context(), p.system.next())
	require.NoError(p.t, err)
	return a
}

// request is something that somebody asks of an api.
type request struct {
	by   *person
	path string // below /api
	body fields // nil: a GET
	key  string // Idempotency-Key; "": none
}

// ask makes a POST with a key of its own.
func (p *person) ask(path string, body fields) request {
	return request{by: p, path: path, body: orEmpty(body), key: uuid.NewString()}
}

func orEmpty(body fields) fields {
	if body == nil {
		return fields{}
	}
	return body
}

// send makes the request once, at the site.
func (r request) send(ctx context.Context, site string) (answer, error) {
	method, body := http.MethodGet, io.Reader(nil)
	if r.body != nil {
		encoded, err := json.Marshal(r.body)
		if err != nil {
			return answer{}, err
		}
		method, body = http.MethodPost, bytes.NewReader(encoded)
	}
	httpRequest, err := http.NewRequestWithContext(ctx, method, site+"/api"+r.path, body)
	if err != nil {
		return answer{}, err
	}
	if body != nil {
		httpRequest.Header.Set("Content-Type", "application/json")
	}
	if r.key != "" {
		httpRequest.Header.Set("Idempotency-Key", r.key)
	}
	started := time.Now()
	response, err := r.by.http.Do(httpRequest)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{}, err
	}
	return answer{t: r.by.t, status: response.StatusCode, body: content, took: time.Since(started)}, nil
}

// attempts is how the attempts of a request went: statuses, 0 for no answer at all.
type attempts struct {
	statuses map[int]int
	longest  time.Duration // of the answers
}

// insist makes the request again and again, at one api after the other and always under its key, until it has a final answer, as a patient
// client does.
func (r request) insist(ctx context.Context) (answer, attempts, error) {
	ctx, cancel := context.WithTimeout(ctx, insistFor)
	defer cancel()
	made := attempts{statuses: map[int]int{}}
	for {
		a, err := r.send(ctx, r.by.system.next())
		if ctx.Err() != nil {
			return answer{}, made, errors.Join(ctx.Err(), err)
		}
		made.statuses[a.status]++
		made.longest = max(made.longest, a.took)
		switch {
		case err != nil || a.status >= http.StatusInternalServerError:
			select {
			case <-ctx.Done():
			case <-time.After(retryPause):
			}
		case a.status == http.StatusAccepted: // the api has waited for us
		default:
			return a, made, nil
		}
	}
}

// loadUsers is people who insist on their requests at the same time.
type loadUsers struct {
	t     *testing.T
	group sync.WaitGroup

	mu     sync.Mutex
	asked  []request
	finals []answer
	made   attempts
}

func newLoadUsers(t *testing.T) *loadUsers {
	t.Helper()
	return &loadUsers{t: t, made: attempts{statuses: map[int]int{}}}
}

// insist lets the request's person insist on it in the background.
func (c *loadUsers) insist(requests ...request) {
	for _, r := range requests {
		c.group.Go(func() {
			a, made, err := r.insist(c.t.Context())
			if err != nil || a.status >= http.StatusMultipleChoices {
				c.t.Errorf("%s %s: %v %d %s", r.by.Username, r.path, err, a.status, a.body)
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			c.asked, c.finals = append(c.asked, r), append(c.finals, a)
			for status, n := range made.statuses {
				c.made.statuses[status] += n
			}
			c.made.longest = max(c.made.longest, made.longest)
		})
	}
}

// wait waits until all have their final answers, asks each again under its key and wants the same.
func (c *loadUsers) wait() {
	c.t.Helper()
	c.group.Wait()
	if c.t.Failed() {
		c.t.FailNow()
	}
	c.t.Logf("%d requests, answers by status (0: none): %v, longest %s", len(c.asked), c.made.statuses, c.made.longest.Round(time.Millisecond))
	for i, r := range c.asked {
		again := r.by.do(r).want(c.finals[i].status)
		require.Equal(c.t, c.finals[i].message(), again.message())
	}
}
