package opsserver

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
)

const (
	queueCacheTime    = 5 * time.Second
	queueQueryTimeout = 2 * time.Second
)

// jobStates are the states whose gauges a known queue always has, so that an emptied queue reads 0
// instead of vanishing.
var jobStates = []string{"available", "cancelled", "discarded", "pending", "retryable", "running", "scheduled"}

// The metrics of a queueCollector.
var (
	descUp     = desc("amanat_queue_up", "1 when the gauges of the queue could be read, else 0.")
	descJobs   = desc("amanat_queue_jobs", "Jobs by queue and state, without completed ones.", "queue", "state")
	descJobAge = desc("amanat_queue_oldest_job_age_seconds",
		"How long the job that is due the longest, waiting or running, has been due.", "queue")
	descMails   = desc("amanat_mails_due", "Emails of notifications that wait to be sent, by whether they have been tried in vain.", "failed")
	descOverdue = desc("amanat_mails_oldest_overdue_seconds",
		"How long the email of a notification that is due the longest has been due.")
	descPushes   = desc("amanat_pushes_due", "Pushes that wait to be sent, by whether they have been tried in vain.", "failed")
	descLate     = desc("amanat_pushes_oldest_overdue_seconds", "How long the push that is due the longest has been due.")
	descPending  = desc("amanat_operations_pending", "Money operations that wait to be settled.", "kind")
	descOldest   = desc("amanat_operations_oldest_pending_seconds", "Age of the oldest money operation that waits to be settled.", "kind")
	descBroken   = desc("amanat_books_broken", "How often the latest check found a rule of the books broken, up to 20.", "rule")
	descChecked  = desc("amanat_books_checked_timestamp_seconds", "When the books were checked last.")
	descSealed   = desc("amanat_chain_rows_sealed", "Rows that have been sealed.", "chain")
	descUnsealed = desc("amanat_chain_oldest_unsealed_seconds",
		"Age of the oldest row that no run has sealed; 0 if there is none.", "chain")
	descChainBroken = desc("amanat_chain_broken", "Findings of the latest verification, up to 20.", "chain")
	descVerified    = desc("amanat_chain_verified_timestamp_seconds", "When the chain was verified last.", "chain")
	descKept        = desc("amanat_retention_oldest_row_seconds",
		"Age of the oldest row of a table whose rows are deleted after seven days; 0 for an empty table.", "table")
)

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

type queueCollector struct {
	db     postgres.Querier
	clock  clock.Clock
	logger *slog.Logger

	mu      sync.Mutex
	cached  []prometheus.Metric
	readAt  time.Time
	queues  map[string]bool // given, or seen so far
	kinds   map[string]bool // seen so far
	failing bool
}

// QueueCollector collects the job queue, the due emails and pushes, the pending money operations,
// the latest reconciliation of the ledger, the seals of its chain and the age of rows that are to
// be deleted from PostgreSQL, on each scrape but at most once in 5 s and within 2 s. If the read
// fails, amanat_queue_up is 0 and the other gauges are absent, not stale. The gauges of the given
// queues are always there, so that the first job that fails in one is an increase. It needs the
// worker's role. Register it in one process that always runs, or in all and aggregate with max: the
// numbers describe the database, not the process.
func QueueCollector(db postgres.Querier, business clock.Clock, logger *slog.Logger, queues []string) prometheus.Collector {
	known := map[string]bool{}
	for _, queue := range queues {
		known[queue] = true
	}
	return &queueCollector{db: db, clock: business, logger: logger, queues: known, kinds: map[string]bool{}}
}

// Describe implements prometheus.Collector.
func (*queueCollector) Describe(descs chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		descUp, descJobs, descJobAge, descMails, descOverdue, descPushes, descLate, descPending, descOldest,
		descBroken, descChecked, descSealed, descUnsealed, descChainBroken, descVerified, descKept,
	} {
		descs <- d
	}
}

// Collect implements prometheus.Collector. Concurrent scrapes share one read.
func (c *queueCollector) Collect(metrics chan<- prometheus.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cached == nil || time.Since(c.readAt) >= queueCacheTime {
		c.cached = c.read()
		c.readAt = time.Now()
	}
	for _, metric := range c.cached {
		metrics <- metric
	}
}

