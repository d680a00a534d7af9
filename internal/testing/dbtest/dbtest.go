// Package dbtest gives tests their own databases and Redis servers. Only _test.go files import it.
package dbtest

import (
	"context"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
)

// Passwords of the logins on test servers. Roles are shared by all databases of a server.
const (
	apiPassword    = "api-of-the-tests"
	workerPassword = "worker-of-the-tests"
)

// Roles returns the logins that migrations of a test database must use: other passwords would break
// concurrent tests.
func Roles() postgres.Roles {
	return postgres.Roles{APIPassword: apiPassword, WorkerPassword: workerPassword}
}

const (
	poolConns   = 10
	dropTimeout = 30 * time.Second
	// An unusual time zone reveals SQL that depends on the session's.
	databaseZone = "Canada/Newfoundland"
)

// DB is a test's database, with the whole schema and no rows.
type DB struct {
	OwnerURL  string // superuser and owner of every object
	APIURL    string // with the privileges of cmd/api
	WorkerURL string // with the privileges of cmd/worker

	tb    testing.TB
	mu    sync.Mutex
	pools map[string]*pgxpool.Pool
}

// New creates a database that is dropped when the test ends. It is cloned from a template, which
// the first call for a server creates.
func New(tb testing.TB) *DB {
	tb.Helper()
	return create(tb, template(tb))
}

// Empty creates a database without a schema, for tests of migrations, with further options of
// CREATE DATABASE. It is dropped when the test ends.
func Empty(tb testing.TB, options ...string) *DB {
	tb.Helper()
	return create(tb, "template0", options...)
}

func create(tb testing.TB, from string, options ...string) *DB {
	tb.Helper()
	server := serverURL(tb)
	name := uniqueName("test_")
	maintain(tb.Context(), tb, func(ctx context.Context, conn *pgx.Conn) {
		run(ctx, tb, conn, "create database "+name+" template "+from+" strategy file_copy "+strings.Join(options, " "))
		run(ctx, tb, conn, "alter database "+name+" set timezone to '"+databaseZone+"'")
		if from != "template0" {
			// Unlike all other privileges, those on the database itself are not cloned.
			run(ctx, tb, conn, "grant connect on database "+name+" to "+postgres.APIRole+", "+postgres.WorkerRole)
		}
	})
	db := newDB(tb, server, name)
	tb.Cleanup(func() {
		// The test's context has ended.
		ctx, cancel := context.WithTimeout(context.Background(), dropTimeout)
		defer cancel()
		maintain(ctx, tb, func(ctx context.Context, conn *pgx.Conn) {
			awaitNoSession(ctx, tb, conn, name)
			run(ctx, tb, conn, "drop database if exists "+name+" with (force)")
		})
	})
	return db
}

// awaitNoSession waits up to 100 milliseconds until a database has no session. Those of a closed
// pool take a while to end, and DROP DATABASE looks every 100 milliseconds only.
func awaitNoSession(ctx context.Context, tb testing.TB, conn *pgx.Conn, name string) {
	tb.Helper()
	for start := time.Now(); time.Since(start) < 100*time.Millisecond; time.Sleep(5 * time.Millisecond) {
		var used bool
		require.NoError(tb, conn.QueryRow(ctx, "select exists (select from pg_stat_activity where datname = $1)", name).Scan(&used))
		if !used {
			return
		}
	}
}

func newDB(tb testing.TB, server, name string) *DB {
	tb.Helper()
	return &DB{
		OwnerURL:  withDatabase(tb, server, nil, name),
		APIURL:    withDatabase(tb, server, url.UserPassword(postgres.APIRole, apiPassword), name),
		WorkerURL: withDatabase(tb, server, url.UserPassword(postgres.WorkerRole, workerPassword), name),
		tb:        tb,
		pools:     map[string]*pgxpool.Pool{},
	}
}

// Owner returns a pool with all privileges. Like the other pools, it is closed when the test ends.
func (db *DB) Owner() *pgxpool.Pool { return db.pool(db.OwnerURL, "owner") }

