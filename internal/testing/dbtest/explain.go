package dbtest

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

// Explain calls use with a new pool that has the owner's privileges, and returns the plans of the
// executed statements with actual times.
func Explain(tb testing.TB, db *DB, use func(pool *pgxpool.Pool)) string {
	tb.Helper()
	var mu sync.Mutex
	var plans []string
	config, err := pgxpool.ParseConfig(db.OwnerURL)
	require.NoError(tb, err)
	config.MaxConns = 1
	config.ConnConfig.OnNotice = func(_ *pgconn.PgConn, notice *pgconn.Notice) {
		mu.Lock()
		defer mu.Unlock()
		plans = append(plans, notice.Message)
	}
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, `load 'auto_explain'; set auto_explain.log_level = 'notice'; set auto_explain.log_min_duration = 0;
			set auto_explain.log_analyze = on; set auto_explain.log_buffers = on`)
		return err
	}
	pool, err := pgxpool.NewWithConfig(tb.Context(), config)
	require.NoError(tb, err)
	use(pool)
	pool.Close()
	mu.Lock()
	defer mu.Unlock()
	require.NotEmpty(tb, plans)
	return strings.Join(plans, "\n\n") + "\n"
}

// The planner takes the number of rows on a page from the statistics, and the number of pages from
// the file.
const sqlGrow = `
select pg_restore_relation_stats('schemaname', relnamespace::regnamespace::text, 'relname', relname::text,
                                 'reltuples', reltuples * $2::real)
  from pg_class
 where oid = $1::regclass or oid in (select indexrelid from pg_index where indrelid = $1::regclass)`

// Grow vacuums and analyzes tables, then makes the planner believe that each has factor times as
// many rows, so that a test gets the plans for large tables from few rows. The pages stay as many,
// so the cost of reading them is understated: whether a whole index is read instead of the table
// needs real rows. A column with more values the more rows there are, such as the buyer of a deal,
// needs more than 100 of them: statistics list fewer as common values, each with its share of the
// rows.
func (db *DB) Grow(factor int, tables ...string) {
	db.tb.Helper()
	_, err := db.Owner().Exec(db.tb.Context(), "vacuum analyze "+strings.Join(tables, ", "))
	require.NoError(db.tb, err)
	for _, table := range tables {
		_, err = db.Owner().Exec(db.tb.Context(), sqlGrow, table, factor)
		require.NoError(db.tb, err)
	}
}

// IndexPlan returns the plan of a statement where the planner avoids reading whole tables, as it
// does on large ones: on the empty tables of a test it would read them from end to end. A plan with
// a "Seq Scan" is then of a statement for which there is no index.
func IndexPlan(tb testing.TB, pool *pgxpool.Pool, sql string, args pgx.NamedArgs) string {
	tb.Helper()
	var plan []string
	err := pgx.BeginFunc(tb.Context(), pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(tb.Context(), `set local enable_seqscan = off`); err != nil {
			return err
		}
		rows, err := tx.Query(tb.Context(), "explain "+sql, args)
		if err == nil {
			plan, err = pgx.CollectRows(rows, pgx.RowTo[string])
		}
		return err
	})
	require.NoError(tb, err)
	return strings.Join(plan, "\n")
}