func (c *queueCollector) read() []prometheus.Metric {
	ctx, cancel := context.WithTimeout(context.Background(), queueQueryTimeout)
	defer cancel()
	counts, err := queryJobCounts.Many(ctx, c.db, nil)
	if err != nil {
		return c.readFailed(err)
	}
	ages, err := queryJobAges.Many(ctx, c.db, nil)
	if err != nil {
		return c.readFailed(err)
	}
	mails, err := queryDueMails.One(ctx, c.db, nil)
	if err != nil {
		return c.readFailed(err)
	}
	pushes, err := queryDuePushes.One(ctx, c.db, nil)
	if err != nil {
		return c.readFailed(err)
	}
	operations, err := queryPendingOperations.Many(ctx, c.db, nil)
	if err != nil {
		return c.readFailed(err)
	}
	books, err := queryBooksChecks.Many(ctx, c.db, nil)
	if err != nil {
		return c.readFailed(err)
	}
	oldest, err := queryOldestRows.Many(ctx, c.db, nil)
	if err != nil {
		return c.readFailed(err)
	}
	chains, err := queryChains.Many(ctx, c.db, nil)
	if err != nil {
		return c.readFailed(err)
	}
	c.failing = false
	metrics := []prometheus.Metric{gauge(descUp, 1)}
	metrics = append(metrics, c.jobMetrics(counts, ages)...)
	metrics = append(metrics,
		gauge(descMails, float64(mails.Waiting-mails.Failed), "no"), gauge(descMails, float64(mails.Failed), "yes"),
		gauge(descOverdue, mails.Overdue),
		gauge(descPushes, float64(pushes.Waiting-pushes.Failed), "no"), gauge(descPushes, float64(pushes.Failed), "yes"),
		gauge(descLate, pushes.Overdue))
	metrics = append(metrics, c.operationMetrics(operations)...)
	metrics = append(metrics, c.booksMetrics(books)...)
	metrics = append(metrics, chainMetrics(chains, c.clock.Now())...)
	return append(metrics, c.retentionMetrics(oldest)...)
}

// readFailed logs the first of consecutive failures: a scrape every 15 s must not fill the log
// during an outage.
func (c *queueCollector) readFailed(err error) []prometheus.Metric {
	if !c.failing {
		c.logger.Warn("queue metrics unavailable", "error", err)
	}
	c.failing = true
	return []prometheus.Metric{gauge(descUp, 0)}
}

func (c *queueCollector) jobMetrics(counts []jobCount, ages []jobAge) []prometheus.Metric {
	byState := map[[2]string]int64{}
	for _, row := range counts {
		byState[[2]string{row.Queue, row.State}] = row.Jobs
		c.queues[row.Queue] = true
	}
	ageOf := map[string]float64{}
	for _, row := range ages {
		ageOf[row.Queue] = row.Seconds
	}
	var metrics []prometheus.Metric
	for queue := range c.queues {
		for _, state := range jobStates {
			metrics = append(metrics, gauge(descJobs, float64(byState[[2]string{queue, state}]), queue, state))
		}
		metrics = append(metrics, gauge(descJobAge, ageOf[queue], queue))
	}
	return metrics
}

func (c *queueCollector) operationMetrics(rows []pendingOperations) []prometheus.Metric {
	now := c.clock.Now()
	byKind := map[string]pendingOperations{}
	for _, row := range rows {
		byKind[row.Kind] = row
		c.kinds[row.Kind] = true
	}
	var metrics []prometheus.Metric
	for kind := range c.kinds {
		row, age := byKind[kind], 0.0
		if row.Pending > 0 {
			age = max(0, now.Sub(row.Oldest).Seconds())
		}
		metrics = append(metrics, gauge(descPending, float64(row.Pending), kind), gauge(descOldest, age, kind))
	}
	return metrics
}

// booksMetrics are absent until the first reconciliation, which a worker runs when it starts.
func (c *queueCollector) booksMetrics(rows []booksCheck) []prometheus.Metric {
	var metrics []prometheus.Metric
	for _, row := range rows {
		metrics = append(metrics, gauge(descBroken, float64(row.Broken), row.Rule))
	}
	if len(rows) > 0 { // all rows are of one check
		metrics = append(metrics, gauge(descChecked, float64(rows[0].CheckedAt.Unix())))
	}
	return metrics
}

