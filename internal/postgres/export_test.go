package postgres

// What the tests of package postgres_test look at from outside: dbtest, which they need, imports this package.
var (
	MigrateFrom    = migrateFrom
	ReadMigrations = readMigrations
	SCRAMVerifier  = scramVerifier
)
