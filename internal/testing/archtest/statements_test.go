package archtest

import (
	"go/ast"
	"go/token"
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// driverCalls are the methods of pgx that run a statement. They take a context and at least one
// more argument, unlike url.URL.Query and the pipelines of Redis.
var driverCalls = []string{"Query", "QueryRow", "Exec", "SendBatch", "CopyFrom"}

// callDriver lists packages that may run unnamed statements, with the reason.
var callDriver = map[string]string{
	"internal/lib/postgres":        "it holds the helpers that name them; migrations say which file failed",
	"internal/devtools/localstack": "makes the local stack's database before there is one to connect to",
	"internal/testing/dbtest":      "arranges databases for tests, whose failures show the line",
}

// namedStatement are the functions of package postgres whose first argument is a statement name.
var namedStatement = []string{"Query", "QueryAs", "Command"}

var statementName = regexp.MustCompile(`^[a-z]+\.[a-z][a-z0-9_]*$`)

// Errors of statements that are run directly by the driver do not name the statement.
func TestStatements_run_by_postgres_package(t *testing.T) {
	t.Parallel()
	for _, file := range goFiles(t) {
		if excepted(t, callDriver, file.path) {
			continue
		}
		for call := range calls(file.syntax) {
			method, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains(driverCalls, method.Sel.Name) || len(call.Args) < 2 {
				continue
			}
			if of, ok := method.X.(*ast.Ident); ok && of.Name == "postgres" {
				continue
			}
			t.Errorf("%s:%d: %s without the statement's name: make it with postgres.Query or Command",
				file.path, file.line(call), method.Sel.Name)
		}
	}
}

// Each name identifies one statement and starts with its package.
func TestStatements_names(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, file := range goFiles(t) {
		if excepted(t, callDriver, file.path) {
			continue
		}
		for _, name := range statementNames(t, file) {
			at := file.path + ": " + name
			require.Regexp(t, statementName, name, "%s: a statement's name is package.what_it_does", file.path)
			require.Equal(t, path.Base(file.dir()), strings.Split(name, ".")[0], "%s: the name begins with the package", at)
			require.Empty(t, seen[name], "%s is the name of two statements", at)
			seen[name] = at
		}
	}
	require.Greater(t, len(seen), 150, "statements are no longer recognised")
}

// statementNames returns the statement names in the file: the first arguments of postgres.Query and
// its like, or the third ones of functions that pass them on.
func statementNames(t *testing.T, file goFile) []string {
	t.Helper()
	var names []string
	for call := range calls(file.syntax) {
		direct, place := isNamedStatement(call), 2
		if direct {
			place = 0
		}
		if len(call.Args) <= place {
			continue
		}
		switch name := call.Args[place].(type) {
		case *ast.BasicLit:
			if name.Kind == token.STRING && (direct || statementName.MatchString(unquoted(name))) {
				names = append(names, unquoted(name))
			}
		// A parameter, possibly with a suffix.
		case *ast.Ident, *ast.BinaryExpr:
			text, _ := joined(name)
			require.True(t, !direct || strings.HasPrefix(text, "name"),
				"%s:%d: a statement's name is written out at the call, or a parameter `name`", file.path, file.line(call))
		default:
			require.False(t, direct, "%s:%d: a statement's name is written out at the call", file.path, file.line(call))
		}
	}
	return names
}

func isNamedStatement(call *ast.CallExpr) bool {
	fun := call.Fun
	switch generic := fun.(type) {
	case *ast.IndexExpr:
		fun = generic.X
	case *ast.IndexListExpr:
		fun = generic.X
	}
	selector, ok := fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains(namedStatement, selector.Sel.Name) {
		return false
	}
	of, ok := selector.X.(*ast.Ident)
	return ok && of.Name == "postgres"
}

func calls(file *ast.File) iter.Seq[*ast.CallExpr] {
	return func(yield func(*ast.CallExpr) bool) {
		done := false
		ast.Inspect(file, func(node ast.Node) bool {
			if call, ok := node.(*ast.CallExpr); ok && !done {
				done = !yield(call)
			}
			return !done
		})
	}
}
