// Command local runs the whole of Amanat in one process, for `make run` and the end-to-end tests:
// embedded PostgreSQL, Redis and mail, the api and a worker, and demo data in an empty database. It
// listens on 127.0.0.1 only. config.Local describes its environment. It has two routes of its own:
// /dev/mail shows the sent mails, /dev/clock returns business time and moves it forward.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/config"
	"amanat/internal/lib/webpush"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	env, err := config.LoadLocal()
	if err == nil {
		err = run(ctx, env, os.Stdout)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "amanat:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends. It writes messages to the user to out.
func run(ctx context.Context, env config.Local, out io.Writer) error {
	if err := os.MkdirAll(env.DataDir, 0o755); err != nil { //nolint:gosec // the database's own user must get through
		return fmt.Errorf("AMANAT_DATA: %w", err)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(env.Port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("port %d is in use; choose another, as in: PORT=8081 make run", env.Port)
	}
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // serve closes it too
	stack := &stack{env: env, out: out}
	err = stack.run(ctx, listener)
	if ctx.Err() != nil && !stack.greeted {
		err = nil // stopped during the start, so the interruption is no failure
	}
	return errors.Join(err, stack.servers.stop())
}

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

const pushKeysFile = "push-keys.json"

// setPushKeys gives the keys of pushes in the data folder, which it creates, to api and worker,
// unless the environment has some.
func setPushKeys(dataDir string, api *config.API, worker *config.Worker) error {
	if api.VAPIDPublicKey != "" {
		return nil
	}
	path := filepath.Join(dataDir, pushKeysFile)
	var keys webpush.Keys
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if keys, err = webpush.NewKeys(); err != nil {
			return err
		}
		if text, err = json.Marshal(keys); err != nil {
			return err
		}
		if err := replaceFile(path, text); err != nil {
			return fmt.Errorf("keys of pushes: %w", err)
		}
	case err != nil:
		return fmt.Errorf("keys of pushes: %w", err)
	default:
		if err := json.Unmarshal(text, &keys); err != nil {
			return fmt.Errorf("keys of pushes: %s: %w", path, err)
		}
	}
	if err := keys.Check(); err != nil {
		return fmt.Errorf("keys of pushes: %s: %w", path, err)
	}
	api.VAPIDPublicKey, worker.VAPIDPublicKey, worker.VAPIDPrivateKey = keys.Public, keys.Public, keys.Private
	return nil
}
