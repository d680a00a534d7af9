package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
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
	// Grace is how long a statement may go on after its context has ended. Then its connection is
	// closed. pgx closes it at once, and a new one costs the server more than most statements, so
	// that callers who give up on a busy server make it busier.
	Grace time.Duration
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
	pool, err := Open(ctx, url, opts)
	if err != nil {
		return nil, err
	}
	if err := waitReady(ctx, pool); err != nil {
		pool.Close()
		return nil, err
	}
	return pool, nil
}

// Open is Connect without the wait: the pool connects when it is used, and only errors in the URL
// are returned.
func Open(ctx context.Context, url string, opts Options) (*pgxpool.Pool, error) {
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
	conn.BuildContextWatcherHandler = func(c *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.DeadlineContextWatcherHandler{Conn: c.Conn(), DeadlineDelay: opts.Grace}
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

const (
	codeProtocolViolation = "08P01"
	settingSyncCommit     = "synchronous_commit"
)

// refusedParameter reports whether PgBouncer refused a setting at the start of a session.
func refusedParameter(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == codeProtocolViolation && strings.Contains(pgErr.Message, "unsupported startup parameter")
}

const sqlRoleSettings = `
select unnest(setconfig) from pg_db_role_setting
 where setrole = (select oid from pg_roles where rolname = @role)
   and setdatabase = (select oid from pg_database where datname = current_database())`

// limitRoles makes the limits of sessions defaults of the two logins in this database, for sessions
// that a pooler opens. What an operator has set for a login in the database is kept, unless it
// turns a limit off. Commits wait for the disk, or for more if those of this session do.
func limitRoles(ctx context.Context, conn *pgxpool.Conn) error {
	var commit, database string
	if err := conn.QueryRow(ctx, "select current_setting('synchronous_commit'), current_database()").Scan(&commit, &database); err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	if !waitsForDisk(commit) {
		commit = "on"
	}
	for _, role := range []string{APIRole, WorkerRole} {
		given, err := roleSettings(ctx, conn, role)
		if err != nil {
			return fmt.Errorf("settings of role %s: %w", role, err)
		}
		change := "alter role " + role + " in database " + pgx.Identifier{database}.Sanitize()
		var changes []string
		for _, name := range slices.Sorted(maps.Keys(sessionLimits)) {
			if value, found := given[name]; !found || isOff(value) {
				changes = append(changes, fmt.Sprintf("%s set %s = '%s'", change, name, sessionLimits[name]))
			}
		}
		if !waitsForDisk(given[settingSyncCommit]) {
			changes = append(changes, change+" set "+settingSyncCommit+" = "+commit)
		}
		for _, sql := range changes {
			if _, err := conn.Exec(ctx, sql); err != nil {
				return fmt.Errorf("settings of role %s: %w", role, err)
			}
		}
	}
	return nil
}

// isOff reports whether a limit is 0, in whatever unit.
func isOff(limit string) bool { return strings.TrimRight(limit, " abcdefghijklmnopqrstuvwxyz") == "0" }

// roleSettings returns the settings of a role in this database.
func roleSettings(ctx context.Context, conn *pgxpool.Conn, role string) (map[string]string, error) {
	list, err := Query[string]("postgres.role_settings", sqlRoleSettings).Many(ctx, conn, Args{"role": role})
	if err != nil {
		return nil, err
	}
	settings := map[string]string{}
	for _, setting := range list {
		name, value, _ := strings.Cut(setting, "=")
		settings[name] = value
	}
	return settings, nil
}

// waitsForDisk reports whether a value of synchronous_commit makes commits wait for the disk.
func waitsForDisk(commit string) bool { return commit == "on" || commit == "remote_apply" }

type sessionFacts struct {
	Backend                             uint32
	IdleTimeout, LockTimeout, Statement string
	Commit                              string
}

const sqlSessionFacts = `
select pg_backend_pid() as backend, current_setting('idle_in_transaction_session_timeout') as idle_timeout,
       current_setting('lock_timeout') as lock_timeout, current_setting('statement_timeout') as statement,
       current_setting('synchronous_commit') as commit`

// CheckSession fails if a limit of sessions is not in force in a session of the pool, if its
// commits do not wait for the disk, or if it goes through a pooler that it was not opened for. The
// api and the worker call it before they serve.
func CheckSession(ctx context.Context, pool *pgxpool.Pool, pooled bool) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("session: %w", err)
	}
	defer conn.Release()
	facts, err := Query[sessionFacts]("postgres.session", sqlSessionFacts).One(ctx, conn, nil)
	if err != nil {
		return err
	}
	return facts.check(conn.Conn().PgConn().PID(), pooled)
}

