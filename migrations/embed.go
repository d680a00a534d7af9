// Package migrations holds the schema: NNNN_name.sql, each applied once and in order; then, every time, functions/*.sql, one stored
// function each, grants.sql and moved.sql. A function is changed in its file and nowhere else: numbered files make none. schema.sql shows
// what comes of all of them, for readers; `make generate` writes it.
package migrations

import "embed"

// FS holds the SQL files that are run.
//
//go:embed [0-9]*.sql functions/*.sql grants.sql moved.sql
var FS embed.FS
