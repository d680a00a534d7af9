// Package dbtest gives tests databases and Redis servers of their own. Only _test.go files import it.
package dbtest

import (
	"context"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/platform/postgres"
)

// Passwords of the logins on test servers. Roles belong to a whole server, so all its test databases share them.
const (
	apiPassword    = "api-of-the-tests"
	workerPassword = "worker-of-the-tests"
)

// Roles are the logins that migrations of a test database must be given: other passwords would lock out the tests beside.
func Roles() postgres.Roles {
	return postgres.Roles{APIPassword: apiPassword, WorkerPassword: workerPassword}
}

const (
	poolConns   = 10
	dropTimeout = 30 * time.Second
	// An odd zone, so that SQL which leans on the session's zone shows.
	databaseZone = "Canada/Newfoundland"
)

// DB is a database of one test, with the whole schema and no rows.
type DB struct {
	OwnerURL  string // owns every object, and may do anything on the server
	APIURL    string // with the rights of cmd/api
	WorkerURL string // with the rights of cmd/worker

	tb    testing.TB
	mu    sync.Mutex
	pools map[string]*pgxpool.Pool
}

// New makes a database that is dropped when the test ends. It is cloned from a template that the first caller of a server makes.
func New(tb testing.TB) *DB {
	tb.Helper()
	return create(tb, template(tb))
}

// Empty makes a database without any schema, for tests of the migrations themselves. It is dropped when the test ends.
func Empty(tb testing.TB) *DB {
	tb.Helper()
	return create(tb, "template0")
}

func create(tb testing.TB, from string) *DB {
	tb.Helper()
	server := serverURL(tb)
	name := uniqueName("test_")
	maintain(tb.Context(), tb, func(ctx context.Context, conn *pgx.Conn) {
		run(ctx, tb, conn, "create database "+name+" template "+from+" strategy file_copy")
		run(ctx, tb, conn, "alter database "+name+" set timezone to '"+databaseZone+"'")
		if from != "template0" {
			// Rights on the database itself are not cloned, unlike all others.
			run(ctx, tb, conn, "grant connect on database "+name+" to "+postgres.APIRole+", "+postgres.WorkerRole)
		}
	})
	db := &DB{
		OwnerURL:  withDatabase(tb, server, nil, name),
		APIURL:    withDatabase(tb, server, url.UserPassword(postgres.APIRole, apiPassword), name),
		WorkerURL: withDatabase(tb, server, url.UserPassword(postgres.WorkerRole, workerPassword), name),
		tb:        tb,
		pools:     map[string]*pgxpool.Pool{},
	}
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), dropTimeout) // the test's context has ended
		defer cancel()
		maintain(ctx, tb, func(ctx context.Context, conn *pgx.Conn) {
			run(ctx, tb, conn, "drop database if exists "+name+" with (force)")
		})
	})
	return db
}

// Owner is a pool with all rights, for arranging and looking. It is closed when the test ends, like the others.
func (db *DB) Owner() *pgxpool.Pool { return db.pool(db.OwnerURL, "owner") }

// API is a pool with the rights of cmd/api.
func (db *DB) API() *pgxpool.Pool { return db.pool(db.APIURL, "api") }

// Worker is a pool with the rights of cmd/worker.
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
