package bench

import (
	"fmt"
	"strconv"
	"time"
)

// target is what a figure should reach (docs/performance.md#figures). A zero field is no target.
type target struct {
	ratio    float64       // at least, to another figure's rate
	p99      time.Duration // at most
	kib      float64       // at most, of each socket
	p50Ratio float64       // at most, to another figure's median
	orP50    time.Duration // a median that is short enough, whatever the ratio
	p99Ratio float64       // at most, to another figure's 99th percentile
}

var targets = map[string]target{
	namePost:     {ratio: 0.75},
	namePostHot:  {ratio: 0.8},
	namePayment:  {ratio: 0.10},
	nameHalfRate: {p99: 75 * time.Millisecond, p50Ratio: 6, orP50: 10 * time.Millisecond},
	nameStorm:    {p99Ratio: 2},
	nameSockets:  {kib: 32},
	nameFan5:     {p99: 10 * time.Millisecond},
	nameFan20:    {p99: 25 * time.Millisecond},
	nameAll:      {p99: 150 * time.Millisecond},
	nameChat:     {ratio: 0.25},
	nameChatHalf: {p99: 50 * time.Millisecond},
}

// setTargets sets the targets that the code has for the figure.
func (f *Figure) setTargets() {
	t := targets[f.Name]
	f.Target, f.P99Target, f.KiBTarget = t.ratio, millis(t.p99), t.kib
	f.P50Relative.Target, f.P50Relative.OrMillis = t.p50Ratio, millis(t.orP50)
	f.P99Relative.Target = t.p99Ratio
}

// Miss is a target that a figure has missed.
type Miss struct {
	Figure  string
	Measure string // such as "rate"
	// The value and the target.
	Value, Target string
}

func (m Miss) String() string {
	return fmt.Sprintf("%s, %s: %s; target: %s", m.Figure, m.Measure, m.Value, m.Target)
}

// Missed returns the targets that the figures miss, judged by the digits that Write writes. A value
// that was not measured misses nothing.
func (r Results) Missed() []Miss {
	var missed []Miss
	for _, f := range r.Figures {
		f = f.rounded()
		add := func(measure, value, target string) {
			missed = append(missed, Miss{Figure: f.Name, Measure: measure, Value: value, Target: target})
		}
		if f.Ratio > 0 && f.Ratio < f.Target {
			add("rate", number(f.Ratio)+" × "+f.Against, "at least "+number(f.Target))
		}
		if exceeds(f.P99Millis, f.P99Target) {
			add("p99", number(f.P99Millis)+" ms", "at most "+number(f.P99Target)+" ms")
		}
		if exceeds(f.KiBEach, f.KiBTarget) {
			add("memory", number(f.KiBEach)+" KiB", "at most "+number(f.KiBTarget)+" KiB")
		}
		if p50 := f.P50Relative; exceeds(p50.Ratio, p50.Target) && f.P50Millis > p50.OrMillis {
			add("relative p50", fmt.Sprintf("%s × %s, %s ms", number(p50.Ratio), p50.Against, number(f.P50Millis)), p50.target())
		}
		if p99 := f.P99Relative; exceeds(p99.Ratio, p99.Target) {
			add("relative p99", number(p99.Ratio)+" × "+p99.Against, p99.target())
		}
	}
	return missed
}

func (r Relation) target() string {
	text := "at most " + number(r.Target)
	if r.OrMillis > 0 {
		text += ", or " + number(r.OrMillis) + " ms"
	}
	return text
}

// exceeds reports whether there is a target and the value is above it.
func exceeds(value, target float64) bool { return target > 0 && value > target }

func number(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }
