package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/devtools/phone"
	"amanat/internal/domain/wallet"
	"amanat/internal/money"
)

const (
	payoutOneIn    = 8 // of the movements on the SIMs
	payeeCount     = 20
	payeeFunds     = 100_000_00 // cents
	payoutUnit     = 1_00       // cents; payouts are a few of it, so that some are alike
	mostUnits      = 15
	forgedCents    = 50  // added to what nobody sends
	takaPerPayout  = 122 // the rate, rounded down
	sendFee        = money.Poisha(5_00)
	strangerNumber = "01999999999" // that nobody has asked to send to
)

// sent is money that has left a SIM, or what somebody pretends to have left it.
type sent struct {
	number    string
	taka, fee money.Poisha
	real      bool
}

// as is what payments and withdrawals that may belong to each other have in common.
type as struct {
	number string
	taka   money.Poisha
}

func payeeNumber(payee int) string { return fmt.Sprintf("018%08d", payee) }

// payOut has a payee withdraw money and an admin send it. Once in a while the admin also books it
// by hand, the SMS is forged or lost, or money leaves that nobody has withdrawn.
func (p *phones) payOut(ctx context.Context, random *rand.Rand) {
	s, payee, n := p.sims[random.IntN(len(p.sims))], random.IntN(len(p.payees)), random.IntN(100)
	cents := payoutUnit * (1 + random.Int64N(mostUnits))
	switch {
	case n < 3:
		p.count("of money that leaves for no withdrawal", 1)
		p.forward(ctx, s, p.send(s, strangerNumber, cents, false, random))
	case n < 5:
		p.forgePayout(ctx, s, payee, cents+forgedCents, random)
	case n < 15: // two that are alike
		other := rand.New(rand.NewPCG(random.Uint64(), random.Uint64()))
		atOnce(func() { p.withdrawAndSend(ctx, s, payee, cents, random) }, func() { p.withdrawAndSend(ctx, s, payee, cents, other) })
	default:
		p.withdrawAndSend(ctx, s, payee, cents, random)
	}
}

func (p *phones) withdrawAndSend(ctx context.Context, s *sim, payee int, cents int64, random *rand.Rand) {
	admin, n := p.admin(random), random.IntN(100)
	hold, ok := p.open(ctx, payee, cents, admin, n < 10)
	if !ok {
		return
	}
	arrives, times := p.arrival(random)
	sms := p.send(s, payeeNumber(payee), cents, times == 0, random)
	var do []func()
	for range times {
		do = append(do, func() { pause(ctx, arrives); p.forward(ctx, s, sms) })
	}
	switch {
	case n > 85:
		do = append(do, func() { p.book(ctx, admin, hold, sms.TransactionID) })
	case n > 80:
		do = append(do, func() { p.book(ctx, admin, hold, "") })
	}
	atOnce(do...)
}

// open has a payee withdraw money and an admin open the review, and may have the payee cancel it
// meanwhile. It reports whether the admin sees a withdrawal to pay out.
func (p *phones) open(ctx context.Context, payee int, cents int64, admin person, cancels bool) (hold Call, ok bool) {
	who := p.payees[payee]
	held := p.hold(ctx, who, cents, wallet.Nagad, payeeNumber(payee))
	if held.Outcome != OK {
		return held, false
	}
	hold = Call{Subject: held.Subject, Buyer: who.id, Cents: cents}
	path := "/withdrawals/" + hold.Subject.String()
	var sees struct{ Withdrawal struct{ Status string } }
	do := []func(){func() {
		a := p.call(ctx, post(admin, "/admin"+path+"/claim", nil), &Call{})
		ok = a.final() && json.Unmarshal(a.body, &sees) == nil && sees.Withdrawal.Status == string(wallet.WithdrawalPending)
	}}
	if cancels {
		cancel := hold
		cancel.Kind = Cancel
		do = append(do, func() { p.do(ctx, post(who, "/withdraw/"+hold.Subject.String()+"/cancel", nil), cancel) })
	}
	atOnce(do...)
	return hold, ok
}

