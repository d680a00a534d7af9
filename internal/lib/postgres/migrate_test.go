package postgres_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"
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

// Until the first release migrations are edited in place, so a database may be of another chain.
func TestMigrate_other_migrations(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"an edited file":         "update schema_migrations set checksum = 'other' where version = 2",
		"another file":           "update schema_migrations set name = 'things' where version = 2",
		"a file that is no more": "insert into schema_migrations (version, name, checksum, applied_at) values (78, 'ownership', '', now())",
		"a gap":                  "delete from schema_migrations where version = 1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := dbtest.New(t)
			exec(t, db, change)
			before := appliedAt(t, db)
			require.ErrorIs(t, postgres.Migrate(t.Context(), db.OwnerURL, dbtest.Roles()), postgres.ErrOtherMigrations)
			require.ErrorIs(t, postgres.Validate(t.Context(), db.API()), postgres.ErrOtherMigrations)
			require.Equal(t, before, appliedAt(t, db))
		})
	}
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
