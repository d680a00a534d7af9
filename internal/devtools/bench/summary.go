package bench

import (
	"cmp"
	"runtime"
	"slices"
	"time"
)

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
