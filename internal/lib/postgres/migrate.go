package postgres

import (
	"context"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
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

const functionsDir = "functions"

// storedFunction is a file of migrations/functions, which creates or replaces a function.
type storedFunction struct {
	file string
	name string // schema-qualified, such as ledger.post
	sql  string
}

var functionName = regexp.MustCompile(`(?m)^create or replace function ([a-z_]+\.[a-z_]+)\s*\(`)

// readFunctions returns the files of the stored functions, sorted by name. Each file creates one
// function and is named after it. There may be none.
func readFunctions(fsys fs.FS) ([]storedFunction, error) {
	entries, err := fs.ReadDir(fsys, functionsDir) // sorted by name
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list := make([]storedFunction, len(entries))
	for i, entry := range entries {
		file := path.Join(functionsDir, entry.Name())
		sql, err := fs.ReadFile(fsys, file)
		if err != nil {
			return nil, err
		}
		made := functionName.FindAllStringSubmatch(string(sql), -1)
		if len(made) != 1 {
			return nil, fmt.Errorf("%s: has %d times `create or replace function schema.name(`, not once", file, len(made))
		}
		list[i] = storedFunction{file: file, name: made[0][1], sql: string(sql)}
	}
	return list, nil
}

// replaceFunctions creates or replaces all functions in one transaction. A function keeps its owner
// and its privileges.
func replaceFunctions(ctx context.Context, conn *pgxpool.Conn, functions []storedFunction) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		for _, f := range functions {
			if _, err := tx.Exec(ctx, f.sql); err != nil {
				return fmt.Errorf("%s: %w", f.file, err)
			}
		}
		return nil
	})
}

const sqlMissingFunctions = `
select n.name from unnest($1::text[]) as n (name)
 where not exists (select from pg_proc p join pg_namespace s on s.oid = p.pronamespace where s.nspname || '.' || p.proname = n.name)
 order by n.name`

// validateFunctions fails if a function that this binary knows does not exist. It cannot tell
// whether the function has this version: a change that a binary relies on needs a new name.
func validateFunctions(ctx context.Context, pool *pgxpool.Pool, functions []storedFunction) error {
	names := make([]string, len(functions))
	for i, f := range functions {
		names[i] = f.name
	}
	rows, _ := pool.Query(ctx, sqlMissingFunctions, names) // CollectRows returns its error
	missing, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("functions: %w", err)
	}
	if len(missing) > 0 {
		return fmt.Errorf("function %s is missing: run `amanat migrate`", missing[0])
	}
	return nil
}

// Names of the logins that Migrate creates. Their privileges are in migrations/grants.sql.
const (
	APIRole    = "amanat_api"
	WorkerRole = "amanat_worker"
)

// Roles holds the passwords of the two logins, in printable ASCII.
type Roles struct {
	APIPassword    string
	WorkerPassword string
}

// ensureRoles creates the logins or sets their passwords. Roles belong to the whole cluster, so
// migrations of several databases may change them concurrently. An advisory lock belongs to one
// database and would not prevent that, so a failed attempt is retried.
func ensureRoles(ctx context.Context, db Querier, roles Roles) error {
	for _, role := range []struct{ name, password string }{
		{APIRole, roles.APIPassword},
		{WorkerRole, roles.WorkerPassword},
	} {
		verifier, err := scramVerifier(role.password)
		if err != nil {
			return fmt.Errorf("password of role %s: %w", role.name, err)
		}
		err = ensureRole(ctx, db, role.name, verifier)
		if hasCode(err, codeInsufficientPrivilege) {
			return fmt.Errorf("role %s: %w: the owner of the database needs CREATEROLE, and ADMIN OPTION on the role if somebody else "+
				"created it (docs/deployment.md#what-is-needed)", role.name, err)
		}
		if err != nil {
			return fmt.Errorf("role %s: %w", role.name, err)
		}
	}
	return nil
}

const (
	roleAttempts = 20
	rolePause    = 25 * time.Millisecond
)

// ensureRole runs outside a transaction, so that a failed attempt leaves none aborted. name and
// verifier contain no characters that need quoting.
func ensureRole(ctx context.Context, db Querier, name, verifier string) error {
	var err error
	for range roleAttempts {
		_, err = db.Exec(ctx, fmt.Sprintf("create role %s login password '%s'", name, verifier))
		if hasCode(err, codeDuplicateObject) {
			_, err = db.Exec(ctx, fmt.Sprintf("alter role %s login password '%s'", name, verifier))
		}
		if !isConcurrentUpdate(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rolePause):
		}
	}
	return err
}

const (
	codeDuplicateObject       = "42710"
	codeInsufficientPrivilege = "42501"
	codeInternalError         = "XX000"
)

func hasCode(err error, code string) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == code
}

// isConcurrentUpdate reports whether another session changed the same row of a shared catalog.
// PostgreSQL has no error code of its own for that.
func isConcurrentUpdate(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && (pgErr.Code == codeUniqueViolation ||
		pgErr.Code == codeInternalError && strings.Contains(pgErr.Message, "concurrently"))
}

const (
	scramIterations = 4096
	scramSaltBytes  = 16
)

// scramVerifier returns the SCRAM verifier that PostgreSQL would store for the password (RFC 5803).
// Sending it instead of the password keeps the password out of the server's log.
func scramVerifier(password string) (string, error) {
	if password == "" {
		return "", errors.New("is empty")
	}
	for _, c := range []byte(password) {
		if c < ' ' || c > '~' {
			return "", errors.New("must be printable ASCII")
		}
	}
	salt := make([]byte, scramSaltBytes)
	_, _ = rand.Read(salt) // never fails
	salted, err := pbkdf2.Key(sha256.New, password, salt, scramIterations, sha256.Size)
	if err != nil {
		return "", err
	}
	storedKey := sha256.Sum256(hmacSHA256(salted, "Client Key"))
	encode := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("SCRAM-SHA-256$%d:%s$%s:%s",
		scramIterations, encode(salt), encode(storedKey[:]), encode(hmacSHA256(salted, "Server Key"))), nil
}

func hmacSHA256(key []byte, message string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(message))
	return mac.Sum(nil)
}
