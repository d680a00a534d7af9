package api

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"amanat/internal/app/pauses"
	"amanat/internal/lib/fault"
	"amanat/internal/money/operations"
)

func newDurations() *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "amanat_http_request_duration_seconds",
		Help:    "Time to answer a request.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"method", "route", "status"})
}

// loginResults are the results of logins by their error codes; others have failed.
var loginResults = map[fault.Code]string{
	"":                         "succeeded",
	fault.Forbidden:            "disabled",
	fault.Invalid:              "invalid",
	fault.InvalidCredentials:   "wrong",
	fault.Locked:               "locked",
	fault.LoginExpired:         "expired",
	fault.RateLimited:          "limited",
	fault.SecondFactorRequired: "second_factor",
}

// uploadResults are the results of uploads by their error codes.
var uploadResults = map[fault.Code]string{
	"":                "received",
	fault.RateLimited: "limited",
	fault.TooLarge:    "too_large",
	fault.Unavailable: "busy",
	requestTimeout:    "too_slow",
}

// resultFailed is the result for all other codes.
const resultFailed = "failed"

func newLogins() *prometheus.CounterVec {
	return newResults("amanat_logins_total", "Steps of logins, by result.", loginResults)
}

func newUploaded() *prometheus.CounterVec {
	return newResults("amanat_uploads_total", "Bodies that may have a picture and are not small, by result.", uploadResults)
}

// newResults returns a counter that starts at 0 for each result.
func newResults(name, help string, results map[fault.Code]string) *prometheus.CounterVec {
	counter := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{"result"})
	counter.WithLabelValues(resultFailed)
	for _, result := range results {
		counter.WithLabelValues(result)
	}
	return counter
}

// countResult counts an outcome; err may be nil.
func countResult(counter *prometheus.CounterVec, results map[fault.Code]string, err error) {
	result, known := results[fault.CodeOf(err)]
	if !known {
		result = resultFailed
	}
	counter.WithLabelValues(result).Inc()
}

func (s *Server) registerOperations() {
	register(s, endpoint{
		id: "operation", method: http.MethodGet, path: "/operations/{id}", tag: "Operations",
		summary: "A money operation, to its actor and to admins",
	}, s.operation)
}

// IDPath is an input with only the id in the path.
type IDPath struct {
	ID string `path:"id" format:"uuid"`
}

func (s *Server) operation(ctx context.Context, _ *IDPath) (*output[operations.View], error) {
	var op operations.Operation
	var err error
	if s.accounts.ActsAsAdmin(actor(ctx)) {
		op, err = operations.Get(ctx, s.db, pathID(ctx))
	} else {
		op, err = operations.GetOwn(ctx, s.db, actor(ctx).ID, pathID(ctx))
	}
	if err != nil {
		return nil, err
	}
	wire, err := op.View()
	return respond(wire), err
}

// Pauses is what is paused.
type Pauses struct {
	Paused []Paused `json:"paused"`
}

// Paused is a part of the service that is paused.
type Paused struct {
	Area  pauses.Area `json:"area" enum:"money,deposits,withdrawals,signups" doc:"money: every payment, deposits and withdrawals among them."`
	Since time.Time   `json:"since"`
}

func (s *Server) pausesNow(ctx context.Context, _ *struct{}) (*output[Pauses], error) {
	inForce, err := s.pauses.Paused(ctx)
	if err != nil {
		return nil, err
	}
	return respond(Pauses{Paused: mapped(inForce, func(p pauses.Pause) Paused {
		return Paused{Area: p.Area, Since: p.PausedAt}
	})}), nil
}
