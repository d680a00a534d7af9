package postgres_test

import (
	"context"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

func connect(t *testing.T, url string, opts postgres.Options) *pgxpool.Pool {
	t.Helper()
	pool, err := postgres.Connect(t.Context(), url, opts)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

func setting(t *testing.T, pool *pgxpool.Pool, name string) string {
	t.Helper()
	var value string
	require.NoError(t, pool.QueryRow(t.Context(), "select current_setting($1)", name).Scan(&value))
	return value
}

func TestConnect(t *testing.T) {
	t.Parallel()
	db := dbtest.Empty(t)
	pool := connect(t, db.OwnerURL, postgres.Options{MaxConns: 3, ApplicationName: "test of limits"})
	require.EqualValues(t, 3, pool.Config().MaxConns)
	require.Equal(t, "test of limits", setting(t, pool, "application_name"))
	require.Equal(t, "1min", setting(t, pool, "statement_timeout"))
	require.Equal(t, "15s", setting(t, pool, "lock_timeout"))
	require.Equal(t, "20s", setting(t, pool, "idle_in_transaction_session_timeout"))

	pool = connect(t, db.OwnerURL+"&statement_timeout=5min", postgres.Options{})
	require.Equal(t, "5min", setting(t, pool, "statement_timeout"), "the URL overrides the default")
}

// synchronous_commit is at least on, even if the database or the URL sets less, except in
// AsyncCommit pools.
func TestConnect_synchronous_commit(t *testing.T) {
	t.Parallel()
	const name = "synchronous_commit"
	db := dbtest.Empty(t)
	owner := connect(t, db.OwnerURL, postgres.Options{})
	for set, want := range map[string]string{
		"off": "on", "local": "on", "remote_write": "on", "on": "on", "remote_apply": "remote_apply",
	} {
		_, err := owner.Exec(t.Context(), `
			do $$ begin
			  execute format('alter database %I set synchronous_commit = `+set+`', current_database());
			end $$`)
		require.NoError(t, err)
		require.Equal(t, want, setting(t, connect(t, db.OwnerURL, postgres.Options{}), name), set)
		require.Equal(t, "off", setting(t, connect(t, db.OwnerURL, postgres.Options{AsyncCommit: true}), name), set)
	}
	require.Equal(t, "on", setting(t, connect(t, db.OwnerURL+"&synchronous_commit=off", postgres.Options{}), name))
}

func TestConnect_types(t *testing.T) {
	t.Parallel()
	pool := connect(t, dbtest.Empty(t).OwnerURL, postgres.Options{})
	require.NotEqual(t, "UTC", setting(t, pool, "timezone"))
	type row struct {
		ID    uuid.UUID
		Maybe *uuid.UUID
		None  *uuid.UUID
		IDs   []uuid.UUID `db:"ids"`
		At    time.Time
		Ended *time.Time
		Times []time.Time
	}
	want := row{
		ID: uuid.New(), IDs: []uuid.UUID{uuid.New(), uuid.New()},
		At: time.Date(2026, 7, 1, 23, 30, 0, 123456000, time.FixedZone("Dhaka", 6*3600)),
	}
	want.Maybe = &want.IDs[0]
	rows, err := pool.Query(t.Context(), `select @id::uuid as id, @maybe::uuid as maybe, @none::uuid as none, @ids::uuid[] as ids,
		@at::timestamptz as at, @ended::timestamptz as ended, array[@at::timestamptz] as times`, postgres.Args{
		"id": want.ID, "maybe": want.Maybe, "none": want.None, "ids": want.IDs, "at": want.At, "ended": want.Ended,
	})
	require.NoError(t, err)
	got, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[row])
	require.NoError(t, err)
	want.At = want.At.UTC()
	want.Times = []time.Time{want.At}
	require.Equal(t, want, got)

	// An id may be passed as text and compared with a list of ids.
	var found bool
	err = pool.QueryRow(t.Context(), "select $1::uuid = any($2::uuid[])", want.IDs[1].String(), want.IDs).Scan(&found)
	require.NoError(t, err)
	require.True(t, found)
}

// A caller who gives up during a statement costs a connection only if the statement takes long.
func TestConnect_grace(t *testing.T) {
	t.Parallel()
	db := dbtest.Empty(t)
	holder := connect(t, db.OwnerURL, postgres.Options{})
	backend := func(pool *pgxpool.Pool) (pid int) {
		require.NoError(t, pool.QueryRow(t.Context(), "select pg_backend_pid()").Scan(&pid))
		return pid
	}
	for grace, kept := range map[time.Duration]bool{0: false, time.Minute: true} {
		pool := connect(t, db.OwnerURL, postgres.Options{MaxConns: 1, Grace: grace})
		before := backend(pool)
		holding, err := holder.Begin(t.Context())
		require.NoError(t, err)
		_, err = holding.Exec(t.Context(), "select pg_advisory_xact_lock(1)")
		require.NoError(t, err)
		ctx, giveUp := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			_, err := pool.Exec(ctx, "select pg_advisory_xact_lock(1)")
			ended <- err
		}()
		require.Eventually(t, func() bool {
			var waits bool
			err := holder.QueryRow(t.Context(), `
				select exists (select from pg_locks where locktype = 'advisory' and not granted
				and database = (select oid from pg_database where datname = current_database()))`).Scan(&waits)
			return err == nil && waits
		}, 10*time.Second, 10*time.Millisecond)
		giveUp()
		if !kept {
			require.ErrorIs(t, <-ended, context.Canceled)
		}
		require.NoError(t, holding.Rollback(t.Context()))
		if kept {
			require.NoError(t, <-ended)
		}
		require.Equal(t, kept, backend(pool) == before)
	}
}

