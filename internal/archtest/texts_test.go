package archtest

import (
	_ "embed"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	//go:embed testdata/spec-errors.md
	specErrors string
	//go:embed testdata/spec-texts.md
	specTexts string

	// quoted finds the texts in the prose; an apostrophe within a word ends none.
	quoted = regexp.MustCompile(`[\s(;,]'([^\n]+?)'[\s.;:,)]|"([^"\n]+)"`)
	uiText = regexp.MustCompile(`(?m)^\s+'?([\w.]+)'?:\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"),`)
)

// producers are the cells of a row of spec-texts.md.
type producers struct {
	keys, tests []string
	screen      string // that has yet to be built
}

func textTable(t *testing.T) map[string]producers {
	t.Helper()
	table := map[string]producers{}
	for line := range strings.Lines(specTexts) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.HasPrefix(line, "|---") || strings.TrimSpace(cells[1]) == "text" {
			continue
		}
		var row producers
		if screen, missing := strings.CutPrefix(strings.TrimSpace(cells[2]), "?"); missing {
			row.screen = screen
		} else {
			row.keys = list(cells[2])
		}
		row.tests = list(cells[3])
		table[strings.TrimSpace(cells[1])] = row
	}
	return table
}

func list(cell string) []string {
	if cell = strings.TrimSpace(cell); cell == "" {
		return nil
	}
	return strings.Split(cell, ", ")
}

// catalogues returns the UI's English texts, by "file key".
func catalogues(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root(t), "ui", "src", "i18n", "en", "*.ts"))
	require.NoError(t, err)
	texts := map[string]string{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range uiText.FindAllStringSubmatch(string(content), -1) {
			texts[strings.TrimSuffix(filepath.Base(file), ".ts")+" "+m[1]] = strings.ReplaceAll(m[2]+m[3], `\'`, `'`)
		}
	}
	require.Greater(t, len(texts), 500)
	return texts
}

// testBody returns the source of "path TestName", "" when there is none.
func testBody(t *testing.T, name string) string {
	t.Helper()
	file, function, _ := strings.Cut(name, " ")
	content, err := os.ReadFile(filepath.Join(root(t), filepath.FromSlash(file)))
	require.NoError(t, err)
	_, after, _ := strings.Cut(string(content), "\nfunc "+function+"(")
	body, _, _ := strings.Cut(after, "\n}\n")
	return body
}

// Every text of the specification's error catalogue is said somewhere, word for word, and this project knows where.
func TestErrorCatalogue(t *testing.T) {
	t.Parallel()
	table, ui := textTable(t), catalogues(t)
	said := map[string]bool{}
	for _, m := range quoted.FindAllStringSubmatch(specErrors, -1) {
		text := m[1] + m[2]
		if text == "locked" { // a part of messages, tested as such
			continue
		}
		said[text] = true
		require.Contains(t, table, text, "a text without a row in testdata/spec-texts.md")
	}
	inUI := map[string]string{}
	for key, text := range ui {
		inUI[text] = key
	}
	for text, row := range table {
		require.True(t, said[text], "%q is no text of the catalogue", text)
		require.Positive(t, len(row.keys)+len(row.tests)+len(row.screen), "%q comes from nowhere", text)
		for _, key := range row.keys {
			require.Equal(t, text, ui[key], "%q of the UI", key)
		}
		for _, test := range row.tests {
			require.Contains(t, testBody(t, test), text, test)
		}
		if row.screen != "" {
			require.Empty(t, inUI[text], "%q: %s says it now: name the key", text, row.screen)
		}
	}
}
