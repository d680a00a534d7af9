package opsserver

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

// fixedClock always returns the same time, which may be far from the machine's, as in the local
// stack.
type fixedClock struct{ at time.Time }

func (c fixedClock) Now() time.Time { return c.at }

var businessNow = time.Date(2031, time.March, 1, 12, 0, 0, 0, time.UTC)

type queueFixture struct {
	db        *dbtest.DB
	log       *bytes.Buffer
	collector *queueCollector
}

func newQueueFixture(t *testing.T) *queueFixture {
	t.Helper()
	f := &queueFixture{db: dbtest.New(t), log: &bytes.Buffer{}}
	f.collector = newCollector(t, f.db.Worker(), fixedClock{businessNow}, f.log)
	return f
}

func newCollector(t *testing.T, pool *pgxpool.Pool, business clock.Clock, log *bytes.Buffer) *queueCollector {
	t.Helper()
	collector, ok := QueueCollector(pool, business, slog.New(slog.NewTextHandler(log, nil)), []string{"known"}).(*queueCollector)
	require.True(t, ok)
	return collector
}

func (f *queueFixture) exec(t *testing.T, sql string, args postgres.Args) {
	t.Helper()
	_, err := f.db.Owner().Exec(t.Context(), sql, args)
	require.NoError(t, err)
}

// insertJob inserts a job that has been due for the duration since, or is due later if it is
// negative.
func (f *queueFixture) insertJob(t *testing.T, queue, state string, since time.Duration) {
	t.Helper()
	f.exec(t, `
		insert into river.river_job (args, kind, queue, state, max_attempts, scheduled_at, finalized_at)
		values ('{}', 'test', @queue, @state::text::river.river_job_state, 25, now() - @since::interval,
			case when @state::text in ('completed', 'cancelled', 'discarded') then now() end)`,
		postgres.Args{"queue": queue, "state": state, "since": since})
}

func (f *queueFixture) insertOperation(t *testing.T, kind, status string, age time.Duration) {
	t.Helper()
	user, operation := uuid.New(), uuid.New()
	at := businessNow.Add(-age)
	f.exec(t, `
		insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
		values (@id, @name::text, @name::text || '@example.com', '', @name::text, @at, @at)`,
		postgres.Args{"id": user, "name": user.String(), "at": at})
	f.exec(t, `
		insert into operations (id, kind, subject, actor_id, params, status, created_at, finished_at)
		values (@id::uuid, @kind, 'deal:' || @id::text, @user, '{}', @status::text, @at::timestamptz,
			case when @status::text <> 'pending' then @at::timestamptz end)`,
		postgres.Args{"id": operation, "kind": kind, "user": user, "status": status, "at": at})
}

// read gathers the metrics of a collector without its cache, as "name{label,label}" to value.
func read(t *testing.T, collector *queueCollector) map[string]float64 {
	t.Helper()
	collector.mu.Lock()
	collector.cached = nil
	collector.mu.Unlock()
	return gather(t, collector)
}

func gather(t *testing.T, collectors ...prometheus.Collector) map[string]float64 {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(collectors...)
	families, err := registry.Gather()
	require.NoError(t, err)
	values := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			var labels []string
			for _, label := range metric.GetLabel() {
				labels = append(labels, label.GetValue())
			}
			values[family.GetName()+"{"+strings.Join(labels, ",")+"}"] = metric.GetGauge().GetValue() + metric.GetCounter().GetValue()
		}
	}
	return values
}

// An account with 100 taka that the books do not have, and 5 taka that left it.
func TestPaymentsCollector(t *testing.T) {
	t.Parallel()
	f := newQueueFixture(t)
	collector := PaymentsCollector(f.db.Worker(), fixedClock{businessNow}, slog.New(slog.DiscardHandler))
	require.Equal(t, map[string]float64{"amanat_payments_left{}": 0}, gather(t, collector))
	for _, at := range []time.Duration{-time.Minute, -2 * time.Hour} {
		f.exec(t, `
			with r as (
			  insert into receivers (id, phone, sim, payment_method, balance, heard_at)
			  values (gen_random_uuid(), @id, 1, 'Bkash', 5000, now()) returning id)
			insert into payments (id, receiver_id, digest, text, state, forwarded_at, outgoing, amount, fee, balance, transaction_id, party,
			  reference, made_at)
			select gen_random_uuid(), id, '', '', 'chained', @at::timestamptz, true, 500, 0, 5000, @id, '', '',
			  @at::timestamptz from r`, postgres.Args{"id": at.String(), "at": businessNow.Add(at)})
	}
	collector = PaymentsCollector(f.db.Worker(), fixedClock{businessNow}, slog.New(slog.DiscardHandler))
	want := map[string]float64{"amanat_payments_left{}": 1, "amanat_payments_unexplained_taka{Bkash}": 110}
	require.Equal(t, want, gather(t, collector))
	f.exec(t, `update receivers set broken_at = now()`, nil)
	collector = PaymentsCollector(f.db.Worker(), fixedClock{businessNow}, slog.New(slog.DiscardHandler))
	require.Equal(t, map[string]float64{"amanat_payments_left{}": 1}, gather(t, collector), "while the SMS do not add up")
}

