package ratelimit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Rate is a limit of Count actions in Per: Count at once, refilled evenly. The zero value is
// unlimited.
type Rate struct {
	Count int
	Per   time.Duration
}

const (
	rateOff  = "off"
	maxCount = 1_000_000
	maxPer   = 30 * 24 * time.Hour
)

var errRate = errors.New("must be a number of times and a period, as in 5/15m, or off")

// UnmarshalText parses "5/15m", or "off" for unlimited.
func (r *Rate) UnmarshalText(text []byte) error {
	if string(text) == rateOff {
		*r = Rate{}
		return nil
	}
	countText, perText, found := strings.Cut(string(text), "/")
	count, err := strconv.Atoi(countText)
	if err != nil || !found {
		return errRate
	}
	per, err := time.ParseDuration(perText)
	if err != nil || count < 1 || count > maxCount || per < time.Second || per > maxPer {
		return errRate
	}
	*r = Rate{Count: count, Per: per}
	return nil
}

// String returns the format that UnmarshalText parses.
func (r Rate) String() string {
	if r.unlimited() {
		return rateOff
	}
	return fmt.Sprintf("%d/%s", r.Count, r.Per)
}

func (r Rate) unlimited() bool { return r.Count == 0 }

// Divided returns the rate with Count divided by the divisor, at least 1. An unlimited rate stays
// unlimited.
func (r Rate) Divided(by int) Rate {
	if !r.unlimited() {
		r.Count = max(1, r.Count/max(1, by))
	}
	return r
}

// Times returns the rate with Count multiplied by n.
func (r Rate) Times(n int) Rate {
	r.Count = min(r.Count*n, maxCount)
	return r
}

// interval is the time in which one token is refilled.
func (r Rate) interval() time.Duration { return r.Per / time.Duration(r.Count) }
