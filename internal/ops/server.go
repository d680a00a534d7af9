// Package ops is the operator's side of a process: a port of its own with health, readiness and metrics, and what the metrics measure.
// It must not be reachable from the internet. It never moves anything: it only looks.
package ops

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
	writeTimeout        = 30 * time.Second // a CPU-starved process may need long to write its metrics
	shutdownTimeout     = 5 * time.Second
)

// Check tells whether something the process needs works now. It should end when ctx does; nobody waits for it longer.
type Check func(ctx context.Context) error

// Options is what a Server looks at.
type Options struct {
	// Checks decide readiness: all must pass.
	Checks map[string]Check
	// Watches are checked and shown the same way but do not decide: what the process can live without, such as Redis.
	Watches map[string]Check
	// CheckTimeout bounds each check alone. Default 2 s.
	CheckTimeout time.Duration
	// Registry is served at /metrics. Required; NewRegistry makes one.
	Registry *prometheus.Registry
	// Logger is told when readiness changes. Default slog.Default().
	Logger *slog.Logger
}

// Server answers /healthz (200 while the process lives), /readyz (200 when it should get work, else 503) and /metrics (Prometheus).
type Server struct {
	opts     Options
	handler  http.Handler
	draining atomic.Bool
	running  singleflight.Group // of checks

	mu         sync.Mutex
	lastStatus string
}

// New returns a server that listens to nothing yet. It panics when opts has no Registry.
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
	s.handler = mux
	return s
}

// Handler returns the three routes.
func (s *Server) Handler() http.Handler { return s.handler }

// SetDraining makes /readyz answer 503 from now on, so that a balancer sends no new work while the process finishes what it has.
func (s *Server) SetDraining() { s.draining.Store(true) }

// Serve listens on addr until ctx ends. Give it a context that ends after the process has drained: while draining, the balancer still asks.
// It returns nil when ctx ended, and otherwise what kept it from serving.
func (s *Server) Serve(ctx context.Context, addr string) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("ops port: %w", err)
	}
	return s.ServeListener(ctx, listener)
}

// ServeListener is Serve on a listener that is already open; it closes it.
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
	if stop() { // nobody asked it to end
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
	_ = json.NewEncoder(w).Encode(body) // the asker may be gone; there is nobody else to tell
}
