package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	performanceDoc   = "../../../docs/performance.md"
	committedResults = "../../../bench/results.json"
)

// section returns the lines of a section of docs/performance.md.
func section(t *testing.T, title string) []string {
	t.Helper()
	text, err := os.ReadFile(performanceDoc)
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "\n## "+title+"\n")
	require.True(t, found, "%s has no section %q", performanceDoc, title)
	rest, _, _ = strings.Cut(rest, "\n## ")
	return strings.Split(rest, "\n")
}

// cellsOf returns the cells of the first row of a table that begins with the given cells.
func cellsOf(lines []string, first ...string) []string {
	prefix := "| " + strings.Join(first, " | ") + " |"
	for _, line := range lines {
		if strings.HasPrefix(line, prefix) {
			var cells []string
			for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
				cells = append(cells, strings.TrimSpace(cell))
			}
			return cells
		}
	}
	return nil
}

// targetText returns the last cell of a figure's row.
func targetText(f Figure) string {
	var texts []string
	if f.Target > 0 {
		texts = append(texts, fmt.Sprintf("at least %s × %s", number(f.Target), f.Against))
	}
	if f.P99Target > 0 {
		texts = append(texts, fmt.Sprintf("p99 at most %s ms", number(f.P99Target)))
	}
	if p50 := f.P50Relative; p50.Target > 0 {
		texts = append(texts, fmt.Sprintf("p50 at most %s × %s, or %s ms", number(p50.Target), p50.Against, number(p50.OrMillis)))
	}
	if p99 := f.P99Relative; p99.Target > 0 {
		texts = append(texts, fmt.Sprintf("p99 at most %s × %s", number(p99.Target), p99.Against))
	}
	if f.KiBTarget > 0 {
		texts = append(texts, fmt.Sprintf("at most %s KiB each", number(f.KiBTarget)))
	}
	return strings.Join(texts, "; ")
}

// figures returns all figures of a run, without values.
func figures() []Figure {
	return summarise(Options{PGBench: "pgbench"}, "", make([]round, 1)).Figures
}

func TestDocs_figures_and_targets(t *testing.T) {
	t.Parallel()
	lines := section(t, "Figures")
	for _, f := range figures() {
		cells := cellsOf(lines, f.Name)
		require.Len(t, cells, 3, "docs/performance.md has no row for %q with its meaning and target", f.Name)
		require.Equal(t, targetText(f), cells[2], "the target of %q", f.Name)
	}
}

// committed returns the results of the last committed run.
func committed(t *testing.T) Results {
	t.Helper()
	text, err := os.ReadFile(committedResults)
	require.NoError(t, err)
	var results Results
	require.NoError(t, json.Unmarshal(text, &results))
	return results
}

func TestDocs_committed_figures_are_measured(t *testing.T) {
	t.Parallel()
	for _, f := range committed(t).Figures {
		require.True(t, slices.ContainsFunc(figures(), func(measured Figure) bool { return measured.Name == f.Name }), f.Name)
	}
}

func TestDocs_missed_targets_are_explained(t *testing.T) {
	t.Parallel()
	results := committed(t)
	for i := range results.Figures {
		results.Figures[i].setTargets() // those of the code, which may be newer
	}
	lines := section(t, "Missed targets")
	for _, miss := range results.Missed() {
		cells := cellsOf(lines, miss.Figure, miss.Measure)
		require.Len(t, cells, 3, "docs/performance.md#missed-targets does not explain: MISSED %s", miss)
		require.NotEmpty(t, cells[2])
	}
}
