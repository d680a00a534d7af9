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

// A dump is restored without its privileges.
func TestValidate_restored(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	exec(t, db, "revoke all on schema_migrations from amanat_api")
	require.ErrorContains(t, postgres.Validate(t.Context(), db.API()), "after restoring a dump, run `amanat migrate`")
	require.NoError(t, postgres.Migrate(t.Context(), db.OwnerURL, dbtest.Roles()))
	require.NoError(t, postgres.Validate(t.Context(), db.API()))
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

const sqlOurFunctions = `
select p.oid::regprocedure || ' by ' || pg_get_userbyid(p.proowner) || ' to ' || coalesce(p.proacl::text, 'all')
       || ' ' || pg_get_functiondef(p.oid)
  from pg_proc p
 where p.pronamespace in ('ledger'::regnamespace, 'public'::regnamespace) and p.prokind = 'f'
   and not exists (select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')
 order by 1`

func ourFunctions(t *testing.T, db *dbtest.DB) []string {
	t.Helper()
	rows, err := db.Owner().Query(t.Context(), sqlOurFunctions)
	require.NoError(t, err)
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return list
}

// A function that was changed by hand is replaced, with the owner and the privileges of a new one.
func TestMigrate_replaces_functions(t *testing.T) {
	t.Parallel()
	fresh, changed := dbtest.New(t), dbtest.New(t)
	exec(t, changed, `
		create or replace function ledger.balance(p_kind text, p_owner uuid, p_currency text)
		returns bigint language sql as 'select 7'`)
	exec(t, changed, "drop function ledger.fold")
	require.NotEqual(t, ourFunctions(t, fresh), ourFunctions(t, changed))
	require.NoError(t, postgres.Migrate(t.Context(), changed.OwnerURL, dbtest.Roles()))
	require.Equal(t, ourFunctions(t, fresh), ourFunctions(t, changed))
}

func TestValidate_missing_function(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	exec(t, db, "alter function ledger.fold rename to fold_away")
	require.ErrorContains(t, postgres.Validate(t.Context(), db.Worker()), "function ledger.fold is missing: run `amanat migrate`")
}

// All functions are replaced in one transaction, after the numbered migrations and before the
// grants.
func TestMigrate_replaces_functions_atomically(t *testing.T) {
	t.Parallel()
	db := dbtest.Empty(t)
	function := func(name, body string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("create or replace function public." + name + "() returns int language sql as '" + body + "';")}
	}
	files := fstest.MapFS{
		"0001_good.sql":      {Data: []byte("create table good (id int);")},
		"functions/a.sql":    function("a", "select count(*)::int from good"),
		"functions/b.sql":    function("b", "select 1"),
		"functions/note.sql": {Data: []byte("select 1")},
		"grants.sql":         {Data: []byte("revoke all on function a from public;")},
		"moved.sql":          {Data: []byte("select a()")},
	}
	migrate := func() error { return postgres.MigrateFrom(t.Context(), files, db.OwnerURL, dbtest.Roles()) }
	require.ErrorContains(t, migrate(), "functions/note.sql: has 0 times")
	delete(files, "functions/note.sql")
	require.NoError(t, migrate())

	files["functions/a.sql"], files["functions/b.sql"] = function("a", "select 2"), function("b", "select missing")
	require.ErrorContains(t, migrate(), "functions/b.sql")
	var a, b int
	require.NoError(t, db.Owner().QueryRow(t.Context(), "select a(), b()").Scan(&a, &b))
	require.Equal(t, [2]int{0, 1}, [2]int{a, b})

	files["functions/b.sql"] = function("b", "select 2")
	require.NoError(t, migrate())
	require.NoError(t, db.Owner().QueryRow(t.Context(), "select a(), b()").Scan(&a, &b))
	require.Equal(t, [2]int{2, 2}, [2]int{a, b})
	_, err := db.API().Exec(t.Context(), "select a()")
	require.ErrorContains(t, err, "permission denied", "a replaced function keeps its privileges")
}

// A security definer function must fix its search_path, so that callers cannot substitute the
// objects it names, and must not be executable by public.
func TestFunctions_security_definer(t *testing.T) {
	t.Parallel()
	rows, err := dbtest.New(t).Owner().Query(t.Context(), `
		select p.oid::regprocedure::text from pg_proc p
		 where p.prosecdef and p.pronamespace in ('ledger'::regnamespace, 'public'::regnamespace)
		   and (not exists (select from unnest(p.proconfig) c where c like 'search_path=%pg_temp')
		        or has_function_privilege('public', p.oid, 'execute'))`)
	require.NoError(t, err)
	open, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Empty(t, open)
}

func TestFunctions_file_names(t *testing.T) {
	t.Parallel()
	functions, err := postgres.FunctionNames(migrations.FS)
	require.NoError(t, err)
	require.NotEmpty(t, functions)
	for file, name := range functions {
		schema, function, _ := strings.Cut(name, ".")
		want := "functions/" + schema + "_" + function + ".sql"
		if schema == "public" {
			want = "functions/" + function + ".sql"
		}
		require.Equal(t, want, file)
	}
}
