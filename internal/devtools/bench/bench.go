// Package bench measures what has targets (docs/testing.md#targets), on a temporary server with
// fsync on. Each figure is measured right after a run of pgbench's TPC-B-like transaction on the
// same server, because only the ratio of the two is comparable between machines and days.
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
	PerSecond float64
	P50, P99  time.Duration // 0 when not measured
	KiBEach   float64       // memory of each socket; 0 when not measured
}

// Names of the measurements in the results.
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

// Targets (docs/testing.md#targets): ratios, 99th percentiles, and memory per socket.
var (
	targets    = map[string]float64{namePost: 0.75, namePostHot: 0.8, namePayment: 0.10, nameChat: 0.15}
	p99Targets = map[string]time.Duration{
		nameHalfRate: 75 * time.Millisecond, nameFan5: 10 * time.Millisecond, nameFan20: 25 * time.Millisecond,
		nameAll: 150 * time.Millisecond, nameChatHalf: 50 * time.Millisecond,
	}
	kibTargets = map[string]float64{nameSockets: 32}
)

// round holds the samples of one pass over all measurements.
type round struct {
	tpcbBeforePost, tpcbBeforePay, tpcbBeforeChat Sample
	post, hot, pay, half, login                   Sample
	sockets, fan5, fan20, all, chat, chatHalf     Sample
}

// Run measures everything. It fails if a payment fails or if the books do not balance afterwards.
func Run(ctx context.Context, o Options) (results Results, err error) {
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
	return summarise(o, e.version, rounds), nil
}

func (e *environment) round(ctx context.Context, number int) (round, error) {
	only, err := regexp.Compile(e.options.Only)
	if err != nil {
		return round{}, err
	}
	var r round
	steps := []struct {
		name string
		into *Sample
		run  func(ctx context.Context) (Sample, error)
	}{
		{nameTPCB, &r.tpcbBeforePost, e.tpcb},
		{namePost, &r.post, func(ctx context.Context) (Sample, error) { return e.post(ctx, spreadLegs) }},
		{namePostHot, &r.hot, func(ctx context.Context) (Sample, error) { return e.post(ctx, feeLegs) }},
		{nameTPCB, &r.tpcbBeforePay, e.tpcb},
		{namePayment, &r.pay, func(ctx context.Context) (Sample, error) { return e.pay(ctx, 0) }},
		{nameHalfRate, &r.half, func(ctx context.Context) (Sample, error) { return e.pay(ctx, r.pay.PerSecond/2) }},
		{nameLogin, &r.login, e.logIn},
		{nameSockets, &r.sockets, e.openIdle},
		{nameFan5, &r.fan5, func(ctx context.Context) (Sample, error) { return e.fanOut(ctx, 5_000) }},
		{nameFan20, &r.fan20, func(ctx context.Context) (Sample, error) { return e.fanOut(ctx, 20_000) }},
		{nameAll, &r.all, e.broadcast},
		{nameTPCB, &r.tpcbBeforeChat, e.tpcb},
		{nameChat, &r.chat, func(ctx context.Context) (Sample, error) { return e.chat(ctx, 0) }},
		{nameChatHalf, &r.chatHalf, func(ctx context.Context) (Sample, error) { return e.chat(ctx, r.chat.PerSecond/2) }},
	}
	for _, step := range steps {
		if !only.MatchString(step.name) {
			continue
		}
		if err := e.waitIdle(ctx); err != nil {
			return round{}, err
		}
		sample, err := step.run(ctx)
		if err != nil {
			return round{}, fmt.Errorf("%s: %w", step.name, err)
		}
		*step.into = sample
		_, _ = fmt.Fprintf(e.options.Log, "round %d  %-30s %8.0f/s  p50 %s  p99 %s\n", number, step.name, sample.PerSecond,
			sample.P50.Round(100*time.Microsecond), sample.P99.Round(100*time.Microsecond))
	}
	return r, nil
}

func summarise(o Options, version string, rounds []round) Results {
	results := Results{
		CPUs:       runtime.NumCPU(),
		PostgreSQL: version,
		Clients:    o.Clients,
		Seconds:    o.Duration.Seconds(),
		Rounds:     o.Rounds,
		Scale:      o.Scale,
		Sockets:    o.Sockets,
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

// median returns the median over the rounds; of an even number, the lower of the two in the middle.
func median[R any](rounds []R, of func(R) float64) float64 {
	values := make([]float64, len(rounds))
	for i, r := range rounds {
		values[i] = of(r)
	}
	slices.SortFunc(values, cmp.Compare)
	return values[(len(values)-1)/2]
}