// API returns a pool with the privileges of cmd/api.
func (db *DB) API() *pgxpool.Pool { return db.pool(db.APIURL, "api") }

// Worker returns a pool with the privileges of cmd/worker.
func (db *DB) Worker() *pgxpool.Pool { return db.pool(db.WorkerURL, "worker") }

func (db *DB) pool(url, application string) *pgxpool.Pool {
	db.tb.Helper()
	db.mu.Lock()
	defer db.mu.Unlock()
	if pool := db.pools[url]; pool != nil {
		return pool
	}
	// A login that a test does not use costs no connection.
	pool, err := postgres.Open(db.tb.Context(), url, postgres.Options{MaxConns: poolConns, ApplicationName: application})
	require.NoError(db.tb, err)
	db.pools[url] = pool
	db.tb.Cleanup(pool.Close)
	return pool
}

func withDatabase(tb testing.TB, server string, login *url.Userinfo, name string) string {
	tb.Helper()
	u, err := url.Parse(server)
	require.NoError(tb, err)
	u.Path = "/" + name
	if login != nil {
		u.User = login
	}
	return u.String()
}

// sqlFund inserts an approved deposit with its operation, its entry in the audit log and its ledger
// transfer.
const sqlFund = `
with deposit as (
  insert into deposits (id, user_id, payment_method, transaction_id, claimed_amount, amount, rate, converted_amount,
                        status, created_at, handled_at)
  values (@id::uuid, @user::uuid, 'Bkash', @transaction, @cents::bigint, @cents::bigint, 123, @cents::bigint * 123,
          'completed', @now::timestamptz, @now::timestamptz)
  returning id, amount, converted_amount
), operation as (
  insert into operations (id, kind, subject, params, status, result, created_at, finished_at)
  select id, 'deposit_approve', 'deposit:' || id, jsonb_build_object('amount', amount / 100.0), 'done', '{}', @now::timestamptz,
         @now::timestamptz
    from deposit
), audited as (
  insert into audit_log (at, action, subject, details)
  select @now, 'deposit.approve', 'deposit:' || id, jsonb_build_object('amount', amount / 100.0) from deposit
)
select p.outcome
  from deposit d, ledger.post('deposit:' || d.id || ':approve', 'deposit_approve', @now::timestamptz, null, null,
         array['bkash', 'exchange', 'exchange', 'wallet'], array[null, null, null, @user::uuid]::uuid[], array['BDT', 'BDT', 'USD', 'USD'],
         array[-d.converted_amount, d.converted_amount, -d.amount, d.amount]) p`

// Fund credits a user as an approved deposit does, so that the books balance.
func (db *DB) Fund(userID uuid.UUID, cents int64) {
	db.tb.Helper()
	id, err := uuid.NewV7()
	require.NoError(db.tb, err)
	var outcome string
	require.NoError(db.tb, db.Owner().QueryRow(db.tb.Context(), sqlFund, postgres.Args{
		"id": id, "user": userID, "transaction": strings.ToUpper(uuid.NewString()[24:]), "cents": cents, "now": time.Now(),
	}).Scan(&outcome))
	require.Equal(db.tb, "posted", outcome)
}

// Explain calls use with a new pool that has the owner's privileges, and returns the plans of the
// executed statements with actual times.
func Explain(tb testing.TB, db *DB, use func(pool *pgxpool.Pool)) string {
	tb.Helper()
	var mu sync.Mutex
	var plans []string
	config, err := pgxpool.ParseConfig(db.OwnerURL)
	require.NoError(tb, err)
	config.MaxConns = 1
	config.ConnConfig.OnNotice = func(_ *pgconn.PgConn, notice *pgconn.Notice) {
		mu.Lock()
		defer mu.Unlock()
		plans = append(plans, notice.Message)
	}
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, `load 'auto_explain'; set auto_explain.log_level = 'notice'; set auto_explain.log_min_duration = 0;
			set auto_explain.log_analyze = on; set auto_explain.log_buffers = on`)
		return err
	}
	pool, err := pgxpool.NewWithConfig(tb.Context(), config)
	require.NoError(tb, err)
	use(pool)
	pool.Close()
	mu.Lock()
	defer mu.Unlock()
	require.NotEmpty(tb, plans)
	return strings.Join(plans, "\n\n") + "\n"
}

