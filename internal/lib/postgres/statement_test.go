package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

type crumb struct {
	N    int
	Kind string
}

const sqlCrumbs = `select n, kind from crumbs where n <= @up_to order by n`

func crumbs(t *testing.T) *pgxpool.Pool {
	t.Helper()
	db := dbtest.New(t)
	exec(t, db, `create table crumbs as select n, 'bread' as kind from generate_series(1, 3) n`)
	return db.Owner()
}

func upTo(n int) postgres.Args { return postgres.Args{"up_to": n} }

func TestStatement_reads(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), crumbs(t)

	one, err := postgres.Query[crumb]("test.one", sqlCrumbs).One(ctx, db, upTo(1))
	require.NoError(t, err)
	require.Equal(t, crumb{1, "bread"}, one)
	many, err := postgres.Query[crumb]("test.many", sqlCrumbs).Many(ctx, db, upTo(2))
	require.NoError(t, err)
	require.Equal(t, []crumb{{1, "bread"}, {2, "bread"}}, many)
	many, err = postgres.Query[crumb]("test.many", sqlCrumbs).Many(ctx, db, upTo(0))
	require.NoError(t, err)
	require.Equal(t, []crumb{}, many, "an empty list is not nil: it is `[]` in JSON")

	double := func(c crumb) int { return 2 * c.N }
	first, err := postgres.QueryAs("test.one_as", sqlCrumbs, double).One(ctx, db, upTo(1))
	require.NoError(t, err)
	require.Equal(t, 2, first)
	doubles, err := postgres.QueryAs("test.many_as", sqlCrumbs, double).Many(ctx, db, upTo(3))
	require.NoError(t, err)
	require.Equal(t, []int{2, 4, 6}, doubles)

	n, err := postgres.Query[int]("test.value", `select count(*) from crumbs`).One(ctx, db, nil)
	require.NoError(t, err)
	require.Equal(t, 3, n)
	all, err := postgres.Query[int]("test.values", `select n from crumbs order by n desc`).Many(ctx, db, nil)
	require.NoError(t, err)
	require.Equal(t, []int{3, 2, 1}, all)
}

func TestStatement_writes(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), crumbs(t)
	const sqlEat = `delete from crumbs where n <= @up_to`

	some, err := postgres.Command("test.any", `update crumbs set kind = 'cake' where n = @n`).Any(ctx, db, postgres.Args{"n": 7})
	require.NoError(t, err)
	require.False(t, some)
	n, err := postgres.Command("test.exec_count", `update crumbs set kind = 'cake' where n <= @up_to`).Count(ctx, db, upTo(2))
	require.NoError(t, err)
	require.EqualValues(t, 2, n)
	some, err = postgres.Command("test.any", `update crumbs set kind = 'cake' where n <= @up_to`).Any(ctx, db, upTo(2))
	require.NoError(t, err)
	require.True(t, some)
	require.ErrorContains(t, postgres.Command("test.exec_one", sqlEat).One(ctx, db, upTo(0)), "test.exec_one: changed 0 rows, not one")
	require.NoError(t, postgres.Command("test.exec_one", sqlEat).One(ctx, db, upTo(1)))
	require.ErrorContains(t, postgres.Command("test.exec_one", sqlEat).One(ctx, db, upTo(3)), "test.exec_one: changed 2 rows, not one")
	require.NoError(t, postgres.Command("test.exec", sqlEat).Run(ctx, db, upTo(3)))
}

// Every error starts with the statement's name and wraps the driver's error.
func TestStatement_errors(t *testing.T) {
	t.Parallel()
	db := crumbs(t)
	run := map[string]func(ctx context.Context, name, sql string) error{
		"One": func(ctx context.Context, name, sql string) error {
			_, err := postgres.Query[crumb](name, sql).One(ctx, db, nil)
			return err
		},
		"Many": func(ctx context.Context, name, sql string) error {
			_, err := postgres.Query[crumb](name, sql).Many(ctx, db, nil)
			return err
		},
		"Value": func(ctx context.Context, name, sql string) error {
			_, err := postgres.Query[int](name, sql).One(ctx, db, nil)
			return err
		},
		"Values": func(ctx context.Context, name, sql string) error {
			_, err := postgres.Query[int](name, sql).Many(ctx, db, nil)
			return err
		},
		"Run": func(ctx context.Context, name, sql string) error {
			return postgres.Command(name, sql).Run(ctx, db, nil)
		},
		"ExecOne": func(ctx context.Context, name, sql string) error {
			return postgres.Command(name, sql).One(ctx, db, nil)
		},
		"InBatches": func(ctx context.Context, name, sql string) error {
			_, err := postgres.Command(name, sql).InBatches(ctx, db, postgres.Args{}, 1)
			return err
		},
	}
	for form, statement := range run {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			err := statement(t.Context(), "test.broken", `select n from missing`)
			require.Regexp(t, `^test\.broken: `, err)
			var pgErr *pgconn.PgError
			require.ErrorAs(t, err, &pgErr)
			require.Equal(t, "42P01", pgErr.Code)

			gone, cancel := context.WithCancel(t.Context())
			cancel()
			err = statement(gone, "test.late", `select n, kind from crumbs`)
			require.Regexp(t, `^test\.late: `, err)
			require.ErrorIs(t, err, context.Canceled)
		})
	}
}

