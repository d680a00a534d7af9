package archtest

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// lastWithFunctions is the last numbered migration that may define stored functions; later
// functions are defined in migrations/functions.
const lastWithFunctions = "0019"

var (
	numbered     = regexp.MustCompile(`^migrations/(\d{4})_[a-z0-9_]+\.sql$`)
	makeFunction = regexp.MustCompile(`(?i)\bcreate\s+(or\s+replace\s+)?(function|procedure)\b|\b(alter|drop)\s+(function|procedure)\b`)
)

// Every run of migrations/functions would overwrite a function that a numbered file changed.
func TestMigrations_functions(t *testing.T) {
	t.Parallel()
	for _, name := range walk(t, ".sql") {
		match := numbered.FindStringSubmatch(name)
		if match == nil || match[1] <= lastWithFunctions {
			continue
		}
		require.NotRegexp(t, makeFunction, read(t, name), "%s: stored functions are made in migrations/functions/*.sql", name)
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
			require.Contains(t, []string{"migrations/grants.sql", "migrations/moved.sql", "migrations/schema.sql"}, name)
		}
	}
}
