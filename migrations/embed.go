// Package migrations holds the schema: NNNN_name.sql, each applied once and in order; grants.sql and moved.sql, run after them every time.
package migrations

import "embed"

// FS holds the SQL files.
//
//go:embed *.sql
var FS embed.FS
