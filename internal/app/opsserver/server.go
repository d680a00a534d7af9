// Package opsserver serves a process's operators on a separate port: health, readiness and metrics.
// The port must not be reachable from the internet. The package only reads; what a process mounts
// beside that may change.
package opsserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
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
	// Logger logs changes of readiness. Default slog.Default().
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

// Serve listens on addr until ctx ends. ctx must outlive draining, because the load balancer still
// polls /readyz. Serve returns nil if ctx has ended, otherwise the error.
func (s *Server) Serve(ctx context.Context, addr string) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("ops port: %w", err)
	}
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
