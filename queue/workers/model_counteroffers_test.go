package workers

import (
	"time"

	"github.com/google/uuid"

	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

// modelCounteroffer is the last counter-offer of a deal.
type modelCounteroffer struct {
	id     uuid.UUID
	maker  uuid.UUID
	price  money.Cents
	status deals.CounterofferStatus
}

// countered reports whether the deal waits for an answer to a counter-offer.
func (d *modelDeal) countered() bool {
	return d.counteroffer != nil && d.counteroffer.status == deals.CounterofferOpen
}

// nextPrice is the price of the next counter-offer, which differs from all earlier ones.
func (d *modelDeal) nextPrice() money.Cents {
	if d.counteroffer == nil {
		return d.price + 3
	}
	return max(d.price, d.counteroffer.price) + 3
}

// counter makes a counter-offer, whose ID is not known to the model yet.
func (m *model) counter(d *modelDeal, actor uuid.UUID) fault.Code {
	if d.status != deals.Pending || m.partyDisabled(d) || d.counteroffers == 30 {
		return fault.Conflict
	}
	d.counteroffer = &modelCounteroffer{maker: actor, price: d.nextPrice(), status: deals.CounterofferOpen}
	d.counteroffers++
	m.replan(d)
	return ""
}

// take accepts the last counter-offer.
func (m *model) take(d *modelDeal, actor uuid.UUID) fault.Code {
	o := d.counteroffer
	switch {
	case o == nil:
		return fault.NotFound
	case o.maker == actor:
		return fault.Forbidden
	case o.status == deals.CounterofferAccepted:
		return ""
	case o.status != deals.CounterofferOpen, m.partyDisabled(d):
		return fault.Conflict
	}
	o.status = deals.CounterofferAccepted
	d.price, d.accepted, d.due = o.price, true, m.now.Add(d.delivery)
	m.replan(d)
	return ""
}

// drop withdraws the last counter-offer, as its maker, or declines it.
func (m *model) drop(d *modelDeal, actor uuid.UUID) fault.Code {
	o, status := d.counteroffer, deals.CounterofferDeclined
	switch {
	case o == nil:
		return fault.NotFound
	case o.maker == actor:
		status = deals.CounterofferWithdrawn
	}
	switch o.status {
	case status:
	case deals.CounterofferOpen:
		o.status = status
		m.replan(d)
	default:
		return fault.Conflict
	}
	return ""
}

// negotiation returns what the parties can do about the terms of a deal that is not paid.
func negotiation(d *modelDeal) []move {
	if !d.countered() {
		return []move{{"counter", true}, {"counter", false}}
	}
	byBuyer := d.counteroffer.maker == d.buyer
	return []move{{"take", !byBuyer}, {"take", !byBuyer}, {"drop", true}, {"drop", false}, {"counter", !byBuyer}}
}

// tryCounteroffer makes, accepts or ends a counter-offer with the services. It runs after the
// model, which has the price.
func (f *modelFixture) tryCounteroffer(name string, d *modelDeal, actor uuid.UUID) error {
	ctx := f.t.Context()
	id := uuid.New() // of none
	if d.counteroffer != nil {
		id = d.counteroffer.id
	}
	switch {
	case name == "counter":
		price := d.nextPrice()
		if d.countered() {
			price = d.counteroffer.price
		}
		made, err := f.deals.MakeCounteroffer(ctx, actor, d.id, deals.Terms{
			Price: price, Description: "A channel", DeliveryDays: int(d.delivery / (24 * time.Hour)), InspectionDays: int(d.inspection / day),
		}, "", nil)
		if err == nil {
			d.counteroffer.id = made.Counteroffer.ID
		}
		return err
	case name == "take":
		_, err := f.deals.AcceptCounteroffer(ctx, actor, d.id, id)
		return err
	case d.counteroffer != nil && d.counteroffer.maker == actor:
		_, err := f.deals.WithdrawCounteroffer(ctx, actor, d.id, id)
		return err
	default:
		_, err := f.deals.DeclineCounteroffer(ctx, actor, d.id, id)
		return err
	}
}
