package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/puddle/v2"

	"amanat/migrations"
)

// The functions of this file run one statement each. They prefix errors with the statement's name,
// package.what_it_does as in "deals.get", so that a log line says which statement failed. The
// driver's error is wrapped: errors.Is finds pgx.ErrNoRows and errors.As finds *pgconn.PgError.
// args may be nil. In a transaction the statement is sent together with the queued ones, and with
// the transaction's BEGIN if it is the first.

// One returns the only row of the result, as a struct with a field for each column. It fails with
// pgx.ErrNoRows if there is none and with pgx.ErrTooManyRows if there are more.
func One[T any](ctx context.Context, q Querier, name, sql string, args pgx.NamedArgs) (T, error) {
	return query(ctx, q, name, sql, args, func(rows pgx.Rows) (T, error) {
		return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[T])
	})
}

// OneAs is One with the row converted. It returns the zero T on error.
func OneAs[R, T any](
	ctx context.Context, q Querier, name, sql string, args pgx.NamedArgs, convert func(R) T,
) (T, error) {
	row, err := One[R](ctx, q, name, sql, args)
	if err != nil {
		var none T
		return none, err
	}
	return convert(row), nil
}

// Many returns all rows, each as a struct with a field for each column. The list is empty, not nil,
// if there are none.
func Many[T any](ctx context.Context, q Querier, name, sql string, args pgx.NamedArgs) ([]T, error) {
	return query(ctx, q, name, sql, args, func(rows pgx.Rows) ([]T, error) {
		return pgx.CollectRows(rows, pgx.RowToStructByName[T])
	})
}

// ManyAs is Many with each row converted.
func ManyAs[R, T any](
	ctx context.Context, q Querier, name, sql string, args pgx.NamedArgs, convert func(R) T,
) ([]T, error) {
	rows, err := Many[R](ctx, q, name, sql, args)
	if err != nil {
		return nil, err
	}
	list := make([]T, len(rows))
	for i, row := range rows {
		list[i] = convert(row)
	}
	return list, nil
}

// Value returns the only column of the first row. It fails with pgx.ErrNoRows if there is none.
func Value[T any](ctx context.Context, q Querier, name, sql string, args pgx.NamedArgs) (T, error) {
	return query(ctx, q, name, sql, args, func(rows pgx.Rows) (T, error) {
		return pgx.CollectOneRow(rows, pgx.RowTo[T])
	})
}

// Values returns the only column of every row. The list is empty, not nil, if there are none.
func Values[T any](ctx context.Context, q Querier, name, sql string, args pgx.NamedArgs) ([]T, error) {
	return query(ctx, q, name, sql, args, func(rows pgx.Rows) ([]T, error) {
		return pgx.CollectRows(rows, pgx.RowTo[T])
	})
}

// Each passes the only column of every row to use as it arrives, so that memory does not grow with
// the number of rows. The connection is busy until it returns. The error of use is returned without
// the statement's name.
func Each[T any](ctx context.Context, q Querier, name, sql string, args pgx.NamedArgs, use func(value T) error) error {
	rows, err := q.Query(withName(ctx, name), sql, arguments(args)...)
	if err != nil {
		return named(name, err)
	}
	defer rows.Close()
	for rows.Next() {
		var value T
		if err := rows.Scan(&value); err != nil {
			return named(name, err)
		}
		if err := use(value); err != nil {
			return err
		}
	}
	return named(name, rows.Err())
}

// Scan reads the columns of the first row into dest. It fails with pgx.ErrNoRows if there is none.
func Scan(ctx context.Context, q Querier, name, sql string, args pgx.NamedArgs, dest ...any) error {
	_, err := query(ctx, q, name, sql, args, func(rows pgx.Rows) (struct{}, error) {
		return pgx.CollectOneRow(rows, func(row pgx.CollectableRow) (struct{}, error) {
			return struct{}{}, row.Scan(dest...)
		})
	})
	return err
}

// Exec runs a statement, whatever the number of affected rows.
func Exec(ctx context.Context, q Querier, name, sql string, args pgx.NamedArgs) error {
	_, err := ExecCount(ctx, q, name, sql, args)
	return err
}

// ExecOne runs a statement that must affect exactly one row; any other number is an error. The
// caller ensures that the row exists, for example by locking it.
func ExecOne(ctx context.Context, q Querier, name, sql string, args pgx.NamedArgs) error {
	n, err := ExecCount(ctx, q, name, sql, args)
	if err == nil && n != 1 {
		err = fmt.Errorf("%s: changed %d rows, not one", name, n)
	}
	return err
}

// ExecCount runs a statement and returns the number of affected rows.
func ExecCount(ctx context.Context, q Querier, name, sql string, args pgx.NamedArgs) (int64, error) {
	if tx, ok := q.(*Tx); ok && tx.pipelines() {
		var affected int64
		QueueCount(tx, name, sql, args, func(n int64) error {
			affected = n
			return nil
		})
		err := tx.Flush(ctx)
		return affected, err
	}
	tag, err := q.Exec(withName(ctx, name), sql, arguments(args)...)
	return tag.RowsAffected(), named(name, err)
}

// query runs a statement and returns what collect, which must close the rows, makes of them.
func query[T any](
	ctx context.Context, q Querier, name, sql string, args pgx.NamedArgs, collect func(rows pgx.Rows) (T, error),
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

// Optional converts the result of One or Value for a row that may be missing: then found is false
// and err is nil.
//
//	title, err := postgres.Value[string](ctx, q, "chat.post_title", sqlPostTitle, args)
//	return postgres.Optional(title, err)
func Optional[T any](value T, err error) (_ T, found bool, _ error) {
	if errors.Is(err, pgx.ErrNoRows) {
		var none T
		return none, false, nil
	}
	return value, err == nil, err
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
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, puddle.ErrClosedPool)
}

// Forbidden reports whether the login lacks the required privilege.
func Forbidden(err error) bool { return hasCode(err, codeForbidden) }

// Unstorable reports whether PostgreSQL rejected a text that it cannot store: a zero byte or
// invalid UTF-8.
func Unstorable(err error) bool {
	return hasCode(err, codeCharacterNotInSet) || hasCode(err, codeUntranslatableInput)
}
