package archtest

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

const (
	maxColumns = 100
	tabWidth   = 4
)

// scriptMarks also match the lines of block comments.
const scriptMarks = "// /* * {/*"

// commentMarks are the comment prefixes by file extension or name, separated by spaces.
var commentMarks = map[string]string{
	".go": "//", ".sql": "--", ".sh": "#", ".yaml": "#", ".yml": "#",
	".ts": scriptMarks, ".tsx": scriptMarks, ".js": scriptMarks, ".css": scriptMarks,
	"Makefile": "#", "Dockerfile": "#", "run": "#",
}

// uncheckedColumns are files whose lines may have any length, with the reason.
var uncheckedColumns = map[string]string{
	"docs/third-party-licences.md": "is generated",
}

// unbreakable matches lines of Markdown that cannot be wrapped: tables, links, images and
// single words.
var unbreakable = regexp.MustCompile(`^\s*\||^\S+$|^\s*[-*] +\S+$|https?://|<img |!\[`)

// columns returns the width of a line with tabs of four columns.
func columns(line string) int {
	return utf8.RuneCountInString(line) + (tabWidth-1)*strings.Count(line, "\t")
}

// directive matches comments for a tool, which must be on one line.
var directive = regexp.MustCompile(`^//(go:|nolint:| oxlint-| biome-)`)

// isComment reports whether a line without its indentation starts with one of the marks.
func isComment(line, marks string) bool {
	return slices.ContainsFunc(strings.Fields(marks), func(mark string) bool {
		return strings.HasPrefix(line, mark)
	})
}

// Line length of code is checked by golangci-lint (lll).
func TestColumns_comments(t *testing.T) {
	t.Parallel()
	for _, name := range repository(t) {
		marks := cmp.Or(commentMarks[path.Ext(name)], commentMarks[path.Base(name)])
		if marks == "" || strings.Contains(name, ".gen.") {
			continue
		}
		for number, line := range linesOf(t, name) {
			comment := strings.TrimLeft(line, " \t")
			if isComment(comment, marks) && !directive.MatchString(comment) && columns(line) > maxColumns {
				t.Errorf("%s:%d: the comment is wider than %d columns", name, number+1, maxColumns)
			}
		}
	}
}

func TestColumns_prose(t *testing.T) {
	t.Parallel()
	for _, name := range repository(t) {
		if path.Ext(name) != ".md" || uncheckedColumns[name] != "" {
			continue
		}
		fenced := false
		for number, line := range linesOf(t, name) {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				fenced = !fenced
			}
			if !fenced && columns(line) > maxColumns && !unbreakable.MatchString(line) {
				t.Errorf("%s:%d: the line is wider than %d columns", name, number+1, maxColumns)
			}
		}
	}
}

func linesOf(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), name))
	require.NoError(t, err)
	return strings.Split(string(text), "\n")
}
