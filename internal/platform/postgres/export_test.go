package postgres

import "io/fs"

// What the tests of package postgres_test look at from outside: dbtest, which they need, imports
// this package.
var (
	MigrateFrom    = migrateFrom
	ReadMigrations = readMigrations
	SCRAMVerifier  = scramVerifier
)

// FunctionNames returns the names of the stored functions, by file.
func FunctionNames(fsys fs.FS) (map[string]string, error) {
	functions, err := readFunctions(fsys)
	names := map[string]string{}
	for _, f := range functions {
		names[f.file] = f.name
	}
	return names, err
}
