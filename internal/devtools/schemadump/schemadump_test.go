package schemadump_test

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/schemadump"
	"amanat/internal/testing/dbtest"
)

var update = flag.Bool("update", false, "write migrations/schema.sql")

// migrations/schema.sql is generated from the migrations: run make generate after changing them.
func TestDump_schema_file_up_to_date(t *testing.T) {
	t.Parallel()
	const file = "../../../migrations/schema.sql"
	schema, err := schemadump.Dump(t.Context(), dbtest.New(t).Owner())
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(schema), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), schema, "migrations/schema.sql is out of date: run make generate")
}

// Equal schemas have equal dumps, and every change of the schema changes the dump.
func TestDump_changes(t *testing.T) {
	t.Parallel()
	one, other := dbtest.New(t), dbtest.New(t)
	dump := func(db *dbtest.DB) string {
		text, err := schemadump.Dump(t.Context(), db.Owner())
		require.NoError(t, err)
		return text
	}
	last := dump(one)
	require.Equal(t, last, dump(other))
	for _, change := range []string{
		`create table crumbs (n int)`,
		`alter table crumbs add kind text collate "C" default 'bread'`,
		`alter table crumbs alter n set not null`,
		`alter table crumbs add constraint crumbs_n check (n > 0)`,
		`alter table crumbs add id bigint generated always as identity primary key`,
		`alter table crumbs add twice int generated always as (n * 2) stored`,
		`alter table crumbs alter kind set storage external`,
		`alter table crumbs set (fillfactor = 70)`,
		`create index crumbs_kind on crumbs (kind) where n > 1`,
		`create trigger crumbs_stay before delete on crumbs for each statement execute function ledger.refuse_change()`,
		`create function crumbs_of(kind text) returns bigint language sql as 'select 1::bigint'`,
		`alter function crumbs_of immutable security definer set search_path = public, pg_temp`,
	} {
		_, err := one.Owner().Exec(t.Context(), change)
		require.NoError(t, err, change)
		now := dump(one)
		require.NotEqual(t, last, now, change)
		last = now
	}
	for _, unknown := range []string{
		`create view crumbs_seen as select n from crumbs`,
		`create type taste as enum ('good')`,
		`create sequence crumbs_ids`,
	} {
		_, err := other.Owner().Exec(t.Context(), `create table if not exists crumbs (n int); `+unknown)
		require.NoError(t, err)
		_, err = schemadump.Dump(t.Context(), other.Owner())
		require.ErrorContains(t, err, "schemadump: cannot write")
		_, err = other.Owner().Exec(t.Context(),
			`drop view if exists crumbs_seen; drop type if exists taste; drop sequence if exists crumbs_ids`)
		require.NoError(t, err)
	}
}
