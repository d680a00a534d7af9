package systemtest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/testing/watch"
)

const repositoryRoot = "../../.."

// requireWatched requires that the processes have every metric, label and value of a label that the
// alerts and the dashboard in the folder deploy use, and exactly the metrics that docs/runbook.md
// lists.
func requireWatched(t *testing.T, processes ...*process) {
	t.Helper()
	var series []string
	exposed := map[string]bool{}
	for _, p := range processes {
		for name := range p.metrics() {
			series = append(series, name)
			if metric, _, _ := strings.Cut(name, "{"); strings.HasPrefix(metric, "amanat_") {
				exposed[watch.Base(metric)] = true
			}
		}
	}
	documented, err := watch.Documented(repositoryRoot)
	require.NoError(t, err)
	require.ElementsMatch(t, documented, slices.Collect(maps.Keys(exposed)), "the table of metrics in docs/runbook.md")
	expressions, err := watch.Expressions(repositoryRoot)
	require.NoError(t, err)
	for place, expression := range expressions {
		uses, err := watch.Uses(expression)
		require.NoError(t, err)
		for _, use := range uses {
			if use.Metric != "up" { // Prometheus makes it
				require.True(t, anyMatches(series, use), "%s: no process has %s with the labels %v", place, use.Metric, use.Labels)
			}
		}
	}
}

// anyMatches reports whether a series has the metric and its labels. A status is any: a test does
// not provoke them all.
func anyMatches(series []string, use watch.Use) bool {
	for _, name := range series {
		metric, labels, _ := strings.Cut(name, "{")
		matches := metric == use.Metric
		for label, value := range use.Labels {
			want := label + `="` + value
			if value != "" && label != "status" {
				want += `"`
			} else {
				want = label + `="`
			}
			matches = matches && strings.Contains(","+strings.TrimSuffix(labels, "}"), ","+want)
		}
		if matches {
			return true
		}
	}
	return false
}
