package ops

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

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
	answer := s.readiness(r.Context())
	s.logChange(answer)
	status := http.StatusOK
	if answer.Status != statusReady {
		status = http.StatusServiceUnavailable
	}
	writeJSON(w, status, answer)
}

// readiness runs all checks side by side, so that the answer takes as long as the slowest and not as their sum.
func (s *Server) readiness(ctx context.Context) Readiness {
	answer := Readiness{Status: statusReady}
	var group sync.WaitGroup
	group.Go(func() { answer.Checks = s.runAll(ctx, s.opts.Checks) })
	group.Go(func() { answer.Watches = s.runAll(ctx, s.opts.Watches) })
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

func (s *Server) runAll(ctx context.Context, checks map[string]Check) map[string]Result {
	var (
		group   sync.WaitGroup
		mu      sync.Mutex
		results = make(map[string]Result, len(checks))
	)
	for name, check := range checks {
		group.Go(func() {
			result := run(ctx, s.opts.CheckTimeout, check)
			mu.Lock()
			defer mu.Unlock()
			results[name] = result
		})
	}
	group.Wait()
	return results
}

func run(ctx context.Context, timeout time.Duration, check Check) (result Result) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	started := time.Now()
	// A check that panics says that something is broken; it must not take the ops port with it.
	defer func() {
		if cause := recover(); cause != nil {
			result = Result{Error: fmt.Sprintf("panic: %v", cause)}
		}
		result.Milliseconds = float64(time.Since(started).Microseconds()) / 1000
	}()
	if err := check(ctx); err != nil {
		return Result{Error: err.Error()}
	}
	return Result{OK: true}
}

// logChange writes one line when readiness changes, not one per question of the balancer.
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
