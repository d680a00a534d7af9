package api_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

var (
	namedLimit    = regexp.MustCompile(`ratelimit\.Limit\{Name: "([a-z-]+)"|(perAddress|perUser|perPerson|newPersonalLimit)\("([a-z-]+)"`)
	personalLimit = []string{"perPerson", "newPersonalLimit"}
)

// The metric of refusals starts with every limit that the code names.
func TestLimitNames(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, pattern := range []string{"*.go", "../domain/accounts/*.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, match := range namedLimit.FindAllStringSubmatch(string(source), -1) {
				names[match[1]+match[3]] = true
				if slices.Contains(personalLimit, match[2]) {
					names[match[3]+"-new"] = true
				}
			}
		}
	}
	delete(names, "typing") // of frames, in a limiter of its own
	require.Greater(t, len(names), 40)
	require.Equal(t, slices.Sorted(maps.Keys(names)), slices.Sorted(slices.Values(api.LimitNames())))
}

// values returns the values of a counter by its only label.
func values(t *testing.T, registry *prometheus.Registry, name string) map[string]float64 {
	t.Helper()
	families, err := registry.Gather()
	require.NoError(t, err)
	found := map[string]float64{}
	for _, family := range families {
		if family.GetName() == name {
			for _, metric := range family.GetMetric() {
				found[metric.GetLabel()[0].GetValue()] = metric.GetCounter().GetValue()
			}
		}
	}
	return found
}

func TestMetrics_logins_and_uploads(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	before := values(t, f.metrics, "amanat_logins_total")
	require.Len(t, before, 9, "a series from the start")
	member := f.member("rahim")
	f.visitor().post("/auth/login", fields{"username": "rahim", "password": "not-his"}).want(401)
	f.visitor().post("/auth/login", fields{"username": "", "password": ""}).want(400)
	after := values(t, f.metrics, "amanat_logins_total")
	require.InDelta(t, 1, after["wrong"]-before["wrong"], 0)
	require.InDelta(t, 1, after["invalid"]-before["invalid"], 0)

	require.Zero(t, values(t, f.metrics, "amanat_uploads_total")["received"])
	member.post("/posts", fields{"title": "A channel", "image": strings.Repeat("A", 200<<10)})
	require.InDelta(t, 1, values(t, f.metrics, "amanat_uploads_total")["received"], 0)
}
