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

func upTo(n int) pgx.NamedArgs { return pgx.NamedArgs{"up_to": n} }

func TestStatement_reads(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), crumbs(t)

	one, err := postgres.One[crumb](ctx, db, "test.one", sqlCrumbs, upTo(1))
	require.NoError(t, err)
	require.Equal(t, crumb{1, "bread"}, one)
	many, err := postgres.Many[crumb](ctx, db, "test.many", sqlCrumbs, upTo(2))
	require.NoError(t, err)
	require.Equal(t, []crumb{{1, "bread"}, {2, "bread"}}, many)
	many, err = postgres.Many[crumb](ctx, db, "test.many", sqlCrumbs, upTo(0))
	require.NoError(t, err)
	require.Equal(t, []crumb{}, many, "an empty list is not nil: it is `[]` in JSON")

	double := func(c crumb) int { return 2 * c.N }
	first, err := postgres.OneAs(ctx, db, "test.one_as", sqlCrumbs, upTo(1), double)
	require.NoError(t, err)
	require.Equal(t, 2, first)
	doubles, err := postgres.ManyAs(ctx, db, "test.many_as", sqlCrumbs, upTo(3), double)
	require.NoError(t, err)
	require.Equal(t, []int{2, 4, 6}, doubles)

	n, err := postgres.Value[int](ctx, db, "test.value", `select count(*) from crumbs`, nil)
	require.NoError(t, err)
	require.Equal(t, 3, n)
	all, err := postgres.Values[int](ctx, db, "test.values", `select n from crumbs order by n desc`, nil)
	require.NoError(t, err)
	require.Equal(t, []int{3, 2, 1}, all)
	var low, high int
	err = postgres.Scan(ctx, db, "test.scan", `select min(n), max(n) from crumbs where n >= @from`, pgx.NamedArgs{"from": 2}, &low, &high)
	require.NoError(t, err)
	require.Equal(t, [2]int{2, 3}, [2]int{low, high})
}

func TestStatement_writes(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), crumbs(t)
	const sqlEat = `delete from crumbs where n <= @up_to`

	n, err := postgres.ExecCount(ctx, db, "test.exec_count", `update crumbs set kind = 'cake' where n <= @up_to`, upTo(2))
	require.NoError(t, err)
	require.EqualValues(t, 2, n)
	require.ErrorContains(t, postgres.ExecOne(ctx, db, "test.exec_one", sqlEat, upTo(0)), "test.exec_one: changed 0 rows, not one")
	require.NoError(t, postgres.ExecOne(ctx, db, "test.exec_one", sqlEat, upTo(1)))
	require.ErrorContains(t, postgres.ExecOne(ctx, db, "test.exec_one", sqlEat, upTo(3)), "test.exec_one: changed 2 rows, not one")
	require.NoError(t, postgres.Exec(ctx, db, "test.exec", sqlEat, upTo(3)))
}

