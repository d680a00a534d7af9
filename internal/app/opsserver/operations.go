package opsserver

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// OperationMetrics counts and times money operations. It is safe for concurrent use.
type OperationMetrics struct {
	total   *prometheus.CounterVec
	seconds *prometheus.HistogramVec
}

// NewOperationMetrics registers amanat_operations_total and amanat_operation_seconds.
func NewOperationMetrics(registry prometheus.Registerer) *OperationMetrics {
	labels := []string{"kind", "outcome"}
	m := &OperationMetrics{
		total: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "amanat_operations_total",
			Help: "Money operations settled by this process.",
		}, labels),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "amanat_operation_seconds",
			Help: "Time from the request of a money operation to its settlement.",
			// From a few milliseconds (idle queue) over 60 s (after a crash) to later retries.
			Buckets: []float64{.002, .005, .01, .025, .05, .1, .25, .5, 1, 2, 5, 15, 60, 300, 3600},
		}, labels),
	}
	registry.MustRegister(m.total, m.seconds)
	return m
}

// OperationSettled records one settled operation: its kind, its outcome ("done" or "rejected") and
// the time since it was requested. Call it after the commit.
func (m *OperationMetrics) OperationSettled(kind, outcome string, took time.Duration) {
	m.total.WithLabelValues(kind, outcome).Inc()
	m.seconds.WithLabelValues(kind, outcome).Observe(max(0, took.Seconds()))
}
