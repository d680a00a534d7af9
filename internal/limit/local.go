package limit

import (
	"sync"
	"time"
)

// Bounds of what one process remembers: some 10 MiB at most.
const (
	sweepFrom      = 1_000
	maxKept        = 100_000
	keptAfterFlood = maxKept / 2 // so that sweeping stays rare
)

// local counts in this process. It keeps of each bucket the time at which it is full again (the "theoretical arrival time" of GCRA).
type local struct {
	mu      sync.Mutex
	full    map[string]time.Time
	sweepAt int // number of buckets at which those that are full are dropped
}

func newLocal() *local { return &local{full: map[string]time.Time{}, sweepAt: sweepFrom} }

// apply does what script does in Redis: it returns how long to wait, 0 when the change was made.
func (l *local) apply(s spend) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := l.full[s.id]
	if at.Before(s.now) {
		at = s.now
	}
	at = at.Add(time.Duration(s.cost) * s.rate.interval())
	if wait := at.Sub(s.now) - s.rate.Per; s.cost > 0 && wait > 0 {
		return wait
	}
	if !at.After(s.now) {
		delete(l.full, s.id)
		return 0
	}
	l.full[s.id] = at
	l.sweep(s.now)
	return 0
}

// sweep keeps the memory bounded. When everything in it still counts, which takes a flood from very many addresses, it forgets at random.
func (l *local) sweep(now time.Time) {
	if len(l.full) < l.sweepAt {
		return
	}
	for id, at := range l.full {
		if !at.After(now) {
			delete(l.full, id)
		}
	}
	if len(l.full) >= maxKept {
		l.forget(len(l.full) - keptAfterFlood)
	}
	l.sweepAt = min(max(2*len(l.full), sweepFrom), maxKept)
}

func (l *local) forget(n int) {
	for id := range l.full {
		if n == 0 {
			return
		}
		delete(l.full, id)
		n--
	}
}
