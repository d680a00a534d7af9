package config

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the tables of docs/configuration.md")

const configurationDoc = "../../../docs/configuration.md"

// docs/configuration.md has tables of structs of this package: the tags of their fields have names
// and defaults, and the comments what they do.
func TestConfiguration_document(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(configurationDoc)
	require.NoError(t, err)
	document := string(content)
	for name, fields := range structs(t, "config.go", "load.go", "limits.go") {
		start, end := "<!-- "+name+" -->\n", "<!-- end -->"
		before, rest, found := strings.Cut(document, start)
		if !found {
			continue
		}
		_, after, found := strings.Cut(rest, end)
		require.True(t, found, name)
		document = before + start + table(t, fields) + end + after
	}
	if *update {
		require.NoError(t, os.WriteFile(configurationDoc, []byte(document), 0o600))
		return
	}
	require.Equal(t, string(content), document, "run make generate")
	for _, process := range []reflect.Type{
		reflect.TypeFor[API](), reflect.TypeFor[Worker](), reflect.TypeFor[Migrate](), reflect.TypeFor[Local](),
	} {
		for _, field := range reflect.VisibleFields(process) {
			if name, _, _ := strings.Cut(field.Tag.Get("env"), ","); name != "" {
				require.Contains(t, document, "| `"+name+"` |", "%s of %s has no row", name, process)
			}
		}
	}
	for _, name := range limitNames() {
		require.Contains(t, document, "| `"+name+"` |")
	}
}

// structs returns the fields of each struct that is declared in the files.
func structs(t *testing.T, files ...string) map[string][]*ast.Field {
	t.Helper()
	found := map[string][]*ast.Field{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(node ast.Node) bool {
			if spec, ok := node.(*ast.TypeSpec); ok {
				if fields, ok := spec.Type.(*ast.StructType); ok {
					found[spec.Name.Name] = fields.Fields.List
				}
			}
			return true
		})
	}
	return found
}

var (
	docLink  = regexp.MustCompile(`docs/([a-z]+\.md)(#([\w-]+))?`)
	variable = regexp.MustCompile(`\b[A-Z]+(_[A-Z0-9]+)+\b`)
)

// table returns the rows of the fields that have a name.
func table(t *testing.T, fields []*ast.Field) string {
	t.Helper()
	rows := "| name | default | |\n|---|---|---|\n"
	for _, field := range fields {
		if field.Tag == nil {
			continue
		}
		text, err := strconv.Unquote(field.Tag.Value)
		require.NoError(t, err)
		tag := reflect.StructTag(text)
		name, options, _ := strings.Cut(tag.Get("env"), ",")
		fallback := tag.Get("envDefault")
		if limit := tag.Get("limit"); limit != "" {
			name, fallback = limit, tag.Get("default")
		}
		if fallback != "" {
			fallback = "`" + fallback + "`"
		}
		if strings.HasPrefix(options, "required") {
			fallback = "required"
		}
		doc := strings.TrimSpace(strings.ReplaceAll(field.Doc.Text(), "\n", " "))
		require.NotEmpty(t, doc, "%s has no comment", name)
		doc = variable.ReplaceAllString(doc, "`$0`")
		doc = docLink.ReplaceAllString(doc, "[$1]($1$2)")
		rows += fmt.Sprintf("| `%s` | %s | %s |\n", name, fallback, doc)
	}
	return strings.ReplaceAll(rows, "|  |", "| |")
}
