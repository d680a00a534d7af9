package wallet

import (
	"context"
	"slices"
	"time"

	"amanat/internal/app/config"
	"amanat/internal/lib/clock"
)

const (
	usualOf    = 50 // the last credited deposits count for the usual time
	usualLeast = 5  // with fewer, there is no usual time
)

// Wait is how long admins usually take to credit a deposit, and when they do so.
type Wait struct {
	Usual      *time.Duration // within the hours; nil: too few deposits were credited
	Hours      config.Hours
	Open       bool
	NextOpenAt *time.Time // nil while open
}

// DepositWait returns how long a deposit that is reported now has to wait.
func (s *Service) DepositWait(ctx context.Context) (Wait, error) {
	now := s.Clock.Now()
	w := Wait{Hours: s.Hours, Open: isOpen(s.Hours, now)}
	if !w.Open {
		next := nextOpening(s.Hours, now)
		w.NextOpenAt = &next
	}
	credited, err := lastCredited(ctx, s.DB, usualOf)
	if err != nil {
		return Wait{}, err
	}
	w.Usual = usual(s.Hours, credited)
	return w, nil
}

// span is the time from the report of a deposit to its credit.
type span struct {
	CreatedAt, HandledAt time.Time
}

// usual returns the median of the spans, nil if there are too few.
func usual(hours config.Hours, spans []span) *time.Duration {
	if len(spans) < usualLeast {
		return nil
	}
	worked := make([]time.Duration, len(spans))
	for i, s := range spans {
		worked[i] = within(hours, s.CreatedAt, s.HandledAt)
	}
	slices.Sort(worked)
	middle := len(worked) / 2
	median := worked[middle]
	if len(worked)%2 == 0 {
		median = (worked[middle-1] + median) / 2
	}
	return &median
}

// midnight returns the beginning of the day in Dhaka.
func midnight(at time.Time) time.Time {
	year, month, day := at.In(clock.Dhaka).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, clock.Dhaka)
}

// isOpen reports whether the moment is within the hours.
func isOpen(hours config.Hours, now time.Time) bool {
	from, to := hours.Bounds()
	today := now.Sub(midnight(now))
	// The hours of the day before may go past midnight.
	return from <= today && today < to || today < to-24*time.Hour
}

// nextOpening returns the next beginning of the hours.
func nextOpening(hours config.Hours, now time.Time) time.Time {
	from, _ := hours.Bounds()
	opening := midnight(now).Add(from)
	if !opening.After(now) {
		opening = opening.AddDate(0, 0, 1)
	}
	return opening
}

// within returns how much of the time from start to end is within the hours.
func within(hours config.Hours, start, end time.Time) time.Duration {
	from, to := hours.Bounds()
	var sum time.Duration
	for day := midnight(start).AddDate(0, 0, -1); day.Before(end); day = day.AddDate(0, 0, 1) {
		begins, ends := day.Add(from), day.Add(to)
		if begins.Before(start) {
			begins = start
		}
		if ends.After(end) {
			ends = end
		}
		sum += max(0, ends.Sub(begins))
	}
	return sum
}