func TestQueueCollector_jobs(t *testing.T) {
	t.Parallel()
	f := newQueueFixture(t)
	f.insertJob(t, "money", "available", 90*time.Second)
	f.insertJob(t, "money", "available", time.Second)
	f.insertJob(t, "money", "running", time.Second)
	f.insertJob(t, "money", "completed", time.Hour)
	f.insertJob(t, "mail", "scheduled", -time.Hour)
	f.insertJob(t, "mail", "discarded", 2*time.Hour)
	f.insertJob(t, "retries", "retryable", time.Minute)

	values := read(t, f.collector)

	require.InDelta(t, 1, values["amanat_queue_up{}"], 0)
	require.InDelta(t, 2, values["amanat_queue_jobs{money,available}"], 0)
	require.InDelta(t, 1, values["amanat_queue_jobs{money,running}"], 0)
	require.InDelta(t, 1, values["amanat_queue_jobs{mail,scheduled}"], 0)
	require.InDelta(t, 1, values["amanat_queue_jobs{mail,discarded}"], 0)
	require.NotContains(t, values, "amanat_queue_jobs{money,completed}")
	require.InDelta(t, 105, values["amanat_queue_oldest_job_age_seconds{money}"], 15)
	require.InDelta(t, 75, values["amanat_queue_oldest_job_age_seconds{retries}"], 15, "a due retry counts")
	require.InDelta(t, 0, values["amanat_queue_oldest_job_age_seconds{mail}"], 0, "scheduled and discarded jobs do not count")
}

// Otherwise the first job that is discarded would not be an increase.
func TestQueueCollector_known_queue_without_jobs(t *testing.T) {
	t.Parallel()
	values := read(t, newQueueFixture(t).collector)
	require.Contains(t, values, "amanat_queue_jobs{known,discarded}")
	require.Contains(t, values, "amanat_queue_oldest_job_age_seconds{known}")
	require.NotContains(t, values, "amanat_queue_jobs{money,discarded}")
}

func TestQueueCollector_operations(t *testing.T) {
	t.Parallel()
	f := newQueueFixture(t)
	f.insertOperation(t, "deal_pay", "pending", 20*time.Second)
	f.insertOperation(t, "deal_pay", "pending", 70*time.Second)
	f.insertOperation(t, "deal_pay", "done", time.Hour)
	f.insertOperation(t, "withdrawal_send", "done", time.Hour)

	values := read(t, f.collector)

	require.InDelta(t, 2, values["amanat_operations_pending{deal_pay}"], 0)
	require.InDelta(t, 70, values["amanat_operations_oldest_pending_seconds{deal_pay}"], 0, "age by the business clock")
	require.NotContains(t, values, "amanat_operations_pending{withdrawal_send}")
}

func TestQueueCollector_due_mails(t *testing.T) {
	t.Parallel()
	f := newQueueFixture(t)
	values := read(t, f.collector)
	require.InDelta(t, 0, values["amanat_mails_due{no}"], 0)
	require.InDelta(t, 0, values["amanat_mails_oldest_overdue_seconds{}"], 0)

	for _, mail := range []struct {
		since time.Duration
		err   string
	}{{90 * time.Second, ""}, {time.Second, ""}, {-time.Minute, "452 full"}} {
		f.exec(t, `
			with reader as (
			  insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
			  values (@id::uuid, @id::uuid::text, @id::uuid::text || '@example.com', '', @id::uuid::text, now(), now())
			), notice as (
			  insert into notifications (id, user_id, audience, kind, params, created_at)
			  values (@id::uuid, @id::uuid, 'user', 'deal_paid', '{}', now())
			)
			insert into due_mails (notification_id, due_at, last_error) values (@id::uuid, now() - @since::interval, @error)`,
			postgres.Args{"id": uuid.New(), "since": mail.since, "error": mail.err})
	}
	values = read(t, f.collector)
	require.InDelta(t, 2, values["amanat_mails_due{no}"], 0)
	require.InDelta(t, 1, values["amanat_mails_due{yes}"], 0)
	require.InDelta(t, 105, values["amanat_mails_oldest_overdue_seconds{}"], 15)
}

