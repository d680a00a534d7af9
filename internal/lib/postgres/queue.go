package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// The Queue methods of statements add them to a queue without waiting for the result; Tx says when
// they run. Arguments are encoded when a statement runs, so they must not be changed after the
// call.

// Queue is a *Tx, or a *Batch, which runs its statements when it is sent.
type Queue interface {
	// checked says that the transaction must not commit if read fails although the statement has
	// not.
	queue(name, sql string, args Args, checked bool, read func(results pgx.BatchResults) error)
}

// Queue queues the statement, whatever the number of rows it affects.
func (s CommandStatement) Queue(q Queue, args Args) {
	q.queue(s.Name, s.SQL, args, false, readNothing(s.Name))
}

// readNothing returns a function that reads the error of a statement alone.
func readNothing(name string) func(results pgx.BatchResults) error {
	return func(results pgx.BatchResults) error {
		_, err := results.Exec()
		return named(name, err)
	}
}

// QueueOne queues a statement that must affect exactly one row. The caller ensures that the row
// exists, for example by locking it.
func (s CommandStatement) QueueOne(q Queue, args Args) {
	s.QueueCount(q, args, func(n int64) error {
		if n != 1 {
			return fmt.Errorf("changed %d rows, not one", n)
		}
		return nil
	})
}

// QueueCount queues the statement and passes the number of affected rows to check, whose error is
// returned as that of the statement.
func (s CommandStatement) QueueCount(q Queue, args Args, check func(n int64) error) {
	q.queue(s.Name, s.SQL, args, true, func(results pgx.BatchResults) error {
		tag, err := results.Exec()
		if err == nil {
			err = check(tag.RowsAffected())
		}
		return named(s.Name, err)
	})
}

// Queue queues the statement and passes each of its rows to use.
func (s QueryStatement[T]) Queue(q Queue, args Args, use func(row T)) {
	s.queueRows(q, args, true, func(rows []T) error {
		for _, row := range rows {
			use(row)
		}
		return nil
	})
}

// QueueMany queues the statement and passes all of its rows to use, whose error is returned without
// the statement's name.
func (s QueryStatement[T]) QueueMany(q Queue, args Args, use func(rows []T) error) {
	s.queueRows(q, args, true, use)
}

// QueueLast is Queue for rows that cannot prevent the commit: the transaction may have committed
// when use gets them.
func (s QueryStatement[T]) QueueLast(q Queue, args Args, use func(row T)) {
	s.queueRows(q, args, false, func(rows []T) error {
		for _, row := range rows {
			use(row)
		}
		return nil
	})
}

func (s QueryStatement[T]) queueRows(q Queue, args Args, checked bool, use func(rows []T) error) {
	q.queue(s.Name, s.SQL, args, checked, func(results pgx.BatchResults) error {
		rows, _ := results.Query() // CollectRows returns its error
		list, err := pgx.CollectRows(rows, s.row)
		if err != nil {
			return named(s.Name, err)
		}
		return use(list)
	})
}

// Batch is a queue of statements that are sent together, outside a transaction in one of their own.
// The zero value is empty.
type Batch struct {
	batch    pgx.Batch
	names    []string
	checked  bool // a transaction must not commit before the results have been read
	started  bool // the result of the first statement has been read
	panicked any  // of a function that reads a result
}

func (b *Batch) queue(name, sql string, args Args, checked bool, read func(results pgx.BatchResults) error) {
	b.add(name, b.batch.Queue(sql, arguments(args)...), checked, read)
}

func (b *Batch) add(name string, query *pgx.QueuedQuery, checked bool, read func(results pgx.BatchResults) error) {
	b.names = append(b.names, name)
	b.checked = b.checked || checked
	query.Fn = func(results pgx.BatchResults) (err error) {
		b.started = true
		defer func() {
			if b.panicked = recover(); b.panicked != nil {
				err = errPanicked
			}
		}()
		return read(results)
	}
}

var errPanicked = errors.New("postgres: reading a result panicked")

// Send runs the statements. It must be called once.
func (b *Batch) Send(ctx context.Context, q Querier) error {
	return b.read(q.SendBatch(withNames(ctx, b.names), &b.batch))
}

func (b *Batch) read(results pgx.BatchResults) error {
	err := results.Close()
	if b.panicked != nil { // only now, since a panic within Close would leak the pool's connection
		panic(b.panicked)
	}
	if !b.started { // one of them could not be prepared or encoded
		return named(strings.Join(b.names, ", "), err)
	}
	return err
}

func (t *Tx) queue(name, sql string, args Args, checked bool, read func(results pgx.BatchResults) error) {
	t.open().queue(name, sql, args, checked, read)
}

