package postgres_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
	"amanat/migrations"
)

func TestMigrate_twice(t *testing.T) {
	t.Parallel()
	db := dbtest.Empty(t)
	require.ErrorContains(t, postgres.Validate(t.Context(), db.Owner()), "amanat migrate")
	require.NoError(t, postgres.Migrate(t.Context(), db.OwnerURL, dbtest.Roles()))
	first := appliedAt(t, db)
	require.NotEmpty(t, first)
	require.NoError(t, postgres.Migrate(t.Context(), db.OwnerURL, dbtest.Roles()))
	require.Equal(t, first, appliedAt(t, db))
	require.NoError(t, postgres.Validate(t.Context(), db.API()))
	require.NoError(t, postgres.Validate(t.Context(), db.Worker()))
}

func appliedAt(t *testing.T, db *dbtest.DB) []string {
	t.Helper()
	rows, err := db.Owner().Query(t.Context(), "select version || name || checksum || applied_at from schema_migrations order by version")
	require.NoError(t, err)
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return list
}

// Deployments may run several migrations concurrently, and all databases of a server share the
// roles.
func TestMigrate_concurrent(t *testing.T) {
	t.Parallel()
	one, two := dbtest.Empty(t), dbtest.Empty(t)
	var group errgroup.Group
	for _, db := range []*dbtest.DB{one, two, one, two, one, two} {
		group.Go(func() error { return postgres.Migrate(t.Context(), db.OwnerURL, dbtest.Roles()) })
	}
	require.NoError(t, group.Wait())
	require.NoError(t, postgres.Validate(t.Context(), one.Worker()))
	require.NoError(t, postgres.Validate(t.Context(), two.API()))
}

func TestMigrate_unknown_or_changed_migration(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	exec(t, db, "insert into schema_migrations (version, name, checksum, applied_at) values (9999, 'future', '', '2030-01-01')")
	err := postgres.Migrate(t.Context(), db.OwnerURL, dbtest.Roles())
	require.ErrorContains(t, err, "9999")
	require.NoError(t, postgres.Validate(t.Context(), db.API()), "an old binary may run on a newer schema")
	exec(t, db, "delete from schema_migrations where version = 9999")

	exec(t, db, "update schema_migrations set checksum = 'other' where version = 1")
	err = postgres.Migrate(t.Context(), db.OwnerURL, dbtest.Roles())
	require.ErrorContains(t, err, "was changed after it had been applied")
}

func TestValidate_missing_migration(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	exec(t, db, "delete from river.river_migration where version = (select max(version) from river.river_migration)")
	require.ErrorContains(t, postgres.Validate(t.Context(), db.Worker()), "job queue")
	exec(t, db, "delete from schema_migrations where version = (select max(version) from schema_migrations)")
	require.ErrorContains(t, postgres.Validate(t.Context(), db.Worker()), "is missing")
}

func TestMigrate_failed_migration(t *testing.T) {
	t.Parallel()
	db := dbtest.Empty(t)
	files := fstest.MapFS{
		"0001_good.sql": {Data: []byte("create table good (id int);")},
		"0002_half.sql": {Data: []byte("create table half (id int); select 1/0;")},
		"0003_last.sql": {Data: []byte("create table last (id int);")},
		"grants.sql":    {Data: []byte("grant select on good, last to amanat_api;")},
		"moved.sql":     {Data: []byte("delete from last;")},
	}
	err := postgres.MigrateFrom(t.Context(), files, db.OwnerURL, dbtest.Roles())
	require.ErrorContains(t, err, "0002_half")
	require.Equal(t, []string{"good", "schema_migrations"}, tables(t, db))

	files["0002_half.sql"] = &fstest.MapFile{Data: []byte("create table half (id int);")}
	require.NoError(t, postgres.MigrateFrom(t.Context(), files, db.OwnerURL, dbtest.Roles()))
	require.Equal(t, []string{"good", "half", "last", "schema_migrations"}, tables(t, db))
	_, err = db.API().Exec(t.Context(), "select id from last")
	require.NoError(t, err)
	_, err = db.API().Exec(t.Context(), "select id from half")
	require.ErrorContains(t, err, "permission denied")
}

// What cannot be in a transaction runs without one, and again from its beginning after a failure.
func TestMigrate_without_transaction(t *testing.T) {
	t.Parallel()
	db := dbtest.Empty(t)
	files := fstest.MapFS{
		"0001_table.sql": {Data: []byte("create table good (id int); insert into good values (1), (1);")},
		"0002_index.sql": {Data: []byte("-- no transaction\ndrop index concurrently if exists ids;\n" +
			"create unique index concurrently ids on good (id);\n")},
		"grants.sql": {}, "moved.sql": {},
	}
	err := postgres.MigrateFrom(t.Context(), files, db.OwnerURL, dbtest.Roles())
	require.ErrorContains(t, err, "0002_index")
	require.Len(t, appliedAt(t, db), 1)
	require.Equal(t, []bool{false}, indexesAreValid(t, db), "the failed build left an index behind")

	exec(t, db, "delete from good where ctid = (select min(ctid) from good)")
	require.NoError(t, postgres.MigrateFrom(t.Context(), files, db.OwnerURL, dbtest.Roles()))
	require.Len(t, appliedAt(t, db), 2)
	require.Equal(t, []bool{true}, indexesAreValid(t, db))

	files["0003_column.sql"] = &fstest.MapFile{Data: []byte("-- no transaction\nalter table good add column name text;\n")}
	err = postgres.MigrateFrom(t.Context(), files, db.OwnerURL, dbtest.Roles())
	require.ErrorContains(t, err, "only indexes can be built or dropped")
}

