package postgres

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
)

const (
	standbyTimeout = time.Second // of one read from the standby, before the primary is asked
	checkEvery     = 500 * time.Millisecond
	checkTimeout   = time.Second
	checkPause     = 50 * time.Millisecond // at least, between two checks
	// goodChecks is how many checks in a row a standby must pass before it is asked again, so that
	// one at the edge of the bound is not turned on and off.
	goodChecks = 6
	// badChecks is how many checks in a row a standby fails before the log says so, if it has not
	// been asked before: the first ones fail until it has passed a known position.
	badChecks  = 6
	maxSamples = 512 // of the primary's position: more than four minutes
)

// Replica is a database with a standby for reads that may be stale. It implements DB: everything
// goes to the primary, except queries within Read.
type Replica struct {
	DB // the primary

	standby   *pgxpool.Pool
	maxLag    time.Duration
	log       *slog.Logger
	usable    atomic.Bool
	lag       atomic.Uint64 // seconds, as the bits of a float64
	wake      chan struct{}
	fallbacks prometheus.Counter
	out       prometheus.GaugeFunc
	behind    prometheus.GaugeFunc

	// Of Run.
	samples   []position
	good, bad int // checks in a row
}

// position is how far the primary had written its log at a time.
type position struct {
	at  time.Time
	lsn int64
}

// NewReplica returns a database whose standby is used while it is at most maxLag behind. standby is
// nil if there is none. Run watches it.
func NewReplica(primary DB, standby *pgxpool.Pool, maxLag time.Duration, log *slog.Logger) *Replica {
	r := &Replica{DB: primary, standby: standby, maxLag: maxLag, log: log, wake: make(chan struct{}, 1)}
	r.fallbacks = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "amanat_replica_fallbacks_total", Help: "Reads that the standby did not answer and the primary was asked for.",
	})
	r.out = prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "amanat_replica_out", Help: "1 while there is a standby and it is not asked, since it is down or too far behind.",
	}, func() float64 {
		if r.standby == nil || r.usable.Load() {
			return 0
		}
		return 1
	})
	r.behind = prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "amanat_replica_lag_seconds", Help: "How far the standby is behind the primary, at most.",
	}, func() float64 { return math.Float64frombits(r.lag.Load()) })
	return r
}

// Describe implements prometheus.Collector.
func (r *Replica) Describe(descs chan<- *prometheus.Desc) { prometheus.DescribeByCollect(r, descs) }

// Collect implements prometheus.Collector.
func (r *Replica) Collect(metrics chan<- prometheus.Metric) {
	for _, c := range []prometheus.Collector{r.fallbacks, r.out, r.behind} {
		c.Collect(metrics)
	}
}

type staleKey struct{}

// Stale reports whether queries with the context may be answered by a standby.
func Stale(ctx context.Context) bool { return ctx.Value(staleKey{}) != nil }

// Read runs reads whose result may be stale, by maxLag and the time between two checks: never reads
// of money, nor of what the caller has just written. Queries of read with its context go to the
// standby if it can be used. If read then fails, for whatever reason, or takes too long, it is
// called again with the primary: a row may not have reached the standby. read must change nothing.
func (r *Replica) Read(ctx context.Context, read func(ctx context.Context) error) error {
	if r.standby == nil || !r.usable.Load() {
		return read(ctx)
	}
	attempt, cancel := context.WithTimeout(context.WithValue(ctx, staleKey{}, true), standbyTimeout)
	err := read(attempt)
	cancel()
	if err == nil || ctx.Err() != nil {
		return err
	}
	if fault.As(err) == nil { // something that is not there is no failure of the standby
		r.fallbacks.Inc()
		select {
		case r.wake <- struct{}{}:
		default:
		}
	}
	return read(ctx)
}

// Query queries the standby within Read.
func (r *Replica) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return r.of(ctx).Query(ctx, sql, args...) //nolint:rowserrcheck // the caller reads them
}

// QueryRow queries the standby within Read.
func (r *Replica) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return r.of(ctx).QueryRow(ctx, sql, args...)
}

func (r *Replica) of(ctx context.Context) Querier {
	if Stale(ctx) {
		return r.standby
	}
	return r.DB
}

// Run watches the standby until ctx ends.
func (r *Replica) Run(ctx context.Context) {
	if r.standby == nil {
		return
	}
	for {
		r.apply(r.check(ctx))
		select {
		case <-ctx.Done():
			return
		case <-time.After(checkEvery):
			continue
		case <-r.wake:
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(checkPause):
		}
	}
}

var (
	errNoStandby  = errors.New("the server is not a standby")
	errUnknownLag = errors.New("the standby has not yet reached the first position that is known of the primary")
)

const (
	sqlPrimaryPosition = `select (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint`
	sqlStandbyPosition = `
select pg_is_in_recovery() as standby, coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0)::bigint as lsn`
)

type standbyPosition struct {
	Standby bool
	LSN     int64 `db:"lsn"`
}

// check returns how far the standby is behind, at most: the time since the primary was last seen at
// a position that the standby has reached. Neither the servers' clocks nor an idle primary nor a
// standby that has lost its connection mislead it, and nothing is written. While the primary does
// not answer, the lag grows.
func (r *Replica) check(ctx context.Context) (time.Duration, error) {
	r.sample(ctx)
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	reached, err := One[standbyPosition](ctx, r.standby, "postgres.standby_position", sqlStandbyPosition, nil)
	if err != nil {
		return r.age(), err
	}
	if !reached.Standby {
		return r.age(), errNoStandby
	}
	for len(r.samples) > 1 && r.samples[1].lsn <= reached.LSN {
		r.samples = r.samples[1:]
	}
	if len(r.samples) == 0 || r.samples[0].lsn > reached.LSN {
		return r.age(), errUnknownLag
	}
	return r.age(), nil
}

// sample notes the position of the primary.
func (r *Replica) sample(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	now := clock.System{}.Now()
	if lsn, err := Value[int64](ctx, r.DB, "postgres.primary_position", sqlPrimaryPosition, nil); err == nil {
		r.samples = append(r.samples, position{now, lsn})
	}
}

// age returns how old the oldest position is that the standby may not have passed.
func (r *Replica) age() time.Duration {
	if len(r.samples) > maxSamples {
		r.samples = append(r.samples[:1], r.samples[len(r.samples)-maxSamples+1:]...)
	}
	if len(r.samples) == 0 {
		return 0
	}
	return clock.System{}.Now().Sub(r.samples[0].at)
}

// apply decides whether the standby may be asked.
func (r *Replica) apply(lag time.Duration, err error) {
	r.lag.Store(math.Float64bits(lag.Seconds()))
	was := r.usable.Load()
	switch {
	case err != nil || lag > r.maxLag:
		r.good = 0
		r.bad++
		if r.usable.Swap(false) || r.bad == badChecks {
			r.log.Warn("the standby is not asked", "lag", lag.String(), "error", err)
		}
		return
	case !was && lag <= r.maxLag/2:
		if r.good++; r.good >= goodChecks {
			r.usable.Store(true)
			r.log.Info("the standby is asked", "lag", lag.String())
		}
	case !was:
		r.good = 0
	}
	r.bad = 0
}
