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

	// quoted matches quoted texts in prose; an apostrophe inside a word does not end a text.
	quoted = regexp.MustCompile(`[\s(;,]'([^\n]+?)'[\s.;:,)]|"([^"\n]+)"`)
	uiText = regexp.MustCompile(`(?m)^\s+'?([\w.]+)'?:\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"),`)
	// uiCatalogue matches the beginning of a catalogue; a file may have several.
	uiCatalogue = regexp.MustCompile(`= texts\('(\w+)', \{`)
	// seenText matches the texts of the rows in the UI's tests; `instead` is shown in place of
	// another text.
	seenText = regexp.MustCompile(`[{\s](?:text|instead): (?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")`)
)

// producers are the cells of a row of spec-texts.md.
type producers struct {
	keys, seen, tests []string
}

func textTable(t *testing.T) map[string]producers {
	t.Helper()
	table := map[string]producers{}
	for line := range strings.Lines(specTexts) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 || strings.HasPrefix(line, "|---") || strings.TrimSpace(cells[1]) == "text" {
			continue
		}
		table[strings.TrimSpace(cells[1])] = producers{keys: list(cells[2]), seen: list(cells[3]), tests: list(cells[4])}
	}
	return table
}

func list(cell string) []string {
	if cell = strings.TrimSpace(cell); cell == "" {
		return nil
	}
	return strings.Split(cell, ", ")
}

// catalogues returns the keys of the UI's English texts, as "catalogue key", by text.
func catalogues(t *testing.T) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root(t), "ui", "src", "i18n", "en", "*.ts"))
	require.NoError(t, err)
	keys := map[string][]string{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		begins := uiCatalogue.FindAllStringSubmatchIndex(string(content), -1)
		for i, at := range begins {
			end := len(content)
			if i+1 < len(begins) {
				end = begins[i+1][0]
			}
			name := string(content[at[2]:at[3]])
			for _, m := range uiText.FindAllStringSubmatch(string(content[at[1]:end]), -1) {
				text := strings.ReplaceAll(m[2]+m[3], `\'`, `'`)
				keys[text] = append(keys[text], name+" "+m[1])
			}
		}
	}
	require.Greater(t, len(keys), 500)
	return keys
}

// seenTexts returns the texts in the rows of the UI's tests, by test file.
func seenTexts(t *testing.T) map[string][]string {
	t.Helper()
	const suffix = ".test.tsx"
	files, err := filepath.Glob(filepath.Join(root(t), "ui", "src", "testing", "spec-texts", "*"+suffix))
	require.NoError(t, err)
	seen := map[string][]string{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		part := strings.TrimSuffix(filepath.Base(file), suffix)
		for _, m := range seenText.FindAllStringSubmatch(string(content), -1) {
			seen[part] = append(seen[part], strings.ReplaceAll(m[1]+m[2], `\'`, `'`))
		}
	}
	return seen
}

// testBody returns the source of the test "path TestName", or "" if there is none.
func testBody(t *testing.T, name string) string {
	t.Helper()
	file, function, _ := strings.Cut(name, " ")
	content, err := os.ReadFile(filepath.Join(root(t), filepath.FromSlash(file)))
	require.NoError(t, err)
	_, after, _ := strings.Cut(string(content), "\nfunc "+function+"(")
	body, _, _ := strings.Cut(after, "\n}\n")
	return body
}

// catalogueOfErrors returns all texts of the specification.
func catalogueOfErrors() map[string]bool {
	said := map[string]bool{}
	for _, m := range quoted.FindAllStringSubmatch(specErrors, -1) {
		if text := m[1] + m[2]; text != "locked" { // part of other texts, tested with them
			said[text] = true
		}
	}
	return said
}

// Every text of the specification's error catalogue is in the code, word for word, and
// testdata/spec-texts.md says where.
func TestErrorCatalogue(t *testing.T) {
	t.Parallel()
	table, said := textTable(t), catalogueOfErrors()
	for text := range said {
		require.Contains(t, table, text, "a text without a row in testdata/spec-texts.md")
	}
	inUI := catalogues(t)
	for text, row := range table {
		require.True(t, said[text], "%q is no text of the catalogue", text)
		require.Positive(t, len(row.keys)+len(row.tests), "%q comes from nowhere", text)
		require.ElementsMatch(t, inUI[text], row.keys, "the keys of the UI that say %q", text)
		for _, test := range row.tests {
			require.Contains(t, testBody(t, test), text, test)
		}
	}
}

// Every text of the catalogue is displayed: a row in the UI's tests causes it on a real screen.
func TestErrorCatalogue_displayed(t *testing.T) {
	t.Parallel()
	table, seen := textTable(t), seenTexts(t)
	for text, row := range table {
		require.NotEmpty(t, row.seen, "%q is seen nowhere", text)
		for _, part := range row.seen {
			require.Contains(t, seen[part], text, "no row in ui/src/testing/spec-texts/%s.test.tsx", part)
		}
	}
	for part, texts := range seen {
		for _, text := range texts {
			require.Contains(t, table[text].seen, part, "%q has a row in the UI's table of texts that testdata/spec-texts.md does not name", text)
		}
	}
}
