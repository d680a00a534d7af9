package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"time"

	"github.com/google/uuid"
)

const (
	// Bounds one call, including the retries while an operation is slow.
	settleTimeout = time.Minute
	settlePause   = 100 * time.Millisecond
	maxAnswer     = 1 << 20
)

// fields is the body of a request.
type fields map[string]any

// resource is any object with an ID.
type resource struct {
	ID string `json:"_id"`
}

// person is a signed-in user, who uses the site through its HTTP API.
type person struct {
	id   string
	base string
	http *http.Client
}

func signIn(ctx context.Context, base, username, password string) (*person, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	p := &person{base: base, http: &http.Client{Jar: jar}}
	var user resource
	if err := p.call(ctx, http.MethodPost, "/auth/login", fields{"username": username, "password": password}, &user); err != nil {
		return nil, err
	}
	p.id = user.ID
	return p, nil
}

// call sends a request and decodes the final response into out, unless out is nil. While an
// operation is pending it repeats the request with the same idempotency key, as the UI does.
func (p *person) call(ctx context.Context, method, path string, in fields, out any) error {
	ctx, cancel := context.WithTimeout(ctx, settleTimeout)
	defer cancel()
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	key := uuid.NewString()
	for {
		status, answer, err := p.send(ctx, method, path, key, body)
		switch {
		case err != nil:
			return fmt.Errorf("%s %s: %w", method, path, err)
		case status == http.StatusAccepted:
			select {
			case <-ctx.Done():
				return fmt.Errorf("%s %s: %w", method, path, ctx.Err())
			case <-time.After(settlePause):
			}
		case status >= http.StatusMultipleChoices:
			return fmt.Errorf("%s %s: status %d: %s", method, path, status, answer)
		case out == nil:
			return nil
		default:
			return json.Unmarshal(answer, out)
		}
	}
}

func (p *person) send(ctx context.Context, method, path, key string, body []byte) (status int, answer []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, method, p.base+"/api"+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", key)
	response, err := p.http.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	return response.StatusCode, answer, err
}
