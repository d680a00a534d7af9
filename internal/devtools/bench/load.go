package bench

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"
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
		Calls: len(r.took), PerSecond: float64(len(r.took)) / elapsed.Seconds(), P50: percentile(r.took, 0.50), P99: percentile(r.took, 0.99),
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
	return pacedLoop(ctx, n, math.Inf(1), duration, do)
}

// pacedLoop calls do at a fixed rate for duration from n clients. The rate is not reached if all of
// them are busy when a call is due. Latencies count from the start of a call.
func pacedLoop(
	ctx context.Context, n int, perSecond float64, duration time.Duration, do func(ctx context.Context, client int) error,
) (Sample, error) {
	var r recorder
	var taken atomic.Int64
	start := time.Now()
	end := start.Add(duration)
	group, ctx := errgroup.WithContext(ctx)
	for client := range n {
		group.Go(func() error {
			for {
				due := start.Add(time.Duration(float64(taken.Add(1)-1) / perSecond * float64(time.Second)))
				if !due.Before(end) {
					return nil
				}
				if err := waitUntil(ctx, due); err != nil {
					return err
				}
				began := time.Now()
				if !began.Before(end) {
					return nil
				}
				if err := do(ctx, client); err != nil {
					return err
				}
				r.add(time.Since(began))
			}
		})
	}
	err := group.Wait()
	return r.sample(time.Since(start)), err
}

// openLoop starts do at a fixed rate for duration, but at least once, whether or not earlier calls
// have returned. Latencies count from when a call was due, so a stall shows in all calls due during
// it.
func openLoop(
	ctx context.Context, perSecond float64, duration time.Duration, do func(ctx context.Context, client int) error,
) (Sample, error) {
	var r recorder
	start := time.Now()
	calls := max(1, int(perSecond*duration.Seconds()))
	group, ctx := errgroup.WithContext(ctx)
	for i := range calls {
		due := start.Add(time.Duration(float64(i) / perSecond * float64(time.Second)))
		if waitUntil(ctx, due) != nil {
			return Sample{}, group.Wait()
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

// waitUntil waits until the time has come. It fails only if ctx ends.
func waitUntil(ctx context.Context, due time.Time) error {
	left := time.Until(due)
	if left <= 0 {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(left):
		return nil
	}
}
