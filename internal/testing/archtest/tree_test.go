// Package archtest checks architecture rules that no linter can check: which files contain SQL and
// whose clock it uses, what each binary links, and that a rule of .golangci.yaml covers every
// package. It has tests only.
package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "amanat"

// goFile is a Go file that is not a test.
type goFile struct {
	path     string // from the root of the repository, as "internal/domain/deals/store.go"
	imports  []string
	literals []literal
	syntax   *ast.File
	set      *token.FileSet
}

func (f goFile) dir() string { return path.Dir(f.path) }

func (f goFile) line(node ast.Node) int { return f.set.Position(node.Pos()).Line }

type literal struct {
	text string
	line int
	// whole is the text of the concatenation that the literal is part of, with the names of its
	// other operands.
	whole string
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", ".."))
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(dir, "go.mod"))
	return dir
}

// goFiles parses all Go files of the repository except tests.
func goFiles(t *testing.T) []goFile {
	t.Helper()
	var files []goFile
	for _, name := range walk(t, ".go") {
		if !strings.HasSuffix(name, "_test.go") {
			files = append(files, parseFile(t, name))
		}
	}
	require.NotEmpty(t, files)
	return files
}

// walk returns the files of the repository with an extension, except test data and the mutants,
// whose texts are code with faults.
func walk(t *testing.T, extension string) []string {
	t.Helper()
	return slices.DeleteFunc(repository(t), func(name string) bool {
		return path.Ext(name) != extension || strings.Contains(name, "/testdata/") || strings.HasPrefix(name, "tools/mutants/")
	})
}

func parseFile(t *testing.T, name string) goFile {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, filepath.Join(root(t), name), nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	file := goFile{path: name, syntax: parsed, set: set}
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		require.NoError(t, err)
		file.imports = append(file.imports, imported)
	}
	whole := map[*ast.BasicLit]string{}
	ast.Inspect(parsed, func(node ast.Node) bool {
		if sum, ok := node.(*ast.BinaryExpr); ok && sum.Op == token.ADD {
			text, parts := joined(sum)
			for _, part := range parts {
				if _, inner := whole[part]; !inner {
					whole[part] = text
				}
			}
			return true
		}
		basic, ok := node.(*ast.BasicLit)
		if !ok || basic.Kind != token.STRING {
			return true
		}
		text := unquoted(basic)
		all, ok := whole[basic]
		if !ok {
			all = text
		}
		file.literals = append(file.literals, literal{text: text, line: file.line(basic), whole: all})
		return true
	})
	return file
}

// joined returns the text of a concatenation, with identifiers as they are in the code, and its
// literals.
func joined(expr ast.Expr) (string, []*ast.BasicLit) {
	switch e := expr.(type) {
	case *ast.BinaryExpr:
		left, parts := joined(e.X)
		right, more := joined(e.Y)
		return left + right, append(parts, more...)
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			return unquoted(e), []*ast.BasicLit{e}
		}
	case *ast.Ident:
		return e.Name, nil
	case *ast.SelectorExpr:
		if of, ok := e.X.(*ast.Ident); ok {
			return of.Name + "." + e.Sel.Name, nil
		}
	}
	return "", nil
}

func unquoted(lit *ast.BasicLit) string {
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		panic(err) // it was parsed as a literal
	}
	return text
}

func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root(t), name))
	require.NoError(t, err)
	return string(content)
}

// exists reports whether a file or folder of the repository matches the pattern. The root is "".
func exists(t *testing.T, pattern string) bool {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(root(t), pattern))
	require.NoError(t, err)
	return len(found) > 0
}

// excepted reports whether a table of exceptions, keyed by file or folder, contains the file. It
// fails if an exception is not there any more.
func excepted(t *testing.T, exceptions map[string]string, name string) bool {
	t.Helper()
	found := false
	for prefix := range exceptions {
		require.True(t, exists(t, prefix), "no file or folder is named %s", prefix)
		found = found || name == prefix || strings.HasPrefix(name, prefix+"/")
	}
	return found
}