func TestConnect_wrong_password(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	began := time.Now()
	_, err := postgres.Connect(t.Context(), strings.Replace(db.APIURL, "api-of-the-tests", "wrong", 1), postgres.Options{})
	require.ErrorContains(t, err, "password authentication failed")
	require.Less(t, time.Since(began), 5*time.Second)
	_, err = postgres.Connect(t.Context(), "postgres://[", postgres.Options{})
	require.ErrorContains(t, err, "database URL")
}

func TestConnect_server_starting(t *testing.T) {
	t.Parallel()
	db := dbtest.Empty(t)
	config, err := pgx.ParseConfig(db.OwnerURL)
	require.NoError(t, err)
	server := net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port)))
	front, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = front.Close() })
	go func() {
		for refused := 0; ; refused++ {
			client, err := front.Accept()
			if err != nil {
				return
			}
			if refused < 2 {
				_ = client.Close() // not ready yet
				continue
			}
			go forward(client, server)
		}
	}()
	pool := connect(t, strings.Replace(db.OwnerURL, server, front.Addr().String(), 1), postgres.Options{})
	require.NoError(t, pool.Ping(t.Context()))
}

func forward(client net.Conn, address string) {
	defer func() { _ = client.Close() }()
	server, err := net.Dial("tcp4", address)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	go func() { _, _ = io.Copy(server, client) }()
	_, _ = io.Copy(client, server)
}

func TestConnect_timeout(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := postgres.Connect(ctx, "postgres://u:p@127.0.0.1:1/x?sslmode=disable", postgres.Options{})
	require.ErrorContains(t, err, "connect")
}

func TestCheckServer(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		facts   postgres.ServerFacts
		refusal string
	}{
		"fit":          {postgres.ServerFacts{Version: 18_00_04, Encoding: "UTF8", Letters: 3, Backend: 7}, ""},
		"newer":        {postgres.ServerFacts{Version: 19_00_00, Encoding: "UTF8", Letters: 3, Backend: 7}, ""},
		"too old":      {postgres.ServerFacts{Version: 15_00_18, Encoding: "UTF8", Letters: 3, Backend: 7}, "PostgreSQL 15"},
		"one byte":     {postgres.ServerFacts{Version: 18_00_04, Encoding: "SQL_ASCII", Letters: 3, Backend: 7}, "SQL_ASCII"},
		"ASCII locale": {postgres.ServerFacts{Version: 18_00_04, Encoding: "UTF8", Backend: 7}, "no Bangla letters"},
		"pooler":       {postgres.ServerFacts{Version: 18_00_04, Encoding: "UTF8", Letters: 3, Backend: 8}, "pooler"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := postgres.CheckServerFacts(tc.facts, 7)
			if tc.refusal == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tc.refusal)
		})
	}
}

func TestMigrate_database_without_Bangla(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ options, refusal string }{
		"locale C":  {"encoding 'UTF8' locale_provider libc locale 'C'", "no Bangla letters"},
		"SQL_ASCII": {"encoding 'SQL_ASCII' locale_provider libc locale 'C'", "SQL_ASCII"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := dbtest.Empty(t, tc.options)
			require.ErrorContains(t, postgres.Migrate(t.Context(), db.OwnerURL, dbtest.Roles()), tc.refusal)
			require.Empty(t, tables(t, db), "nothing has been changed")
		})
	}
}

