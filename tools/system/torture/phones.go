package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"amanat/internal/devtools/phone"
	"amanat/internal/domain/wallet"
	"amanat/internal/money"
)

const (
	simCount      = 8
	payerCount    = 50
	phoneKey      = "key-of-the-torture"
	firstDeposit  = 1_00 // cents, without which a user may have one pending deposit only
	minPayment    = 1_00 // cents
	maxPayment    = 99_00
	takaPerDollar = 123 // the rate, rounded up
	simFunds      = money.Poisha(50_000_00)
	mostGuessed   = int64(20_000_000_00) // poisha that a forger guesses
	forgedAtOnce  = 25
	reportWithin  = 2 * time.Second
	reorderedBy   = time.Second
	latest        = 15 * time.Second
	tendEvery     = 5 * time.Second
)

// sim is an account of Nagad on a phone of the operator.
type sim struct {
	*phone.Phone
	doubts atomic.Int64 // grows when an SMS is lost or forged
	outbox atomic.Int64 // SMS that no api has taken yet

	mu     sync.Mutex
	unsaid money.Poisha // that came last, in SMS that are lost
}

// paid is a payment, or what somebody pretends to have paid.
type paid struct {
	sms   phone.SMS
	by    person
	cents int64 // that the taka are worth
	real  bool
}

// phones are the phones of the operator and people who pay to them. Nobody else pays by Nagad, so
// that the ledger must have just what is on the SIMs.
type phones struct {
	*load
	sims   []*sim
	payers []person

	mu       sync.Mutex
	payments map[string]paid // by transaction ID
	faults   map[string]int  // SMS by what happened to them
	entered  int             // balances
}

func newPhones(l *load, payers []person) *phones {
	p := &phones{load: l, payers: payers, payments: map[string]paid{}, faults: map[string]int{}}
	for i := range simCount {
		p.sims = append(p.sims, &sim{Phone: phone.New(phoneName(i), phoneKey, simFunds)})
		p.sims[i].doubts.Add(1) // nobody has entered its balance
	}
	return p
}

func phoneName(i int) string { return fmt.Sprintf("phone-%d", i+1) }

// phoneKeys is the setting that tells workers the keys.
func phoneKeys() string {
	var keys []string
	for i := range simCount {
		keys = append(keys, phoneName(i)+"="+phoneKey)
	}
	return "PHONE_KEYS=" + strings.Join(keys, ",")
}

// run has people pay at a fixed rate until until ends, whatever the state of the system, and waits
// until all SMS are forwarded and all payments reported, or ctx ends.
func (p *phones) run(ctx, until context.Context, perSecond float64, random *rand.Rand) {
	var group sync.WaitGroup
	group.Go(func() { p.tend(ctx, until) })
	ticker := time.NewTicker(time.Duration(float64(time.Second) / perSecond))
	defer ticker.Stop()
	for until.Err() == nil {
		own := rand.New(rand.NewPCG(random.Uint64(), random.Uint64()))
		group.Go(func() { p.pay(ctx, own) })
		select {
		case <-ticker.C:
		case <-until.Done():
		}
	}
	group.Wait()
}

// pay has somebody pay and report it. Once in a while the SMS is lost, late or doubled, or somebody
// only pretends to have paid.
func (p *phones) pay(ctx context.Context, random *rand.Rand) {
	s := p.sims[random.IntN(len(p.sims))]
	within := func(most time.Duration) time.Duration { return time.Duration(random.Int64N(int64(most))) }
	arrives, reported, times := time.Duration(0), within(reportWithin), 1
	switch n := random.IntN(2000); {
	case n < 3:
		p.count("lost", 1)
		times = 0
	case n < 9:
		p.forge(ctx, s, random)
		return
	case n < 19:
		p.steal(ctx, s, random)
		return
	case n < 29:
		p.count("late", 1)
		arrives = within(latest)
	case n < 89:
		p.count("reordered", 1)
		arrives = within(reorderedBy)
	case n < 189:
		p.count("twice", 1)
		times = 2
	}
	sms, cents := p.receive(s, random, times == 0)
	claimed := cents
	if random.IntN(10) == 0 {
		claimed += cents / 20
	}
	claim := p.add(sms, cents, true, random)
	do := []func(){func() { pause(ctx, reported); p.report(ctx, claim, claimed) }}
	for range times {
		do = append(do, func() { pause(ctx, arrives); p.forward(ctx, s, sms) })
	}
	atOnce(do...)
}

// receive has somebody pay to the SIM, and returns the SMS and what it is worth in cents.
func (p *phones) receive(s *sim, random *rand.Rand, lost bool) (phone.SMS, int64) {
	cents := minPayment + random.Int64N(maxPayment-minPayment)
	taka := money.Poisha(cents * takaPerDollar)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unsaid += taka
	if lost {
		s.doubts.Add(1)
	} else {
		s.unsaid = 0
	}
	return s.Receive(wallet.Nagad, phoneNumber, taka, "", time.Now()), cents
}

