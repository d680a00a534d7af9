package postgres_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/platform/postgres"
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