func indexesAreValid(t *testing.T, db *dbtest.DB) []bool {
	t.Helper()
	rows, err := db.Owner().Query(t.Context(), "select indisvalid from pg_index where indexrelid = 'ids'::regclass")
	require.NoError(t, err)
	valid, err := pgx.CollectRows(rows, pgx.RowTo[bool])
	require.NoError(t, err)
	return valid
}

// A migration gives up waiting for a lock before others have waited long behind it, and succeeds
// once the lock is free.
func TestMigrate_locked_table(t *testing.T) {
	t.Parallel()
	db := dbtest.Empty(t)
	files := fstest.MapFS{
		"0001_table.sql": {Data: []byte("create table good (id int);")}, "grants.sql": {}, "moved.sql": {},
	}
	require.NoError(t, postgres.MigrateFrom(t.Context(), files, db.OwnerURL, dbtest.Roles()))
	files["0002_column.sql"] = &fstest.MapFile{Data: []byte("alter table good add column name text;")}

	reader, err := db.Owner().Begin(t.Context())
	require.NoError(t, err)
	_, err = reader.Exec(t.Context(), "select from good")
	require.NoError(t, err)
	migrated := make(chan error, 1)
	go func() { migrated <- postgres.MigrateFrom(t.Context(), files, db.OwnerURL, dbtest.Roles()) }()
	for _, waiting := range []bool{true, false, true} {
		require.Eventually(t, func() bool {
			var waits bool
			err := db.Owner().QueryRow(t.Context(), `
				select exists (select from pg_locks where not granted and relation = 'good'::regclass)`).Scan(&waits)
			return err == nil && waits == waiting
		}, 20*time.Second, 5*time.Millisecond)
	}
	require.NoError(t, reader.Commit(t.Context()))
	require.NoError(t, <-migrated)
	exec(t, db, "select name from good")
}

// River's migrations give up waiting for a lock, too, and go on once it is free.
func TestMigrate_locked_river(t *testing.T) {
	t.Parallel()
	db := dbtest.Empty(t)
	files := fstest.MapFS{"grants.sql": {}, "moved.sql": {}}
	// The table of River's first migration is made and held by another session.
	reader, err := db.Owner().Begin(t.Context())
	require.NoError(t, err)
	_, err = reader.Exec(t.Context(), `create schema river; create table river.river_migration (id int)`)
	require.NoError(t, err)
	migrated := make(chan error, 1)
	go func() { migrated <- postgres.MigrateFrom(t.Context(), files, db.OwnerURL, dbtest.Roles()) }()
	for _, waiting := range []bool{true, false, true} {
		require.Eventually(t, func() bool {
			var waits bool
			err := db.Owner().QueryRow(t.Context(), `
				select exists (select from pg_stat_activity where datname = current_database()
				                  and application_name = 'amanat migrate' and wait_event_type = 'Lock')`).Scan(&waits)
			return err == nil && waits == waiting
		}, 20*time.Second, 5*time.Millisecond)
	}
	require.NoError(t, reader.Rollback(t.Context()))
	require.NoError(t, <-migrated)
	exec(t, db, "select id from river.river_job")
}

func TestRetryLocked_gives_up(t *testing.T) {
	t.Parallel()
	locked := &pgconn.PgError{Code: "55P03"}
	attempts := 0
	err := postgres.RetryLocked(t.Context(), 2, func() error { attempts++; return fmt.Errorf("step: %w", locked) })
	require.ErrorIs(t, err, locked)
	require.ErrorContains(t, err, "a table was in use during each of 2 attempts")
	require.Equal(t, 2, attempts)
}

func tables(t *testing.T, db *dbtest.DB) []string {
	t.Helper()
	rows, err := db.Owner().Query(t.Context(), "select tablename::text from pg_tables where schemaname = 'public' order by tablename")
	require.NoError(t, err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return names
}

func exec(t *testing.T, db *dbtest.DB, sql string) {
	t.Helper()
	_, err := db.Owner().Exec(t.Context(), sql)
	require.NoError(t, err)
}

func TestReadMigrations(t *testing.T) {
	t.Parallel()
	files, err := postgres.ReadMigrations(migrations.FS)
	require.NoError(t, err)
	require.NotEmpty(t, files)
	_, err = fs.Stat(migrations.FS, "grants.sql")
	require.NoError(t, err)

	for fault, names := range map[string][]string{
		"number 0002 expected":     {"0001_a.sql", "0003_c.sql"},
		"0001_b.sql: number 0002":  {"0001_a.sql", "0001_b.sql"},
		"name is not NNNN_name":    {"0001_a.sql", "2_b.sql"},
		"notes.sql: name is not":   {"0001_a.sql", "notes.sql"},
		"0000_a.sql: number 0001 ": {"0000_a.sql"},
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			fsys := fstest.MapFS{}
			for _, name := range names {
				fsys[name] = &fstest.MapFile{}
			}
			_, err := postgres.ReadMigrations(fsys)
			require.ErrorContains(t, err, fault)
		})
	}
}

func TestMigrate_role_passwords(t *testing.T) {
	t.Parallel()
	for _, password := range []string{"", "tab\t", "আমানত"} {
		_, err := postgres.SCRAMVerifier(password)
		require.Error(t, err)
	}
	verifier, err := postgres.SCRAMVerifier(`it's "odd" \ $1`)
	require.NoError(t, err)
	require.False(t, strings.ContainsAny(verifier, `'"\`), "it is inserted into a statement unquoted")

	db := dbtest.Empty(t)
	roles := dbtest.Roles()
	roles.APIPassword = ""
	require.ErrorContains(t, postgres.Migrate(t.Context(), db.OwnerURL, roles), "amanat_api")
}
