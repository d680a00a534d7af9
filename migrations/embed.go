// Package migrations contains the schema. NNNN_name.sql are applied once, in order; then, at every
// run, functions/*.sql, each with one stored function, grants.sql and moved.sql.
package migrations

import "embed"

// FS holds the SQL files that are run.
//
//go:embed [0-9]*.sql functions/*.sql grants.sql moved.sql
var FS embed.FS
