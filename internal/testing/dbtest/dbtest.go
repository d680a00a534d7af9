// Package dbtest gives tests their own databases and Redis servers. Only _test.go files import it.
package dbtest

import (
	"context"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
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
			run(ctx, tb, conn, "drop database if exists "+name+" with (force)")
		})
	})
	return db
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
	pool, err := postgres.Connect(db.tb.Context(), url, postgres.Options{MaxConns: poolConns, ApplicationName: application})
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
