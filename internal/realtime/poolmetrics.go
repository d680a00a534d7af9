package realtime

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
)

// poolCollector collects the usage of the connections to Redis.
type poolCollector struct {
	client      interface{ PoolStats() *redis.PoolStats }
	connections *prometheus.Desc
	acquires    *prometheus.Desc
	timeouts    *prometheus.Desc
	stale       *prometheus.Desc
}

// PoolMetrics collects the usage of a client's connection pool.
func PoolMetrics(client interface{ PoolStats() *redis.PoolStats }) prometheus.Collector {
	desc := func(metric, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("amanat_redis_pool_"+metric, help, labels, nil)
	}
	return &poolCollector{
		client:      client,
		connections: desc("connections", "Open connections to Redis by what they do, without subscriptions.", "state"),
		acquires:    desc("acquires_total", "Connections to Redis taken from the pool; new had to be opened first.", "connection"),
		timeouts:    desc("timeouts_total", "Callers that found no free connection to Redis in time."),
		stale:       desc("stale_total", "Connections to Redis that were closed because they were broken or too old."),
	}
}

// Describe implements prometheus.Collector.
func (c *poolCollector) Describe(descs chan<- *prometheus.Desc) {
	descs <- c.connections
	descs <- c.acquires
	descs <- c.timeouts
	descs <- c.stale
}

// Collect implements prometheus.Collector.
func (c *poolCollector) Collect(metrics chan<- prometheus.Metric) {
	stats := c.client.PoolStats()
	send := func(desc *prometheus.Desc, kind prometheus.ValueType, value uint32, labels ...string) {
		metrics <- prometheus.MustNewConstMetric(desc, kind, float64(value), labels...)
	}
	send(c.connections, prometheus.GaugeValue, stats.TotalConns-min(stats.IdleConns, stats.TotalConns), "acquired")
	send(c.connections, prometheus.GaugeValue, stats.IdleConns, "idle")
	send(c.acquires, prometheus.CounterValue, stats.Hits, "pooled")
	send(c.acquires, prometheus.CounterValue, stats.Misses, "new")
	send(c.timeouts, prometheus.CounterValue, stats.Timeouts)
	send(c.stale, prometheus.CounterValue, stats.StaleConns)
}
