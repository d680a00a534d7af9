package torture

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// long is a run in which every fault happens at least once.
const long = time.Minute

// plan returns the faults of a lane in a random order, each as often as fits the length of the run.
func plan(lane []fault, length time.Duration, random *rand.Rand) (order []fault) {
	for _, f := range lane {
		times := int(float64(f.often)*length.Seconds()/full.Seconds() + 0.5)
		if length >= long {
			times = max(times, 1)
		}
		for range times {
			order = append(order, f)
		}
	}
	random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

// done counts the faults that have happened.
type done struct {
	mu       sync.Mutex
	count    map[string]int
	kills    int
	problems []string // faults that could not be repaired, which end their lane
}

func (d *done) add(f fault, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil {
		d.problems = append(d.problems, fmt.Sprintf("%s: %v", f.name, err))
		return
	}
	d.count[f.name]++
	if f.kills {
		d.kills++
	}
}

// injectFaults makes the faults of all lanes happen, spread over the length of the run, and returns
// when the last one is repaired. No fault begins once until has ended; ctx ends those under way.
func (s *system) injectFaults(ctx, until context.Context, length time.Duration, random *rand.Rand) *done {
	d := &done{count: map[string]int{}}
	start := time.Now()
	var group sync.WaitGroup
	for _, faults := range lanes() {
		n := &nemesis{system: s, random: rand.New(rand.NewPCG(random.Uint64(), random.Uint64()))}
		order := plan(faults(n), length, n.random)
		group.Go(func() {
			for i, f := range order {
				due := start.Add(length * time.Duration(i) / time.Duration(len(order)))
				if !pause(until, time.Until(due)) {
					return
				}
				began := time.Now()
				err := f.do(ctx)
				d.add(f, err)
				s.options.logf("%6.1f s  %s, repaired after %s", time.Since(start).Seconds(), f.name, time.Since(began).Round(time.Millisecond))
				if err != nil {
					s.options.logf("          %v", err)
					return
				}
			}
		})
	}
	group.Wait()
	return d
}
