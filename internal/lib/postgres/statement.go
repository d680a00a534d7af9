package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"reflect"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/migrations"
)

// Args are the values of a statement's named parameters, written @name. None may be missing.
type Args = pgx.NamedArgs

// QueryStatement is an SQL statement with its name, whose rows are read as T. The name is
// package.what_it_does as in "deals.get"; errors begin with it, so that a log line says which
// statement failed. The driver's error is wrapped: errors.Is finds pgx.ErrNoRows and errors.As
// finds *pgconn.PgError. In a transaction the statement is sent together with the queued ones, and
// with the transaction's BEGIN if it is the first.
//
// It is a package variable where its callers give it arguments themselves. A function that has more
// to do with arguments, rows or errors makes it in place.
type QueryStatement[T any] struct {
	Name, SQL string
	row       func(pgx.CollectableRow) (T, error)
}

// Query returns a statement whose rows are a T each: a struct with a field for each column, whose
// own fields may be structs that are read from records, or the type of the only column.
func Query[T any](name, sql string) QueryStatement[T] {
	return QueryStatement[T]{name, sql, rowTo[T]()}
}

// QueryAs is Query with each row converted.
func QueryAs[R, T any](name, sql string, convert func(R) T) QueryStatement[T] {
	read := rowTo[R]()
	return QueryStatement[T]{name, sql, func(row pgx.CollectableRow) (T, error) {
		r, err := read(row)
		if err != nil {
			var none T
			return none, err
		}
		return convert(r), nil
	}}
}

// rowTo returns the function that reads a row.
func rowTo[T any]() func(pgx.CollectableRow) (T, error) {
	if t := reflect.TypeFor[T](); t.Kind() == reflect.Struct && t != reflect.TypeFor[time.Time]() {
		return pgx.RowToStructByName[T]
	}
	return pgx.RowTo[T]
}

// One returns the only row. It fails with pgx.ErrNoRows if there is none and with
// pgx.ErrTooManyRows if there are more.
func (s QueryStatement[T]) One(ctx context.Context, q Querier, args Args) (T, error) {
	return query(ctx, q, s.Name, s.SQL, args, func(rows pgx.Rows) (T, error) {
		return pgx.CollectExactlyOneRow(rows, s.row)
	})
}

// Find is One for a row that may be missing: then found is false and err is nil.
func (s QueryStatement[T]) Find(ctx context.Context, q Querier, args Args) (_ T, found bool, _ error) {
	value, err := s.One(ctx, q, args)
	if errors.Is(err, pgx.ErrNoRows) {
		return value, false, nil
	}
	return value, err == nil, err
}

// Many returns all rows. The list is empty, not nil, if there are none.
func (s QueryStatement[T]) Many(ctx context.Context, q Querier, args Args) ([]T, error) {
	return query(ctx, q, s.Name, s.SQL, args, func(rows pgx.Rows) ([]T, error) {
		return pgx.CollectRows(rows, s.row)
	})
}

// Each passes every row to use as it arrives, so that memory does not grow with the number of rows.
// The connection is busy until it returns. The error of use is returned without the statement's
// name.
func (s QueryStatement[T]) Each(ctx context.Context, q Querier, args Args, use func(row T) error) error {
	rows, err := q.Query(withName(ctx, s.Name), s.SQL, arguments(args)...)
	if err != nil {
		return named(s.Name, err)
	}
	defer rows.Close()
	for rows.Next() {
		row, err := s.row(rows)
		if err != nil {
			return named(s.Name, err)
		}
		if err := use(row); err != nil {
			return err
		}
	}
	return named(s.Name, rows.Err())
}

// CommandStatement is a statement like QueryStatement of which only the number of affected rows is
// of interest.
type CommandStatement struct {
	Name, SQL string
}

// Command returns a statement without rows.
func Command(name, sql string) CommandStatement { return CommandStatement{name, sql} }

// Run runs the statement, whatever the number of affected rows.
func (s CommandStatement) Run(ctx context.Context, q Querier, args Args) error {
	_, err := s.Count(ctx, q, args)
	return err
}

// One runs a statement that must affect exactly one row; any other number is an error. The caller
// ensures that the row exists, for example by locking it.
func (s CommandStatement) One(ctx context.Context, q Querier, args Args) error {
	n, err := s.Count(ctx, q, args)
	if err == nil && n != 1 {
		err = fmt.Errorf("%s: changed %d rows, not one", s.Name, n)
	}
	return err
}

// Any runs the statement and reports whether it has affected any row.
func (s CommandStatement) Any(ctx context.Context, q Querier, args Args) (bool, error) {
	n, err := s.Count(ctx, q, args)
	return n > 0, err
}

// Count runs the statement and returns the number of affected rows.
func (s CommandStatement) Count(ctx context.Context, q Querier, args Args) (int64, error) {
	if tx, ok := q.(*Tx); ok && tx.pipelines() {
		var affected int64
		s.QueueCount(tx, args, func(n int64) error {
			affected = n
			return nil
		})
		err := tx.Flush(ctx)
		return affected, err
	}
	tag, err := q.Exec(withName(ctx, s.Name), s.SQL, arguments(args)...)
	return tag.RowsAffected(), named(s.Name, err)
}

