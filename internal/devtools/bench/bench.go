// Package bench measures what has targets (docs/performance.md#figures), on a temporary server with
// fsync on. Each figure is measured right after a run of pgbench's TPC-B-like transaction on the
// same server, because only the ratio of the two is comparable between machines and days.
package bench

import (
	"context"
	"fmt"
	"io"
	"regexp"
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
	stormLogins, login                            Sample
	sockets, fan5, fan20, all, chat, chatHalf     Sample
}

// Run measures everything. It fails if a payment fails or if the books do not balance afterwards.
func Run(ctx context.Context, o Options) (results Results, err error) {
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
		{nameSockets, &r.sockets, e.openIdle},
		{nameFan5, &r.fan5, func(ctx context.Context) (Sample, error) { return e.fanOut(ctx, 5_000) }},
		{nameFan20, &r.fan20, func(ctx context.Context) (Sample, error) { return e.fanOut(ctx, 20_000) }},
		{nameAll, &r.all, e.broadcast},
		{nameTPCB, &r.tpcbBeforeChat, e.tpcb},
		{nameChat, &r.chat, func(ctx context.Context) (Sample, error) { return e.chat(ctx, 0) }},
		{nameChatHalf, &r.chatHalf, func(ctx context.Context) (Sample, error) { return e.chat(ctx, r.chat.PerSecond/2) }},
	}
}
