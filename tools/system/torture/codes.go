package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
)

// agree makes the deal that the payment pays, which a buyer does with the code, and once in a while
// one that costs more. It returns what else happens to the deal.
func (p *phones) agree(ctx context.Context, one *paid, random *rand.Rand) (meanwhile func()) {
	seller, price, removed := p.one(random), one.cents, random.IntN(10) == 0
	if random.IntN(5) == 0 {
		price *= 2
	}
	select {
	case one.by = <-p.buyers:
	default: // all have paid
		return func() {}
	}
	made, ok := p.create(ctx, one.by, seller, price)
	if ok {
		one.deal = &made
	}
	one.code = p.codeOf(ctx, *one)
	return func() {
		if remove := made; ok && removed {
			remove.Kind = Remove
			p.do(ctx, request{by: seller, method: http.MethodDelete, path: "/deals/" + made.Subject.String()}, remove)
		}
	}
}

// purpose names the deal that the payment pays.
func (one paid) purpose() fields {
	if one.deal == nil {
		return fields{}
	}
	return fields{"dealId": one.deal.Subject, "terms": 1}
}

// codeOf returns the code of the payer. Their next payment is for its deal.
func (p *phones) codeOf(ctx context.Context, one paid) string {
	var has struct{ Code string }
	a := p.call(ctx, post(one.by, "/wallet/payment-code", one.purpose()), &Call{})
	_ = json.Unmarshal(a.body, &has) // without one, they report the payment
	return has.Code
}

// reportUnheeded has payers report the payments with their code that have become no deposit. Those
// whose SMS are believed should have.
func (r *run) reportUnheeded(ctx context.Context) error {
	claims, err := listClaims(ctx, r.owner)
	if err != nil {
		return err
	}
	believed, err := listUnclaimed(ctx, r.owner)
	if err != nil {
		return err
	}
	left := maps.Clone(r.phones.payments)
	coded := 0
	for _, c := range claims {
		if left[c.Transaction].code != "" && c.Unreported {
			coded++
		}
		delete(left, c.Transaction)
	}
	var reports []func()
	for id, one := range left {
		if one.code == "" {
			continue // its report is lost, see check
		}
		if slices.Contains(believed, id) {
			r.report.violate(fmt.Sprintf("payment %s: nobody heeds its code %s", id, one.code))
		}
		reports = append(reports, func() { r.phones.report(ctx, one, one.cents) })
	}
	atOnce(reports...)
	r.report.part("payments with a code", "%d have become a deposit without a report, %d are reported at the end", coded, len(reports))
	return nil
}

// judgeDeals checks that each deal that a payment was for is paid, or its buyer knows that it is
// not, and has the money. It adds to the history that workers have paid them.
func (r *run) judgeDeals(ctx context.Context) error {
	byDeal, has := map[uuid.UUID]paid{}, map[uuid.UUID]int64{}
	for _, one := range r.phones.payments {
		if one.deal != nil {
			byDeal[one.deal.Subject] = one
		}
	}
	deals, err := listAimed(ctx, r.owner, slices.Collect(maps.Keys(byDeal)))
	if err != nil {
		return err
	}
	if len(deals) != len(byDeal) {
		r.report.violate(fmt.Sprintf("%d of %d deals that payments are for are left", len(deals), len(byDeal)))
	}
	count := map[string]int{}
	for _, d := range deals {
		one := byDeal[d.ID]
		if problem := one.dealProblem(d); problem != "" {
			r.report.violate(fmt.Sprintf("deal %s: %s: %+v", d.ID, problem, d))
		}
		count[d.Status]++
		has[one.by.id] = one.cents
		if d.Status == dealActive {
			has[one.by.id] -= one.deal.Cents
			pay := *one.deal
			pay.Kind, pay.Outcome, pay.Returned = Pay, OK, time.Since(r.load.start)
			r.load.history.add(pay)
		}
	}
	r.report.part("deals that such payments are for", "%d paid, %d too dear, %d removed",
		count[dealActive], count[dealPending], count[dealRemoved])
	return r.compareWallets(ctx, has)
}

// dealProblem says what is wrong with the deal that the payment was for.
func (one paid) dealProblem(d aimed) string {
	short := one.cents < one.deal.Cents
	switch {
	case d.Status == dealActive && short:
		return "paid with too little"
	case d.Status == dealActive && d.Notices > 0:
		return "paid, and its buyer is told that it is not"
	case d.Status == dealPending && !short:
		return "not paid though its payment is credited"
	case d.Status == dealPending && d.Notices != 1:
		return "not paid, and its buyer is not told so once"
	case d.Status != dealActive && d.Status != dealPending && d.Status != dealRemoved:
		return "in a status that nobody has asked for"
	}
	return ""
}
