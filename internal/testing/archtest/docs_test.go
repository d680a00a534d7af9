package archtest

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	// citingFiles are the extensions of files that may cite a document.
	citingFiles = []string{".go", ".ts", ".tsx", ".js", ".mjs", ".sql", ".md", ".yaml"}
	// absentDocument matches section numbers, and names of documents that were never in the
	// repository.
	absentDocument = regexp.MustCompile(`§|\bSPEC\b|\bDESIGN\.md\b`)
	// citedFile matches the path of a Markdown file and the anchor after it. The first group is
	// what precedes the path: a URL does not refer to a file of the repository.
	citedFile = regexp.MustCompile(`([\w:./-]*?)([\w.-]+(?:/[\w.-]+)*\.md)\b(?:#([\w-]+))?`)
	// link matches a Markdown link or image.
	link     = regexp.MustCompile(`\]\(([^()\s]+)\)|<img [^>]*src="([^"]+)"`)
	codePath = regexp.MustCompile("`((?:internal|queue|cmd|migrations|tools|docs|ui|deploy|bench)/[\\w./*-]+)`")
	anchor   = regexp.MustCompile(`<a id="([^"]+)">`)
	heading  = regexp.MustCompile(`(?m)^#+ +(.+?) *$`)
	fence    = regexp.MustCompile("(?ms)^```.*?^```")
	notASlug = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// uncheckedCitations are files that are not checked, with the reason.
var uncheckedCitations = map[string]string{
	"internal/testing/archtest/docs_test.go": "names what it refuses",
}

// repository returns the paths of all files of the repository, except installed dependencies, build
// results and data of the local stack.
func repository(t *testing.T) []string {
	t.Helper()
	top := root(t)
	unversioned := []string{".git", ".local", "bin", "ui/dist", "ui/screenshots", "ui/screenshots-diff", "ui/test-results"}
	var names []string
	err := filepath.WalkDir(top, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(top, name)
		if err != nil {
			return err
		}
		relative = filepath.ToSlash(relative)
		if entry.IsDir() {
			if slices.Contains(unversioned, relative) || entry.Name() == "node_modules" {
				return fs.SkipDir
			}
			return nil
		}
		names = append(names, relative)
		return nil
	})
	require.NoError(t, err)
	return names
}

// anchorsOf returns the anchors of a Markdown text: explicit ones and those of its headings.
func anchorsOf(text string) map[string]bool {
	anchors := map[string]bool{}
	for _, found := range anchor.FindAllStringSubmatch(text, -1) {
		anchors[found[1]] = true
	}
	for _, found := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		slug := notASlug.ReplaceAllString(strings.ToLower(found[1]), "")
		anchors[strings.ReplaceAll(slug, " ", "-")] = true
	}
	return anchors
}

// Readers of a comment have only the repository.
func TestDocs_unknown_documents(t *testing.T) {
	t.Parallel()
	for _, name := range repository(t) {
		if !slices.Contains(citingFiles, path.Ext(name)) || excepted(t, uncheckedCitations, name) {
			continue
		}
		for i, line := range strings.Split(read(t, name), "\n") {
			if found := absentDocument.FindString(line); found != "" {
				t.Errorf("%s:%d: %q is in no document of the repository; cite docs/rules.md#anchor or state the rule", name, i+1, found)
			}
		}
	}
}

func TestDocs_citations(t *testing.T) {
	t.Parallel()
	files := repository(t)
	cited, anchors := 0, map[string]map[string]bool{}
	for _, name := range files {
		if !slices.Contains(citingFiles, path.Ext(name)) || excepted(t, uncheckedCitations, name) {
			continue
		}
		for i, line := range strings.Split(read(t, name), "\n") {
			for _, found := range citedFile.FindAllStringSubmatch(line, -1) {
				before, file, fragment := found[1], strings.TrimPrefix(found[2], "./"), found[3]
				if strings.Contains(before, "://") {
					continue
				}
				target := documentAt(files, name, file)
				if target == "" {
					t.Errorf("%s:%d: there is no %s", name, i+1, file)
					continue
				}
				cited++
				if anchors[target] == nil {
					anchors[target] = anchorsOf(read(t, target))
				}
				if fragment != "" && !anchors[target][fragment] {
					t.Errorf("%s:%d: %s has no anchor %q", name, i+1, target, fragment)
				}
			}
		}
	}
	require.Greater(t, cited, 100)
}