// forge has the phone receive SMS of somebody who does not know the balance of the SIM.
func (p *phones) forge(ctx context.Context, s *sim, random *rand.Rand) {
	p.count("forged", forgedAtOnce)
	s.doubts.Add(1)
	var do []func()
	for range forgedAtOnce {
		sms := s.Forge(wallet.Nagad, phoneNumber, maxPayment*takaPerDollar, time.Now())
		balance := money.Poisha(random.Int64N(mostGuessed))
		sms.Text = phone.Text(wallet.Nagad, sms.TransactionID, phoneNumber, maxPayment*takaPerDollar, 0, balance, "", time.Now(), false)
		claim := p.add(sms, maxPayment, false, random)
		do = append(do, func() { p.report(ctx, claim, maxPayment) }, func() { p.forward(ctx, s, sms) })
	}
	atOnce(do...)
	s.doubts.Add(1) // the balance may have been entered meanwhile
}

// steal has somebody who knows the balance of the SIM, but not the key of the phone, call the api.
func (p *phones) steal(ctx context.Context, s *sim, random *rand.Rand) {
	p.count("with another key", 1)
	thief := &sim{Phone: phone.New(s.Name, "another-key-of-the-torture", s.Balance(wallet.Nagad))}
	sms, cents := p.receive(thief, random, false)
	claim := p.add(sms, cents, false, random)
	atOnce(func() { p.report(ctx, claim, cents) }, func() { p.forward(ctx, thief, sms) })
}

func (p *phones) count(what string, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults[what] += n
}

// add notes who has paid, or pretends so.
func (p *phones) add(sms phone.SMS, cents int64, real bool, random *rand.Rand) paid {
	one := paid{sms: sms, by: p.payers[random.IntN(len(p.payers))], cents: cents, real: real}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.payments[sms.TransactionID] = one
	return one
}

// report has the payer report the payment.
func (p *phones) report(ctx context.Context, one paid, claimed int64) {
	p.do(ctx, post(one.by, "/auth/deposit", fields{
		"amount": money.Cents(claimed), "transactionId": one.sms.TransactionID, "paymentMethod": wallet.Nagad,
	}), Call{Kind: Deposit, Buyer: one.by.id, Cents: claimed})
}

// forward calls an api with the SMS until one answers with success, as the app does.
func (p *phones) forward(ctx context.Context, s *sim, sms phone.SMS) {
	s.outbox.Add(1)
	defer s.outbox.Add(-1)
	d := s.Forward(sms, time.Now())
	for attempts := 1; phone.Send(ctx, p.http, p.site(), d) != nil && pause(ctx, backOff(attempts)); attempts++ {
	}
}

// account is a SIM as admins see it.
type account struct {
	ID       uuid.UUID `json:"_id"`
	Phone    string
	BrokenAt *time.Time
}

// tend has an admin look at the accounts, and enter the balance of those whose SMS do not add up
// since one was lost or forged, when the phone has none left to forward. Others add up when the
// missing SMS come.
func (p *phones) tend(ctx, until context.Context) {
	entered, done := map[string]int64{}, map[string]int64{}
	for pause(until, tendEvery) {
		doubts := map[string]int64{}
		for _, s := range p.sims {
			doubts[s.Name] = s.doubts.Load()
		}
		var accounts []account
		a := p.attempt(ctx, get(p.admins[0], "/admin/receivers"), "", false)
		if a.status != http.StatusOK || json.Unmarshal(a.body, &accounts) != nil {
			continue
		}
		for _, one := range accounts {
			now := doubts[one.Phone]
			switch {
			case now == done[one.Phone]:
			case one.BrokenAt != nil:
				if p.enter(ctx, one) {
					entered[one.Phone] = now
				}
			case entered[one.Phone] == now:
				done[one.Phone] = now
			}
		}
	}
}

