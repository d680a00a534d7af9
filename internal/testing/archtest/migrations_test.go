package archtest

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	numbered = regexp.MustCompile(`^migrations/\d{4}_[a-z0-9_]+\.sql$`)
	// makeFunction matches the statement that makes or changes a function up to what it returns.
	makeFunction = regexp.MustCompile(`(?i)\b(create\s+(or\s+replace\s+)?|alter\s+|drop\s+)(function|procedure)\b[^;$]*`)
)

// Functions are in files of their own, which every run replaces, except those of triggers, which
// the tables need before.
func TestMigrations_functions(t *testing.T) {
	t.Parallel()
	for _, name := range walk(t, ".sql") {
		if !numbered.MatchString(name) {
			continue
		}
		for _, made := range makeFunction.FindAllString(read(t, name), -1) {
			require.Contains(t, made, "returns trigger", "%s: stored functions are made in migrations/functions/*.sql", name)
		}
	}
	require.Regexp(t, makeFunction, "create or replace function ledger.post(")
	require.Regexp(t, makeFunction, "CREATE FUNCTION f()")
	require.NotRegexp(t, makeFunction, "for each statement execute function ledger.refuse_change();")
}

// Any other file would never be run.
func TestMigrations_file_names(t *testing.T) {
	t.Parallel()
	for _, name := range walk(t, ".sql") {
		if !strings.HasPrefix(name, "migrations/") || numbered.MatchString(name) {
			continue
		}
		if path.Dir(name) != "migrations/functions" {
			require.Contains(t, []string{"migrations/grants.sql", "migrations/moved.sql"}, name)
		}
	}
}