func TestQueueCollector_due_pushes(t *testing.T) {
	t.Parallel()
	f := newQueueFixture(t)
	values := read(t, f.collector)
	require.InDelta(t, 0, values["amanat_pushes_due{no}"], 0)
	require.InDelta(t, 0, values["amanat_pushes_oldest_overdue_seconds{}"], 0)
	f.exec(t, `
		insert into due_pushes (subscription_id, topic, created_at, due_at, last_error) values
		  (gen_random_uuid(), 'x', now(), now() - interval '90 s', ''), (gen_random_uuid(), 'x', now(), now() + interval '1 min', 'status 503')`,
		postgres.Args{})
	values = read(t, f.collector)
	require.InDelta(t, 1, values["amanat_pushes_due{no}"], 0)
	require.InDelta(t, 1, values["amanat_pushes_due{yes}"], 0)
	require.InDelta(t, 105, values["amanat_pushes_oldest_overdue_seconds{}"], 15)
}

func TestQueueCollector_retention(t *testing.T) {
	t.Parallel()
	f := newQueueFixture(t)
	values := read(t, f.collector)
	require.InDelta(t, 0, values["amanat_retention_oldest_row_seconds{user_events}"], 0, "an empty table has no old row")
	require.InDelta(t, 0, values["amanat_retention_oldest_row_seconds{idempotency_keys}"], 0)

	f.insertOperation(t, "deal_pay", "done", time.Hour) // with a user
	f.exec(t, `
		insert into user_events (user_id, seq, id, type, payload, at)
		select id, n, gen_random_uuid(), 'walletUpdated', '{}', @now::timestamptz - n * interval '1 day' from users, generate_series(1, 8) n`,
		postgres.Args{"now": businessNow})
	f.exec(t, `
		insert into idempotency_keys (user_id, key, request_hash, resource_id, created_at)
		select id, 'k', sha256('k'), gen_random_uuid(), @now::timestamptz - interval '2 days' from users`, postgres.Args{"now": businessNow})
	values = read(t, f.collector)
	require.InDelta(t, 8*24*3600, values["amanat_retention_oldest_row_seconds{user_events}"], 0)
	require.InDelta(t, 2*24*3600, values["amanat_retention_oldest_row_seconds{idempotency_keys}"], 0)

	require.InDelta(t, 0, values["amanat_retention_oldest_row_seconds{picture_objects}"], 0)
	f.exec(t, `
		insert into picture_objects (id, digest, size, due_at)
		select gen_random_uuid(), sha256(n::text::bytea), 1, @now::timestamptz - n * interval '1 day' from generate_series(-1, 3) n`,
		postgres.Args{"now": businessNow})
	values = read(t, f.collector)
	require.InDelta(t, 3*24*3600, values["amanat_retention_oldest_row_seconds{picture_objects}"], 0)

	require.InDelta(t, 0, values["amanat_retention_oldest_row_seconds{notifications}"], 0)
	f.exec(t, `
		insert into notifications (id, user_id, audience, kind, params, is_read, created_at)
		select gen_random_uuid(), u.id, 'user', 'deal_late', '{}', read, @now::timestamptz - age * interval '1 day'
		  from users u, (values (true, 181), (false, 368)) as old (read, age)`, postgres.Args{"now": businessNow})
	values = read(t, f.collector)
	require.InDelta(t, 3*24*3600, values["amanat_retention_oldest_row_seconds{notifications}"], 3600, "a clock may have changed since")
}

func TestQueueCollector_emptied_queue_reads_zero(t *testing.T) {
	t.Parallel()
	f := newQueueFixture(t)
	f.insertJob(t, "money", "available", time.Minute)
	f.insertOperation(t, "deal_pay", "pending", time.Minute)
	read(t, f.collector)

	f.exec(t, "delete from river.river_job", nil)
	f.exec(t, "update operations set status = 'done', finished_at = created_at", nil)
	values := read(t, f.collector)

	for _, name := range []string{
		"amanat_queue_jobs{money,available}", "amanat_queue_oldest_job_age_seconds{money}",
		"amanat_operations_pending{deal_pay}", "amanat_operations_oldest_pending_seconds{deal_pay}",
	} {
		require.Contains(t, values, name)
		require.InDelta(t, 0, values[name], 0, name)
	}
}