// check compares the facts with what is needed. session is the server's process that the connection
// was told it has: poolers make up one of their own.
func (f sessionFacts) check(session uint32, pooled bool) error {
	if f.Backend != session && !pooled {
		return errors.New("the connections go through a pooler, which loses the settings of sessions: " +
			"set DATABASE_POOLED=true, or connect to the server itself")
	}
	for name, value := range map[string]string{
		"idle_in_transaction_session_timeout": f.IdleTimeout, "lock_timeout": f.LockTimeout, "statement_timeout": f.Statement,
	} {
		if value == "0" {
			return fmt.Errorf("%s is off in the sessions of this login: run `amanat migrate`, which sets it, "+
				"and have the pooler open new connections", name)
		}
	}
	if !waitsForDisk(f.Commit) {
		return fmt.Errorf("synchronous_commit is %s in the sessions of this login, so that payments could be lost: "+
			"run `amanat migrate`, which turns it on, and have the pooler open new connections", f.Commit)
	}
	return nil
}

// MinServer is the oldest major version of PostgreSQL that Amanat runs on.
const MinServer = 18

// serverFacts is what a migration needs to know of its server, database and session.
type serverFacts struct {
	Version  int
	Encoding string
	Letters  int    // that the locale finds in a Bangla word; one that knows ASCII only finds none
	Backend  uint32 // the server's process of this session
}

// pg_trgm, which may not be installed yet, takes the same characters for letters as regular
// expressions do.
const sqlServerFacts = `
select current_setting('server_version_num')::int as version,
       pg_encoding_to_char(encoding) as encoding,
       (select count(*)::int from regexp_matches('আমানত', '[[:alpha:]]', 'g')) as letters,
       pg_backend_pid() as backend
  from pg_database where datname = current_database()`

// checkServer fails if the server is too old, the database cannot hold or search Bangla, or the
// connection goes through a pooler, before anything has been changed.
func checkServer(ctx context.Context, conn *pgxpool.Conn) error {
	var f serverFacts
	if err := conn.QueryRow(ctx, sqlServerFacts).Scan(&f.Version, &f.Encoding, &f.Letters, &f.Backend); err != nil {
		return fmt.Errorf("server: %w", err)
	}
	return f.check(conn.Conn().PgConn().PID())
}

// check compares the facts with what is needed. session is the server's process that the connection
// was told it has: poolers make up one of their own.
func (f serverFacts) check(session uint32) error {
	switch {
	case f.Version < MinServer*10_000:
		return fmt.Errorf("the server is PostgreSQL %d: %d or newer is required", f.Version/10_000, MinServer)
	case f.Encoding != "UTF8":
		return fmt.Errorf("the database has the encoding %s: create it with encoding UTF8", f.Encoding)
	case f.Letters == 0:
		return errors.New("the database's locale knows no Bangla letters, so that posts in Bangla could not be found: " +
			"create it with a locale such as C.UTF-8, in PostgreSQL 18 with locale_provider builtin")
	case f.Backend != session:
		return errors.New("the connection goes through a pooler, where a session's locks and settings get lost: " +
			"give the migration the server's own address")
	}
	return nil
}

const (
	lockAttempts = 600 // a minute
	lockPause    = 100 * time.Millisecond
)

const sqlMigrationsLock = `select pg_try_advisory_lock($1)`

const sqlMigrationsLockHolder = `
select coalesce((select format('pid %s, %s', l.pid, coalesce(nullif(a.application_name, ''), 'unnamed'))
                   from pg_locks l left join pg_stat_activity a using (pid)
                  where l.locktype = 'advisory' and l.granted and (l.classid::bigint << 32) + l.objid::bigint = $1
                    and l.database = (select oid from pg_database where datname = current_database())
                  limit 1), 'gone')`

// lockMigrations waits for another migration of the database, which it names when it gives up.
func lockMigrations(ctx context.Context, conn *pgxpool.Conn, attempts int) error {
	for range attempts {
		var locked bool
		if err := conn.QueryRow(ctx, sqlMigrationsLock, int64(migrationsLock)).Scan(&locked); err != nil {
			return fmt.Errorf("migrations lock: %w", err)
		}
		if locked {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("migrations lock: %w", ctx.Err())
		case <-time.After(lockPause):
		}
	}
	var holder string
	if err := conn.QueryRow(ctx, sqlMigrationsLockHolder, int64(migrationsLock)).Scan(&holder); err != nil {
		return fmt.Errorf("migrations lock: %w", err)
	}
	return fmt.Errorf("another migration of this database is running (%s)", holder)
}
