package opsserver

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
)

// The drift is read from all payments, which may be many.
const (
	paymentsCacheTime    = time.Minute
	paymentsQueryTimeout = 10 * time.Second
	leftLately           = time.Hour
)

var (
	descUnexplained = desc("amanat_payments_unexplained_taka",
		"By how much the money in the accounts of a method differs from the books for no known reason; absent while SMS do not add up.", "method")
	descLeft = desc("amanat_payments_left", "Payments of the last hour that left our accounts without a withdrawal.")
)

type paymentsCollector struct {
	db     postgres.Querier
	clock  clock.Clock
	logger *slog.Logger

	mu     sync.Mutex
	cached []prometheus.Metric
	readAt time.Time
}

// PaymentsCollector compares the payments that SMS state with the books, on each scrape but at most
// once a minute. If the read fails, its gauges are absent. What is said of QueueCollector holds for
// it, too.
func PaymentsCollector(db postgres.Querier, business clock.Clock, logger *slog.Logger) prometheus.Collector {
	return &paymentsCollector{db: db, clock: business, logger: logger}
}

// Describe implements prometheus.Collector.
func (*paymentsCollector) Describe(descs chan<- *prometheus.Desc) {
	descs <- descUnexplained
	descs <- descLeft
}

// Collect implements prometheus.Collector. Concurrent scrapes share one read.
func (c *paymentsCollector) Collect(metrics chan<- prometheus.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.readAt.IsZero() || time.Since(c.readAt) >= paymentsCacheTime {
		var err error
		if c.cached, err = c.read(); err != nil {
			c.logger.Warn("payment metrics unavailable", "error", err)
		}
		c.readAt = time.Now()
	}
	for _, metric := range c.cached {
		metrics <- metric
	}
}

func (c *paymentsCollector) read() ([]prometheus.Metric, error) {
	ctx, cancel := context.WithTimeout(context.Background(), paymentsQueryTimeout)
	defer cancel()
	drifts, err := queryDrifts.Many(ctx, c.db, nil)
	if err != nil {
		return nil, err
	}
	left, err := queryLeft.One(ctx, c.db, postgres.Args{"since": c.clock.Now().Add(-leftLately)})
	if err != nil {
		return nil, err
	}
	metrics := []prometheus.Metric{gauge(descLeft, float64(left))}
	for _, d := range drifts {
		metrics = append(metrics, gauge(descUnexplained, float64(d.Unexplained)/100, d.Method))
	}
	return metrics, nil
}
