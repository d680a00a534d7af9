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
	"amanat/internal/platform/postgres"
	"amanat/migrations"
)

// URLEnv names the environment variable with the URL of a server to make test databases on, as a superuser. Without it, every test process
// starts a server of its own; `make test` starts one for all.
const URLEnv = "AMANAT_TEST_DATABASE_URL"

const (
	ownServerConns = 200
	templateLock   = 0x616d616e61742e74 // "amanat.t": one template is made at a time
)

var ownServer struct {
	sync.Mutex
	*localstack.Postgres
}

// serverURL returns the server that all tests of this process use. One of its own ends with the process.
func serverURL(tb testing.TB) string {
	tb.Helper()
	if given := os.Getenv(URLEnv); given != "" {
		return given
	}
	ownServer.Lock()
	defer ownServer.Unlock()
	if ownServer.Postgres == nil {
		// Not the test's context: other tests of the process will use the server.
		server, err := localstack.StartPostgres(context.Background(), localstack.PostgresOptions{
			MaxConnections: ownServerConns, NoSync: true,
		})
		require.NoError(tb, err)
		ownServer.Postgres = server
	}
	return ownServer.URL("postgres")
}

// Main runs a package's tests and stops the server that they may have started; for packages whose TestMain must leave nothing behind, such
// as those that look for leaked goroutines. It returns the exit code.
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

// template returns the name of a database with the whole schema, made once a server and version of the schema.
func template(tb testing.TB) string {
	tb.Helper()
	templateMade.Lock()
	defer templateMade.Unlock()
	if templateMade.name != "" {
		return templateMade.name
	}
	name := "template_" + schemaHash(tb)
	maintain(tb.Context(), tb, func(ctx context.Context, conn *pgx.Conn) {
		run(ctx, tb, conn, "select pg_advisory_lock($1)", int64(templateLock)) // until the session ends
		var exists bool
		require.NoError(tb, conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1)", name).Scan(&exists))
		if exists {
			return
		}
		// Renamed when it is whole: who finds the name finds a good template.
		work := uniqueName("making_")
		run(ctx, tb, conn, "create database "+work+" template template0")
		require.NoError(tb, postgres.Migrate(ctx, withDatabase(tb, serverURL(tb), nil, work), Roles()))
		run(ctx, tb, conn, "alter database "+work+" with allow_connections false")
		run(ctx, tb, conn, "alter database "+work+" rename to "+name)
	})
	templateMade.name = name
	return name
}

// schemaHash changes with every migration of ours and of the job queue's.
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

// maintain lends a connection from which databases are made and dropped.
func maintain(ctx context.Context, tb testing.TB, use func(ctx context.Context, conn *pgx.Conn)) {
	tb.Helper()
	conn, err := pgx.Connect(ctx, serverURL(tb))
	require.NoError(tb, err)
	defer conn.Close(context.WithoutCancel(ctx))
	use(ctx, conn)
}

func run(ctx context.Context, tb testing.TB, conn *pgx.Conn, sql string, args ...any) {
	tb.Helper()
	_, err := conn.Exec(ctx, sql, args...)
	require.NoError(tb, err, sql)
}

func uniqueName(prefix string) string { return prefix + strings.ToLower(rand.Text()) }
