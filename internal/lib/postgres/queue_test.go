package postgres_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

const (
	sqlSetKind  = `update crumbs set kind = @kind where n = @n`
	sqlNoColumn = `update crumbs set missing = 1`
)

func kindOf(n int, kind string) postgres.Args { return postgres.Args{"n": n, "kind": kind} }

// Queued statements run in order, before the next statement and before the commit.
func TestQueue_order(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), crumbs(t)
	var read []crumb
	require.NoError(t, postgres.WithTx(ctx, db, func(tx *postgres.Tx) error {
		postgres.Command("test.set", sqlSetKind).QueueOne(tx, kindOf(1, "cake"))
		postgres.Query[crumb]("test.read", sqlCrumbs).QueueMany(tx, upTo(1), func(rows []crumb) error {
			read = rows
			return nil
		})
		postgres.Command("test.set", sqlSetKind).QueueOne(tx, kindOf(1, "toast"))
		require.Nil(t, read, "nothing was sent yet")

		now, err := postgres.Query[crumb]("test.one", sqlCrumbs).One(ctx, tx, upTo(1))
		require.Equal(t, crumb{1, "toast"}, now)
		require.Equal(t, []crumb{{1, "cake"}}, read)
		postgres.Command("test.set", sqlSetKind).Queue(tx, kindOf(7, "rice"))
		tx.BeforeCommit(func(context.Context) error {
			postgres.Command("test.set", sqlSetKind).QueueOne(tx, kindOf(2, "naan"))
			return nil
		})
		return err
	}))
	many, err := postgres.Query[crumb]("test.many", sqlCrumbs).Many(ctx, db, upTo(2))
	require.NoError(t, err)
	require.ElementsMatch(t, []crumb{{1, "toast"}, {2, "naan"}}, many)
}

// A transaction begins with its first statement and commits with its last ones, unless their
// results can prevent that.
func TestTx_round_trips(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	read := func(tx *postgres.Tx) error {
		_, err := postgres.Query[crumb]("test.many", sqlCrumbs).Many(ctx, tx, upTo(3))
		return err
	}
	exec := func(tx *postgres.Tx) { postgres.Command("test.exec", sqlSetKind).Queue(tx, kindOf(1, "cake")) }
	for name, test := range map[string]struct {
		fn   func(tx *postgres.Tx) error
		want int
	}{
		"without a statement":  {func(*postgres.Tx) error { return nil }, 0},
		"a read, then COMMIT":  {read, 2},
		"a write with COMMIT":  {func(tx *postgres.Tx) error { exec(tx); return nil }, 1},
		"a read, then a write": {func(tx *postgres.Tx) error { require.NoError(t, read(tx)); exec(tx); return nil }, 2},
		"a checked write, then COMMIT": {func(tx *postgres.Tx) error {
			postgres.Command("test.one", sqlSetKind).QueueOne(tx, kindOf(1, "cake"))
			exec(tx)
			return nil
		}, 2},
		"checked before the writes": {func(tx *postgres.Tx) error {
			postgres.Command("test.one", sqlSetKind).QueueOne(tx, kindOf(1, "cake"))
			require.Nil(t, tx.Conn())
			require.NoError(t, tx.Flush(ctx))
			require.NotNil(t, tx.Conn())
			exec(tx)
			return nil
		}, 2},
		"rows with COMMIT": {func(tx *postgres.Tx) error {
			postgres.Query[crumb]("test.last", sqlCrumbs).QueueLast(tx, upTo(3), func(crumb) {})
			return nil
		}, 1},
		"a library's write with COMMIT": {func(tx *postgres.Tx) error {
			_, err := tx.Deferring("test.library").Exec(ctx, "update crumbs set kind = $1", "cake")
			return err
		}, 1},
		"a library's COPY with COMMIT": {func(tx *postgres.Tx) error {
			_, err := tx.Deferring("test.library").CopyFrom(ctx, pgx.Identifier{"crumbs"}, []string{"n", "kind"},
				pgx.CopyFromRows([][]any{{4, "naan"}, {5, "naan"}}))
			return err
		}, 1},
		"COPY": {func(tx *postgres.Tx) error {
			_, err := tx.CopyFrom(ctx, pgx.Identifier{"crumbs"}, []string{"n"}, pgx.CopyFromRows([][]any{{4}}))
			return err
		}, 3}, // BEGIN, COPY and COMMIT
		"a savepoint": {func(tx *postgres.Tx) error {
			savepoint, err := tx.Begin(ctx)
			require.NoError(t, err)
			return savepoint.Rollback(ctx)
		}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, trips := dbtest.Counted(t, crumbs(t))
			committed := false
			require.NoError(t, postgres.WithTx(ctx, db, func(tx *postgres.Tx) error {
				tx.AfterCommit(func() {
					committed = true
					require.Zero(t, db.Stat().AcquiredConns(), "hooks hold no connection")
				})
				return test.fn(tx)
			}))
			require.True(t, committed)
			require.Equal(t, test.want, trips.Take())
		})
	}
}

