package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

const minServerVersion = 18_00_00

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
	case f.Version < minServerVersion:
		return fmt.Errorf("the server is PostgreSQL %d: 18 or newer is required", f.Version/10_000)
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