func TestStatement_no_rows(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), crumbs(t)
	_, err := postgres.Query[crumb]("test.one", sqlCrumbs).One(ctx, db, upTo(0))
	require.ErrorIs(t, err, pgx.ErrNoRows)
	require.ErrorContains(t, err, "test.one: ")
	_, err = postgres.Query[crumb]("test.one", sqlCrumbs).One(ctx, db, upTo(2))
	require.ErrorIs(t, err, pgx.ErrTooManyRows)
	_, err = postgres.Query[int]("test.value", `select n from crumbs where n > 3`).One(ctx, db, nil)
	require.ErrorIs(t, err, pgx.ErrNoRows)

	_, found, err := postgres.Query[crumb]("test.one", sqlCrumbs).Find(ctx, db, upTo(0))
	require.NoError(t, err)
	require.False(t, found)
	one, found, err := postgres.Query[crumb]("test.one", sqlCrumbs).Find(ctx, db, upTo(1))
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, 1, one.N)
	_, found, err = postgres.Query[int]("test.value", `select n from missing`).Find(ctx, db, nil)
	require.ErrorContains(t, err, "test.value")
	require.False(t, found)

	absent, other := errors.New("absent"), errors.New("other")
	require.NoError(t, postgres.IfNoRows(nil, absent))
	require.Equal(t, other, postgres.IfNoRows(other, absent))
	_, err = postgres.Query[crumb]("test.one", sqlCrumbs).One(ctx, db, upTo(0))
	require.Equal(t, absent, postgres.IfNoRows(err, absent))
}

// Errors with the statement's name still have their SQLSTATE.
func TestStatement_sqlstate(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), crumbs(t)
	fail := func(code string) error {
		return postgres.Command("test.raise", `do $$ begin raise 'no' using errcode = '`+code+`'; end $$`).Run(ctx, db, nil)
	}
	require.True(t, postgres.Unavailable(fail("40P01")))
	require.True(t, postgres.Unavailable(fail("53300")))
	require.True(t, postgres.Forbidden(fail("42501")))
	require.True(t, postgres.Unstorable(fail("22021")))

	exec := func(sql string) error { return postgres.Command("test.exec", sql).Run(ctx, db, nil) }
	require.NoError(t, exec(`create unique index crumbs_key on crumbs (n)`))
	require.True(t, postgres.UniqueViolation(exec(`insert into crumbs values (1, 'bread')`), "crumbs_key"))

	for _, code := range []string{"40P01", "40001"} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			ctx, tries := t.Context(), 0
			err := postgres.WithTx(ctx, db, func(tx *postgres.Tx) error {
				if tries++; tries == 1 {
					return postgres.Command("test.raise", `do $$ begin raise 'again' using errcode = '`+code+`'; end $$`).Run(ctx, tx, nil)
				}
				return nil
			})
			require.NoError(t, err)
			require.Equal(t, 2, tries)
		})
	}
}

func TestNullText(t *testing.T) {
	t.Parallel()
	require.Equal(t, "late", *postgres.NullText("late"))
	require.Nil(t, postgres.NullText(""))
}

func TestEscapeLike(t *testing.T) {
	t.Parallel()
	db := crumbs(t)
	like := func(t *testing.T, text, pattern string) bool {
		t.Helper()
		matches, err := postgres.Query[bool]("test.like", `select @text::text like @pattern`).One(t.Context(), db,
			postgres.Args{"text": text, "pattern": pattern})
		require.NoError(t, err)
		return matches
	}
	for _, text := range []string{`a_b`, `50%`, `back\slash`, `\%_`, `আমানত`} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			require.True(t, like(t, text, postgres.EscapeLike(text)))
			require.True(t, like(t, text+" and more", postgres.LikePrefix(text)))
			require.False(t, like(t, "more "+text, postgres.LikePrefix(text)))
		})
	}
	require.False(t, like(t, "axb", postgres.LikePrefix("a_b")))
	require.False(t, like(t, "axb", postgres.EscapeLike("a%b")))
}

