package wallet

import (
	"cmp"
	"context"
	"slices"
	"time"

	"amanat/internal/app/config"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// ShownReceiver is the number that users are shown for a method now (docs/rules.md#receivers).
type ShownReceiver struct {
	Method    string
	Number    string        // the one with the most room
	Room      *money.Poisha // what it can take today, in whole thousands of taka; nil: any amount
	FullUntil *time.Time    // when a number of the method has room again; nil: Number has
}

const (
	// leastRoom is the room below which a number counts as full.
	leastRoom money.Poisha = 1_000_00
	// largePayment is what most payments are below: a number that can take it today is as good as
	// one that can take more.
	largePayment money.Poisha = 25_000_00
)

// room is a number and what is left of its caps.
type room struct {
	config.Receiver
	now   money.Poisha // both of the day and of the month
	month money.Poisha
}

// ShownReceivers returns the number to show for each method. Caps are soft: payments on their way
// are not known, and reports of a full number are taken.
func (s *Service) ShownReceivers(ctx context.Context) ([]ShownReceiver, error) {
	return s.shownReceivers(ctx, s.DB)
}

func (s *Service) shownReceivers(ctx context.Context, q postgres.Querier) (shown []ShownReceiver, err error) {
	today := midnight(s.Clock.Now())
	month := today.AddDate(0, 0, 1-today.Day())
	rooms, err := s.rooms(ctx, q, today, month)
	for _, method := range Methods() {
		of := slices.DeleteFunc(slices.Clone(rooms), func(r room) bool { return r.Method != method })
		if len(of) == 0 {
			continue
		}
		best := slices.MaxFunc(of, func(a, b room) int {
			return cmp.Or(cmp.Compare(min(a.now, largePayment), min(b.now, largePayment)), cmp.Compare(a.month, b.month))
		})
		one := ShownReceiver{Method: method, Number: best.Number}
		switch {
		case best.now < leastRoom:
			until := month.AddDate(0, 1, 0)
			if slices.ContainsFunc(of, func(r room) bool { return min(r.Day, r.month) >= leastRoom }) {
				until = today.AddDate(0, 0, 1)
			}
			one.FullUntil = new(until.UTC())
		case best.Day != config.NoCap:
			one.Room = new(best.now - best.now%leastRoom)
		}
		shown = append(shown, one)
	}
	return shown, err
}

// rooms returns the room of all numbers.
func (s *Service) rooms(ctx context.Context, q postgres.Querier, today, month time.Time) (rooms []room, err error) {
	var capped []string
	for _, r := range s.Numbers {
		if r.Day != config.NoCap {
			capped = append(capped, r.Number)
		}
	}
	used, err := usedReceivers.Many(ctx, q, postgres.Args{"numbers": capped, "today": today, "month": month})
	for _, r := range s.Numbers {
		left := room{r, min(r.Day, r.Month), r.Month}
		for _, u := range used {
			if u.Method == r.Method && u.Number == r.Number && r.Day != config.NoCap {
				left.month = r.Month - u.Month
				left.now = min(r.Day-u.Today, left.month)
			}
		}
		rooms = append(rooms, left)
	}
	return rooms, err
}

// OneOfSeveral reports whether the method of a deposit has other numbers than the one that its user
// was shown.
func (s *Service) OneOfSeveral(d Deposit) bool {
	other := func(r config.Receiver) bool { return r.Method == d.Method && r.Number != d.Receiver }
	return d.Receiver != "" && slices.ContainsFunc(s.Numbers, other)
}

// receiverOf returns the number that the user of a report was shown, or if the report does not say
// so, the one that is shown now. Code Invalid for another number.
func (s *Service) receiverOf(ctx context.Context, q postgres.Querier, report Report) (string, error) {
	if report.Receiver != "" {
		ours := func(r config.Receiver) bool { return r.Method == report.Method && r.Number == report.Receiver }
		if !slices.ContainsFunc(s.Numbers, ours) {
			return "", fault.New(fault.Invalid, "receiver_unknown",
				"Amanat no longer uses the number that you were shown. If you have sent money to it, report it again.")
		}
		return report.Receiver, nil
	}
	shown, err := s.shownReceivers(ctx, q)
	for _, one := range shown {
		if one.Method == report.Method {
			return one.Number, err
		}
	}
	return "", err
}