// open returns the queue, which begins with the transaction.
func (t *Tx) open() *Batch {
	if t.queued == nil {
		t.queued = &Batch{}
		if t.Tx == nil {
			t.queued.names = []string{"begin"}
			t.queued.batch.BeginTx(pgx.TxOptions{})
		}
	}
	return t.queued
}

// Deferring returns the transaction for libraries that do not need to know how many rows their
// statements affect, such as River's InsertManyFastTx: Exec queues the statement and returns an
// empty tag. CopyFrom, for few rows, queues an INSERT for each, since the COPY protocol cannot be
// mixed with other statements.
func (t *Tx) Deferring(name string) pgx.Tx { return deferring{t, name} }

type deferring struct {
	*Tx
	name string // of the statements
}

// Exec queues the statement.
func (d deferring) Exec(_ context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	b := d.open()
	b.add(d.name, b.batch.Queue(sql, args...), false, readNothing(d.name))
	return pgconn.CommandTag{}, nil
}

// CopyFrom queues an INSERT for each row and returns the number of rows.
func (d deferring) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error) {
	sql := insertInto(table, columns)
	var n int64
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return n, named(d.name, err)
		}
		if _, err := d.Exec(ctx, sql, values...); err != nil {
			return n, err
		}
		n++
	}
	return n, named(d.name, rows.Err())
}

func insertInto(table pgx.Identifier, columns []string) string {
	names, places := make([]string, len(columns)), make([]string, len(columns))
	for i, column := range columns {
		names[i], places[i] = pgx.Identifier{column}.Sanitize(), "$"+strconv.Itoa(i+1)
	}
	return "insert into " + table.Sanitize() + " (" + strings.Join(names, ", ") + ") values (" + strings.Join(places, ", ") + ")"
}

// pipelines reports whether a statement that is queued and flushed takes fewer round trips than one
// that is run by itself.
func (t *Tx) pipelines() bool { return t.queued != nil || t.Tx == nil }

// Flush runs the queued statements.
func (t *Tx) Flush(ctx context.Context) error {
	if t.queued == nil {
		return nil
	}
	batch := t.queued
	t.queued = nil
	if t.Tx != nil {
		return batch.Send(ctx, t.Tx)
	}
	conn, err := t.db.Acquire(ctx)
	if err != nil {
		return named(strings.Join(batch.names, ", "), err)
	}
	results := conn.SendBatch(withNames(ctx, batch.names), &batch.batch)
	t.conn, t.Tx = conn, results.Tx()
	return batch.read(results)
}

// flush runs the queued statements, or begins the transaction if there were none yet.
func (t *Tx) flush(ctx context.Context) error {
	if t.Tx != nil || t.queued != nil {
		return t.Flush(ctx)
	}
	conn, err := t.db.Acquire(ctx)
	if err != nil {
		return named("begin", err)
	}
	t.conn = conn
	t.Tx, err = conn.Conn().Begin(ctx)
	return named("begin", err)
}

// Exec runs the queued statements and then sql.
func (t *Tx) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if err := t.flush(ctx); err != nil {
		return pgconn.CommandTag{}, err
	}
	return t.Tx.Exec(ctx, sql, args...)
}

// Query runs the queued statements and then sql.
func (t *Tx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if err := t.flush(ctx); err != nil {
		return failedRows{err: err}, err
	}
	return t.Tx.Query(ctx, sql, args...) //nolint:rowserrcheck // the caller reads them
}

// QueryRow runs the queued statements and then sql.
func (t *Tx) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	if err := t.flush(ctx); err != nil {
		return failedRows{err: err}
	}
	return t.Tx.QueryRow(ctx, sql, args...)
}

// SendBatch runs the queued statements and then the batch.
func (t *Tx) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	if err := t.flush(ctx); err != nil {
		return failedBatch{err: err}
	}
	return t.Tx.SendBatch(ctx, b)
}

// CopyFrom runs the queued statements and then copies the rows.
func (t *Tx) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error) {
	if err := t.flush(ctx); err != nil {
		return 0, err
	}
	return t.Tx.CopyFrom(ctx, table, columns, rows)
}

// Begin runs the queued statements and then sets a savepoint.
func (t *Tx) Begin(ctx context.Context) (pgx.Tx, error) {
	if err := t.flush(ctx); err != nil {
		return nil, err
	}
	return t.Tx.Begin(ctx)
}

// Conn returns the transaction's connection, nil before its first statement.
func (t *Tx) Conn() *pgx.Conn {
	if t.Tx == nil {
		return nil
	}
	return t.Tx.Conn()
}