var lockKey = strconv.FormatInt(postgres.MigrationsLock, 10)

func TestLockMigrations_held(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	holder, err := db.Owner().Acquire(t.Context())
	require.NoError(t, err)
	defer holder.Release()
	_, err = holder.Exec(t.Context(), "set application_name = 'amanat migrate'; select pg_advisory_lock("+lockKey+")")
	require.NoError(t, err)
	waiter, err := db.Owner().Acquire(t.Context())
	require.NoError(t, err)
	defer waiter.Release()
	require.ErrorContains(t, postgres.TryLockMigrations(t.Context(), waiter), "another migration of this database is running (pid ")

	_, err = holder.Exec(t.Context(), "select pg_advisory_unlock("+lockKey+")")
	require.NoError(t, err)
	require.NoError(t, postgres.TryLockMigrations(t.Context(), waiter))
}

func setRole(t *testing.T, owner *pgxpool.Pool, setting string) {
	t.Helper()
	_, err := owner.Exec(t.Context(), `
		do $$ begin
		  execute format('alter role amanat_api in database %I `+setting+`', current_database());
		end $$`)
	require.NoError(t, err)
}

// Through PgBouncer, each statement of a pool may run in another session of the server.
func TestConnect_pooled(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	pooler := dbtest.PgBouncer(t, db)

	_, err := postgres.Connect(t.Context(), pooler.APIURL, postgres.Options{})
	require.ErrorContains(t, err, "DATABASE_POOLED=true", "settings of the session are refused")

	pool := connect(t, pooler.APIURL, postgres.Options{Pooled: true, AsyncCommit: true, ApplicationName: "pooled"})
	require.NoError(t, postgres.CheckSession(t.Context(), pool, true))
	require.ErrorContains(t, postgres.CheckSession(t.Context(), pool, false), "go through a pooler")
	require.Equal(t, "1min", setting(t, pool, "statement_timeout"))
	require.Equal(t, "15s", setting(t, pool, "lock_timeout"))
	require.Equal(t, "20s", setting(t, pool, "idle_in_transaction_session_timeout"))
	require.Equal(t, "on", setting(t, pool, "synchronous_commit"))
	require.Equal(t, "pooled", setting(t, pool, "application_name"))

	err = postgres.Migrate(t.Context(), pooler.OwnerURL, dbtest.Roles())
	require.ErrorContains(t, err, "through a pooler")
}

func TestMigrate_limits_of_roles(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	owner := db.Owner()
	pool := func() *pgxpool.Pool { return connect(t, db.APIURL, postgres.Options{Pooled: true}) }
	require.ErrorContains(t, postgres.CheckSession(t.Context(), pool(), true), "timeout is off", "a clone has no settings of roles")

	setRole(t, owner, "set statement_timeout = ''5min''")
	setRole(t, owner, "set lock_timeout = ''0s''")
	setRole(t, owner, "set synchronous_commit = off")
	require.NoError(t, postgres.Migrate(t.Context(), db.OwnerURL, dbtest.Roles()))
	limited := pool()
	require.NoError(t, postgres.CheckSession(t.Context(), limited, true))
	require.Equal(t, "5min", setting(t, limited, "statement_timeout"), "what an operator chose is kept")
	require.Equal(t, "15s", setting(t, limited, "lock_timeout"))
	require.Equal(t, "20s", setting(t, connect(t, db.WorkerURL, postgres.Options{Pooled: true}), "idle_in_transaction_session_timeout"))

	setRole(t, owner, "set synchronous_commit = local")
	require.ErrorContains(t, postgres.CheckSession(t.Context(), pool(), true), "synchronous_commit is local")
	setRole(t, owner, "set synchronous_commit = remote_apply")
	require.NoError(t, postgres.Migrate(t.Context(), db.OwnerURL, dbtest.Roles()))
	applied := pool()
	require.NoError(t, postgres.CheckSession(t.Context(), applied, true))
	require.Equal(t, "remote_apply", setting(t, applied, "synchronous_commit"))
	require.ErrorContains(t, postgres.CheckSession(t.Context(), connect(t, db.APIURL+"&lock_timeout=0", postgres.Options{}), false),
		"lock_timeout is off")
}
