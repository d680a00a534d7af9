package config

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

const wholeDay = 24 * time.Hour

// Hours are hours of every day in Dhaka. With To before From they go past midnight. The zero value
// is the whole day.
type Hours struct {
	From, To time.Duration // since midnight
}

var errHours = errors.New("must be two times of a day, as in 09:00-23:00 or 18:00-02:00; 00:00-24:00 is the whole day")

// UnmarshalText parses "09:00-23:00".
func (h *Hours) UnmarshalText(text []byte) error {
	from, to, found := strings.Cut(string(text), "-")
	start, startErr := timeOfDay(from)
	end, endErr := timeOfDay(to)
	if !found || startErr != nil || endErr != nil || start == end || start == wholeDay {
		return errHours
	}
	*h = Hours{From: start, To: end}
	return nil
}

// timeOfDay parses a time from 00:00 to 24:00.
func timeOfDay(text string) (time.Duration, error) {
	if text == "24:00" {
		return wholeDay, nil
	}
	at, err := time.Parse("15:04", text)
	if err != nil || len(text) != len("15:04") {
		return 0, errHours
	}
	return time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute, nil
}

// Bounds returns the first and the last moment of the hours, since the midnight of the day on which
// they begin.
func (h Hours) Bounds() (from, to time.Duration) {
	if h.To <= h.From {
		return h.From, h.To + wholeDay
	}
	return h.From, h.To
}

// String returns the format that UnmarshalText parses.
func (h Hours) String() string {
	from, to := h.Texts()
	return from + "-" + to
}

// Texts returns the beginning and the end in the format HH:MM.
func (h Hours) Texts() (from, to string) {
	if h == (Hours{}) {
		h.To = wholeDay
	}
	return clockText(h.From), clockText(h.To)
}

func clockText(sinceMidnight time.Duration) string {
	return fmt.Sprintf("%02d:%02d", int(sinceMidnight.Hours()), int(sinceMidnight.Minutes())%60)
}
