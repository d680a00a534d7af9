package postgres

import (
	"context"
	"io/fs"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Exported for package postgres_test, which is external because dbtest imports this package.
var (
	MigrateFrom    = migrateFrom
	ReadMigrations = readMigrations
	SCRAMVerifier  = scramVerifier
)

// ServerFacts is exported for the same reason.
type ServerFacts = serverFacts

// CheckServerFacts compares facts with what a migration needs.
func CheckServerFacts(f ServerFacts, session uint32) error { return f.check(session) }

// MigrationsLock is the key of the advisory lock.
const MigrationsLock = int64(migrationsLock)

// TryLockMigrations tries once.
func TryLockMigrations(ctx context.Context, conn *pgxpool.Conn) error {
	return lockMigrations(ctx, conn, 1)
}

// FunctionNames returns the names of the stored functions, by file.
func FunctionNames(fsys fs.FS) (map[string]string, error) {
	functions, err := readFunctions(fsys)
	names := map[string]string{}
	for _, f := range functions {
		names[f.file] = f.name
	}
	return names, err
}