// enter has an admin enter the balance that the app of the provider shows. The call is made once:
// its repetition would state what has been the balance then.
func (p *phones) enter(ctx context.Context, one account) bool {
	i := slices.IndexFunc(p.sims, func(s *sim) bool { return s.Name == one.Phone })
	if p.sims[i].outbox.Load() > 0 {
		return false
	}
	balance := fields{"balance": p.sims[i].Balance(wallet.Nagad)}
	a := p.attempt(ctx, post(p.admins[0], "/admin/receivers/"+one.ID.String()+"/balance", balance), uuid.NewString(), false)
	if a.status != http.StatusOK {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.entered++
	return true
}

// conclude has admins do what is left to them once nothing is under way: they enter the balance of
// all SIMs, and then credit by hand the payments that no SMS proves. It adds what is wrong to the
// report.
func (r *run) conclude(ctx context.Context) error {
	accounts, err := listAccounts(ctx, r.owner)
	if err != nil {
		return err
	}
	r.report.violate(r.phones.behind(accounts)...)
	for _, a := range accounts {
		for !r.phones.enter(ctx, account{ID: a.ID, Phone: a.Phone}) {
			if !pause(ctx, minPause) {
				return ctx.Err()
			}
		}
	}
	if err := r.settle(ctx); err != nil {
		return err
	}
	if accounts, err = listAccounts(ctx, r.owner); err != nil {
		return err
	}
	for _, s := range r.phones.sims {
		s.unsaid = 0
	}
	r.report.violate(r.phones.behind(accounts)...)
	for _, a := range accounts {
		if a.Broken {
			r.report.violate(a.Phone + " does not work though its balance is entered")
		}
	}
	claims, err := listClaims(ctx, r.owner)
	if err != nil {
		return err
	}
	r.report.violate(r.phones.check(claims)...)
	r.report.Payments = r.phones.summary(claims)
	var approvals []func()
	for _, c := range claims {
		if one := r.phones.payments[c.Transaction]; one.real && c.Status == string(wallet.DepositPending) {
			approvals = append(approvals, func() { r.phones.approve(ctx, c.ID, one) })
		}
	}
	atOnce(approvals...)
	if err := r.settle(ctx); err != nil {
		return err
	}
	return r.compare(ctx)
}

// approve has an admin credit a payment.
func (p *phones) approve(ctx context.Context, deposit uuid.UUID, one paid) {
	body := fields{"amount": money.Cents(one.cents), "userId": one.by.id, "receivedTaka": money.Poisha(one.cents * takaPerDollar)}
	p.do(ctx, post(p.admins[0], "/admin/deposit/approve/"+deposit.String(), body),
		Call{Kind: Approve, Subject: deposit, Buyer: one.by.id, Cents: one.cents})
}

// compare compares the wallets of the payers and the ledger's account of Nagad with the SIMs.
func (r *run) compare(ctx context.Context) error {
	claims, err := listClaims(ctx, r.owner)
	if err != nil {
		return err
	}
	r.report.violate(r.phones.check(claims)...)
	owns, err := listOwned(ctx, r.owner, r.phones.payers)
	if err != nil {
		return err
	}
	has := map[uuid.UUID]int64{}
	for _, one := range r.phones.payments {
		if one.real {
			has[one.by.id] += one.cents
		}
	}
	for _, o := range owns {
		if want := firstDeposit + has[o.UserID]; o.Balance != want {
			r.report.violate(fmt.Sprintf("payer %s has %d cents, and has paid %d", o.UserID, o.Balance, want))
		}
	}
	var onSIMs int64
	for _, s := range r.phones.sims {
		onSIMs += int64(s.Balance(wallet.Nagad) - simFunds)
	}
	books, err := readNagad(ctx, r.owner)
	if err == nil && books != onSIMs {
		r.report.violate(fmt.Sprintf("the ledger has %d poisha of Nagad, the SIMs have %d", books, onSIMs))
	}
	return err
}

// behind says which accounts that work do not have the balance of the SIM but for the SMS that were
// lost last.
func (p *phones) behind(accounts []simAccount) (violations []string) {
	for _, a := range accounts {
		i := slices.IndexFunc(p.sims, func(s *sim) bool { return s.Name == a.Phone })
		most := p.sims[i].Balance(wallet.Nagad)
		if least := most - p.sims[i].unsaid; !a.Broken && (a.Balance < least || a.Balance > most) {
			violations = append(violations, fmt.Sprintf("%s works with a balance of %s, its SIM has %s", a.Phone, a.Balance, most))
		}
	}
	return violations
}

// check says which reports have another outcome than their payments allow.
func (p *phones) check(claims []claim) (violations []string) {
	reported := map[string]bool{}
	for _, c := range claims {
		reported[c.Transaction] = true
		if problem := p.payments[c.Transaction].problem(c); problem != "" {
			violations = append(violations, fmt.Sprintf("payment %s: %s: %+v", c.Transaction, problem, c))
		}
	}
	for id := range p.payments {
		if !reported[id] {
			violations = append(violations, fmt.Sprintf("payment %s: its report is lost", id))
		}
	}
	return violations
}

// problem says what is wrong with the claim that reports the payment.
func (one paid) problem(c claim) string {
	taka := one.cents * takaPerDollar
	credited := c.Status == string(wallet.DepositCompleted)
	chained := c.State == string(wallet.PaymentChained)
	switch {
	case !one.real && credited:
		return "credited though nobody has paid"
	case !one.real && chained:
		return "believed though nobody has paid"
	case credited && c.Credits > 1:
		return "credited more than once"
	case credited && (c.UserID != one.by.id || c.Amount != one.cents):
		return "credited otherwise than paid"
	case credited && c.Automatic && (!chained || !c.Noted || c.Stated != taka || c.Booked != taka):
		return "credited without its SMS"
	case !credited && chained && !c.Broken:
		return "waits though its SMS proves it"
	}
	return ""
}

// Payments counts what has been paid to the phones.
type Payments struct {
	Made, Automatic int
	Entered         int            // balances
	Faults          map[string]int // SMS by what happened to them
}

func (p *phones) summary(claims []claim) Payments {
	s := Payments{Entered: p.entered, Faults: p.faults}
	for _, one := range p.payments {
		if one.real {
			s.Made++
		}
	}
	for _, c := range claims {
		if c.Automatic {
			s.Automatic++
		}
	}
	return s
}