func (c *queueCollector) retentionMetrics(rows []oldestRow) []prometheus.Metric {
	now := c.clock.Now()
	var metrics []prometheus.Metric
	for _, row := range rows {
		age := 0.0
		if row.At != nil {
			age = max(0, now.Sub(*row.At).Seconds())
		}
		metrics = append(metrics, gauge(descKept, age, row.Table))
	}
	return metrics
}

func gauge(desc *prometheus.Desc, value float64, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
}

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

// PoolMetrics returns the metrics of the usage of a connection pool. name distinguishes the pools
// of a process ("main", "queue"). A growing amanat_db_pool_wait_seconds_total means that the pool
// is too small or transactions are too long.
func PoolMetrics(name string, pool *pgxpool.Pool) []prometheus.Collector {
	options := func(metric, help string) prometheus.Opts {
		return prometheus.Opts{Name: "amanat_db_pool_" + metric, Help: help, ConstLabels: prometheus.Labels{"pool": name}}
	}
	connections := func(state string, count func(s *pgxpool.Stat) int32) prometheus.Collector {
		opts := options("connections", "Open connections by what they do.")
		opts.ConstLabels["state"] = state
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts(opts), func() float64 { return float64(count(pool.Stat())) })
	}
	counter := func(metric, help string, value func(s *pgxpool.Stat) float64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts(options(metric, help)), func() float64 { return value(pool.Stat()) })
	}
	return []prometheus.Collector{
		connections("acquired", (*pgxpool.Stat).AcquiredConns),
		connections("idle", (*pgxpool.Stat).IdleConns),
		connections("opening", (*pgxpool.Stat).ConstructingConns),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts(options("connections_limit", "The most connections the pool may open.")),
			func() float64 { return float64(pool.Stat().MaxConns()) }),
		counter("acquires_total", "Connections taken from the pool.",
			func(s *pgxpool.Stat) float64 { return float64(s.AcquireCount()) }),
		counter("waits_total", "Times a taker found no idle connection and had to wait.",
			func(s *pgxpool.Stat) float64 { return float64(s.EmptyAcquireCount()) }),
		counter("wait_seconds_total", "Time takers spent waiting for a connection.",
			func(s *pgxpool.Stat) float64 { return s.EmptyAcquireWaitTime().Seconds() }),
	}
}

// chainMetrics have no result of a verification until the first one, which a worker runs when it
// starts.
func chainMetrics(rows []chainRow, now time.Time) []prometheus.Metric {
	var metrics []prometheus.Metric
	for _, row := range rows {
		age := 0.0
		if row.Oldest != nil {
			age = max(0, now.Sub(*row.Oldest).Seconds())
		}
		metrics = append(metrics, gauge(descSealed, float64(row.Sealed), row.Chain), gauge(descUnsealed, age, row.Chain))
		if row.CheckedAt != nil {
			metrics = append(metrics,
				gauge(descChainBroken, float64(row.Broken), row.Chain), gauge(descVerified, float64(row.CheckedAt.Unix()), row.Chain))
		}
	}
	return metrics
}

// SettingsInfo has the fingerprint of the settings that all processes must share
// (config.Shared.Fingerprint).
func SettingsInfo(fingerprint string) prometheus.Collector {
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name:        "amanat_settings_info",
		Help:        "Always 1; the label differs where the settings do that must be the same in all processes.",
		ConstLabels: prometheus.Labels{"fingerprint": fingerprint},
	})
	info.Set(1)
	return info
}

// NewRegistry returns a registry with the metrics of every process: the Go runtime, the process
// (memory, files, CPU) and amanat_build_info.
func NewRegistry() *prometheus.Registry {
	registry := prometheus.NewRegistry()
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name:        "amanat_build_info",
		Help:        "Always 1; the label tells which build runs.",
		ConstLabels: prometheus.Labels{"version": Version()},
	})
	build.Set(1)
	registry.MustRegister(
		build,
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return registry
}