func TestQueueCollector_books(t *testing.T) {
	t.Parallel()
	f := newQueueFixture(t)
	require.NotContains(t, read(t, f.collector), "amanat_books_checked_timestamp_seconds{}", "absent before the first check")

	f.exec(t, "insert into books_checks (rule, broken, checked_at) values ('sums', 0, @at), ('floors', 3, @at)",
		postgres.Args{"at": businessNow})
	values := read(t, f.collector)
	require.InDelta(t, 0, values["amanat_books_broken{sums}"], 0)
	require.Contains(t, values, "amanat_books_broken{sums}")
	require.InDelta(t, 3, values["amanat_books_broken{floors}"], 0)
	require.InDelta(t, businessNow.Unix(), values["amanat_books_checked_timestamp_seconds{}"], 0)
}

func TestQueueCollector_chain(t *testing.T) {
	t.Parallel()
	f := newQueueFixture(t)
	values := read(t, f.collector)
	require.Contains(t, values, "amanat_chain_rows_sealed{audit}")
	require.Contains(t, values, "amanat_chain_oldest_unsealed_seconds{transfers}")
	require.NotContains(t, values, "amanat_chain_broken{transfers}", "absent before the first verification")

	for i := range 3 {
		f.exec(t, "insert into audit_log (at, action, subject, details) values (@at, 'test', 'x', '{}')",
			postgres.Args{"at": businessNow.Add(time.Duration(i-3) * time.Minute)})
	}
	f.exec(t, `update chain.progress set reached = 1, sealed = 1, broken = 2, checked_at = @at where chain = 'audit'`,
		postgres.Args{"at": businessNow})
	values = read(t, f.collector)
	require.InDelta(t, 1, values["amanat_chain_rows_sealed{audit}"], 0)
	require.InDelta(t, 120, values["amanat_chain_oldest_unsealed_seconds{audit}"], 1)
	require.InDelta(t, 0, values["amanat_chain_oldest_unsealed_seconds{transfers}"], 0)
	require.InDelta(t, 2, values["amanat_chain_broken{audit}"], 0)
	require.InDelta(t, businessNow.Unix(), values["amanat_chain_verified_timestamp_seconds{audit}"], 0)
}

func TestQueueCollector_caches(t *testing.T) {
	t.Parallel()
	f := newQueueFixture(t)
	read(t, f.collector)
	f.insertJob(t, "money", "available", time.Minute)

	require.NotContains(t, gather(t, f.collector), "amanat_queue_jobs{money,available}", "five seconds have not passed")
	require.Contains(t, read(t, f.collector), "amanat_queue_jobs{money,available}")
}

// The worker registers the collector. The api could not: it has no right to the chain.
func TestQueueCollector_as_worker(t *testing.T) {
	t.Parallel()
	f := newQueueFixture(t)
	collector := newCollector(t, f.db.Worker(), fixedClock{businessNow}, f.log)

	require.InDelta(t, 1, read(t, collector)["amanat_queue_up{}"], 0, f.log.String())
}

func TestQueueCollector_without_database(t *testing.T) {
	t.Parallel()
	f := newQueueFixture(t)
	f.insertJob(t, "money", "available", time.Minute)
	read(t, f.collector)
	f.db.Worker().Close()

	for range 3 {
		require.Equal(t, map[string]float64{"amanat_queue_up{}": 0}, read(t, f.collector), "stale values are not reported")
	}
	require.Equal(t, 1, bytes.Count(f.log.Bytes(), []byte("queue metrics unavailable")), "logged once")
}

func TestPoolMetrics(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t).Worker()
	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()

	values := gather(t, PoolMetrics("main", pool)...)

	require.InDelta(t, 1, values["amanat_db_pool_connections{main,acquired}"], 0)
	require.InDelta(t, pool.Config().MaxConns, values["amanat_db_pool_connections_limit{main}"], 0)
	require.GreaterOrEqual(t, values["amanat_db_pool_acquires_total{main}"], 1.0)
}

// Each worker counts at every scrape, while an hour of completed jobs may be millions of rows.
func TestQueueCollector_skips_completed_jobs(t *testing.T) {
	t.Parallel()
	f := newQueueFixture(t)
	f.exec(t, `
		insert into river.river_job (args, kind, queue, state, max_attempts, scheduled_at, finalized_at)
		select '{}', 'test', 'money', 'completed', 25, now(), now() from generate_series(1, 20000)`, postgres.Args{})
	f.insertJob(t, "money", "discarded", time.Minute)
	f.exec(t, "vacuum analyze river.river_job", postgres.Args{})
	plan := dbtest.Explain(t, f.db, func(pool *pgxpool.Pool) {
		for _, sql := range []string{queryJobCounts.SQL, queryJobAges.SQL} {
			_, err := pool.Exec(t.Context(), sql)
			require.NoError(t, err)
		}
	})
	require.NotContains(t, plan, "Seq Scan on river_job", plan)
}
