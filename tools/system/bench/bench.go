package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"
)

// Options configure a run.
type Options struct {
	Programs string        // folder with the built binaries api, worker and bench
	Clients  int           // connections, or users who pay at the same time
	Duration time.Duration // of each measurement
	Rounds   int           // of all measurements; the results are medians
	Scale    int           // pgbench's scale: 100,000 accounts each
	Sockets  int           // open at each of the two nodes at the same time
	// Path of pgbench. If empty, most ratios are not measured.
	PGBench string
	// A regular expression: only measurements whose names match are run.
	Only string
	Log  io.Writer // progress
}

// Sample is one measurement.
type Sample struct {
	Calls     int
	PerSecond float64
	P50, P99  time.Duration // 0 when not measured
	KiBEach   float64       // memory of each socket; 0 when not measured
	Cost      Cost          // of each call; zero when not measured
}

// Names of the measurements in the results.
const (
	nameTPCB        = "pgbench TPC-B"
	namePost        = "ledger posting, spread"
	namePostHot     = "ledger posting, one fee account"
	namePayment     = "deal payment"
	nameHalfRate    = "deal payment at half rate"
	nameBare        = "bare HTTP, insert and commit at half rate"
	nameStorm       = "deal payment at half rate, during logins"
	nameStormLogins = "logins during payments"
	nameLogin       = "login"
	nameSMS         = "SMS to credited deposit"
	nameSockets     = "sockets, opened at one node"
	nameFan5        = "fan-out, 5,000 frames a second"
	nameFan20       = "fan-out, 20,000 frames a second"
	nameAll         = "broadcast, to the last socket"
	nameChat        = "chat, to the receiver's frame"
	nameChatHalf    = "chat at half rate"
)

// round holds the samples of one pass over all measurements.
type round struct {
	tpcbBeforePost, tpcbBeforePay, tpcbBeforeChat Sample
	post, hot, pay, bare, half, storm             Sample
	stormLogins, login, sms                       Sample
	sockets, fan5, fan20, all, chat, chatHalf     Sample
}

// measure measures everything. It fails if a payment fails or if the books do not balance
// afterwards.
func measure(ctx context.Context, o Options) (results Results, err error) {
	start := time.Now()
	e, err := openEnvironment(ctx, o)
	if err != nil {
		return Results{}, err
	}
	defer func() {
		if closeErr := e.close(); err == nil {
			err = closeErr
		}
	}()
	rounds := make([]round, o.Rounds)
	for i := range rounds {
		if rounds[i], err = e.round(ctx, i+1); err != nil {
			return Results{}, fmt.Errorf("round %d: %w", i+1, err)
		}
	}
	if err := e.reconcile(ctx); err != nil {
		return Results{}, err
	}
	_, _ = fmt.Fprintf(o.Log, "measured in %s\n", time.Since(start).Round(time.Second))
	return summarise(o, e.version, rounds), nil
}

func (e *environment) round(ctx context.Context, number int) (round, error) {
	only, err := regexp.Compile(e.options.Only)
	if err != nil {
		return round{}, err
	}
	var r round
	log := func(name string, s Sample) {
		_, _ = fmt.Fprintf(e.options.Log, "round %d  %-41s %8.0f/s  p50 %s  p99 %s\n", number, name, s.PerSecond,
			s.P50.Round(100*time.Microsecond), s.P99.Round(100*time.Microsecond))
	}
	for _, step := range e.steps(&r) {
		if !only.MatchString(step.name) {
			continue
		}
		if err := e.waitIdle(ctx); err != nil {
			return round{}, err
		}
		if *step.into, err = step.run(ctx); err != nil {
			return round{}, fmt.Errorf("%s: %w", step.name, err)
		}
		log(step.name, *step.into)
		if step.name == nameStorm {
			log(nameStormLogins, r.stormLogins)
		}
	}
	return r, nil
}

// step is one measurement of a round.
type step struct {
	name string
	into *Sample
	run  func(ctx context.Context) (Sample, error)
}

// steps returns the measurements in their order. Those that are compared with each other follow
// each other, so that the machine is in the same state.
func (e *environment) steps(r *round) []step {
	return []step{
		{nameTPCB, &r.tpcbBeforePost, e.tpcb},
		{namePost, &r.post, func(ctx context.Context) (Sample, error) { return e.post(ctx, spreadLegs) }},
		{namePostHot, &r.hot, func(ctx context.Context) (Sample, error) { return e.post(ctx, feeLegs) }},
		{nameTPCB, &r.tpcbBeforePay, e.tpcb},
		{namePayment, &r.pay, func(ctx context.Context) (Sample, error) {
			if err := e.warmUpPayments(ctx); err != nil {
				return Sample{}, err
			}
			return e.metered(ctx, func(ctx context.Context) (Sample, error) { return e.pay(ctx, 0) })
		}},
		// Payments at half rate are compared with the step before and with the step after.
		{nameBare, &r.bare, func(ctx context.Context) (Sample, error) { return e.insertBare(ctx, r.pay.PerSecond/2) }},
		{nameHalfRate, &r.half, func(ctx context.Context) (Sample, error) { return e.pay(ctx, r.pay.PerSecond/2) }},
		{nameStorm, &r.storm, func(ctx context.Context) (payments Sample, err error) {
			payments, r.stormLogins, err = e.payDuringLogins(ctx, r.pay.PerSecond/2)
			return payments, err
		}},
		{nameLogin, &r.login, e.logIn},
		{nameSMS, &r.sms, e.creditBySMS},
		{nameSockets, &r.sockets, e.openIdle},
		{nameFan5, &r.fan5, func(ctx context.Context) (Sample, error) { return e.fanOut(ctx, 5_000) }},
		{nameFan20, &r.fan20, func(ctx context.Context) (Sample, error) { return e.fanOut(ctx, 20_000) }},
		{nameAll, &r.all, e.broadcast},
		{nameTPCB, &r.tpcbBeforeChat, e.tpcb},
		{nameChat, &r.chat, func(ctx context.Context) (Sample, error) { return e.chat(ctx, 0) }},
		{nameChatHalf, &r.chatHalf, func(ctx context.Context) (Sample, error) { return e.chat(ctx, r.chat.PerSecond/2) }},
	}
}

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
	nameSMS:      {p99: 5 * time.Second},
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

