package postgres_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/platform/postgres"
)

const (
	sqlSetKind  = `update crumbs set kind = @kind where n = @n`
	sqlNoColumn = `update crumbs set missing = 1`
)

func kindOf(n int, kind string) pgx.NamedArgs { return pgx.NamedArgs{"n": n, "kind": kind} }

// Queued statements run in order, before the next statement and before the commit.
func TestQueue_order(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), crumbs(t)
	var read []crumb
	require.NoError(t, postgres.WithTx(ctx, db, func(tx *postgres.Tx) error {
		postgres.QueueOne(tx, "test.set", sqlSetKind, kindOf(1, "cake"))
		postgres.QueueMany(tx, "test.read", sqlCrumbs, upTo(1), func(rows []crumb) error {
			read = rows
			return nil
		})
		postgres.QueueOne(tx, "test.set", sqlSetKind, kindOf(1, "toast"))
		require.Nil(t, read, "nothing was sent yet")

		now, err := postgres.One[crumb](ctx, tx, "test.one", sqlCrumbs, upTo(1))
		require.Equal(t, crumb{1, "toast"}, now)
		require.Equal(t, []crumb{{1, "cake"}}, read)
		postgres.QueueExec(tx, "test.set", sqlSetKind, kindOf(7, "rice"))
		tx.BeforeCommit(func(context.Context) error {
			postgres.QueueOne(tx, "test.set", sqlSetKind, kindOf(2, "naan"))
			return nil
		})
		return err
	}))
	many, err := postgres.Many[crumb](ctx, db, "test.many", sqlCrumbs, upTo(2))
	require.NoError(t, err)
	require.ElementsMatch(t, []crumb{{1, "toast"}, {2, "naan"}}, many)
}

// begins counts how a pool's transactions begin.
type begins struct {
	*pgxpool.Pool
	alone, batched int
}

func (b *begins) Begin(ctx context.Context) (pgx.Tx, error) {
	b.alone++
	return b.Pool.Begin(ctx)
}

func (b *begins) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	b.batched++
	return b.Pool.SendBatch(ctx, batch)
}

// A transaction begins with its first statement, in the same round trip.
func TestTx_begins_late(t *testing.T) {
	t.Parallel()
	set := func(tx *postgres.Tx) { postgres.QueueOne(tx, "test.set", sqlSetKind, kindOf(1, "cake")) }
	read := func(tx *postgres.Tx) error {
		_, err := postgres.Many[crumb](t.Context(), tx, "test.many", sqlCrumbs, upTo(3))
		return err
	}
	for name, test := range map[string]struct {
		fn             func(tx *postgres.Tx) error
		alone, batched int
	}{
		"without a statement": {fn: func(*postgres.Tx) error { return nil }},
		"with a query":        {fn: read, batched: 1},
		"with queued statements": {fn: func(tx *postgres.Tx) error {
			set(tx)
			require.Nil(t, tx.Conn())
			if err := read(tx); err != nil {
				return err
			}
			require.NotNil(t, tx.Conn())
			set(tx)
			return nil
		}, batched: 1},
		"with a savepoint": {fn: func(tx *postgres.Tx) error {
			savepoint, err := tx.Begin(t.Context())
			if err != nil {
				return err
			}
			return savepoint.Rollback(t.Context())
		}, alone: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := &begins{Pool: crumbs(t)}
			committed := false
			require.NoError(t, postgres.WithTx(t.Context(), db, func(tx *postgres.Tx) error {
				tx.AfterCommit(func() { committed = true })
				return test.fn(tx)
			}))
			require.True(t, committed)
			require.Equal(t, test.alone, db.alone)
			require.Equal(t, test.batched, db.batched)
			require.Zero(t, db.Stat().AcquiredConns())
		})
	}
}

// Without a server, the error says that the transaction could not begin.
func TestTx_cannot_begin(t *testing.T) {
	t.Parallel()
	db := crumbs(t)
	db.Close()
	require.ErrorContains(t, postgres.WithTx(t.Context(), db, func(tx *postgres.Tx) error {
		return postgres.Exec(t.Context(), tx, "test.set", sqlSetKind, kindOf(1, "cake"))
	}), "begin, test.set: ")
	require.ErrorContains(t, postgres.WithTx(t.Context(), db, func(tx *postgres.Tx) error {
		postgres.QueueOne(tx, "test.set", sqlSetKind, kindOf(1, "cake"))
		return nil
	}), "begin, test.set: ")
}

// A panic in a function that reads a result gives the connection back.
func TestBatch_panic(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), crumbs(t)
	var batch postgres.Batch
	postgres.QueueMany(&batch, "test.read", sqlCrumbs, upTo(1), func([]crumb) error { panic("a bug") })
	postgres.QueueExec(&batch, "test.set", sqlSetKind, kindOf(1, "cake"))
	require.PanicsWithValue(t, "a bug", func() { _ = batch.Send(ctx, db) })
	require.Zero(t, db.Stat().AcquiredConns())
}

// A queued statement that fails rolls the transaction back, whichever statement sends it.
func TestQueue_errors(t *testing.T) {
	t.Parallel()
	errUse := errors.New("unexpected rows")
	for name, queue := range map[string]func(tx *postgres.Tx) (message string){
		"SQL error": func(tx *postgres.Tx) string {
			postgres.QueueExec(tx, "test.broken", sqlNoColumn, nil)
			return "test.broken"
		},
		"no row": func(tx *postgres.Tx) string {
			postgres.QueueOne(tx, "test.missing", sqlSetKind, kindOf(7, "rice"))
			return "test.missing: changed 0 rows, not one"
		},
		"refused rows": func(tx *postgres.Tx) string {
			postgres.QueueMany(tx, "test.read", sqlCrumbs, upTo(3), func([]crumb) error { return errUse })
			return errUse.Error()
		},
	} {
		for sender, send := range map[string]func(ctx context.Context, tx *postgres.Tx) error{
			"commit": func(context.Context, *postgres.Tx) error { return nil },
			"exec": func(ctx context.Context, tx *postgres.Tx) error {
				return postgres.Exec(ctx, tx, "test.next", sqlSetKind, kindOf(2, "naan"))
			},
			"query": func(ctx context.Context, tx *postgres.Tx) error {
				_, err := postgres.Many[crumb](ctx, tx, "test.next", sqlCrumbs, upTo(3))
				return err
			},
			"row": func(ctx context.Context, tx *postgres.Tx) error {
				var n int
				return postgres.Scan(ctx, tx, "test.next", `select 1`, nil, &n)
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
					postgres.QueueOne(tx, "test.set", sqlSetKind, kindOf(1, "cake"))
					message = queue(tx)
					return send(ctx, tx)
				})
				require.ErrorContains(t, err, message)
				if name == "SQL error" {
					var pgErr *pgconn.PgError
					require.ErrorAs(t, err, &pgErr)
				}
				first, err := postgres.One[crumb](ctx, db, "test.one", sqlCrumbs, upTo(1))
				require.NoError(t, err)
				require.Equal(t, crumb{1, "bread"}, first)
				require.Zero(t, db.Stat().AcquiredConns())
			})
		}
	}
}