// send has an admin send money from the SIM, and returns the SMS. The clocks of the processes are
// wrong, so that it is sent after the request only by one that is ahead of all others.
func (p *phones) send(s *sim, number string, cents int64, lost bool, random *rand.Rand) phone.SMS {
	one := sent{number: number, taka: money.Poisha(cents * takaPerPayout), fee: sendFee * money.Poisha(random.IntN(2)), real: true}
	sms := s.move(lost, 0, one.taka+one.fee, func() phone.SMS {
		return s.Send(wallet.Nagad, number, one.taka, one.fee, time.Now().Add(mostWrong))
	})
	p.addSent(sms, one)
	return sms
}

func (p *phones) addSent(sms phone.SMS, one sent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.payouts[sms.TransactionID] = one
}

// forgePayout has the phone receive SMS that a withdrawal is paid out, which the admin then rejects
// or leaves.
func (p *phones) forgePayout(ctx context.Context, s *sim, payee int, cents int64, random *rand.Rand) {
	admin := p.admin(random)
	hold, ok := p.open(ctx, payee, cents, admin, false)
	if !ok {
		return
	}
	p.count("forged", forgedAtOnce)
	s.doubts.Add(1)
	var do []func()
	for range forgedAtOnce {
		taka := money.Poisha(cents * takaPerPayout)
		sms := guess(s, payeeNumber(payee), taka, true, random)
		p.addSent(sms, sent{number: payeeNumber(payee), taka: taka})
		do = append(do, func() { p.forward(ctx, s, sms) })
	}
	if random.IntN(2) == 0 {
		path := "/admin/withdrawals/" + hold.Subject.String() + "/reject"
		hold.Kind = Reject
		do = append(do, func() { p.do(ctx, post(admin, path, fields{"reason": "The number is wrong."}), hold) })
	}
	atOnce(do...)
	s.doubts.Add(1)
}

// book has an admin book a withdrawal by hand.
func (p *phones) book(ctx context.Context, admin person, hold Call, transaction string) {
	hold.Kind = Send
	p.do(ctx, post(admin, "/admin/withdrawals/"+hold.Subject.String()+"/send",
		fields{"amount": money.Cents(hold.Cents), "transactionId": transaction}), hold)
}

// unbooked returns what has left the SIMs for no withdrawal, and the fees.
func (p *phones) unbooked() (taka money.Poisha) {
	for _, one := range p.payouts {
		if one.real {
			taka += one.fee
		}
		if one.number == strangerNumber {
			taka += one.taka
		}
	}
	return taka
}

// readPayouts returns the withdrawals, and the believed payments that have left the SIMs.
func (r *run) readPayouts(ctx context.Context) (rows []payoutRow, left []leftRow, err error) {
	if rows, err = listPayouts(ctx, r.owner); err == nil {
		left, err = listLeft(ctx, r.owner)
	}
	return rows, left, err
}

// bookUnproven has admins book the payouts that no SMS proves. Those whose SMS are believed
// should be booked.
func (r *run) bookUnproven(ctx context.Context) error {
	rows, left, err := r.readPayouts(ctx)
	if err != nil {
		return err
	}
	for _, l := range left {
		if l.Listed && l.Due {
			r.report.violate(fmt.Sprintf("payout %s: waits though its SMS proves it: %+v", l.Transaction, r.phones.payouts[l.Transaction]))
		}
	}
	missing, used := missing(r.phones.payouts, rows), map[string]bool{}
	for _, w := range rows {
		used[w.Transaction], used[w.Noted] = true, true
	}
	var books []func()
	for id, one := range r.phones.payouts {
		of := as{one.number, one.taka}
		i := slices.IndexFunc(rows, func(w payoutRow) bool { return w.as() == of && w.Status == string(wallet.WithdrawalPending) })
		if !one.real || used[id] || missing[of] == 0 || i < 0 {
			continue
		}
		missing[of]--
		w := rows[i]
		rows[i].Status = string(wallet.WithdrawalCompleted)
		claimed := slices.IndexFunc(r.load.admins, func(a person) bool { return w.ClaimedBy != nil && a.id == *w.ClaimedBy })
		admin := r.load.admins[max(claimed, 0)]
		books = append(books, func() { r.phones.book(ctx, admin, Call{Subject: w.ID, Buyer: w.UserID, Cents: w.Amount}, id) })
	}
	atOnce(books...)
	automatic := 0
	for _, w := range rows {
		if w.Automatic {
			automatic++
		}
	}
	r.report.part("payouts from phones", "%d withdrawals, %d of them booked by SMS, %d by hand at the end", len(rows), automatic, len(books))
	return nil
}