// query runs a statement and returns what collect, which must close the rows, makes of them.
func query[T any](
	ctx context.Context, q Querier, name, sql string, args Args, collect func(rows pgx.Rows) (T, error),
) (T, error) {
	if tx, ok := q.(*Tx); ok && tx.pipelines() {
		var value T
		tx.queue(name, sql, args, true, func(results pgx.BatchResults) error {
			rows, _ := results.Query() //nolint:rowserrcheck // collect returns it
			var err error
			value, err = collect(rows)
			return named(name, err)
		})
		err := tx.Flush(ctx)
		return value, err
	}
	rows, _ := q.Query(withName(ctx, name), sql, arguments(args)...) //nolint:rowserrcheck // collect returns it
	value, err := collect(rows)
	return value, named(name, err)
}

// IfNoRows returns absent if err is pgx.ErrNoRows, and err otherwise.
func IfNoRows(err, absent error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return absent
	}
	return err
}

func named(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", name, err)
}

// Validate fails unless the database has the migrations and stored functions of this program and
// its cluster is the expected one. The api and the worker call it before they serve.
func Validate(ctx context.Context, pool *pgxpool.Pool) error {
	files, err := readMigrations(migrations.FS)
	if err != nil {
		return err
	}
	missing, err := missingMigrations(ctx, pool, files)
	if hasCode(err, codeUndefinedTable) {
		return errors.New("the database has no schema: run `amanat migrate`")
	}
	if hasCode(err, codeInsufficientPrivilege) {
		return fmt.Errorf("%w: after restoring a dump, run `amanat migrate`, which grants the privileges", err)
	}
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return fmt.Errorf("migration %04d_%s is missing: run `amanat migrate`", missing[0].version, missing[0].name)
	}
	functions, err := readFunctions(migrations.FS)
	if err != nil {
		return err
	}
	if err := validateFunctions(ctx, pool, functions); err != nil {
		return err
	}
	if err := validateCluster(ctx, pool); err != nil {
		return err
	}
	migrator, err := riverMigrator(pool)
	if err != nil {
		return err
	}
	result, err := migrator.Validate(ctx, nil)
	if err != nil {
		return fmt.Errorf("job queue: %w", err)
	}
	if !result.OK {
		return fmt.Errorf("job queue: %v: run `amanat migrate`", result.Messages)
	}
	return nil
}

// A cluster never reuses transaction ids, so a higher id than the next one comes from another
// cluster.
const sqlMoved = `select exists (select from ledger.rollups where upto_xid > pg_snapshot_xmax(pg_current_snapshot()))`

// validateCluster fails if the database was restored from a dump of another cluster and moved.sql
// has not run since.
func validateCluster(ctx context.Context, pool *pgxpool.Pool) error {
	var moved bool
	if err := pool.QueryRow(ctx, sqlMoved).Scan(&moved); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	if moved {
		return errors.New("the database was moved to another cluster: run `amanat migrate`")
	}
	return nil
}

const codeUndefinedTable = "42P01"

// Page selects a part of a list: at most Limit rows after the first Offset.
type Page struct {
	Limit, Offset int
}

// NullText returns the argument for a column that is null where there is no text.
func NullText[T ~string](s T) *string {
	if s == "" {
		return nil
	}
	text := string(s)
	return &text
}

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// EscapeLike escapes the wildcards of LIKE: as a pattern, the result matches the text itself.
func EscapeLike(text string) string { return likeEscaper.Replace(text) }

// LikePrefix returns a LIKE pattern for texts that start with the given one.
func LikePrefix(text string) string { return EscapeLike(text) + "%" }

// SQLSTATE classes and codes of temporary failures, and codes that callers tell apart.
const (
	classConnection         = "08" // connection exception
	classResources          = "53" // too many connections, disk full, out of memory
	classOperator           = "57" // shutdown, crash recovery, statement timeout
	codeLockNotAvailable    = "55P03"
	codeCharacterNotInSet   = "22021"
	codeUntranslatableInput = "22P05"
	codeForbidden           = "42501" // insufficient privilege
)

// Unavailable reports whether the database could not be reached or could not serve; a retry may
// succeed.
func Unavailable(err error) bool {
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) {
		switch pgErr.Code[:min(2, len(pgErr.Code))] {
		case classConnection, classResources, classOperator:
			return true
		}
		return pgErr.Code == codeLockNotAvailable || retryable(err)
	}
	var connectErr *pgconn.ConnectError
	var netErr net.Error
	return errors.As(err, &connectErr) || errors.As(err, &netErr) || pgconn.SafeToRetry(err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

// Forbidden reports whether the login lacks the required privilege.
func Forbidden(err error) bool { return hasCode(err, codeForbidden) }

// Unstorable reports whether PostgreSQL rejected a text that it cannot store: a zero byte or
// invalid UTF-8.
func Unstorable(err error) bool {
	return hasCode(err, codeCharacterNotInSet) || hasCode(err, codeUntranslatableInput)
}
