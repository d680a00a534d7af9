// Package opsserver serves a process's operators on a separate port: health, readiness and metrics.
// The port must not be reachable from the internet. The package only reads; what a process mounts
// beside that may change.
package opsserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/sync/singleflight"
)

const (
	defaultCheckTimeout = 2 * time.Second
	readHeaderTimeout   = 5 * time.Second
	writeTimeout        = 30 * time.Second // for a CPU-starved process
	shutdownTimeout     = 5 * time.Second
)

// Check checks that a dependency of the process works. It should return when ctx ends; the server
// does not wait longer.
type Check func(ctx context.Context) error

// Options configures a Server.
type Options struct {
	// Checks decide readiness: all must pass.
	Checks map[string]Check
	// Watches are run and reported like Checks but do not affect readiness. They are for optional
	// dependencies, such as Redis.
	Watches map[string]Check
	// CheckTimeout bounds each check. Default 2 s.
	CheckTimeout time.Duration
	// Registry is served at /metrics. Required; NewRegistry makes one.
	Registry *prometheus.Registry
	// Mounted are further handlers, by pattern. They authenticate their callers themselves.
	Mounted map[string]http.Handler
	// Logger logs the address and changes of readiness. Default slog.Default().
	Logger *slog.Logger
}

// Server answers /healthz (200 while the process runs), /readyz (200 when it should receive
// traffic, otherwise 503) and /metrics (Prometheus).
type Server struct {
	opts     Options
	handler  http.Handler
	draining atomic.Bool
	running  singleflight.Group // of checks

	mu         sync.Mutex
	lastStatus string
}

// New returns a Server, which Serve starts. It panics if opts has no Registry.
func New(opts Options) *Server {
	if opts.Registry == nil {
		panic("ops: Options.Registry is required")
	}
	if opts.CheckTimeout <= 0 {
		opts.CheckTimeout = defaultCheckTimeout
	}
	if opts.Logger == nil {
		opts.Logger = slog.Default()
	}
	s := &Server{opts: opts}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", s.handleHealth)
	mux.HandleFunc("GET /readyz", s.handleReady)
	mux.Handle("GET /metrics", promhttp.HandlerFor(opts.Registry, promhttp.HandlerOpts{
		ErrorLog:      slog.NewLogLogger(opts.Logger.Handler(), slog.LevelWarn),
		ErrorHandling: promhttp.ContinueOnError, // one broken collector must not hide the others
	}))
	for pattern, handler := range opts.Mounted {
		mux.Handle(pattern, handler)
	}
	s.handler = mux
	return s
}

// Handler returns the handler of all routes.
func (s *Server) Handler() http.Handler { return s.handler }

// SetDraining makes /readyz answer 503 from now on, so that a load balancer sends no new requests
// while the process drains.
func (s *Server) SetDraining() { s.draining.Store(true) }

// Draining reports whether SetDraining was called.
func (s *Server) Draining() bool { return s.draining.Load() }

// Serve listens on addr until ctx ends. ctx must outlive draining, because the load balancer still
// polls /readyz. Serve returns nil if ctx has ended, otherwise the error.
func (s *Server) Serve(ctx context.Context, addr string) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("ops port: %w", err)
	}
	s.opts.Logger.InfoContext(ctx, "serving operators", "address", listener.Addr().String())
	return s.ServeListener(ctx, listener)
}

// ServeListener is Serve on an open listener, which it closes.
func (s *Server) ServeListener(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: readHeaderTimeout,
		WriteTimeout:      writeTimeout,
		ErrorLog:          slog.NewLogLogger(s.opts.Logger.Handler(), slog.LevelWarn),
	}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
		defer cancel()
		stopped <- server.Shutdown(ctx)
	})
	err := server.Serve(listener)
	if stop() { // ctx has not ended
		return fmt.Errorf("ops port: %w", err)
	}
	if err := <-stopped; err != nil {
		return errors.Join(fmt.Errorf("ops port: %w", err), server.Close())
	}
	return nil
}

func (s *Server) handleHealth(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"status": "alive", "version": Version()})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // fails only if the client is gone
}

// Values of Readiness.Status.
const (
	statusReady    = "ready"
	statusNotReady = "not ready"
	statusDraining = "draining"
)

