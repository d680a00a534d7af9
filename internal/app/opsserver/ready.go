package opsserver

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