// Every error starts with the statement's name and wraps the driver's error.
func TestStatement_errors(t *testing.T) {
	t.Parallel()
	db := crumbs(t)
	run := map[string]func(ctx context.Context, name, sql string) error{
		"One": func(ctx context.Context, name, sql string) error {
			_, err := postgres.One[crumb](ctx, db, name, sql, nil)
			return err
		},
		"Many": func(ctx context.Context, name, sql string) error {
			_, err := postgres.Many[crumb](ctx, db, name, sql, nil)
			return err
		},
		"Value": func(ctx context.Context, name, sql string) error {
			_, err := postgres.Value[int](ctx, db, name, sql, nil)
			return err
		},
		"Values": func(ctx context.Context, name, sql string) error {
			_, err := postgres.Values[int](ctx, db, name, sql, nil)
			return err
		},
		"Scan": func(ctx context.Context, name, sql string) error {
			return postgres.Scan(ctx, db, name, sql, nil, new(int))
		},
		"Exec":    func(ctx context.Context, name, sql string) error { return postgres.Exec(ctx, db, name, sql, nil) },
		"ExecOne": func(ctx context.Context, name, sql string) error { return postgres.ExecOne(ctx, db, name, sql, nil) },
		"InBatches": func(ctx context.Context, name, sql string) error {
			_, err := postgres.InBatches(ctx, db, name, sql, pgx.NamedArgs{}, 1)
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
	_, err := postgres.One[crumb](ctx, db, "test.one", sqlCrumbs, upTo(0))
	require.ErrorIs(t, err, pgx.ErrNoRows)
	require.ErrorContains(t, err, "test.one: ")
	_, err = postgres.One[crumb](ctx, db, "test.one", sqlCrumbs, upTo(2))
	require.ErrorIs(t, err, pgx.ErrTooManyRows)
	_, err = postgres.Value[int](ctx, db, "test.value", `select n from crumbs where n > 3`, nil)
	require.ErrorIs(t, err, pgx.ErrNoRows)
	require.ErrorIs(t, postgres.Scan(ctx, db, "test.scan", `select n from crumbs where n > 3`, nil, new(int)), pgx.ErrNoRows)

	_, found, err := postgres.Optional(postgres.One[crumb](ctx, db, "test.one", sqlCrumbs, upTo(0)))
	require.NoError(t, err)
	require.False(t, found)
	one, found, err := postgres.Optional(postgres.One[crumb](ctx, db, "test.one", sqlCrumbs, upTo(1)))
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, 1, one.N)
	_, found, err = postgres.Optional(postgres.Value[int](ctx, db, "test.value", `select n from missing`, nil))
	require.ErrorContains(t, err, "test.value")
	require.False(t, found)

	absent, other := errors.New("absent"), errors.New("other")
	require.NoError(t, postgres.IfNoRows(nil, absent))
	require.Equal(t, other, postgres.IfNoRows(other, absent))
	_, err = postgres.One[crumb](ctx, db, "test.one", sqlCrumbs, upTo(0))
	require.Equal(t, absent, postgres.IfNoRows(err, absent))
}

// Errors with the statement's name still have their SQLSTATE.
func TestStatement_sqlstate(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), crumbs(t)
	fail := func(code string) error {
		return postgres.Exec(ctx, db, "test.raise", `do $$ begin raise 'no' using errcode = '`+code+`'; end $$`, nil)
	}
	require.True(t, postgres.Unavailable(fail("40P01")))
	require.True(t, postgres.Unavailable(fail("53300")))
	require.True(t, postgres.Forbidden(fail("42501")))
	require.True(t, postgres.Unstorable(fail("22021")))

	exec := func(sql string) error { return postgres.Exec(ctx, db, "test.exec", sql, nil) }
	require.NoError(t, exec(`create unique index crumbs_key on crumbs (n)`))
	require.True(t, postgres.UniqueViolation(exec(`insert into crumbs values (1, 'bread')`), "crumbs_key"))

	for _, code := range []string{"40P01", "40001"} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			ctx, tries := t.Context(), 0
			err := postgres.WithTx(ctx, db, func(tx *postgres.Tx) error {
				if tries++; tries == 1 {
					return postgres.Exec(ctx, tx, "test.raise", `do $$ begin raise 'again' using errcode = '`+code+`'; end $$`, nil)
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
		matches, err := postgres.Value[bool](t.Context(), db, "test.like", `select @text::text like @pattern`,
			pgx.NamedArgs{"text": text, "pattern": pattern})
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
		args pgx.NamedArgs
		want *string
	}{
		{pgx.NamedArgs{"b": "1"}, nil},
		{pgx.NamedArgs{"a": "2", "b": "1"}, new("1@a21")},
		{pgx.NamedArgs{"a": "4", "b": "3", "unused": 5}, new("3@a43")},
		{pgx.NamedArgs{"a": "4"}, nil},
		{pgx.NamedArgs{"a": nil, "b": "3"}, nil},
	} {
		got, err := postgres.Value[*string](ctx, db, "test.value", sql, run.args)
		require.NoError(t, err)
		require.Equal(t, run.want, got, run.args)
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
	got, err := postgres.One[ids](ctx, db, "test.one", `
		select @one::uuid as one, @many::uuid[] as many, @given::uuid as given, @missing::uuid as missing,
		       @null::uuid as null, @one::text as text`,
		pgx.NamedArgs{"one": one, "many": []uuid.UUID{one, other}, "given": &other, "missing": (*uuid.UUID)(nil), "null": uuid.NullUUID{}})
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
