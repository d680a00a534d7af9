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
	Against   string  `json:"against,omitempty"` // what Ratio and CPURatio compare with
	Ratio     float64 `json:"ratio,omitempty"`   // of the rates
	Target    float64 `json:"target,omitempty"`  // of Ratio
	// CPU time of one call of what is compared with, divided by that of one call of this.
	CPURatio    float64  `json:"cpuRatio,omitempty"`
	Cost        Cost     `json:"costEach,omitzero"`
	P50Relative Relation `json:"p50Relative,omitzero"`
	P99Relative Relation `json:"p99Relative,omitzero"`
}

// Relation is a latency divided by that of another figure, measured in the same round.
type Relation struct {
	Against  string  `json:"against,omitempty"`
	Ratio    float64 `json:"ratio,omitempty"`
	Target   float64 `json:"target,omitempty"`   // at most
	OrMillis float64 `json:"orMillis,omitempty"` // a latency that meets the target at any ratio
}

// tolerance is how much a ratio may fall before it counts as worse: runs on an idle machine differ
// by up to a tenth.
const tolerance = 0.15

// Worse returns a line for each ratio that has fallen since an earlier run. A ratio that either run
// lacks is not compared.
func (r Results) Worse(before Results) []string {
	earlier := map[string]Figure{}
	for _, f := range before.Figures {
		earlier[f.Name] = f
	}
	var worse []string
	for _, f := range r.Figures {
		compare := func(kind string, now, old float64) {
			if old > 0 && now > 0 && now < old*(1-tolerance) {
				worse = append(worse, fmt.Sprintf("%s: %.3f × %s%s, was %.3f (%+.0f%%)",
					f.Name, now, f.Against, kind, old, 100*(now/old-1)))
			}
		}
		compare("", f.Ratio, earlier[f.Name].Ratio)
		compare(" by CPU", f.CPURatio, earlier[f.Name].CPURatio)
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
	if err := table.Flush(); err != nil {
		return err
	}
	if err := r.printCosts(w, earlier); err != nil {
		return err
	}
	r.printRelations(w)
	return nil
}

// printCosts writes what one call of each figure costs, if that was measured.
func (r Results) printCosts(w io.Writer, earlier map[string]Figure) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "\nof one call\tCPU ms\tpostgres\tapi\tworker\tclient\tWAL bytes\tcommits\tratio by CPU\tbefore\tof")
	for _, f := range r.Figures {
		if f.Cost == (Cost{}) {
			continue
		}
		cpu, against := f.Cost.CPU, f.Against
		if f.CPURatio == 0 {
			against = ""
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			f.Name, cell(cpu.total(), 2), cell(cpu.Postgres, 2), cell(cpu.API, 2), cell(cpu.Worker, 2), cell(cpu.Client, 2),
			cell(f.Cost.WALBytes, 0), cell(f.Cost.Commits, 2), cell(f.CPURatio, 3), cell(earlier[f.Name].CPURatio, 3), against)
	}
	return table.Flush()
}

// printRelations writes the latencies that are compared with those of another figure.
func (r Results) printRelations(w io.Writer) {
	_, _ = fmt.Fprintln(w)
	for _, f := range r.Figures {
		line := func(which string, r Relation) {
			if r.Ratio > 0 {
				_, _ = fmt.Fprintf(w, "%s: %s is %.2f × that of %s; target: %s\n", f.Name, which, r.Ratio, r.Against, r.target())
			}
		}
		line("p50", f.P50Relative)
		line("p99", f.P99Relative)
	}
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
		r.Figures[i] = f.rounded()
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

func (f Figure) rounded() Figure {
	f.PerSecond = math.Round(f.PerSecond)
	f.P50Millis, f.P99Millis = round3(f.P50Millis), round3(f.P99Millis)
	f.Ratio, f.CPURatio, f.KiBEach = round3(f.Ratio), round3(f.CPURatio), round3(f.KiBEach)
	f.P50Relative.Ratio, f.P99Relative.Ratio = round3(f.P50Relative.Ratio), round3(f.P99Relative.Ratio)
	f.Cost = f.Cost.rounded()
	return f
}

func round3(value float64) float64 { return math.Round(value*1000) / 1000 }
