package deals

import (
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/user"
	"amanat/internal/money"
)

// The deal of the table tests: a price of $100, paid at noon, due a week later, never delivered.
var (
	paidAt = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	dueAt  = paidAt.Add(7 * day)

	buyer    = user.Ref{ID: uuid.UUID{1}, Username: "rahim"}
	seller   = user.Ref{ID: uuid.UUID{2}, Username: "karim"}
	stranger = uuid.UUID{3}
	noUser   = uuid.UUID{} // stands for the system, or for an omitted user
)

func active() Deal {
	return Deal{
		ID: uuid.UUID{4}, Buyer: buyer, Seller: seller, CreatedBy: seller.ID,
		Terms: Terms{Price: 100_00, DeliveryDays: 7, InspectionDays: 3}, Fee: money.Fee(100_00), Status: Active,
		CreatedAt: paidAt, DueAt: dueAt, AcceptedAt: new(paidAt), ActivatedAt: new(paidAt),
	}
}

// in returns the deal with only the status changed.
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

// delivered returns a delivered deal.
func delivered(at time.Time) Deal {
	d := active().in(Delivered)
	d.Delivered, d.DeliveredAt, d.FirstDeliveredAt = true, &at, &at
	return d
}

// takenBack returns a deal whose delivery the buyer has rejected.
func takenBack(at time.Time) Deal {
	d := delivered(at.Add(-time.Hour))
	d.takeBack(at)
	return d
}

func (d Deal) with(change func(d *Deal)) Deal {
	change(&d)
	return d
}

// asked returns the deal with a cancellation request.
func (d Deal) asked(at time.Time) Deal {
	d.CancellationRequested, d.CancellationAskedAt = true, &at
	return d
}

// planned returns the deal with a next action, whose warning was sent unless warned is nil.
func (d Deal) planned(action Action, at time.Time, warned *time.Time) Deal {
	d.NextAction, d.NextActionAt, d.WarnedAt = action, &at, warned
	return d
}

// fixed is a Clock that always returns the same time.
type fixed time.Time

func (f fixed) Now() time.Time { return time.Time(f) }

// actorOf returns the actor with the user ID, the system for noUser.
func actorOf(id uuid.UUID) actor.Actor {
	if id == noUser {
		return actor.System()
	}
	return actor.User(id)
}

// userOrNil returns a user of a draft, nil for noUser.
func userOrNil(id uuid.UUID) *uuid.UUID {
	if id == noUser {
		return nil
	}
	return &id
}
