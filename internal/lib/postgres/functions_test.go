package postgres_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
	"amanat/migrations"
)

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
