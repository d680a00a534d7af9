package limit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Rate is how often something may happen: Count at once, and again as evenly as Count in Per come. The zero value bounds nothing.
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

// UnmarshalText reads "5/15m", or "off" for no bound.
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

// String returns what UnmarshalText reads.
func (r Rate) String() string {
	if r.unlimited() {
		return rateOff
	}
	return fmt.Sprintf("%d/%s", r.Count, r.Per)
}

func (r Rate) unlimited() bool { return r.Count == 0 }

// interval is the time in which one comes back.
func (r Rate) interval() time.Duration { return r.Per / time.Duration(r.Count) }
