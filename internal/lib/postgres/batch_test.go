package postgres_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

func TestInBatches(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	exec(t, db, `create table crumbs as select n from generate_series(1, 10) n`)
	exec(t, db, `create function stale() returns trigger language plpgsql as $$ begin raise 'stale'; end $$`)
	exec(t, db, `create trigger stale before delete on crumbs for each row when (old.n = 8) execute function stale()`)
	const eat = `delete from crumbs where n in (select n from crumbs where n <= @up_to order by n limit @limit)`

	eaten, err := postgres.InBatches(t.Context(), db.Owner(), "test.eat", eat, pgx.NamedArgs{"up_to": 2}, 3)
	require.NoError(t, err)
	require.EqualValues(t, 2, eaten)
	eaten, err = postgres.InBatches(t.Context(), db.Owner(), "test.eat", eat, pgx.NamedArgs{"up_to": 10}, 3)
	require.ErrorContains(t, err, "stale")
	require.EqualValues(t, 3, eaten, "3 to 5; 8 is in the next batch")
	exec(t, db, `drop trigger stale on crumbs`)
	eaten, err = postgres.InBatches(t.Context(), db.Owner(), "test.eat", eat, pgx.NamedArgs{"up_to": 10}, 3)
	require.NoError(t, err)
	require.EqualValues(t, 5, eaten)
}

func TestDeleteOldest(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	exec(t, db, `create table crumbs as
		select n, timestamptz '2026-01-01 00:00Z' + (n / 4) * interval '1 hour' as at from generate_series(1, 10) n`)
	const eat = `
		with old as materialized (
		  select n, at from crumbs where at >= @from and at < @before order by at limit @limit
		), gone as (delete from crumbs c using old where c.n = old.n returning 1)
		select (select count(*) from gone) as deleted, count(*) as found, max(at) as last from old`
	before := time.Date(2026, 1, 1, 2, 0, 0, 0, time.UTC)
	eaten, err := postgres.DeleteOldest(t.Context(), db.Owner(), "test.eat_oldest", eat, pgx.NamedArgs{"before": before}, 3)
	require.NoError(t, err)
	require.EqualValues(t, 7, eaten, "of rows with the same time, none is passed over")
	eaten, err = postgres.DeleteOldest(t.Context(), db.Owner(), "test.eat_oldest", eat, pgx.NamedArgs{"before": before}, 3)
	require.NoError(t, err)
	require.Zero(t, eaten)
	eaten, err = postgres.DeleteOldest(t.Context(), db.Owner(), "test.eat_oldest", eat, pgx.NamedArgs{"before": before.AddDate(1, 0, 0)}, 3)
	require.NoError(t, err)
	require.EqualValues(t, 3, eaten)
	_, err = postgres.DeleteOldest(t.Context(), db.Owner(), "test.eat_oldest", "select 1 as deleted", pgx.NamedArgs{}, 3)
	require.ErrorContains(t, err, "test.eat_oldest: ")
}