// failedRows is the result of a query that was not sent because a queued statement failed.
type failedRows struct {
	pgx.Rows // nil: no other method is called after an error
	err      error
}

func (r failedRows) Close()            {}
func (r failedRows) Err() error        { return r.err }
func (r failedRows) Next() bool        { return false }
func (r failedRows) Scan(...any) error { return r.err }

// CommandTag returns the tag of no statement.
func (r failedRows) CommandTag() pgconn.CommandTag { return pgconn.CommandTag{} }

// failedBatch is the result of a batch that was not sent because a queued statement failed.
type failedBatch struct {
	pgx.BatchResults // nil: no other method is called
	err              error
}

func (b failedBatch) Exec() (pgconn.CommandTag, error) { return pgconn.CommandTag{}, b.err }
func (b failedBatch) Query() (pgx.Rows, error)         { return failedRows{err: b.err}, b.err }
func (b failedBatch) QueryRow() pgx.Row                { return failedRows{err: b.err} }
func (b failedBatch) Close() error                     { return b.err }

// InBatches repeats a statement that changes up to @limit rows until a batch is not full, and
// returns the total number of rows. On a pool each batch is its own transaction, so locks are held
// briefly and completed batches stay committed after an error.
func (s CommandStatement) InBatches(ctx context.Context, q Querier, args Args, limit int64) (int64, error) {
	args = maps.Clone(args)
	args["limit"] = limit
	var total int64
	for {
		n, err := s.Count(ctx, q, args)
		total += n
		if err != nil || n < limit {
			return total, err
		}
	}
}

// oldest is the result of a statement of DeleteOldest.
type oldest struct {
	Deleted int64
	Found   int64
	Last    *time.Time
}

// DeleteOldest deletes rows in the order of their time, in batches of limit that are transactions
// of their own, and returns how many. The statement finds at most @limit rows from the time @from
// on, ordered by time, deletes them, and returns how many it has deleted and found, and the time of
// the last one found. Each batch continues there: rows deleted before need not be passed again,
// which they would be as long as an open transaction might see them.
func (s CommandStatement) DeleteOldest(ctx context.Context, q Querier, args Args, limit int64) (int64, error) {
	args = maps.Clone(args)
	args["limit"] = limit
	args["from"] = time.Time{}
	var total int64
	for {
		batch, err := Query[oldest](s.Name, s.SQL).One(ctx, q, args)
		total += batch.Deleted
		if err != nil || batch.Found < limit {
			return total, err
		}
		args["from"] = *batch.Last
	}
}

// arguments returns args as pgx takes them: none for nil, since pgx would look for names in the
// statement otherwise.
func arguments(args Args) []any {
	if args == nil {
		return nil
	}
	return []any{positionalArgs(args)}
}

// positionalArgs are Args for statements that are run often: the text is parsed for names
// once instead of on each call.
type positionalArgs pgx.NamedArgs

// positional is a statement with $1, $2, … instead of names, which are in this order.
type positional struct {
	sql   string
	names []string
}

// rewritten has the positional of each text that has run. The texts are constants of the program,
// so their number is bounded.
var rewritten sync.Map

// RewriteQuery implements pgx.QueryRewriter. Unlike with pgx.NamedArgs, a missing argument is an
// error.
func (a positionalArgs) RewriteQuery(ctx context.Context, conn *pgx.Conn, sql string, _ []any) (string, []any, error) {
	known, ok := rewritten.Load(sql)
	if !ok {
		var err error
		if known, err = a.rewrite(ctx, conn, sql); err != nil {
			return "", nil, err
		}
		rewritten.Store(sql, known)
	}
	statement, _ := known.(positional) // the only type stored
	values := make([]any, len(statement.names))
	for i, name := range statement.names {
		value, given := a[name]
		if !given {
			return "", nil, fmt.Errorf("argument @%s is missing", name)
		}
		values[i] = value
	}
	return statement.sql, values, nil
}

// rewrite lets pgx replace the names, each of which stands for its own value meanwhile.
func (a positionalArgs) rewrite(ctx context.Context, conn *pgx.Conn, sql string) (positional, error) {
	own := make(pgx.NamedArgs, len(a))
	for name := range a {
		own[name] = name
	}
	text, values, err := own.RewriteQuery(ctx, conn, sql, nil)
	if err != nil {
		return positional{}, err
	}
	names := make([]string, len(values))
	for i, value := range values {
		name, given := value.(string)
		if !given {
			_, _, err := pgx.StrictNamedArgs(own).RewriteQuery(ctx, conn, sql, nil) // names it
			return positional{}, err
		}
		names[i] = name
	}
	return positional{text, names}, nil
}