// judgePayouts checks what has become of all withdrawals and of all money that has left.
func (r *run) judgePayouts(ctx context.Context) error {
	rows, left, err := r.readPayouts(ctx)
	if err != nil {
		return err
	}
	r.report.violate(checkPayouts(r.phones.payouts, rows, left)...)
	has := map[uuid.UUID]int64{}
	for _, who := range r.phones.payees {
		has[who.id] = payeeFunds
	}
	for _, w := range rows {
		if w.Status != string(wallet.WithdrawalFailed) {
			has[w.UserID] -= w.Amount
		}
	}
	return r.compareWallets(ctx, has)
}

// checkPayouts says which withdrawals are booked otherwise than money has left the SIMs, and what
// has left unnoticed.
func checkPayouts(payouts map[string]sent, rows []payoutRow, left []leftRow) (violations []string) {
	used := map[string]int{}
	for _, w := range rows {
		if w.Status != string(wallet.WithdrawalCompleted) {
			continue
		}
		for id := range map[string]bool{w.Transaction: true, w.Noted: true} {
			if used[id]++; id != "" && used[id] > 1 {
				violations = append(violations, fmt.Sprintf("payout %s: books several withdrawals: %+v", id, w))
			}
			if one := payouts[id]; id != "" && (!one.real || w.as() != as{one.number, one.taka}) {
				violations = append(violations, fmt.Sprintf("payout %s: books what it has not paid out: %+v %+v", id, one, w))
			}
		}
		if w.Automatic && (w.Noted == "" || w.Noted != w.Transaction) {
			violations = append(violations, fmt.Sprintf("withdrawal %s: booked without its SMS: %+v", w.ID, w))
		}
	}
	for of, n := range missing(payouts, rows) {
		if n != 0 {
			violations = append(violations, fmt.Sprintf("%s: %d payments of %s more than withdrawals are booked", of.number, n, of.taka))
		}
	}
	for _, l := range left {
		one := payouts[l.Transaction]
		of := as{one.number, one.taka}
		// Of several with one number and amount, one that was booked without an ID may have none.
		bare := slices.ContainsFunc(rows, func(w payoutRow) bool {
			return w.as() == of && w.Status == string(wallet.WithdrawalCompleted) && w.Transaction == "" && w.Noted == ""
		})
		switch {
		case !one.real:
			violations = append(violations, fmt.Sprintf("payout %s: believed though nobody has sent it", l.Transaction))
		case l.Listed && !l.Alarmed, l.Listed && one.number != strangerNumber && !bare, !l.Listed && one.number == strangerNumber:
			like := slices.DeleteFunc(slices.Clone(rows), func(w payoutRow) bool { return w.as() != of })
			violations = append(violations, fmt.Sprintf("payout %s: not noticed as it should be: %+v %+v; its withdrawals: %+v",
				l.Transaction, one, l, like))
		}
	}
	return violations
}

// missing returns how many withdrawals fewer are booked than are paid out.
func missing(payouts map[string]sent, rows []payoutRow) map[as]int {
	n := map[as]int{}
	for _, one := range payouts {
		if one.real && one.number != strangerNumber {
			n[as{one.number, one.taka}]++
		}
	}
	for _, w := range rows {
		if w.Status == string(wallet.WithdrawalCompleted) {
			n[w.as()]--
		}
	}
	return n
}

func (w payoutRow) as() as { return as{w.Number, money.Poisha(w.Taka)} }
