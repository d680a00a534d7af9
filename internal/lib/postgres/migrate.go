package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"log/slog"
	"regexp"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"amanat/migrations"
)

// RiverSchema is the schema of the job queue's tables. Every River client must be configured with
// it.
const RiverSchema = "river"

// RiverJobs is the table of River's jobs, for SQL. River writes times of the machine's clock.
const RiverJobs = RiverSchema + ".river_job"

// UnusedRiverIndexes returns the names of River's indexes on the arguments and metadata of jobs. No
// query uses them, and each of the three versions of a job's row would be inserted into both, so
// Migrate drops them. A River client that reindexes must leave them out.
func UnusedRiverIndexes() []string {
	return []string{"river_job_args_index", "river_job_metadata_index"}
}

const (
	grantsFile     = "grants.sql"
	movedFile      = "moved.sql"
	migrationsLock = 0x616d616e61742e6d // "amanat.m": one migration run at a time per database
	migrateClose   = 5 * time.Second
)

// Migrate brings a database to the schema of this binary: the two logins with the limits of their
// sessions, migrations/NNNN_name.sql in order, River's own tables and, on every run,
// functions/*.sql, grants.sql, and moved.sql, which adapts a database restored from a dump to its
// new cluster. ownerURL logs in as the owner of the database with the right to create roles.
// Migrate is idempotent and safe for concurrent use; a run that fails midway has applied whole
// migrations only, except that one without a transaction runs again from its beginning. It fails if
// an applied file was changed later, or if the database has migrations that this binary does not
// know.
func Migrate(ctx context.Context, ownerURL string, roles Roles) error {
	return migrateFrom(ctx, migrations.FS, ownerURL, roles)
}

func migrateFrom(ctx context.Context, fsys fs.FS, ownerURL string, roles Roles) error {
	files, err := readMigrations(fsys)
	if err != nil {
		return err
	}
	functions, err := readFunctions(fsys)
	if err != nil {
		return err
	}
	grants, err := fs.ReadFile(fsys, grantsFile)
	if err != nil {
		return err
	}
	moved, err := fs.ReadFile(fsys, movedFile)
	if err != nil {
		return err
	}
	pool, err := migrationPool(ctx, ownerURL)
	if err != nil {
		return err
	}
	defer pool.Close()

	conn, err := pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer releaseLock(ctx, conn)
	if err := checkServer(ctx, conn); err != nil {
		return err
	}
	if err := lockMigrations(ctx, conn, lockAttempts); err != nil {
		return err
	}
	if err := ensureRoles(ctx, conn, roles); err != nil {
		return err
	}
	if err := limitRoles(ctx, conn); err != nil {
		return err
	}
	if err := applyMigrations(ctx, conn, files); err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error { return migrateRiver(ctx, pool) },
		func() error { return dropUnusedRiverIndexes(ctx, conn) },
		func() error { return replaceFunctions(ctx, conn, functions) },
		func() error { return runGrants(ctx, conn, string(grants)) },
		func() error { return adaptMoved(ctx, conn, string(moved)) },
	} {
		if err := retryLocked(ctx, migrateAttempts, step); err != nil {
			return err
		}
	}
	return nil
}

// migrationPool differs from Connect's pools: statements have no timeout, but wait for locks as
// briefly as migrations do, and unqualified names refer to schema public for any owner.
func migrationPool(ctx context.Context, ownerURL string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(ownerURL)
	if err != nil {
		return nil, fmt.Errorf("database URL: %w", err)
	}
	config.MaxConns = 4
	config.ConnConfig.RuntimeParams["application_name"] = "amanat migrate"
	config.ConnConfig.RuntimeParams["search_path"] = "public"
	config.ConnConfig.RuntimeParams["lock_timeout"] = strconv.FormatInt(migrateLock.Milliseconds(), 10)
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

// releaseLock closes the session, which releases its lock, even if ctx has ended.
func releaseLock(ctx context.Context, conn *pgxpool.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), migrateClose)
	defer cancel()
	_ = conn.Hijack().Close(ctx)
}

type migration struct {
	version  int
	name     string
	sql      string
	checksum string
}

var migrationName = regexp.MustCompile(`^(\d{4})_([a-z0-9_]+)\.sql$`)

