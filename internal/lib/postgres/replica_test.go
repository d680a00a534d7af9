package postgres_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

const replicaWait = 30 * time.Second

// replicaFixture is a database whose standby is watched for the time of the test.
type replicaFixture struct {
	t        *testing.T
	db       *dbtest.Pair
	replica  *postgres.Replica
	registry *prometheus.Registry
}

func newReplica(t *testing.T, maxLag time.Duration) *replicaFixture {
	t.Helper()
	f := &replicaFixture{t: t, db: dbtest.Replicated(t), registry: prometheus.NewRegistry()}
	f.replica = postgres.NewReplica(f.db.API(), f.db.Standby.API(), maxLag, slog.New(slog.DiscardHandler))
	f.registry.MustRegister(f.replica)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); f.replica.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-ended })
	return f
}

// fromStandby reports whether the standby answers a read.
func (f *replicaFixture) fromStandby() (from bool) {
	f.t.Helper()
	require.NoError(f.t, f.replica.Read(f.t.Context(), func(ctx context.Context) error {
		return f.replica.QueryRow(ctx, `select pg_is_in_recovery()`).Scan(&from)
	}))
	return from
}

// await waits until the standby answers reads, or until it does not.
func (f *replicaFixture) await(from bool) {
	f.t.Helper()
	require.Eventually(f.t, func() bool { return f.fromStandby() == from }, replicaWait, 20*time.Millisecond)
}

func (f *replicaFixture) metric(name string) float64 {
	f.t.Helper()
	families, err := f.registry.Gather()
	require.NoError(f.t, err)
	for _, family := range families {
		if family.GetName() == name {
			m := family.GetMetric()[0]
			return m.GetGauge().GetValue() + m.GetCounter().GetValue()
		}
	}
	f.t.Fatal("no metric ", name)
	return 0
}

func (f *replicaFixture) exec(db *dbtest.DB, sql string) {
	f.t.Helper()
	_, err := db.Owner().Exec(f.t.Context(), sql)
	require.NoError(f.t, err)
}

func TestReplica(t *testing.T) {
	t.Parallel()
	const maxLag = 2 * time.Second
	f := newReplica(t, maxLag)
	require.False(t, f.fromStandby(), "it has not been checked yet")
	f.await(true)
	require.Zero(t, f.metric("amanat_replica_out"))

	// Only reads within Read go to the standby.
	var standby bool
	require.NoError(t, f.replica.QueryRow(t.Context(), `select pg_is_in_recovery()`).Scan(&standby))
	require.False(t, standby)
	require.NoError(t, f.replica.Read(t.Context(), func(ctx context.Context) error {
		_, err := f.replica.Exec(ctx, `select set_config('amanat.test', 'x', false)`)
		require.NoError(t, err)
		return postgres.WithTx(ctx, f.replica, func(tx *postgres.Tx) error {
			return tx.QueryRow(ctx, `select pg_is_in_recovery()`).Scan(&standby)
		})
	}))
	require.False(t, standby, "a transaction is on the primary")

	// What fails on the standby is asked of the primary.
	broken := errors.New("canceled")
	readTwice := func(first error) (reads int) {
		require.NoError(t, f.replica.Read(t.Context(), func(ctx context.Context) error {
			reads++
			if postgres.Stale(ctx) {
				return first
			}
			return nil
		}))
		return reads
	}
	require.Equal(t, 2, readTwice(broken))
	require.InDelta(t, 1, f.metric("amanat_replica_fallbacks_total"), 0)
	require.Equal(t, 2, readTwice(fault.New(fault.NotFound, "x", "x")), "it may not have reached the standby")
	require.InDelta(t, 1, f.metric("amanat_replica_fallbacks_total"), 0, "that is no failure")

	// A standby that falls behind is left out until it has caught up.
	f.exec(f.db.Standby, `select pg_wal_replay_pause()`)
	f.exec(f.db.DB, `create table written ()`)
	f.await(false)
	require.InDelta(t, 1, f.metric("amanat_replica_out"), 0)
	require.Greater(t, f.metric("amanat_replica_lag_seconds"), maxLag.Seconds())
	f.exec(f.db.Standby, `select pg_wal_replay_resume()`)
	f.await(true)

	// A second primary, such as a standby that was promoted, is not asked.
	f.exec(f.db.Standby, `select pg_promote()`)
	f.await(false)
}

// A server that cannot be used from the start, as with a wrong address, is told in the log.
func TestReplica_never_usable(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	lines := make(chan slog.Record, 1)
	replica := postgres.NewReplica(db.API(), db.API(), time.Minute, slog.New(firstLine(lines)))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); replica.Run(ctx) }()
	defer func() { cancel(); <-ended }()
	select {
	case line := <-lines:
		require.Equal(t, slog.LevelWarn, line.Level)
		require.Equal(t, "the standby is not asked", line.Message)
	case <-time.After(replicaWait):
		t.Fatal("no line")
	}
}

// firstLine is a log handler that passes the first line on.
type firstLine chan slog.Record

// Enabled implements slog.Handler.
func (firstLine) Enabled(context.Context, slog.Level) bool { return true }

// Handle implements slog.Handler.
func (f firstLine) Handle(_ context.Context, line slog.Record) error {
	select {
	case f <- line:
	default:
	}
	return nil
}

// WithAttrs implements slog.Handler.
func (f firstLine) WithAttrs([]slog.Attr) slog.Handler { return f }

// WithGroup implements slog.Handler.
func (f firstLine) WithGroup(string) slog.Handler { return f }