// What is sent with the COMMIT is kept, and its rows are read before the hooks run.
func TestTx_last_statements(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), crumbs(t)
	var last, seen []crumb
	require.NoError(t, postgres.WithTx(ctx, db, func(tx *postgres.Tx) error {
		library := tx.Deferring("test.library")
		_, err := library.Exec(ctx, "update crumbs set kind = $1 where n = $2", "cake", 2)
		require.NoError(t, err)
		copied, err := library.CopyFrom(ctx, pgx.Identifier{"crumbs"}, []string{"kind", "n"}, pgx.CopyFromRows([][]any{{"naan", 4}, {"pie", 5}}))
		require.NoError(t, err)
		require.EqualValues(t, 2, copied)
		postgres.Query[crumb]("test.last", sqlCrumbs).QueueLast(tx, upTo(4), func(c crumb) { last = append(last, c) })
		tx.AfterCommit(func() { seen = last })
		return nil
	}))
	require.Equal(t, []crumb{{1, "bread"}, {2, "cake"}, {3, "bread"}, {4, "naan"}}, seen)
	kept, err := postgres.Query[crumb]("test.many", sqlCrumbs).Many(ctx, db, upTo(4))
	require.NoError(t, err)
	require.Equal(t, seen, kept)
}

const sqlDeferred = `
create table plates (n int primary key deferrable initially deferred);
insert into plates values (1)`

// A COMMIT that fails, alone or together with the last statements, changes nothing, is named and
// leaves a connection that can be used.
func TestTx_commit_fails(t *testing.T) {
	t.Parallel()
	for name, queue := range map[string]func(tx *postgres.Tx){
		"together": func(tx *postgres.Tx) { postgres.Command("test.plate", `insert into plates values (1)`).Queue(tx, nil) },
		"alone": func(tx *postgres.Tx) {
			postgres.Command("test.plate", `insert into plates values (1)`).QueueOne(tx, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, db := t.Context(), crumbs(t)
			_, err := db.Exec(ctx, sqlDeferred)
			require.NoError(t, err)
			err = postgres.WithTx(ctx, db, func(tx *postgres.Tx) error {
				tx.AfterCommit(func() { t.Error("nothing was committed") })
				postgres.Command("test.set", sqlSetKind).Queue(tx, kindOf(1, "cake"))
				queue(tx)
				return nil
			})
			require.ErrorContains(t, err, "commit: ")
			require.True(t, postgres.UniqueViolation(err, "plates_pkey"), err)
			first, err := postgres.Query[crumb]("test.one", sqlCrumbs).One(ctx, db, upTo(1))
			require.NoError(t, err)
			require.Equal(t, crumb{1, "bread"}, first)
			require.Zero(t, db.Stat().AcquiredConns())
			require.EqualValues(t, 1, db.Stat().TotalConns(), "the connection was kept")
		})
	}
}

// A transaction is retried if a statement that is sent with its COMMIT fails to serialize.
func TestWithTx_retries_last_statements(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), crumbs(t)
	attempts := 0
	require.NoError(t, postgres.WithTx(ctx, db, func(tx *postgres.Tx) error {
		postgres.Command("test.add", `update crumbs set kind = kind || '!' where n = 1`).Queue(tx, nil)
		if attempts++; attempts == 1 {
			postgres.Command("test.fail", `do $$ begin raise exception using errcode = '40001'; end $$`).Queue(tx, nil)
		}
		return nil
	}))
	require.Equal(t, 2, attempts)
	first, err := postgres.Query[crumb]("test.one", sqlCrumbs).One(ctx, db, upTo(1))
	require.NoError(t, err)
	require.Equal(t, crumb{1, "bread!"}, first)
}

