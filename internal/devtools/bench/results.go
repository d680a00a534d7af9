package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"text/tabwriter"
)

// Results are the figures of one run, as stored in bench/results.json.
type Results struct {
	CPUs       int      `json:"cpus"`
	PostgreSQL string   `json:"postgresql"`
	Clients    int      `json:"clients"`
	Seconds    float64  `json:"secondsEach"`
	Rounds     int      `json:"rounds"`
	Scale      int      `json:"pgbenchScale"`
	Sockets    int      `json:"socketsEachNode"`
	Figures    []Figure `json:"figures"`
}

// Figure is the median of one measurement. Rates and times depend on the machine; only ratios can
// be compared between runs.
type Figure struct {
	Name      string  `json:"name"`
	PerSecond float64 `json:"perSecond"`
	P50Millis float64 `json:"p50Millis,omitempty"`
	P99Millis float64 `json:"p99Millis,omitempty"`
	P99Target float64 `json:"p99TargetMillis,omitempty"`
	KiBEach   float64 `json:"kibEach,omitempty"` // memory
	KiBTarget float64 `json:"kibTarget,omitempty"`
	Against   string  `json:"against,omitempty"` // what Ratio compares PerSecond with
	Ratio     float64 `json:"ratio,omitempty"`
	Target    float64 `json:"target,omitempty"` // of Ratio
}

// tolerance is how much a ratio may fall before it counts as worse: runs on an idle machine differ
// by up to a tenth.
const tolerance = 0.15

// Worse returns a line for each figure whose ratio has fallen since an earlier run.
func (r Results) Worse(before Results) []string {
	earlier := map[string]float64{}
	for _, f := range before.Figures {
		earlier[f.Name] = f.Ratio
	}
	var worse []string
	for _, f := range r.Figures {
		if old := earlier[f.Name]; old > 0 && f.Ratio > 0 && f.Ratio < old*(1-tolerance) {
			worse = append(worse, fmt.Sprintf("%s: %.3f × %s, was %.3f (%+.0f%%)",
				f.Name, f.Ratio, f.Against, old, 100*(f.Ratio/old-1)))
		}
	}
	return worse
}

// Print writes the figures as a table, with the ratios of an earlier run.
func (r Results) Print(w io.Writer, before Results) error {
	earlier := map[string]Figure{}
	for _, f := range before.Figures {
		earlier[f.Name] = f
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "\tper second\tp50 ms\tp99 ms\ttarget\tKiB each\ttarget\tratio\tbefore\ttarget\tof")
	for _, f := range r.Figures {
		_, _ = fmt.Fprintf(table, "%s\t%.0f\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			f.Name, f.PerSecond, cell(f.P50Millis, 1), cell(f.P99Millis, 1), cell(f.P99Target, 0),
			cell(f.KiBEach, 1), cell(f.KiBTarget, 0),
			cell(f.Ratio, 3), cell(earlier[f.Name].Ratio, 3), cell(f.Target, 2), f.Against)
	}
	return table.Flush()
}

func cell(value float64, digits int) string {
	if value == 0 {
		return ""
	}
	return fmt.Sprintf("%.*f", digits, value)
}

// Write writes the figures as JSON, rounded to significant digits.
func (r Results) Write(w io.Writer) error {
	for i, f := range r.Figures {
		f.PerSecond = math.Round(f.PerSecond)
		f.P50Millis, f.P99Millis = round3(f.P50Millis), round3(f.P99Millis)
		f.Ratio, f.KiBEach = round3(f.Ratio), round3(f.KiBEach)
		r.Figures[i] = f
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

func round3(value float64) float64 { return math.Round(value*1000) / 1000 }
