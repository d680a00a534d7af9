package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
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

	"amanat/internal/lib/clock"
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
// migrations only. It returns ErrOtherMigrations for a database that another chain of migrations
// made.
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
	if err := migrateRiver(ctx, pool); err != nil {
		return err
	}
	if err := dropUnusedRiverIndexes(ctx, conn); err != nil {
		return err
	}
	if err := replaceFunctions(ctx, conn, functions); err != nil {
		return err
	}
	if err := runGrants(ctx, conn, string(grants)); err != nil {
		return err
	}
	return adaptMoved(ctx, conn, string(moved))
}

// migrationPool differs from Connect's pools: statements have no timeout, and unqualified names
// refer to schema public for any owner.
func migrationPool(ctx context.Context, ownerURL string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(ownerURL)
	if err != nil {
		return nil, fmt.Errorf("database URL: %w", err)
	}
	config.MaxConns = 4
	config.ConnConfig.RuntimeParams["application_name"] = "amanat migrate"
	config.ConnConfig.RuntimeParams["search_path"] = "public"
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

// ErrOtherMigrations is returned for a database whose migrations differ from those of this program.
var ErrOtherMigrations = errors.New("the database's migrations differ from those of this program")

type appliedMigration struct {
	Version  int
	Name     string
	Checksum string
}

const sqlApplied = "select version, name, checksum from public.schema_migrations order by version"

// missingMigrations returns the files that a database lacks. It fails with ErrOtherMigrations
// unless what the database has is the beginning of this program's.
func missingMigrations(ctx context.Context, db Querier, files []migration) ([]migration, error) {
	rows, _ := db.Query(ctx, sqlApplied) // CollectRows returns its error
	applied, err := pgx.CollectRows(rows, pgx.RowToStructByName[appliedMigration])
	if err != nil {
		return nil, fmt.Errorf("schema_migrations: %w", err)
	}
	for i, row := range applied {
		if i >= len(files) || row != (appliedMigration{files[i].version, files[i].name, files[i].checksum}) {
			return nil, fmt.Errorf("%w: it has another %04d_%s", ErrOtherMigrations, row.Version, row.Name)
		}
	}
	return files[len(applied):], nil
}

const sqlRecordApplied = `
insert into public.schema_migrations (version, name, checksum, applied_at) values (@version, @name, @checksum, @now)`

// applyMigrations applies each file that the database lacks in a transaction of its own.
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
	missing, err := missingMigrations(ctx, conn, files)
	if err != nil {
		return err
	}
	for _, file := range missing {
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, file.sql); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, sqlRecordApplied, pgx.NamedArgs{
				"version": file.version, "name": file.name, "checksum": file.checksum, "now": clock.System{}.Now(),
			})
			return err
		})
		if err != nil {
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
