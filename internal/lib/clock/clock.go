// Package clock is the source of business time. Business rules never call time.Now or SQL's now():
// they use one injected clock, so that tests and the local stack can move it.
package clock

import (
	"sync"
	"time"
)

// Dhaka is the time zone of the business. It has no daylight saving time, so a fixed zone needs no
// time zone files.
var Dhaka = time.FixedZone("Asia/Dhaka", 6*60*60)

// Clock returns the business time, in UTC and truncated to microseconds, as PostgreSQL stores it.
type Clock interface {
	Now() time.Time
}

// System is the machine's clock, used in deployments.
type System struct{}

// Now returns the machine's time.
func (System) Now() time.Time { return machine().UTC().Truncate(time.Microsecond) }

// Offset is the machine's clock moved forward by an amount that can grow, for tests and the local
// stack. It is safe for concurrent use. The zero value has no offset.
type Offset struct {
	mu      sync.Mutex
	offset  time.Duration
	stopped time.Time // replaces the machine's time; zero: not stopped
}

// NewOffset returns a clock that runs ahead of the machine's by offset.
func NewOffset(offset time.Duration) *Offset { return &Offset{offset: offset} }

// NewStopped returns a clock that starts at the machine's time and moves only when it is advanced,
// so that a test that compares times does not depend on how long its steps take.
func NewStopped() *Offset { return &Offset{stopped: System{}.Now()} }

// Now returns the machine's time, or that at which the clock was stopped, plus the offset.
func (o *Offset) Now() time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.stopped.IsZero() {
		return o.stopped.Add(o.offset)
	}
	return System{}.Now().Add(o.offset)
}

// Advance moves the clock forward and returns the total offset. It panics on a negative step:
// business time never runs backwards.
func (o *Offset) Advance(step time.Duration) time.Duration {
	if step < 0 {
		panic("clock: negative step")
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.offset += step
	return o.offset
}

// Moment is a time in a text for users: in English as it is read in Dhaka, RFC 3339 in JSON.
type Moment time.Time

// String returns the time as texts show it, such as "8 Nov 2026, 10:14".
func (m Moment) String() string { return time.Time(m).In(Dhaka).Format("2 Jan 2006, 15:04") }

// MarshalText returns the time in RFC 3339, in UTC.
func (m Moment) MarshalText() ([]byte, error) {
	return []byte(time.Time(m).UTC().Format(time.RFC3339)), nil
}
