package deals

import (
	"time"

	"github.com/google/uuid"

	"amanat/internal/money"
	"amanat/internal/platform/actor"
	"amanat/internal/platform/user"
)

// The deal of the tables: a hundred dollars, paid at noon, due a week later, never delivered.
var (
	paidAt = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	dueAt  = paidAt.Add(7 * day)

	buyer    = user.Ref{ID: uuid.UUID{1}, Username: "rahim"}
	seller   = user.Ref{ID: uuid.UUID{2}, Username: "karim"}
	stranger = uuid.UUID{3}
	nobody   = uuid.UUID{} // the clock
)

func active() Deal {
	return Deal{
		ID: uuid.UUID{4}, Buyer: buyer, Seller: seller, CreatedBy: seller.ID,
		Price: 100_00, Fee: money.Fee(100_00), DeliveryDays: 7, InspectionDays: 3, Status: Active,
		CreatedAt: paidAt, DueAt: dueAt, AcceptedAt: new(paidAt), ActivatedAt: new(paidAt),
	}
}

// in returns the deal in the status alone: all else is as it was.
func (d Deal) in(status Status) Deal {
	d.Status = status
	return d
}

func pending() Deal {
	d := active().in(Pending)
	d.ActivatedAt = nil
	return d
}

func late() Deal { return active().in(Late) }

// delivered has a delivery that stands.
func delivered(at time.Time) Deal {
	d := active().in(Delivered)
	d.Delivered, d.DeliveredAt, d.FirstDeliveredAt = true, &at, &at
	return d
}

// taken has had a delivery that the buyer has taken back.
func taken(at time.Time) Deal {
	d := delivered(at.Add(-time.Hour))
	d.takeBack(at)
	return d
}

func (d Deal) with(change func(d *Deal)) Deal {
	change(&d)
	return d
}

// asked has a cancellation request.
func (d Deal) asked(at time.Time) Deal {
	d.CancellationRequested, d.CancellationAskedAt = true, &at
	return d
}

// planned waits for the clock, which has warned of what it will do unless warned is nil.
func (d Deal) planned(action Action, at time.Time, warned *time.Time) Deal {
	d.NextAction, d.NextActionAt, d.WarnedAt = action, &at, warned
	return d
}

// fixed is a clock that stands still.
type fixed time.Time

func (f fixed) Now() time.Time { return time.Time(f) }

// as returns who acts: the user, or the system for nobody.
func as(id uuid.UUID) actor.Actor {
	if id == nobody {
		return actor.System()
	}
	return actor.User(id)
}

// chosen returns the user of a draft, nil for nobody.
func chosen(id uuid.UUID) *uuid.UUID {
	if id == nobody {
		return nil
	}
	return &id
}
