package accounts

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/semaphore"

	"amanat/internal/platform/fault"
)

// Bounds of hashing in a process (docs/decisions/0017-concurrent-hashes.md).
const (
	maxHashing     = 4  // at once, on any number of CPUs: each hash takes 19 MiB
	waitersPerSlot = 75 // 9 s of hashes at 22 ms each with the longest rests
	maxRest        = 100 * time.Millisecond
	// A slot rests for this many times the time by which a hash took longer than the fastest one.
	restFactor = 2
	// hashRetryAfter is about how long a full queue takes to empty.
	hashRetryAfter = 9 * time.Second
)

// hashSlots returns how many passwords are hashed at once: on half of the CPUs, since a hash keeps
// one busy for 22 ms and requests, PostgreSQL and workers need the others.
func hashSlots() int { return min(max(1, runtime.GOMAXPROCS(0)/2), maxHashing) }

// hashQueue bounds how many passwords are hashed at once and how many callers wait for that, in the
// order of their calls. A slot rests after a hash that took longer than others, since that means
// that other work waits for the CPUs. It is safe for concurrent use.
type hashQueue struct {
	slots   *semaphore.Weighted
	places  int64 // for callers that wait
	waiting atomic.Int64
	refused prometheus.Counter

	mu      sync.Mutex
	fastest float64 // nanoseconds per KiB and pass; 0 before the first hash
}

func newHashQueue(slots int) *hashQueue {
	return &hashQueue{
		slots:  semaphore.NewWeighted(int64(slots)),
		places: int64(slots) * waitersPerSlot,
		refused: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "amanat_password_hashes_refused_total",
			Help: "Passwords that were not hashed because too many others waited.",
		}),
	}
}

// enter waits for a slot, which the caller releases by calling leave with the cost of the hash. It
// fails when ctx ends, and at once with code Unavailable if so many callers wait that the caller's
// request would probably time out.
func (q *hashQueue) enter(ctx context.Context) (leave func(HashCost), err error) {
	if err := q.wait(ctx); err != nil {
		return nil, err
	}
	began := time.Now() //nolint:forbidigo // duration of a hash
	return func(cost HashCost) {
		took := time.Since(began) //nolint:forbidigo // duration of a hash
		if rest := q.rest(took, cost); rest > 0 {
			time.AfterFunc(rest, func() { q.slots.Release(1) })
			return
		}
		q.slots.Release(1)
	}, nil
}

// wait acquires a slot.
func (q *hashQueue) wait(ctx context.Context) error {
	if q.slots.TryAcquire(1) { // never overtakes callers that wait
		return nil
	}
	defer q.waiting.Add(-1)
	if q.waiting.Add(1) > q.places {
		q.refused.Inc()
		return fault.Retry(fault.Unavailable, hashRetryAfter, "service_busy", "The service is busy. Please try again in a moment.")
	}
	if err := q.slots.Acquire(ctx, 1); err != nil {
		return fmt.Errorf("wait to hash a password: %w", err)
	}
	return nil
}

// rest returns how long the slot of a hash that took this long stays empty, in whole milliseconds.
func (q *hashQueue) rest(took time.Duration, cost HashCost) time.Duration {
	work := float64(cost.MemoryKiB) * float64(cost.Time)
	q.mu.Lock()
	defer q.mu.Unlock()
	if pace := float64(took) / work; q.fastest == 0 || pace < q.fastest {
		q.fastest = pace
	}
	return min(restFactor*(took-time.Duration(q.fastest*work)), maxRest).Round(time.Millisecond)
}

// metrics returns the number of callers that wait and the count of those refused.
func (q *hashQueue) metrics() []prometheus.Collector {
	waiting := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "amanat_password_hashes_waiting",
		Help: "Passwords that wait to be hashed.",
	}, func() float64 { return float64(q.waiting.Load()) })
	return []prometheus.Collector{waiting, q.refused}
}