// sampleOf selects a measurement of a round.
type sampleOf func(r round) Sample

// summary collects the figures of several rounds.
type summary struct {
	rounds  []round
	figures []Figure
}

func summarise(o Options, version string, rounds []round) Results {
	s := summary{rounds: rounds}
	tpcb := ""
	if o.PGBench != "" {
		tpcb = nameTPCB
		s.add(nameTPCB, "", func(r round) Sample { return r.tpcbBeforePay }, nil)
	}
	half := func(r round) Sample { return r.half }
	s.add(namePost, tpcb, func(r round) Sample { return r.post }, func(r round) Sample { return r.tpcbBeforePost })
	s.add(namePostHot, namePost, func(r round) Sample { return r.hot }, func(r round) Sample { return r.post })
	s.add(namePayment, tpcb, func(r round) Sample { return r.pay }, func(r round) Sample { return r.tpcbBeforePay })
	s.add(nameBare, "", func(r round) Sample { return r.bare }, nil)
	s.add(nameHalfRate, "", half, nil).relateP50(rounds, half, nameBare, func(r round) Sample { return r.bare })
	storm := func(r round) Sample { return r.storm }
	s.add(nameStorm, "", storm, nil).relateP99(rounds, storm, nameHalfRate, half)
	s.add(nameStormLogins, "", func(r round) Sample { return r.stormLogins }, nil)
	s.add(nameLogin, "", func(r round) Sample { return r.login }, nil)
	s.add(nameSMS, "", func(r round) Sample { return r.sms }, nil)
	s.add(nameSockets, "", func(r round) Sample { return r.sockets }, nil)
	s.add(nameFan5, "", func(r round) Sample { return r.fan5 }, nil)
	s.add(nameFan20, "", func(r round) Sample { return r.fan20 }, nil)
	s.add(nameAll, "", func(r round) Sample { return r.all }, nil)
	s.add(nameChat, tpcb, func(r round) Sample { return r.chat }, func(r round) Sample { return r.tpcbBeforeChat })
	s.add(nameChatHalf, "", func(r round) Sample { return r.chatHalf }, nil)
	return Results{
		CPUs:       runtime.NumCPU(),
		PostgreSQL: version,
		Clients:    o.Clients,
		Seconds:    o.Duration.Seconds(),
		Rounds:     o.Rounds,
		Scale:      o.Scale,
		Sockets:    o.Sockets,
		Figures:    s.figures,
	}
}

// add adds a figure with its targets, compared with base if against is not empty. The figure can be
// changed until the next one is added.
func (s *summary) add(name, against string, of, base sampleOf) *Figure {
	f := Figure{
		Name:      name,
		Against:   against,
		KiBEach:   median(s.rounds, func(r round) float64 { return of(r).KiBEach }),
		PerSecond: median(s.rounds, func(r round) float64 { return of(r).PerSecond }),
		P50Millis: median(s.rounds, func(r round) float64 { return millis(of(r).P50) }),
		P99Millis: median(s.rounds, func(r round) float64 { return millis(of(r).P99) }),
		Cost:      medianCost(s.rounds, of),
	}
	if against != "" {
		f.Ratio = median(s.rounds, func(r round) float64 { return ratio(of(r).PerSecond, base(r).PerSecond) })
		f.CPURatio = median(s.rounds, func(r round) float64 { return ratio(base(r).Cost.CPU.total(), of(r).Cost.CPU.total()) })
	}
	f.setTargets()
	s.figures = append(s.figures, f)
	return &s.figures[len(s.figures)-1]
}

func (f *Figure) relateP50(rounds []round, of sampleOf, against string, base sampleOf) {
	f.P50Relative.Against = against
	f.P50Relative.Ratio = median(rounds, func(r round) float64 { return ratio(millis(of(r).P50), millis(base(r).P50)) })
}

func (f *Figure) relateP99(rounds []round, of sampleOf, against string, base sampleOf) {
	f.P99Relative.Against = against
	f.P99Relative.Ratio = median(rounds, func(r round) float64 { return ratio(millis(of(r).P99), millis(base(r).P99)) })
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// median returns the median over the rounds; of an even number, the lower of the two in the middle.
func median[R any](rounds []R, of func(R) float64) float64 {
	values := make([]float64, len(rounds))
	for i, r := range rounds {
		values[i] = of(r)
	}
	slices.SortFunc(values, cmp.Compare)
	return values[(len(values)-1)/2]
}

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
