package postgres_test

import (
	"context"
	"errors"
	"testing"

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
