package realtime

import (
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
)

// metrics of a hub and its link.
type metrics struct {
	sent       prometheus.Counter
	received   prometheus.Counter
	closed     *prometheus.CounterVec
	backfilled prometheus.Counter
	all        []prometheus.Collector

	checked atomic.Int64 // last comparison of cursors with the log, in Unix nanoseconds
}

func newMetrics(h *Hub) *metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: "amanat_realtime_" + name, Help: help})
	}
	gauge := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "amanat_realtime_" + name, Help: help}, value)
	}
	m := &metrics{
		sent:       counter("frames_sent_total", "Frames that went out to browsers."),
		received:   counter("frames_received_total", "Frames that came from browsers."),
		backfilled: counter("events_backfilled_total", "Events that did not arrive over Redis and were read from the log."),
		closed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "amanat_realtime_sockets_closed_total", Help: "Sockets that the server has closed, by reason.",
		}, []string{"reason"}),
	}
	m.checked.Store(now().UnixNano())
	m.all = []prometheus.Collector{
		m.sent, m.received, m.backfilled, m.closed,
		gauge("sockets", "Sockets that are open.", func() float64 {
			_, sockets := h.index.size()
			return float64(sockets)
		}),
		gauge("users", "People who have a socket open.", func() float64 {
			users, _ := h.index.size()
			return float64(users)
		}),
		gauge("link_up", "1 while the subscription to Redis is whole, else 0.", func() float64 {
			if h.link.Healthy() {
				return 1
			}
			return 0
		}),
		gauge("staleness_seconds", "Since sockets were last compared with the log; events missed before that are backfilled.", func() float64 {
			return time.Duration(now().UnixNano() - m.checked.Load()).Seconds()
		}),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "amanat_realtime_link_opened_total",
			Help: "Times the subscription to Redis became whole: 1, and 1 more for each time it was lost.",
		}, func() float64 { return float64(h.link.opened.Load()) }),
	}
	for _, reason := range reasons {
		m.closed.WithLabelValues(reason)
	}
	return m
}

func newDropped() prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{
		Name: "amanat_realtime_messages_dropped_total",
		Help: "Messages that this process could not publish over Redis; clients catch up from PostgreSQL.",
	})
}

// Describe implements prometheus.Collector.
func (m *metrics) Describe(descs chan<- *prometheus.Desc) {
	for _, c := range m.all {
		c.Describe(descs)
	}
}

// Collect implements prometheus.Collector.
func (m *metrics) Collect(collected chan<- prometheus.Metric) {
	for _, c := range m.all {
		c.Collect(collected)
	}
}

// PoolMetrics returns the metrics of the usage of a client's connection pool.
func PoolMetrics(client interface{ PoolStats() *redis.PoolStats }) []prometheus.Collector {
	metric := func(name, help string, labels prometheus.Labels, value func(s *redis.PoolStats) uint32) prometheus.Collector {
		opts := prometheus.Opts{Name: "amanat_redis_pool_" + name, Help: help, ConstLabels: labels}
		read := func() float64 { return float64(value(client.PoolStats())) }
		if strings.HasSuffix(name, "_total") {
			return prometheus.NewCounterFunc(prometheus.CounterOpts(opts), read)
		}
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts(opts), read)
	}
	const (
		connections = "Open connections to Redis by what they do, without subscriptions."
		acquires    = "Connections to Redis taken from the pool; new had to be opened first."
		timeouts    = "Callers that found no free connection to Redis in time."
		stale       = "Connections to Redis that were closed because they were broken or too old."
	)
	return []prometheus.Collector{
		metric("connections", connections, prometheus.Labels{"state": "acquired"}, func(s *redis.PoolStats) uint32 {
			return s.TotalConns - min(s.IdleConns, s.TotalConns)
		}),
		metric("connections", connections, prometheus.Labels{"state": "idle"}, func(s *redis.PoolStats) uint32 { return s.IdleConns }),
		metric("acquires_total", acquires, prometheus.Labels{"connection": "pooled"}, func(s *redis.PoolStats) uint32 { return s.Hits }),
		metric("acquires_total", acquires, prometheus.Labels{"connection": "new"}, func(s *redis.PoolStats) uint32 { return s.Misses }),
		metric("timeouts_total", timeouts, nil, func(s *redis.PoolStats) uint32 { return s.Timeouts }),
		metric("stale_total", stale, nil, func(s *redis.PoolStats) uint32 { return s.StaleConns }),
	}
}