// Each statement runs several times: the first run finds the names in its text.
func TestArguments_names(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), dbtest.New(t).Owner()
	const sql = `select @b || '@a' || @a || coalesce(@b, '-') -- @c`
	for _, run := range []struct {
		args postgres.Args
		want *string
	}{
		{postgres.Args{"a": "2", "b": "1"}, new("1@a21")},
		{postgres.Args{"a": "4", "b": "3", "unused": 5}, new("3@a43")},
		{postgres.Args{"a": "4", "b": nil}, nil},
		{postgres.Args{"a": nil, "b": "3"}, nil},
	} {
		got, err := postgres.Query[*string]("test.value", sql).One(ctx, db, run.args)
		require.NoError(t, err)
		require.Equal(t, run.want, got, run.args)
		for _, missing := range []postgres.Args{{"a": "4"}, {"b": "4"}, {}} {
			_, err = postgres.Query[*string]("test.value", sql).One(ctx, db, missing)
			require.ErrorContains(t, err, "test.value: ")
			require.ErrorContains(t, err, "argument ")
		}
	}
}

func TestArguments_uuids(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), dbtest.New(t).Owner()
	type ids struct {
		One     uuid.UUID
		Many    []uuid.UUID
		Given   *uuid.UUID
		Missing *uuid.UUID
		Null    uuid.NullUUID
		Text    string
	}
	one, other := uuid.New(), uuid.New()
	got, err := postgres.Query[ids]("test.one", `
		select @one::uuid as one, @many::uuid[] as many, @given::uuid as given, @missing::uuid as missing,
		       @null::uuid as null, @one::text as text`).One(ctx, db,
		postgres.Args{"one": one, "many": []uuid.UUID{one, other}, "given": &other, "missing": (*uuid.UUID)(nil), "null": uuid.NullUUID{}})
	require.NoError(t, err)
	require.Equal(t, ids{One: one, Many: []uuid.UUID{one, other}, Given: &other, Text: one.String()}, got)
}

func TestInBatches(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	exec(t, db, `create table crumbs as select n from generate_series(1, 10) n`)
	exec(t, db, `create function stale() returns trigger language plpgsql as $$ begin raise 'stale'; end $$`)
	exec(t, db, `create trigger stale before delete on crumbs for each row when (old.n = 8) execute function stale()`)
	const eat = `delete from crumbs where n in (select n from crumbs where n <= @up_to order by n limit @limit)`

	eaten, err := postgres.Command("test.eat", eat).InBatches(t.Context(), db.Owner(), postgres.Args{"up_to": 2}, 3)
	require.NoError(t, err)
	require.EqualValues(t, 2, eaten)
	eaten, err = postgres.Command("test.eat", eat).InBatches(t.Context(), db.Owner(), postgres.Args{"up_to": 10}, 3)
	require.ErrorContains(t, err, "stale")
	require.EqualValues(t, 3, eaten, "3 to 5; 8 is in the next batch")
	exec(t, db, `drop trigger stale on crumbs`)
	eaten, err = postgres.Command("test.eat", eat).InBatches(t.Context(), db.Owner(), postgres.Args{"up_to": 10}, 3)
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
	eaten, err := postgres.Command("test.eat_oldest", eat).DeleteOldest(t.Context(), db.Owner(), postgres.Args{"before": before}, 3)
	require.NoError(t, err)
	require.EqualValues(t, 7, eaten, "of rows with the same time, none is passed over")
	eaten, err = postgres.Command("test.eat_oldest", eat).DeleteOldest(t.Context(), db.Owner(), postgres.Args{"before": before}, 3)
	require.NoError(t, err)
	require.Zero(t, eaten)
	eaten, err = postgres.Command("test.eat_oldest", eat).DeleteOldest(t.Context(), db.Owner(),
		postgres.Args{"before": before.AddDate(1, 0, 0)}, 3)
	require.NoError(t, err)
	require.EqualValues(t, 3, eaten)
	_, err = postgres.Command("test.eat_oldest", "select 1 as deleted").DeleteOldest(t.Context(), db.Owner(), postgres.Args{}, 3)
	require.ErrorContains(t, err, "test.eat_oldest: ")
}
