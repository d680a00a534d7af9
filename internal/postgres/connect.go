package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Options of a pool.
type Options struct {
	MaxConns        int32  // 0: pgxpool's default, at least 4
	ApplicationName string // shown in pg_stat_activity
	// Unhurried does not wait for the disk at a commit: when the server itself crashes, the commits of the last moments may be lost. For
	// what can be done again.
	Unhurried bool
}

const (
	connectWait    = 10 * time.Second // how long Connect waits for a server that is still starting
	connectPause   = 200 * time.Millisecond
	connectTimeout = 5 * time.Second // one attempt to reach the server
)

// sessionLimits bound what one forgotten or stuck session can hold up. All are far above what a healthy request needs: their own
// deadlines (2 s to 10 s) come first. A setting given in the URL, as ?statement_timeout=…, goes before these.
var sessionLimits = map[string]string{
	"idle_in_transaction_session_timeout": "20s", // who froze or vanished must not keep its locks: its operations settle within 60 s
	"lock_timeout":                        "15s", // waiting longer for a row means somebody is stuck; the job is tried again
	"statement_timeout":                   "60s",
}

// Connect opens a pool and waits up to ten seconds for the server to answer, so that a process may start beside its database. Refusals
// that waiting does not cure, such as a wrong password, return at once. Times are read as UTC whatever zone the server speaks.
// The caller closes the pool.
func Connect(ctx context.Context, url string, opts Options) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("database URL: %w", err)
	}
	if opts.MaxConns > 0 {
		config.MaxConns = opts.MaxConns
	}
	conn := config.ConnConfig
	if opts.ApplicationName != "" {
		conn.RuntimeParams["application_name"] = opts.ApplicationName
	}
	if opts.Unhurried {
		conn.RuntimeParams["synchronous_commit"] = "off"
	}
	for name, limit := range sessionLimits {
		if _, given := conn.RuntimeParams[name]; !given {
			conn.RuntimeParams[name] = limit
		}
	}
	if conn.ConnectTimeout == 0 || conn.ConnectTimeout > connectTimeout {
		conn.ConnectTimeout = connectTimeout
	}
	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		readTimesAsUTC(conn.TypeMap())
		return nil
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open pool: %w", err)
	}
	if err := waitReady(ctx, pool); err != nil {
		pool.Close()
		return nil, err
	}
	return pool, nil
}

func readTimesAsUTC(types *pgtype.Map) {
	utc := &pgtype.Type{Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC}}
	types.RegisterType(utc)
	types.RegisterType(&pgtype.Type{
		Name: "_timestamptz", OID: pgtype.TimestamptzArrayOID, Codec: &pgtype.ArrayCodec{ElementType: utc},
	})
}

func waitReady(ctx context.Context, pool *pgxpool.Pool) error {
	ctx, cancel := context.WithTimeout(ctx, connectWait)
	defer cancel()
	for {
		err := pool.Ping(ctx)
		if err == nil {
			return nil
		}
		if refused(err) {
			return fmt.Errorf("connect: %w", err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("connect: %w", err)
		case <-time.After(connectPause):
		}
	}
}

// refused tells whether a running server said no. A server that is starting or full may say yes a moment later.
func refused(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code != codeCannotConnectNow && pgErr.Code != codeTooManyConnections
}

const (
	codeCannotConnectNow   = "57P03"
	codeTooManyConnections = "53300"
)
