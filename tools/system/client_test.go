package system

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
	retryFor   = 5 * time.Minute
)

type fields map[string]any

// person is a user with a browser, which stores cookies.
type person struct {
	t      *testing.T
	system *system
	http   *http.Client

	ID       uuid.UUID `json:"_id"`
	Username string    `json:"username"`
	IsAdmin  bool      `json:"isAdmin"`
}

// visitor returns a client that is not signed in.
func (s *system) visitor() *person {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(s.t, err)
	// Connections are not reused, so that a request cannot use one to a killed api.
	transport := &http.Transport{DisableKeepAlives: true}
	return &person{t: s.t, system: s, http: &http.Client{Jar: jar, Transport: transport, Timeout: answerWait}}
}

// member returns a client that has just signed up.
func (s *system) member(username string) *person {
	s.t.Helper()
	p := s.visitor()
	p.post("/auth/signup", fields{"username": username, "email": username + "@example.com", "password": password}).
		want(http.StatusCreated).into(p)
	return p
}

// admin returns a member with the admin role.
func (s *system) admin(username string) *person {
	s.t.Helper()
	p := s.member(username)
	s.amanat(s.db.OwnerURL, "grant-admin", "--now", "the first admin", username)
	p.get("/auth/check").want(http.StatusOK).into(p)
	require.True(s.t, p.IsAdmin)
	return p
}

// answer is the response of an api.
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

// message returns the response's message to the user.
func (a answer) message() string {
	var body struct{ Message string }
	_ = json.Unmarshal(a.body, &body)
	return body.Message
}

// get and post make one request. The test fails if there is no response.
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

// request is a request of a user to an api.
type request struct {
	by   *person
	path string // below /api
	body fields // nil: a GET
	key  string // Idempotency-Key; "": none
}

// ask returns a POST request with a new idempotency key.
func (p *person) ask(path string, body fields) request {
	return request{by: p, path: path, body: orEmpty(body), key: uuid.NewString()}
}

func orEmpty(body fields) fields {
	if body == nil {
		return fields{}
	}
	return body
}

// send makes the request once.
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

// attempts counts the attempts of a request by status, 0 for no response.
type attempts struct {
	statuses map[int]int
	longest  time.Duration // of the responses
}

// retry makes the request with the same idempotency key, at a different api each time, until it has
// a final response.
func (r request) retry(ctx context.Context) (answer, attempts, error) {
	ctx, cancel := context.WithTimeout(ctx, retryFor)
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
		// The api has waited already, so there is no need to pause.
		case a.status == http.StatusAccepted:
		default:
			return a, made, nil
		}
	}
}

// loadUsers is users who make requests at the same time.
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

// ask makes each request once in the background, each as its own user. Use retry for the outcome.
func (u *loadUsers) ask(requests ...request) {
	for _, r := range requests {
		u.group.Go(func() {
			a, err := r.send(u.t.Context(), r.by.system.next())
			if err != nil || a.status >= http.StatusMultipleChoices {
				u.t.Errorf("%s %s: %v %d %s", r.by.Username, r.path, err, a.status, a.body)
			}
		})
	}
}

// retry retries the requests in the background, each as its own user.
func (u *loadUsers) retry(requests ...request) {
	for _, r := range requests {
		u.group.Go(func() {
			a, made, err := r.retry(u.t.Context())
			if err != nil || a.status >= http.StatusMultipleChoices {
				u.t.Errorf("%s %s: %v %d %s", r.by.Username, r.path, err, a.status, a.body)
			}
			u.mu.Lock()
			defer u.mu.Unlock()
			u.asked, u.finals = append(u.asked, r), append(u.finals, a)
			for status, n := range made.statuses {
				u.made.statuses[status] += n
			}
			u.made.longest = max(u.made.longest, made.longest)
		})
	}
}

// wait waits for the final responses. It repeats each request with its key and requires the same
// response.
func (u *loadUsers) wait() {
	u.t.Helper()
	u.group.Wait()
	if u.t.Failed() {
		u.t.FailNow()
	}
	u.t.Logf("%d requests, answers by status (0: none): %v, longest %s",
		len(u.asked), u.made.statuses, u.made.longest.Round(time.Millisecond))
	for i, r := range u.asked {
		again := r.by.do(r).want(u.finals[i].status)
		require.Equal(u.t, u.finals[i].message(), again.message())
	}
}
