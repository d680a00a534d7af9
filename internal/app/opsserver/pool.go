package opsserver

import (
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
)

type poolCollector struct {
	pool        *pgxpool.Pool
	connections *prometheus.Desc
	limit       *prometheus.Desc
	acquires    *prometheus.Desc
	waits       *prometheus.Desc
	waitSeconds *prometheus.Desc
}

// PoolCollector collects the usage of a connection pool. name distinguishes the pools of a process
// ("main", "queue"). A growing amanat_db_pool_wait_seconds_total means that the pool is too small
// or transactions are too long.
func PoolCollector(name string, pool *pgxpool.Pool) prometheus.Collector {
	desc := func(metric, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("amanat_db_pool_"+metric, help, labels, prometheus.Labels{"pool": name})
	}
	return &poolCollector{
		pool:        pool,
		connections: desc("connections", "Open connections by what they do.", "state"),
		limit:       desc("connections_limit", "The most connections the pool may open."),
		acquires:    desc("acquires_total", "Connections taken from the pool."),
		waits:       desc("waits_total", "Times a taker found no idle connection and had to wait."),
		waitSeconds: desc("wait_seconds_total", "Time takers spent waiting for a connection."),
	}
}

// Describe implements prometheus.Collector.
func (c *poolCollector) Describe(descs chan<- *prometheus.Desc) {
	descs <- c.connections
	descs <- c.limit
	descs <- c.acquires
	descs <- c.waits
	descs <- c.waitSeconds
}

// Collect implements prometheus.Collector.
func (c *poolCollector) Collect(metrics chan<- prometheus.Metric) {
	stat := c.pool.Stat()
	send := func(desc *prometheus.Desc, kind prometheus.ValueType, value float64, labels ...string) {
		metrics <- prometheus.MustNewConstMetric(desc, kind, value, labels...)
	}
	send(c.connections, prometheus.GaugeValue, float64(stat.AcquiredConns()), "acquired")
	send(c.connections, prometheus.GaugeValue, float64(stat.IdleConns()), "idle")
	send(c.connections, prometheus.GaugeValue, float64(stat.ConstructingConns()), "opening")
	send(c.limit, prometheus.GaugeValue, float64(stat.MaxConns()))
	send(c.acquires, prometheus.CounterValue, float64(stat.AcquireCount()))
	send(c.waits, prometheus.CounterValue, float64(stat.EmptyAcquireCount()))
	send(c.waitSeconds, prometheus.CounterValue, stat.EmptyAcquireWaitTime().Seconds())
}
