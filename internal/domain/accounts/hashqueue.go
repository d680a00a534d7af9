package accounts

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"amanat/internal/lib/fault"
)

// Bounds of hashing in a process (docs/decisions/0017-concurrent-hashes.md).
const (
	maxHashing     = 4  // at once, on any number of CPUs: each hash takes 19 MiB
	waitersPerSlot = 50 // 1.1 s of hashes at 22 ms each, and within a request's time at 200 ms
	// hashRetryAfter is longer than a full queue usually takes to empty.
	hashRetryAfter = 5 * time.Second
)

// hashSlots returns how many passwords are hashed at once: on half of the CPUs, since a hash keeps
// one busy for 22 ms and requests, PostgreSQL and workers need the others.
func hashSlots() int { return min(max(1, runtime.GOMAXPROCS(0)/2), maxHashing) }

// hashQueue bounds how many passwords are hashed at once and how many callers wait for that. The
// clients that wait take turns, each with its callers in order, so that a client with many calls
// delays the others by one hash each time. It is safe for concurrent use.
type hashQueue struct {
	refused prometheus.Counter
	places  int // for callers that wait

	mu      sync.Mutex
	free    int // slots; callers wait only while there is none
	waiting int
	lines   []*hashLine // in the order of their turns, none empty
}

// hashLine is the callers of a client that wait.
type hashLine struct {
	client string
	turns  []chan bool // receive true for a slot and false if the caller is refused
}

func newHashQueue(slots int) *hashQueue {
	return &hashQueue{
		free:   slots,
		places: slots * waitersPerSlot,
		refused: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "amanat_password_hashes_refused_total",
			Help: "Passwords that were not hashed because too many others waited.",
		}),
	}
}

// enter waits for a slot, which the caller releases with leave. It fails when ctx ends, and
// with code Unavailable if so many callers wait that a request would probably time out: a new
// caller takes the place of the last of the client with the most callers, unless that is its own.
func (q *hashQueue) enter(ctx context.Context, client string) error {
	q.mu.Lock()
	if q.free > 0 {
		q.free--
		q.mu.Unlock()
		return nil
	}
	turn := make(chan bool, 1)
	queued := q.join(client, turn)
	q.mu.Unlock()
	if !queued {
		return errHashesBusy()
	}
	select {
	case ok := <-turn:
		if !ok {
			return errHashesBusy()
		}
		return nil
	case <-ctx.Done():
		q.giveUp(client, turn)
		return fmt.Errorf("wait to hash a password: %w", ctx.Err())
	}
}

func errHashesBusy() error {
	return fault.Retry(fault.Unavailable, hashRetryAfter, "service_busy", "The service is busy. Please try again in a moment.")
}

// leave passes the slot on to whose turn it is.
func (q *hashQueue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.lines) == 0 {
		q.free++
		return
	}
	next := q.lines[0]
	q.lines = q.lines[1:]
	next.turns[0] <- true
	next.turns = next.turns[1:]
	q.waiting--
	if len(next.turns) > 0 {
		q.lines = append(q.lines, next)
	}
}

// join adds a caller to the line of its client. It returns false if it is refused.
func (q *hashQueue) join(client string, turn chan bool) bool {
	line := q.lineOf(client)
	if q.waiting >= q.places {
		q.refused.Inc()
		if !q.refuseOther(line) {
			return false
		}
	}
	q.waiting++
	if line == nil {
		q.lines = append(q.lines, &hashLine{client, []chan bool{turn}})
	} else {
		line.turns = append(line.turns, turn)
	}
	return true
}

// refuseOther refuses the last caller of the longest line if that is longer than a line will be to
// which one is added.
func (q *hashQueue) refuseOther(line *hashLine) bool {
	if len(q.lines) == 0 {
		return false
	}
	longest := slices.MaxFunc(q.lines, func(a, b *hashLine) int { return len(a.turns) - len(b.turns) })
	length := 1
	if line != nil {
		length += len(line.turns)
	}
	last := len(longest.turns) - 1
	if len(longest.turns) <= length {
		return false
	}
	longest.turns[last] <- false
	longest.turns = longest.turns[:last]
	q.waiting--
	return true
}

// giveUp removes a caller that no longer waits, and passes on the slot if it has just got one.
func (q *hashQueue) giveUp(client string, turn chan bool) {
	q.mu.Lock()
	if line := q.lineOf(client); line != nil {
		if i := slices.Index(line.turns, turn); i >= 0 {
			line.turns = slices.Delete(line.turns, i, i+1)
			q.waiting--
			if len(line.turns) == 0 {
				q.lines = slices.DeleteFunc(q.lines, func(l *hashLine) bool { return l == line })
			}
			q.mu.Unlock()
			return
		}
	}
	q.mu.Unlock()
	if ok := <-turn; ok {
		q.leave()
	}
}

func (q *hashQueue) lineOf(client string) *hashLine {
	i := slices.IndexFunc(q.lines, func(l *hashLine) bool { return l.client == client })
	if i < 0 {
		return nil
	}
	return q.lines[i]
}

func (q *hashQueue) countWaiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting
}

// metrics returns the number of callers that wait and the count of those refused.
func (q *hashQueue) metrics() []prometheus.Collector {
	waiting := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "amanat_password_hashes_waiting",
		Help: "Passwords that wait to be hashed.",
	}, func() float64 { return float64(q.countWaiting()) })
	return []prometheus.Collector{waiting, q.refused}
}
