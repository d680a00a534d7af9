// Package bench measures what has targets (docs/testing.md#targets), on one throwaway server with fsync on. Each figure is taken next to a run of
// pgbench's TPC-B-like transaction on the same server, because only the ratio of the two says anything on another machine or day.
package bench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"slices"
	"time"
)

// Options say what to measure and for how long.
type Options struct {
	Programs string        // folder with the built api and worker
	Clients  int           // connections, or people who pay at the same time
	Duration time.Duration // of each measurement
	Rounds   int           // of all measurements, one after the other; the median counts
	Scale    int           // of pgbench: 100,000 accounts each
	Sockets  int           // open at each of two nodes at the same time
	PGBench  string        // path of pgbench; "": measure without, and so without most ratios
	Only     string        // measure only what has a name like this regular expression
	Log      io.Writer     // progress
}

// Sample is one measurement.
type Sample struct {
	PerSecond float64
	P50, P99  time.Duration // 0 when not measured
	KiBEach   float64       // memory of each; 0 when not measured
}

// Names of the measurements, as they stand in the results.
const (
	nameTPCB     = "pgbench TPC-B"
	namePost     = "ledger posting, spread"
	namePostHot  = "ledger posting, one fee account"
	namePayment  = "deal payment"
	nameHalfRate = "deal payment at half rate"
	nameLogin    = "login"
	nameSockets  = "sockets, opened at one node"
	nameFan5     = "fan-out, 5,000 frames a second"
	nameFan20    = "fan-out, 20,000 frames a second"
	nameAll      = "broadcast, to the last socket"
	nameChat     = "chat, to the receiver's frame"
	nameChatHalf = "chat at half rate"
)

// Targets (docs/testing.md#targets): ratios, 99th percentiles, and memory each.
var (
	targets    = map[string]float64{namePost: 0.75, namePostHot: 0.8, namePayment: 0.10, nameChat: 0.15}
	p99Targets = map[string]time.Duration{
		nameHalfRate: 75 * time.Millisecond, nameFan5: 10 * time.Millisecond, nameFan20: 25 * time.Millisecond,
		nameAll: 150 * time.Millisecond, nameChatHalf: 50 * time.Millisecond,
	}
	kibTargets = map[string]float64{nameSockets: 32}
)

// round is what one pass over everything gave.
type round struct {
	tpcbBeforePost, tpcbBeforePay, tpcbBeforeChat Sample
	post, hot, pay, half, login                   Sample
	sockets, fan5, fan20, all, chat, chatHalf     Sample
}

// Run measures everything. It fails when a payment fails or when the books are not in order afterwards.
func Run(ctx context.Context, o Options) (results Results, err error) {
	m, err := openMarket(ctx, o)
	if err != nil {
		return Results{}, err
	}
	defer func() {
		if closeErr := m.close(); err == nil {
			err = closeErr
		}
	}()
	rounds := make([]round, o.Rounds)
	for i := range rounds {
		if rounds[i], err = m.round(ctx, i+1); err != nil {
			return Results{}, fmt.Errorf("round %d: %w", i+1, err)
		}
	}
	if err := m.checkBooks(ctx); err != nil {
		return Results{}, err
	}
	return summarise(o, m.version, rounds), nil
}

