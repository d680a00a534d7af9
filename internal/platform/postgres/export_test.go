package postgres

import "io/fs"

// Exported for package postgres_test, which is external because dbtest imports this package.
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
