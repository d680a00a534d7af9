package deals

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/clock"
	"amanat/internal/money"
)

// totalMonths is the number of months in Totals, including the current one.
const totalMonths = 6

// Statuses returns all statuses, in the order of a deal's life.
func Statuses() []Status {
	return []Status{Pending, Active, Late, Delivered, Completed, Cancelled, CancelledByBuyer, CancelledBySeller}
}

// Totals summarizes all deals of a user.
type Totals struct {
	Count     map[Status]int
	Completed []Month // the last six, oldest first
}

// Month is what was paid in a user's deals completed in a calendar month in Dhaka.
type Month struct {
	Begins time.Time
	Price  money.Cents
}

// Totals returns the totals over all deals of a user.
func (s *Service) Totals(ctx context.Context, userID uuid.UUID) (Totals, error) {
	now := s.Clock.Now()
	count, err := countByStatus(ctx, s.DB, userID, now)
	if err != nil {
		return Totals{}, err
	}
	today := now.In(clock.Dhaka)
	first := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, clock.Dhaka).AddDate(0, 1-totalMonths, 0)
	sums, err := completedByMonth(ctx, s.DB, userID, first)
	months := make([]Month, totalMonths)
	for i := range months {
		begins := first.AddDate(0, i, 0)
		months[i] = Month{Begins: begins, Price: sums[begins.Format(monthLayout)]}
	}
	return Totals{Count: count, Completed: months}, err
}