func (m *market) round(ctx context.Context, number int) (round, error) {
	only, err := regexp.Compile(m.options.Only)
	if err != nil {
		return round{}, err
	}
	var r round
	steps := []struct {
		name string
		into *Sample
		run  func(ctx context.Context) (Sample, error)
	}{
		{nameTPCB, &r.tpcbBeforePost, m.tpcb},
		{namePost, &r.post, func(ctx context.Context) (Sample, error) { return m.post(ctx, spreadLegs) }},
		{namePostHot, &r.hot, func(ctx context.Context) (Sample, error) { return m.post(ctx, feeLegs) }},
		{nameTPCB, &r.tpcbBeforePay, m.tpcb},
		{namePayment, &r.pay, func(ctx context.Context) (Sample, error) { return m.pay(ctx, 0) }},
		{nameHalfRate, &r.half, func(ctx context.Context) (Sample, error) { return m.pay(ctx, r.pay.PerSecond/2) }},
		{nameLogin, &r.login, m.logIn},
		{nameSockets, &r.sockets, m.hold},
		{nameFan5, &r.fan5, func(ctx context.Context) (Sample, error) { return m.fanOut(ctx, 5_000) }},
		{nameFan20, &r.fan20, func(ctx context.Context) (Sample, error) { return m.fanOut(ctx, 20_000) }},
		{nameAll, &r.all, m.broadcast},
		{nameTPCB, &r.tpcbBeforeChat, m.tpcb},
		{nameChat, &r.chat, func(ctx context.Context) (Sample, error) { return m.chat(ctx, 0) }},
		{nameChatHalf, &r.chatHalf, func(ctx context.Context) (Sample, error) { return m.chat(ctx, r.chat.PerSecond/2) }},
	}
	for _, step := range steps {
		if !only.MatchString(step.name) {
			continue
		}
		if err := m.settle(ctx); err != nil {
			return round{}, err
		}
		sample, err := step.run(ctx)
		if err != nil {
			return round{}, fmt.Errorf("%s: %w", step.name, err)
		}
		*step.into = sample
		_, _ = fmt.Fprintf(m.options.Log, "round %d  %-30s %8.0f/s  p50 %s  p99 %s\n", number, step.name, sample.PerSecond,
			sample.P50.Round(100*time.Microsecond), sample.P99.Round(100*time.Microsecond))
	}
	return r, nil
}

func summarise(o Options, version string, rounds []round) Results {
	results := Results{
		CPUs: runtime.NumCPU(), PostgreSQL: version, Clients: o.Clients, Seconds: o.Duration.Seconds(), Rounds: o.Rounds, Scale: o.Scale,
		Sockets: o.Sockets,
	}
	add := func(name, against string, of, base func(r round) Sample) {
		figure := Figure{
			Name: name, Against: against, Target: targets[name], P99Target: millis(p99Targets[name]), KiBTarget: kibTargets[name],
		}
		figure.KiBEach = median(rounds, func(r round) float64 { return of(r).KiBEach })
		figure.PerSecond = median(rounds, func(r round) float64 { return of(r).PerSecond })
		figure.P50Millis = median(rounds, func(r round) float64 { return millis(of(r).P50) })
		figure.P99Millis = median(rounds, func(r round) float64 { return millis(of(r).P99) })
		if against != "" {
			figure.Ratio = median(rounds, func(r round) float64 { return ratio(of(r).PerSecond, base(r).PerSecond) })
		}
		results.Figures = append(results.Figures, figure)
	}
	tpcb := ""
	if o.PGBench != "" {
		tpcb = nameTPCB
		add(nameTPCB, "", func(r round) Sample { return r.tpcbBeforePay }, nil)
	}
	add(namePost, tpcb, func(r round) Sample { return r.post }, func(r round) Sample { return r.tpcbBeforePost })
	add(namePostHot, namePost, func(r round) Sample { return r.hot }, func(r round) Sample { return r.post })
	add(namePayment, tpcb, func(r round) Sample { return r.pay }, func(r round) Sample { return r.tpcbBeforePay })
	add(nameHalfRate, "", func(r round) Sample { return r.half }, nil)
	add(nameLogin, "", func(r round) Sample { return r.login }, nil)
	add(nameSockets, "", func(r round) Sample { return r.sockets }, nil)
	add(nameFan5, "", func(r round) Sample { return r.fan5 }, nil)
	add(nameFan20, "", func(r round) Sample { return r.fan20 }, nil)
	add(nameAll, "", func(r round) Sample { return r.all }, nil)
	add(nameChat, tpcb, func(r round) Sample { return r.chat }, func(r round) Sample { return r.tpcbBeforeChat })
	add(nameChatHalf, "", func(r round) Sample { return r.chatHalf }, nil)
	return results
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// median of what the rounds gave; of an even number the lower middle.
func median[R any](rounds []R, of func(R) float64) float64 {
	values := make([]float64, len(rounds))
	for i, r := range rounds {
		values[i] = of(r)
	}
	slices.SortFunc(values, cmp.Compare)
	return values[(len(values)-1)/2]
}
