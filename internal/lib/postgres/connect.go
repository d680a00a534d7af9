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
	pgxuuid "github.com/vgarvardt/pgx-google-uuid/v5"
)

// Options configures a pool.
type Options struct {
	MaxConns        int32  // 0: pgxpool's default, at least 4
	ApplicationName string // shown in pg_stat_activity
	// AsyncCommit sets synchronous_commit to off: if the database server crashes, the most recent
	// commits may be lost. Use it for work that can be repeated. Without it every commit waits for
	// the disk, whatever the server's setting.
	AsyncCommit bool
	// Pooled is for connections through a pooler in transaction mode, where each transaction may
	// run in another session of the server: nothing is set in sessions, so that the settings of
	// Migrate apply and AsyncCommit has no effect, and no statement stays prepared.
	Pooled bool
}

const (
	connectWait    = 10 * time.Second // how long Connect waits for a server that is still starting
	connectPause   = 200 * time.Millisecond
	connectTimeout = 5 * time.Second // per attempt to reach the server
)

// sessionLimits bound how long an abandoned or stuck session can hold resources. They are far above
// what a healthy request needs: its own deadline (2 s to 10 s) comes first. Settings in the URL,
// such as ?statement_timeout=…, take precedence, except through a pooler, which refuses them.
var sessionLimits = map[string]string{
	"idle_in_transaction_session_timeout": "20s", // so that operations settle within 60 s
	"lock_timeout":                        "15s", // a longer wait means a stuck session
	"statement_timeout":                   "60s",
}

// Connect opens a pool and waits up to ten seconds for the server to answer, so that a process may
// start before its database. Errors that waiting does not resolve, such as a wrong password, are
// returned immediately. Times are read as UTC whatever the server's time zone. The caller closes
// the pool.
func Connect(ctx context.Context, url string, opts Options) (*pgxpool.Pool, error) {
	pool, err := open(ctx, url, opts)
	if err != nil {
		return nil, err
	}
	if err := waitReady(ctx, pool); err != nil {
		pool.Close()
		return nil, err
	}
	return pool, nil
}

// open is Connect without the wait: the pool connects when it is used.
func open(ctx context.Context, url string, opts Options) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("database URL: %w", err)
	}
	if opts.MaxConns > 0 {
		config.MaxConns = opts.MaxConns
	}
	conn := config.ConnConfig
	conn.Tracer = statementTracer{}
	if opts.ApplicationName != "" {
		conn.RuntimeParams["application_name"] = opts.ApplicationName
	}
	setSession(conn, opts)
	if conn.ConnectTimeout == 0 || conn.ConnectTimeout > connectTimeout {
		conn.ConnectTimeout = connectTimeout
	}
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		readTimesAsUTC(conn.TypeMap())
		pgxuuid.Register(conn.TypeMap()) // otherwise UUIDs are encoded and decoded by way of their text
		if opts.AsyncCommit || opts.Pooled {
			return nil
		}
		return syncCommit(ctx, conn)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open pool: %w", err)
	}
	return pool, nil
}

// setSession sets what each session starts with.
func setSession(conn *pgx.ConnConfig, opts Options) {
	if opts.Pooled {
		// The types of arguments and results are cached here, and the statement is parsed each
		// time. Modes that guess the types from Go's do not know those of our lists.
		conn.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
		return
	}
	if opts.AsyncCommit {
		conn.RuntimeParams["synchronous_commit"] = "off"
	}
	for name, limit := range sessionLimits {
		if _, given := conn.RuntimeParams[name]; !given {
			conn.RuntimeParams[name] = limit
		}
	}
}

// A server, database, login or the URL may have turned it off.
const sqlSyncCommit = `
select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') not in ('on', 'remote_apply')`

// syncCommit makes each commit of the session wait for the disk, which money transfers rely on.
// Stricter settings are kept.
func syncCommit(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, sqlSyncCommit); err != nil {
		return fmt.Errorf("synchronous_commit: %w", err)
	}
	return nil
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
		if refusedParameter(err) {
			return fmt.Errorf("connect: the connection goes through a pooler, which refuses settings of sessions: "+
				"connect to the server itself or, for api and worker, set DATABASE_POOLED=true: %w", err)
		}
		if rejected(err) {
			return fmt.Errorf("connect: %w", err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("connect: %w", err)
		case <-time.After(connectPause):
		}
	}
}

// rejected reports whether a running server refused the connection permanently. A server that is
// starting or has no free connection may accept it a moment later.
func rejected(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code != codeCannotConnectNow && pgErr.Code != codeTooManyConnections
}

const (
	codeCannotConnectNow   = "57P03"
	codeTooManyConnections = "53300"
)
