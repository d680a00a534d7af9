package ratelimit

import (
	"sync"
	"time"
)

// Bounds of the memory of one process: about 10 MiB.
const (
	sweepFrom         = 1_000
	maxKept           = 100_000
	keptAfterEviction = maxKept / 2 // keeps sweeps rare
)

// local counts in this process. For each bucket it keeps the time at which it is full again (the
// "theoretical arrival time" of GCRA).
type local struct {
	mu      sync.Mutex
	full    map[string]time.Time
	sweepAt int // number of buckets that triggers a sweep
}

func newLocal() *local { return &local{full: map[string]time.Time{}, sweepAt: sweepFrom} }

// apply is the counterpart of script: it changes the bucket and returns 0, or returns how long to
// wait.
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

// sweep bounds the memory. It drops full buckets, and random ones if too many remain, which takes a
// flood from very many addresses.
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
		l.evict(len(l.full) - keptAfterEviction)
	}
	l.sweepAt = min(max(2*len(l.full), sweepFrom), maxKept)
}

func (l *local) evict(n int) {
	for id := range l.full {
		if n == 0 {
			return
		}
		delete(l.full, id)
		n--
	}
}
