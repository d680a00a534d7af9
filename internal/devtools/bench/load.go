package bench

import (
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// recorder collects the durations of calls.
type recorder struct {
	mu   sync.Mutex
	took []time.Duration
}

func (r *recorder) add(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.took = append(r.took, d)
}

func (r *recorder) sample(elapsed time.Duration) Sample {
	slices.Sort(r.took)
	return Sample{
		PerSecond: float64(len(r.took)) / elapsed.Seconds(), P50: percentile(r.took, 0.50), P99: percentile(r.took, 0.99),
	}
}

// percentile returns a percentile of sorted durations by nearest rank, or 0 if there are none.
func percentile(sorted []time.Duration, p float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(p*float64(len(sorted))))]
}

// closedLoop calls do for duration from each of n clients, which start the next call when the last
// has returned.
func closedLoop(ctx context.Context, n int, duration time.Duration, do func(ctx context.Context, client int) error) (Sample, error) {
	var r recorder
	start := time.Now()
	end := start.Add(duration)
	group, ctx := errgroup.WithContext(ctx)
	for client := range n {
		group.Go(func() error {
			for began := time.Now(); began.Before(end); began = time.Now() {
				if err := do(ctx, client); err != nil {
					return err
				}
				r.add(time.Since(began))
			}
			return nil
		})
	}
	err := group.Wait()
	return r.sample(time.Since(start)), err
}

// openLoop starts do at a fixed rate for duration, whether or not earlier calls have returned.
// Latencies count from when a call was due, so a stall shows in all calls due during it.
func openLoop(
	ctx context.Context, perSecond float64, duration time.Duration, do func(ctx context.Context, client int) error,
) (Sample, error) {
	var r recorder
	start := time.Now()
	calls := int(perSecond * duration.Seconds())
	group, ctx := errgroup.WithContext(ctx)
	for i := range calls {
		due := start.Add(time.Duration(float64(i) / perSecond * float64(time.Second)))
		select {
		case <-ctx.Done():
			return Sample{}, group.Wait()
		case <-time.After(time.Until(due)):
		}
		group.Go(func() error {
			err := do(ctx, i)
			r.add(time.Since(due))
			return err
		})
	}
	err := group.Wait()
	return r.sample(time.Since(start)), err
}
