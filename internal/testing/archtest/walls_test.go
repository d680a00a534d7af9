package archtest

import (
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// notLinked lists packages that a binary must not contain, not even indirectly.
var notLinked = []struct{ binary, unwanted, reason string }{
	{"cmd/api", "queue/workers", "the api never moves money"},
	{"cmd/api", "internal/devtools", "a deployed process has no seed, no /dev routes and no embedded servers"},
	{"cmd/api", "internal/testing", "test helpers do not ship"},
	{"cmd/worker", "internal/api", "the worker serves no HTTP but the ops port"},
	{"cmd/worker", "internal/devtools", "a deployed process has no seed, no /dev routes and no embedded servers"},
	{"cmd/worker", "internal/testing", "test helpers do not ship"},
	{"cmd/amanat", "internal/api", "an operator's tool serves no HTTP"},
	{"cmd/amanat", "internal/testing", "test helpers do not ship"},
	{"cmd/local", "internal/testing", "test helpers do not ship"},
	{"cmd/local", "internal/lib/otlp", "its gRPC would take a sixth of the first make run's packages, and it sends no spans"},
	{"tools/system/bench", "internal/testing", "it measures real servers"},
	{"tools/system/torture", "internal/testing", "it breaks real servers"},
	{"cmd/api", "testing", "test helpers do not ship"},
	{"cmd/worker", "testing", "test helpers do not ship"},
	{"cmd/amanat", "testing", "test helpers do not ship"},
	{"cmd/api", "github.com/alicebob/miniredis/v2", "a deployed process uses the real Redis"},
	{"cmd/worker", "github.com/alicebob/miniredis/v2", "a deployed process uses the real Redis"},
}

// outsideLayers lists packages that no layer-* rule of .golangci.yaml covers, with the reason.
var outsideLayers = map[string]string{
	"cmd/amanat":        "the operator's tool may use everything; what it must not link stands above",
	"cmd/local":         "puts everything into one process",
	"internal/devtools": "for tests, cmd/local and tools/system; may use everything",
	"internal/testing":  "for tests; may use everything",
	"migrations":        "SQL files and their embed.go",
	"tools":             "programs and tests for developers, in modules of their own; never deployed",
	"ui":                "the built UI and its embed.go",
}

func TestImports_binaries(t *testing.T) {
	t.Parallel()
	graph := importGraph(t)
	for _, rule := range notLinked {
		if chain := findImport(graph, rule.binary, rule.unwanted); chain != nil {
			t.Errorf("%s must not link %s: %s\n\t%s", rule.binary, rule.unwanted, rule.reason, strings.Join(chain, " -> "))
		}
	}
}

// A package that no rule covers may import anything. The test fails if a new package has no rule.
func TestImports_layers(t *testing.T) {
	t.Parallel()
	layers := layerFolders(t)
	for _, dir := range slices.Sorted(maps.Keys(importGraph(t))) {
		covered := slices.ContainsFunc(layers, func(pattern string) bool {
			matches, err := path.Match(pattern, dir)
			require.NoError(t, err)
			return matches
		})
		if !covered && !excepted(t, outsideLayers, dir) {
			t.Errorf("%s: no layer-* rule of .golangci.yaml covers this package, and outsideLayers does not say why", dir)
		}
	}
}

// importGraph maps each package's folder to the imports of its non-test files: folders for packages
// of the module, import paths for all others.
func importGraph(t *testing.T) map[string][]string {
	t.Helper()
	graph := map[string][]string{}
	for _, file := range goFiles(t) {
		imports := graph[file.dir()]
		for _, imported := range file.imports {
			imports = append(imports, strings.TrimPrefix(imported, module+"/"))
		}
		graph[file.dir()] = imports
	}
	return graph
}

// findImport returns the import chain from one package to another or to one below its folder, or
// nil.
func findImport(graph map[string][]string, from, to string) []string {
	seen := map[string]bool{}
	var find func(at string) []string
	find = func(at string) []string {
		if at == to || strings.HasPrefix(at, to+"/") {
			return []string{at}
		}
		if seen[at] {
			return nil
		}
		seen[at] = true
		for _, next := range graph[at] {
			if rest := find(next); rest != nil {
				return append([]string{at}, rest...)
			}
		}
		return nil
	}
	return find(from)
}

// A wall with a folder that is not there stops nothing, as depguard and findImport pass over it.
func TestImports_walls_exist(t *testing.T) {
	t.Parallel()
	imported := map[string]bool{}
	for _, imports := range importGraph(t) {
		for _, name := range imports {
			imported[name] = true
		}
	}
	for _, rule := range notLinked {
		require.True(t, exists(t, rule.binary), rule.binary)
		require.True(t, exists(t, rule.unwanted) || imported[rule.unwanted], rule.unwanted)
	}
	for name, rule := range depguardRules(t) {
		for _, folder := range rule.folders() {
			require.True(t, exists(t, folder), "depguard's rule %s is about %s", name, folder)
		}
		for _, pkg := range rule.packages() {
			require.True(t, exists(t, pkg), "depguard's rule %s names %s", name, pkg)
		}
	}
}

// layerFolders returns the folders that the layer-* rules of depguard cover, as patterns for
// path.Match.
func layerFolders(t *testing.T) []string {
	t.Helper()
	var folders []string
	for name, rule := range depguardRules(t) {
		if strings.HasPrefix(name, "layer-") {
			folders = append(folders, rule.folders()...)
		}
	}
	require.NotEmpty(t, folders)
	return folders
}

// depguardRule is a rule of depguard in .golangci.yaml.
type depguardRule struct {
	Files []string `yaml:"files"`
	Allow []string `yaml:"allow"`
	Deny  []struct {
		Pkg string `yaml:"pkg"`
	} `yaml:"deny"`
}

func depguardRules(t *testing.T) map[string]depguardRule {
	t.Helper()
	var config struct {
		Linters struct {
			Settings struct {
				Depguard struct {
					Rules map[string]depguardRule `yaml:"rules"`
				} `yaml:"depguard"`
			} `yaml:"settings"`
		} `yaml:"linters"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(read(t, ".golangci.yaml")), &config))
	return config.Linters.Settings.Depguard.Rules
}

// folders returns the folders that the rule covers or leaves out, as patterns.
func (r depguardRule) folders() []string {
	var folders []string
	for _, pattern := range r.Files {
		folder, ok := strings.CutSuffix(strings.TrimPrefix(pattern, "!"), "/*.go")
		if ok {
			folder = strings.TrimSuffix(strings.TrimPrefix(folder, "**/"), "/**")
			folders = append(folders, expandBraces(folder)...)
		}
	}
	return folders
}

// packages returns the folders of this module that the rule allows or denies.
func (r depguardRule) packages() []string {
	var found []string
	add := func(name string) {
		if name, ok := strings.CutPrefix(name, module+"/"); ok {
			found = append(found, strings.TrimRight(name, "/$"))
		}
	}
	for _, name := range r.Allow {
		add(name)
	}
	for _, denied := range r.Deny {
		add(denied.Pkg)
	}
	return found
}

// expandBraces turns "internal/{a,b}" into "internal/a" and "internal/b".
func expandBraces(pattern string) []string {
	before, rest, ok := strings.Cut(pattern, "{")
	if !ok {
		return []string{pattern}
	}
	names, after, _ := strings.Cut(rest, "}")
	var expanded []string
	for _, name := range strings.Split(names, ",") {
		expanded = append(expanded, before+name+after)
	}
	return expanded
}
