package blobs

import (
	"context"
	"errors"

	"github.com/prometheus/client_golang/prometheus"
)

// Calls and their results, as labels of amanat_blob_call_seconds.
const (
	callPut    = "put"
	callGet    = "get"
	callDelete = "delete"

	resultOK        = "ok"
	resultMissing   = "missing" // ErrMissing: a picture is lost
	resultCancelled = "cancelled"
	resultFailed    = "failed"
)

// Metrics measures the calls of object storages. The zero value is not valid.
type Metrics struct{ seconds *prometheus.HistogramVec }

// NewMetrics returns Metrics. All series exist from the start, also without an object storage.
func NewMetrics() *Metrics {
	m := &Metrics{prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "amanat_blob_call_seconds",
		Help:    "Calls of the object storage for pictures, by call and result; for get, until the response begins.",
		Buckets: []float64{.005, .02, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"call", "result"})}
	for _, call := range []string{callPut, callGet, callDelete} {
		for _, result := range []string{resultOK, resultMissing, resultCancelled, resultFailed} {
			m.seconds.WithLabelValues(call, result)
		}
	}
	return m
}

// Collector returns the metrics for a registry.
func (m *Metrics) Collector() prometheus.Collector { return m.seconds }

// observe measures a call until the returned function is called. A call whose ctx was cancelled,
// because the client has gone away or the process stops, is no failure of the storage; one that has
// reached its deadline is.
func (m *Metrics) observe(ctx context.Context, call string, err *error) func() {
	timer := prometheus.NewTimer(nil)
	return func() {
		result := resultOK
		switch {
		case *err == nil:
		case errors.Is(*err, ErrMissing):
			result = resultMissing
		case errors.Is(ctx.Err(), context.Canceled):
			result = resultCancelled
		default:
			result = resultFailed
		}
		m.seconds.WithLabelValues(call, result).Observe(timer.ObserveDuration().Seconds())
	}
}
