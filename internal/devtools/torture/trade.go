package torture

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"

	"github.com/google/uuid"

	"amanat/internal/money"
)

const deliveryDays = 7

// trade is a deal and its parties.
type trade struct {
	*load
	ctx           context.Context
	random        *rand.Rand
	buyer, seller person
	deal          Call // what the records of its calls have in common
}

// trade makes a deal and brings it to an end, often with two people who want different ones at the
// same time.
func (l *load) trade(ctx context.Context, random *rand.Rand) {
	t := &trade{load: l, ctx: ctx, random: random, buyer: l.one(random), seller: l.one(random)}
	for t.seller.id == t.buyer.id {
		t.seller = l.one(random)
	}
	price := minPrice + random.Int64N(maxPrice-minPrice)
	made := Call{Kind: Create, Buyer: t.buyer.id, Seller: t.seller.id, Cents: price}
	a := l.call(ctx, post(t.seller, "/deals/create", fields{
		"price": money.Cents(price), "description": "A channel", "deliveryDuration": deliveryDays, "buyerId": t.buyer.id, "sellerId": t.seller.id,
	}), &made)
	made.Subject = a.id("")
	l.history.add(made)
	if made.Outcome != OK {
		return
	}
	t.deal = Call{Subject: made.Subject, Buyer: made.Buyer, Seller: made.Seller, Cents: price}
	if !t.pay() {
		return
	}
	t.end()
	t.read(t.buyer)
}

// pay pays the deal, sometimes twice at once, and sometimes while the seller withdraws it. It
// returns false if the deal is not paid.
func (t *trade) pay() bool {
	paid := false
	pay := func() {
		record := t.call(Pay)
		paid = record.Outcome == OK
	}
	switch n := t.random.IntN(100); {
	case n < 5:
		atOnce(pay, func() { t.call(Pay) })
	case n < 9:
		atOnce(pay, func() { t.call(Remove) })
	default:
		pay()
	}
	return paid
}

func (t *trade) end() {
	switch n := t.random.IntN(100); {
	case n < 30:
		t.call(Complete)
	case n < 40:
		t.call(Deliver)
		t.call(Complete)
	case n < 48:
		t.call(SellerCancel)
	case n < 56:
		t.call(AskCancel)
		t.call(AcceptCancel)
	case n < 66:
		if offer := t.dispute(); offer != nil {
			offer()
		}
	case n < 76:
		t.race(Complete, SellerCancel)
	case n < 82:
		t.race(Complete, ForceCancel)
	case n < 87:
		t.race(ForceComplete, SellerCancel)
	case n < 92:
		t.race(Deliver, AskCancel)
		t.race(AcceptCancel, Complete)
	case n < 97:
		if settle := t.dispute(); settle != nil {
			atOnce(settle, func() { t.call(Complete) })
		}
	default: // it stays open
	}
}

// race makes calls at once, and reads the deal meanwhile.
func (t *trade) race(kinds ...Kind) {
	do := []func(){func() { t.read(t.seller) }}
	for _, kind := range kinds {
		do = append(do, func() { t.call(kind) })
	}
	atOnce(do...)
}

// call makes a call about the deal as the one who may.
func (t *trade) call(kind Kind) Call {
	id, record := t.deal.Subject.String(), t.deal
	record.Kind = kind
	r := post(t.buyer, "", nil)
	switch kind {
	default: // it has a path of its own, see dispute
	case Pay:
		r.path = "/deals/pay/" + id
	case Complete:
		r.path = "/deals/complete/" + id
	case AskCancel:
		r.path = "/deals/cancel/" + id
	case SellerCancel:
		r.by, r.path = t.seller, "/deals/cancel/"+id
	case AcceptCancel:
		r.by, r.path = t.seller, "/deals/accept-cancellation/"+id
	case Deliver:
		r.by, r.path, r.once = t.seller, "/deals/deliver/"+id, true
	case Remove:
		r = request{by: t.seller, method: http.MethodDelete, path: "/deals/" + id}
	case ForceComplete:
		r.by, r.path = t.admins[0], "/admin/deals/complete/"+id
	case ForceCancel:
		r.by, r.path = t.admins[0], "/admin/deals/cancel/"+id
	}
	record, _ = t.do(t.ctx, r, record)
	return record
}

// dispute opens a dispute, in which the seller offers to divide the price. It returns how the buyer
// accepts the offer, or nil if there is none.
func (t *trade) dispute() (accept func()) {
	record := t.deal
	record.Kind = Dispute
	opened, a := t.do(t.ctx, post(t.buyer, "/deals/"+t.deal.Subject.String()+"/dispute", fields{
		"reason": "other", "text": "It is not what was agreed.",
	}), record)
	if opened.Outcome != OK {
		return nil
	}
	path := "/disputes/" + a.id("dispute").String() + "/offers"
	record.Kind, record.Part = Offer, t.random.Int64N(t.deal.Cents)
	offered, a := t.do(t.ctx, post(t.seller, path, fields{"buyerGets": money.Cents(record.Part)}), record)
	var made struct {
		Dispute struct {
			Offers []struct {
				ID uuid.UUID `json:"_id"`
			}
		}
	}
	if offered.Outcome != OK || json.Unmarshal(a.body, &made) != nil || len(made.Dispute.Offers) == 0 {
		return nil
	}
	record.Kind = Settle
	return func() { t.do(t.ctx, post(t.buyer, path+"/"+made.Dispute.Offers[0].ID.String()+"/accept", nil), record) }
}

// read reads the deal.
func (t *trade) read(by person) {
	record := t.deal
	record.Kind = ReadDeal
	a := t.load.call(t.ctx, get(by, "/deals/"+record.Subject.String()), &record)
	var deal struct {
		Status                string
		CancellationRequested bool
	}
	switch {
	case a.absent():
		record.Outcome, record.Saw = OK, &Sight{Status: dealRemoved}
	case record.Outcome == OK && json.Unmarshal(a.body, &deal) == nil:
		record.Saw = &Sight{Status: deal.Status, Requested: deal.CancellationRequested}
	}
	t.history.add(record)
}
