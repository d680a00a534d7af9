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
		@at::timestamptz as at, @ended::timestamptz as ended, array[@at::timestamptz] as times`, pgx.NamedArgs{
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