// Without a server, the error says that the transaction could not begin.
func TestTx_cannot_begin(t *testing.T) {
	t.Parallel()
	db := crumbs(t)
	db.Close()
	require.ErrorContains(t, postgres.WithTx(t.Context(), db, func(tx *postgres.Tx) error {
		return postgres.Command("test.set", sqlSetKind).Run(t.Context(), tx, kindOf(1, "cake"))
	}), "begin, test.set: ")
	require.ErrorContains(t, postgres.WithTx(t.Context(), db, func(tx *postgres.Tx) error {
		postgres.Command("test.set", sqlSetKind).QueueOne(tx, kindOf(1, "cake"))
		return nil
	}), "begin, test.set: ")
}

// A panic in a function that reads a result gives the connection back.
func TestBatch_panic(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), crumbs(t)
	var batch postgres.Batch
	postgres.Query[crumb]("test.read", sqlCrumbs).QueueMany(&batch, upTo(1), func([]crumb) error { panic("a bug") })
	postgres.Command("test.set", sqlSetKind).Queue(&batch, kindOf(1, "cake"))
	require.PanicsWithValue(t, "a bug", func() { _ = batch.Send(ctx, db) })
	require.Zero(t, db.Stat().AcquiredConns())
}

// A queued statement that fails rolls the transaction back, whichever statement sends it.
func TestQueue_errors(t *testing.T) {
	t.Parallel()
	errUse := errors.New("unexpected rows")
	for name, queue := range map[string]func(tx *postgres.Tx) (message string){
		"SQL error": func(tx *postgres.Tx) string {
			postgres.Command("test.broken", sqlNoColumn).Queue(tx, nil)
			return "test.broken"
		},
		"late SQL error": func(tx *postgres.Tx) string {
			postgres.Command("test.divide", `select n / (n - 1) from crumbs`).Queue(tx, nil)
			return "test.divide"
		},
		"a library's SQL error": func(tx *postgres.Tx) string {
			_, err := tx.Deferring("test.library").Exec(t.Context(), "update crumbs set missing = $1", 1)
			require.NoError(t, err)
			return "test.library"
		},
		"a library's COPY": func(tx *postgres.Tx) string {
			_, err := tx.Deferring("test.library").CopyFrom(t.Context(), pgx.Identifier{"crumbs"}, []string{"missing"},
				pgx.CopyFromRows([][]any{{1}}))
			require.NoError(t, err)
			return "test.library"
		},
		"no row": func(tx *postgres.Tx) string {
			postgres.Command("test.missing", sqlSetKind).QueueOne(tx, kindOf(7, "rice"))
			return "test.missing: changed 0 rows, not one"
		},
		"refused rows": func(tx *postgres.Tx) string {
			postgres.Query[crumb]("test.read", sqlCrumbs).QueueMany(tx, upTo(3), func([]crumb) error { return errUse })
			return errUse.Error()
		},
	} {
		for sender, send := range map[string]func(ctx context.Context, tx *postgres.Tx) error{
			"commit": func(context.Context, *postgres.Tx) error { return nil },
			"exec": func(ctx context.Context, tx *postgres.Tx) error {
				return postgres.Command("test.next", sqlSetKind).Run(ctx, tx, kindOf(2, "naan"))
			},
			"query": func(ctx context.Context, tx *postgres.Tx) error {
				_, err := postgres.Query[crumb]("test.next", sqlCrumbs).Many(ctx, tx, upTo(3))
				return err
			},
			"row": func(ctx context.Context, tx *postgres.Tx) error {
				_, err := postgres.Query[int]("test.next", `select 1`).One(ctx, tx, nil)
				return err
			},
			"batch": func(ctx context.Context, tx *postgres.Tx) error {
				batch := &pgx.Batch{}
				batch.Queue(`select 1`)
				return tx.SendBatch(ctx, batch).Close()
			},
			"savepoint": func(ctx context.Context, tx *postgres.Tx) error {
				_, err := tx.Begin(ctx)
				return err
			},
		} {
			t.Run(name+", sent by "+sender, func(t *testing.T) {
				t.Parallel()
				ctx, db := t.Context(), crumbs(t)
				var message string
				err := postgres.WithTx(ctx, db, func(tx *postgres.Tx) error {
					postgres.Command("test.set", sqlSetKind).QueueOne(tx, kindOf(1, "cake"))
					message = queue(tx)
					return send(ctx, tx)
				})
				require.ErrorContains(t, err, message)
				if name == "SQL error" {
					var pgErr *pgconn.PgError
					require.ErrorAs(t, err, &pgErr)
				}
				first, err := postgres.Query[crumb]("test.one", sqlCrumbs).One(ctx, db, upTo(1))
				require.NoError(t, err)
				require.Equal(t, crumb{1, "bread"}, first)
				require.Zero(t, db.Stat().AcquiredConns())
			})
		}
	}
}