// Readiness is the body of /readyz.
type Readiness struct {
	Status  string            `json:"status"` // "ready", "not ready" or "draining"
	Checks  map[string]Result `json:"checks"`
	Watches map[string]Result `json:"watches"`
}

// Result is the outcome of one check.
type Result struct {
	OK           bool    `json:"ok"`
	Milliseconds float64 `json:"milliseconds"`
	Error        string  `json:"error,omitempty"`
}

func (s *Server) handleReady(w http.ResponseWriter, r *http.Request) {
	// The result counts even if the client disconnects.
	answer := s.readiness(context.WithoutCancel(r.Context()))
	s.logChange(answer)
	status := http.StatusOK
	if answer.Status != statusReady {
		status = http.StatusServiceUnavailable
	}
	writeJSON(w, status, answer)
}

// readiness runs all checks concurrently.
func (s *Server) readiness(ctx context.Context) Readiness {
	answer := Readiness{Status: statusReady}
	var group sync.WaitGroup
	group.Go(func() { answer.Checks = s.runAll(ctx, "check", s.opts.Checks) })
	group.Go(func() { answer.Watches = s.runAll(ctx, "watch", s.opts.Watches) })
	group.Wait()
	for _, result := range answer.Checks {
		if !result.OK {
			answer.Status = statusNotReady
		}
	}
	if s.draining.Load() {
		answer.Status = statusDraining
	}
	return answer
}

func (s *Server) runAll(ctx context.Context, kind string, checks map[string]Check) map[string]Result {
	var (
		group   sync.WaitGroup
		mu      sync.Mutex
		results = make(map[string]Result, len(checks))
	)
	for name, check := range checks {
		group.Go(func() {
			result := s.run(ctx, kind+" "+name, check)
			mu.Lock()
			defer mu.Unlock()
			results[name] = result
		})
	}
	group.Wait()
	return results
}

// run waits for a check until the timeout, even if the check ignores its context. A check that is
// still running is not started again: concurrent and later calls share its result, so that they do
// not pile up.
func (s *Server) run(ctx context.Context, key string, check Check) Result {
	started := time.Now()
	outcome := s.running.DoChan(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(ctx, s.opts.CheckTimeout)
		defer cancel()
		return nil, recoverPanic(ctx, check)
	})
	var err error
	select {
	case found := <-outcome:
		err = found.Err
	case <-time.After(s.opts.CheckTimeout):
		err = context.DeadlineExceeded
	}
	result := Result{OK: err == nil, Milliseconds: float64(time.Since(started).Microseconds()) / 1000}
	if err != nil {
		result.Error = err.Error()
	}
	return result
}

// recoverPanic runs the check and converts a panic to an error.
func recoverPanic(ctx context.Context, check Check) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	return check(ctx)
}

// logChange logs changes of readiness, not each request.
func (s *Server) logChange(answer Readiness) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lastStatus == answer.Status {
		return
	}
	if s.lastStatus != "" || answer.Status != statusReady {
		s.opts.Logger.Warn("readiness changed", "from", s.lastStatus, "to", answer.Status, "checks", answer.Checks)
	}
	s.lastStatus = answer.Status
}

// Bounds of a probe. A health check that waits longer is stopped by whoever runs it.
const (
	probeTimeout = 4 * time.Second
	maxProbeBody = 4 << 10
)

// Probe asks the process on this machine whose ops port is addr whether it is ready. It returns an
// error with the answer if it is not. It is for health checks of images without a shell.
func Probe(ctx context.Context, addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/readyz", http.NoBody)
	if err != nil {
		return err
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // without HTTP_PROXY
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode == http.StatusOK {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxProbeBody))
	if err != nil {
		return fmt.Errorf("%s: %w", response.Status, err)
	}
	return fmt.Errorf("%s: %s", response.Status, strings.TrimSpace(string(body)))
}

// version is set by `make build` and the Dockerfile: -ldflags "-X
// amanat/internal/app/opsserver.version=...".
var version string

// Version returns the build's version: the linker's value, otherwise the commit recorded by the Go
// command, otherwise "unknown".
func Version() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return setting.Value
		}
	}
	return "unknown"
}
