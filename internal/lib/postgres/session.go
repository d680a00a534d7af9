package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
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
	list, err := Values[string](ctx, conn, "postgres.role_settings", sqlRoleSettings, pgx.NamedArgs{"role": role})
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
	facts, err := One[sessionFacts](ctx, conn, "postgres.session", sqlSessionFacts, nil)
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