// The planner takes the number of rows on a page from the statistics, and the number of pages from
// the file.
const sqlGrow = `
select pg_restore_relation_stats('schemaname', relnamespace::regnamespace::text, 'relname', relname::text,
                                 'reltuples', reltuples * $2::real)
  from pg_class
 where oid = $1::regclass or oid in (select indexrelid from pg_index where indrelid = $1::regclass)`

// Grow vacuums and analyzes tables, then makes the planner believe that each has factor times as
// many rows, so that a test gets the plans for large tables from few rows. The pages stay as many,
// so the cost of reading them is understated: whether a whole index is read instead of the table
// needs real rows. A column with more values the more rows there are, such as the buyer of a deal,
// needs more than 100 of them: statistics list fewer as common values, each with its share of the
// rows.
func (db *DB) Grow(factor int, tables ...string) {
	db.tb.Helper()
	_, err := db.Owner().Exec(db.tb.Context(), "vacuum analyze "+strings.Join(tables, ", "))
	require.NoError(db.tb, err)
	for _, table := range tables {
		_, err = db.Owner().Exec(db.tb.Context(), sqlGrow, table, factor)
		require.NoError(db.tb, err)
	}
}

// IndexPlan returns the plan of a statement where the planner avoids reading whole tables, as it
// does on large ones: on the empty tables of a test it would read them from end to end. A plan with
// a "Seq Scan" is then of a statement for which there is no index.
func IndexPlan(tb testing.TB, pool *pgxpool.Pool, sql string, args postgres.Args) string {
	tb.Helper()
	var plan []string
	err := pgx.BeginFunc(tb.Context(), pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(tb.Context(), `set local enable_seqscan = off`); err != nil {
			return err
		}
		rows, err := tx.Query(tb.Context(), "explain "+sql, args)
		if err == nil {
			plan, err = pgx.CollectRows(rows, pgx.RowTo[string])
		}
		return err
	})
	require.NoError(tb, err)
	return strings.Join(plan, "\n")
}

// Trips counts the round trips of a pool: each statement, batch and COPY is one.
type Trips struct{ sent atomic.Int64 }

// Counted returns a pool like another one, whose round trips are counted from now on. What opens
// its first connection is not.
func Counted(tb testing.TB, pool *pgxpool.Pool) (*pgxpool.Pool, *Trips) {
	tb.Helper()
	trips := &Trips{}
	config := pool.Config()
	config.ConnConfig.Tracer = trips
	counted, err := pgxpool.NewWithConfig(tb.Context(), config)
	require.NoError(tb, err)
	tb.Cleanup(counted.Close)
	require.NoError(tb, counted.Ping(tb.Context()))
	trips.Take()
	return counted, trips
}

// Take returns how many round trips there have been since the last call.
func (t *Trips) Take() int { return int(t.sent.Swap(0)) }

// TraceQueryStart implements pgx.QueryTracer.
func (t *Trips) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	t.sent.Add(1)
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (*Trips) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart implements pgx.BatchTracer.
func (t *Trips) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	t.sent.Add(1)
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer.
func (*Trips) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (*Trips) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// TraceCopyFromStart implements pgx.CopyFromTracer.
func (t *Trips) TraceCopyFromStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceCopyFromStartData) context.Context {
	t.sent.Add(1)
	return ctx
}

// TraceCopyFromEnd implements pgx.CopyFromTracer.
func (*Trips) TraceCopyFromEnd(context.Context, *pgx.Conn, pgx.TraceCopyFromEndData) {}