// documentAt returns the file that a path in a text refers to, or "": relative to the text,
// relative to the root, or the end of a path.
func documentAt(files []string, from, cited string) string {
	plain := strings.TrimLeft(cited, "./")
	for _, candidate := range []string{path.Join(path.Dir(from), cited), plain} {
		if slices.Contains(files, candidate) {
			return candidate
		}
	}
	for _, name := range files {
		if strings.HasSuffix(name, "/"+plain) {
			return name
		}
	}
	return ""
}

func TestDocs_links(t *testing.T) {
	t.Parallel()
	for _, name := range repository(t) {
		if path.Ext(name) != ".md" {
			continue
		}
		text := read(t, name)
		for _, found := range link.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
			address := found[1] + found[2]
			// An external link or an email address.
			if strings.Contains(address, ":") {
				continue
			}
			file, fragment, _ := strings.Cut(address, "#")
			target := path.Join(path.Dir(name), file)
			if file == "" {
				target = name
			}
			if _, err := os.Stat(filepath.Join(root(t), target)); err != nil {
				t.Errorf("%s: the link %s leads nowhere", name, address)
			} else if fragment != "" && !anchorsOf(read(t, target))[fragment] {
				t.Errorf("%s: %s has no anchor %q", name, target, fragment)
			}
		}
	}
}

// Paths of files and folders in documents exist. A star matches any part of a name.
func TestDocs_paths(t *testing.T) {
	t.Parallel()
	built := map[string]bool{
		"ui/node_modules": true, "ui/screenshots/": true, "ui/screenshots-diff/": true, "ui/test-results": true,
	}
	found := 0
	for _, name := range repository(t) {
		if path.Ext(name) != ".md" || strings.Contains(name, "testdata/") || name == "CHANGELOG.md" {
			continue
		}
		for i, line := range strings.Split(read(t, name), "\n") {
			for _, match := range codePath.FindAllStringSubmatch(line, -1) {
				if built[match[1]] {
					continue
				}
				found++
				pattern := strings.ReplaceAll(strings.TrimSuffix(match[1], "/..."), "**", "*")
				if files, err := filepath.Glob(filepath.Join(root(t), pattern)); err != nil || len(files) == 0 {
					t.Errorf("%s:%d: there is no %s", name, i+1, match[1])
				}
			}
		}
	}
	require.Greater(t, found, 50)
}

// The patterns used by the checks above match what they should.
func TestDocs_patterns(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"as SPEC has it", "(SPEC §8)", "DESIGN §3", "see DESIGN.md"} {
		require.Regexp(t, absentDocument, text)
	}
	require.NotRegexp(t, absentDocument, "A Logo DESIGN by SPECIALISTS")
	require.Equal(t, map[string]bool{"exit": true, "who-may-do-what": true}, anchorsOf("<a id=\"exit\"></a>\n## Who may do what?\n"))
	require.Equal(t, []string{"docs/rules.md#fee", "", "docs/rules.md", "fee"}, citedFile.FindStringSubmatch("(docs/rules.md#fee)."))
	require.Equal(t, "https://", citedFile.FindStringSubmatch("see https://example.org/x.md")[1])
	files := []string{"docs/rules.md", "internal/a/testdata/b.md"}
	require.Equal(t, "docs/rules.md", documentAt(files, "docs/money.md", "rules.md"))
	require.Equal(t, "internal/a/testdata/b.md", documentAt(files, "internal/a/x.go", "testdata/b.md"))
	require.Empty(t, documentAt(files, "docs/money.md", "money.md"))
}