// readMigrations returns the numbered files in order. Numbers start at 1 without gaps, which
// detects duplicate numbers and files forgotten in a merge.
func readMigrations(fsys fs.FS) ([]migration, error) {
	entries, err := fs.ReadDir(fsys, ".") // sorted by name
	if err != nil {
		return nil, err
	}
	var list []migration
	for _, entry := range entries {
		if entry.IsDir() || entry.Name() == grantsFile || entry.Name() == movedFile {
			continue
		}
		match := migrationName.FindStringSubmatch(entry.Name())
		if match == nil {
			return nil, fmt.Errorf("migration %s: name is not NNNN_name.sql", entry.Name())
		}
		version, err := strconv.Atoi(match[1])
		if err != nil {
			return nil, err
		}
		if version != len(list)+1 {
			return nil, fmt.Errorf("migration %s: number %04d expected", entry.Name(), len(list)+1)
		}
		sql, err := fs.ReadFile(fsys, entry.Name())
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(sql)
		list = append(list, migration{version, match[2], string(sql), hex.EncodeToString(sum[:])})
	}
	return list, nil
}

type appliedMigration struct {
	Version  int
	Checksum string
}

func applyMigrations(ctx context.Context, conn *pgxpool.Conn, files []migration) error {
	_, err := conn.Exec(ctx, `create table if not exists public.schema_migrations (
		version    integer primary key,
		name       text not null,
		checksum   text not null,
		applied_at timestamptz not null
	)`)
	if err != nil {
		return fmt.Errorf("schema_migrations: %w", err)
	}
	rows, err := conn.Query(ctx, "select version, checksum from public.schema_migrations order by version")
	if err != nil {
		return fmt.Errorf("schema_migrations: %w", err)
	}
	applied, err := pgx.CollectRows(rows, pgx.RowToStructByName[appliedMigration])
	if err != nil {
		return fmt.Errorf("schema_migrations: %w", err)
	}
	done := make(map[int]bool, len(applied))
	for _, row := range applied {
		if row.Version > len(files) {
			return fmt.Errorf("database has migration %04d, which this binary does not know: use a newer one", row.Version)
		}
		if file := files[row.Version-1]; file.checksum != row.Checksum {
			return fmt.Errorf("migration %04d_%s was changed after it had been applied", file.version, file.name)
		}
		done[row.Version] = true
	}
	for _, file := range files {
		if done[file.version] {
			continue
		}
		if err := applyMigration(ctx, conn, file); err != nil {
			return fmt.Errorf("migration %04d_%s: %w", file.version, file.name, err)
		}
	}
	return nil
}

// migrateRiver applies River's own migrations, each in a transaction: what has been applied when
// one fails is not applied again.
func migrateRiver(ctx context.Context, pool *pgxpool.Pool) error {
	if _, err := pool.Exec(ctx, "create schema if not exists "+RiverSchema); err != nil {
		return fmt.Errorf("schema %s: %w", RiverSchema, err)
	}
	migrator, err := riverMigrator(pool)
	if err != nil {
		return err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("job queue: %w", err)
	}
	return nil
}

// dropUnusedRiverIndexes uses conn, whose lock timeout bounds how long workers wait behind it.
func dropUnusedRiverIndexes(ctx context.Context, conn *pgxpool.Conn) error {
	for _, index := range UnusedRiverIndexes() {
		if _, err := conn.Exec(ctx, "drop index if exists "+pgx.Identifier{RiverSchema, index}.Sanitize()); err != nil {
			return fmt.Errorf("drop %s: %w", index, err)
		}
	}
	return nil
}

func riverMigrator(pool *pgxpool.Pool) (*rivermigrate.Migrator[pgx.Tx], error) {
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{
		Logger: slog.New(slog.DiscardHandler), // failures are returned as errors
		Schema: RiverSchema,
	})
	if err != nil {
		return nil, fmt.Errorf("job queue: %w", err)
	}
	return migrator, nil
}

// runGrants revokes and grants in one transaction, so that no privilege is missing in between.
// Grants in several databases of one cluster may touch one row of a shared catalog, so a concurrent
// update is retried.
func runGrants(ctx context.Context, conn *pgxpool.Conn, sql string) error {
	var err error
	for range roleAttempts {
		err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, sql)
			return err
		})
		if !isConcurrentUpdate(err) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", grantsFile, err)
	}
	return nil
}

// adaptMoved runs the statements for a database that was moved into another cluster.
func adaptMoved(ctx context.Context, conn *pgxpool.Conn, sql string) error {
	if _, err := conn.Exec(ctx, sql); err != nil {
		return fmt.Errorf("%s: %w", movedFile, err)
	}
	return nil
}
