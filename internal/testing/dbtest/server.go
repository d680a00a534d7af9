package dbtest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/localstack"
	"amanat/internal/lib/postgres"
	"amanat/internal/testing/program"
	"amanat/migrations"
)

// URLEnv is the environment variable with the URL of the server for test databases, as a superuser,
// and URLFileEnv that with the name of a file with the URL. If neither is set, every test process
// starts its own server; `make test` starts one for all.
const (
	URLEnv     = "AMANAT_TEST_DATABASE_URL"
	URLFileEnv = "AMANAT_TEST_DATABASE_URL_FILE"
)

const (
	ownServerConns = 200
	templateLock   = 0x616d616e61742e74 // "amanat.t"; serializes the creation of templates
)

var ownServer struct {
	sync.Mutex
	*localstack.Postgres
}

// serverURL returns the URL of the server that all tests of this process use. If the process
// started the server, it ends with the process.
func serverURL(tb testing.TB) string {
	tb.Helper()
	if given := os.Getenv(URLEnv); given != "" {
		return given
	}
	if file := os.Getenv(URLFileEnv); file != "" {
		url, err := os.ReadFile(file) //nolint:gosec // written by withpostgres
		require.NoError(tb, err)
		return string(url)
	}
	ownServer.Lock()
	defer ownServer.Unlock()
	if ownServer.Postgres == nil {
		// The server outlives this test, so it must not use the test's context.
		server, err := localstack.StartPostgres(context.Background(), localstack.PostgresOptions{
			MaxConnections: ownServerConns, NoSync: true,
		})
		require.NoError(tb, err)
		ownServer.Postgres = server
	}
	return ownServer.URL("postgres")
}

// Main runs a package's tests, stops the server that they may have started, and returns the exit
// code. It is for packages whose TestMain must leave nothing running, such as those that check for
// leaked goroutines.
func Main(m *testing.M) int {
	code := m.Run()
	ownServer.Lock()
	defer ownServer.Unlock()
	if ownServer.Postgres != nil {
		_ = ownServer.Stop()
	}
	return code
}

var templateMade struct {
	sync.Mutex
	name string
}

// template returns the name of a database with the whole schema, created once per server and schema
// version.
func template(tb testing.TB) string {
	tb.Helper()
	templateMade.Lock()
	defer templateMade.Unlock()
	if templateMade.name != "" {
		return templateMade.name
	}
	name := "template_" + schemaHash(tb)
	maintain(tb.Context(), tb, func(ctx context.Context, conn *pgx.Conn) {
		run(ctx, tb, conn, "select pg_advisory_lock($1)", int64(templateLock))
		defer run(context.WithoutCancel(ctx), tb, conn, "select pg_advisory_unlock($1)", int64(templateLock))
		var exists bool
		require.NoError(tb, conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1)", name).Scan(&exists))
		if exists {
			return
		}
		// It is renamed when it is complete, so that every database with this name is.
		work := uniqueName("making_")
		run(ctx, tb, conn, "create database "+work+" template template0")
		require.NoError(tb, postgres.Migrate(ctx, withDatabase(tb, serverURL(tb), nil, work), Roles()))
		run(ctx, tb, conn, "alter database "+work+" with allow_connections false")
		run(ctx, tb, conn, "alter database "+work+" rename to "+name)
	})
	templateMade.name = name
	return name
}

// schemaHash returns a hash of all migrations, including River's.
func schemaHash(tb testing.TB) string {
	tb.Helper()
	hash := sha256.New()
	add := func(parts ...string) {
		for _, part := range parts {
			_, _ = hash.Write([]byte(part + "\x00"))
		}
	}
	err := fs.WalkDir(migrations.FS, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(migrations.FS, name)
		add(name, string(text))
		return err
	})
	require.NoError(tb, err)
	river, err := rivermigrate.New(riverpgxv5.New(nil), &rivermigrate.Config{Schema: postgres.RiverSchema})
	require.NoError(tb, err)
	for _, version := range river.AllVersions() {
		add(version.Name, version.SQLUp)
	}
	return hex.EncodeToString(hash.Sum(nil)[:10])
}

// maintenance has idle superuser connections that are not to a test database. They are reused,
// since the server starts a process for each new one.
var maintenance struct {
	sync.Mutex
	idle []*pgx.Conn
}

// maintain calls use with a superuser connection that is not to a test database. use must leave
// nothing in the session, such as a lock.
func maintain(ctx context.Context, tb testing.TB, use func(ctx context.Context, conn *pgx.Conn)) {
	tb.Helper()
	maintenance.Lock()
	var conn *pgx.Conn
	if last := len(maintenance.idle) - 1; last >= 0 {
		conn, maintenance.idle = maintenance.idle[last], maintenance.idle[:last]
	}
	maintenance.Unlock()
	if conn == nil {
		var err error
		conn, err = pgx.Connect(ctx, serverURL(tb))
		require.NoError(tb, err)
	}
	defer func() {
		if conn.IsClosed() { // as after a deadline
			return
		}
		maintenance.Lock()
		defer maintenance.Unlock()
		maintenance.idle = append(maintenance.idle, conn)
	}()
	use(ctx, conn)
}

func run(ctx context.Context, tb testing.TB, conn *pgx.Conn, sql string, args ...any) {
	tb.Helper()
	_, err := conn.Exec(ctx, sql, args...)
	require.NoError(tb, err, sql)
}

func uniqueName(prefix string) string { return prefix + strings.ToLower(rand.Text()) }

// Pooler is a PgBouncer in transaction mode in front of a test's database.
type Pooler struct {
	OwnerURL, APIURL, WorkerURL string // of the database, through the pooler
}

// PgBouncer starts a pooler that ends with the test. The logins have the settings that Migrate
// gives them, which a new database does not inherit from its template. Unlike for Redis, there is
// no substitute for the program.
func PgBouncer(tb testing.TB, db *DB) *Pooler {
	tb.Helper()
	pgbouncer := program.Path(tb, "pgbouncer")
	require.NoError(tb, postgres.Migrate(tb.Context(), db.OwnerURL, Roles()))
	pooler, err := localstack.StartPgBouncer(tb.Context(), pgbouncer, db.OwnerURL, db.APIURL, db.WorkerURL)
	require.NoError(tb, err)
	tb.Cleanup(pooler.Stop)
	return &Pooler{OwnerURL: pooler.Through(db.OwnerURL), APIURL: pooler.Through(db.APIURL), WorkerURL: pooler.Through(db.WorkerURL)}
}
