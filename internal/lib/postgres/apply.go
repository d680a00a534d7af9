package postgres

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/lib/clock"
)

// While a migration waits for a lock on a table, all later statements on the table wait behind it,
// so it waits briefly and often.
const (
	migrateLock      = time.Second
	migrateAttempts  = 30
	migrateLockPause = time.Second
)

const (
	withoutTx      = "-- no transaction\n" // the first line of a migration such as create index concurrently
	endOfStatement = ";\n"
)

const sqlRecordApplied = `
insert into public.schema_migrations (version, name, checksum, applied_at) values (@version, @name, @checksum, @now)`

func sqlLockTimeout() string {
	return fmt.Sprintf("set lock_timeout = '%dms'", migrateLock.Milliseconds())
}

// retryLocked runs a step that is undone when it fails, again while another session keeps it from
// locking a table.
func retryLocked(ctx context.Context, attempts int, step func() error) error {
	var err error
	for range attempts {
		if err = step(); !hasCode(err, codeLockNotAvailable) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(migrateLockPause):
		}
	}
	return fmt.Errorf("a table was in use during each of %d attempts; end long transactions and migrate again: %w", attempts, err)
}

func applyMigration(ctx context.Context, conn *pgxpool.Conn, file migration) error {
	if strings.HasPrefix(file.sql, withoutTx) {
		return applyWithoutTx(ctx, conn, file)
	}
	return retryLocked(ctx, migrateAttempts, func() error {
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, file.sql); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, sqlRecordApplied, appliedArgs(file))
			return err
		})
	})
}

// applyWithoutTx runs the statements one by one, each in a transaction of its own, and then records
// the migration. One that fails midway runs again from its beginning. Only statements that build or
// drop an index concurrently are allowed: they wait for locks without a limit, since others can
// read and write meanwhile.
func applyWithoutTx(ctx context.Context, conn *pgxpool.Conn, file migration) error {
	if _, err := conn.Exec(ctx, "set lock_timeout = 0"); err != nil {
		return err
	}
	for statement := range strings.SplitSeq(strings.TrimPrefix(file.sql, withoutTx), endOfStatement) {
		switch {
		case strings.TrimSpace(statement) == "":
			continue
		case !concurrently.MatchString(statement):
			return fmt.Errorf("outside of a transaction, only indexes can be built or dropped, concurrently: %s", statement)
		}
		if _, err := conn.Exec(ctx, statement); err != nil {
			return err
		}
	}
	if _, err := conn.Exec(ctx, sqlRecordApplied, appliedArgs(file)); err != nil {
		return err
	}
	_, err := conn.Exec(ctx, sqlLockTimeout())
	return err
}

var concurrently = regexp.MustCompile(`^\s*(create( unique)?|drop) index concurrently `)

func appliedArgs(file migration) pgx.NamedArgs {
	return pgx.NamedArgs{"version": file.version, "name": file.name, "checksum": file.checksum, "now": clock.System{}.Now()}
}
