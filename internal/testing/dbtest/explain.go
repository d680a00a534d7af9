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
