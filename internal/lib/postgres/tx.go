// Package postgres opens pools and transactions, runs named statements, migrates the schema, and
// classifies PostgreSQL's errors.
package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Querier reads and writes. Pools and transactions implement it.
type Querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// Beginner gives the connection of a transaction. Pools implement it.
type Beginner interface {
	Acquire(ctx context.Context) (*pgxpool.Conn, error)
}

// DB reads, writes and starts transactions. Pools implement it.
type DB interface {
	Querier
	Beginner
}

// Tx is a transaction of WithTx. It must be used from one goroutine. What runs when:
//
//  1. fn runs statements. Exec, Query, One, Many and the like wait for the result. The functions
//     named Queue… do not: what they queue is sent in one round trip, in order, before the next
//     statement that is waited for, by Flush, or at the end. BEGIN travels with the first
//     statements. An error of a queued statement is returned by the call that sends it.
//  2. fn collects what is better written once, such as notifications, in a value of Local, and
//     registers hooks. Deferring is for a library that would wait for its statements: it queues
//     them.
//  3. After fn, the hooks of BeforeCommit run in the order of their registration and write what was
//     collected. Those of LastBeforeCommit follow, which take locks that others wait for.
//  4. COMMIT is sent together with the queued statements if none of them is checked, that is if no
//     result can prevent it; otherwise after them.
//  5. The connection goes back to the pool, and the hooks of AfterCommit run, which publish.
//
// An error in 1 to 3 rolls back. So does one in 4 that PostgreSQL reports, since it runs nothing
// after a statement that has failed; if the connection breaks there, the outcome is unknown. After
// a deadlock or a serialization failure, everything starts again at 1 with a new Tx.
type Tx struct {
	pgx.Tx       // nil until it has begun
	db           Beginner
	conn         *pgxpool.Conn // nil until it has begun
	queued       *Batch        // see Queue; nil: none
	locals       map[any]any
	beforeCommit []func(context.Context) error
	lastHooks    []func(context.Context) error
	afterCommit  []func()
}

// BeforeCommit registers a hook, which may register more.
func (t *Tx) BeforeCommit(hook func(context.Context) error) {
	t.beforeCommit = append(t.beforeCommit, hook)
}

// LastBeforeCommit registers a hook that runs after those of BeforeCommit. It may register more of
// its kind, but none of BeforeCommit.
func (t *Tx) LastBeforeCommit(hook func(context.Context) error) {
	t.lastHooks = append(t.lastHooks, hook)
}

func (t *Tx) runHooks(ctx context.Context) error {
	for i := 0; i < len(t.beforeCommit); i++ { // a hook may add another
		if err := t.beforeCommit[i](ctx); err != nil {
			return err
		}
	}
	done := len(t.beforeCommit)
	for i := 0; i < len(t.lastHooks); i++ {
		if err := t.lastHooks[i](ctx); err != nil {
			return err
		}
	}
	if len(t.beforeCommit) > done {
		return errLateHook
	}
	return nil
}

var errLateHook = errors.New("postgres: BeforeCommit was called after its work had run")

// AfterCommit registers a hook. It does not run if the outcome of the commit is unknown, so nothing
// essential may depend on it.
func (t *Tx) AfterCommit(hook func()) { t.afterCommit = append(t.afterCommit, hook) }

// Local returns the transaction's value of type T, created by create on first use.
func Local[T any](t *Tx, create func() *T) *T {
	key := (*T)(nil) // distinct for every T
	if value, ok := t.locals[key].(*T); ok {
		return value
	}
	if t.locals == nil {
		t.locals = map[any]any{}
	}
	value := create()
	t.locals[key] = value
	return value
}

const (
	txAttempts    = 5
	rollbackGrace = 5 * time.Second
)

// WithTx runs fn in a READ COMMITTED transaction, commits if it returns nil and rolls back
// otherwise. fn may run several times, so it must not have side effects outside the transaction.
func WithTx(ctx context.Context, db Beginner, fn func(tx *Tx) error) error {
	var err error
	for attempt := range txAttempts {
		if attempt > 0 {
			pause := time.Duration(rand.Int64N(int64(time.Millisecond) << (2 * attempt)))
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(pause):
			}
		}
		if err = runTx(ctx, db, fn); !retryable(err) {
			return err
		}
	}
	return err
}

var setSnapshot = Command("postgres.snapshot", `set transaction isolation level repeatable read, read only`)

// Snapshot runs fn in a read-only transaction whose statements all read the same state.
func Snapshot(ctx context.Context, db Beginner, fn func(tx *Tx) error) error {
	return WithTx(ctx, db, func(tx *Tx) error {
		if err := setSnapshot.Run(ctx, tx, nil); err != nil {
			return err
		}
		return fn(tx)
	})
}

func runTx(ctx context.Context, db Beginner, fn func(tx *Tx) error) error {
	tx := &Tx{db: db}
	defer tx.end(ctx)
	if err := fn(tx); err != nil {
		return err
	}
	if err := tx.runHooks(ctx); err != nil {
		return err
	}
	if err := tx.commit(ctx); err != nil {
		return err
	}
	tx.end(ctx)
	for _, hook := range tx.afterCommit {
		hook()
	}
	return nil
}

// commit runs the queued statements and commits: in one round trip if none of them is checked.
func (t *Tx) commit(ctx context.Context) error {
	if t.queued != nil && !t.queued.checked {
		Command("commit", "commit").Queue(t, nil) // not run by the server if an earlier statement fails
		return t.Flush(ctx)
	}
	if err := t.Flush(ctx); err != nil || t.Tx == nil {
		return err
	}
	return named("commit", t.Commit(ctx))
}

// end returns the connection to the pool, after a rollback unless the transaction has ended.
func (t *Tx) end(ctx context.Context) {
	if t.conn == nil {
		return
	}
	if t.Tx != nil && t.conn.Conn().PgConn().TxStatus() != idle {
		// ctx may be cancelled; the connection must still be returned clean.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackGrace)
		defer cancel()
		_ = t.Rollback(ctx)
	}
	t.conn.Release()
	t.conn = nil
}

// idle is the status of a connection without a transaction.
const idle = 'I'

// SQLSTATE codes that callers tell apart.
const (
	codeDeadlock             = "40P01"
	codeSerializationFailure = "40001"
	codeUniqueViolation      = "23505"
)

func retryable(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && (pgErr.Code == codeDeadlock || pgErr.Code == codeSerializationFailure)
}

// UniqueViolation reports whether err violates the named unique constraint or index.
func UniqueViolation(err error, constraint string) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == codeUniqueViolation && pgErr.ConstraintName == constraint
}
