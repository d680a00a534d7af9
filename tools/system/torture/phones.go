package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
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
	buyerOneIn    = 20 // payments, at most
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

	mu sync.Mutex
	// That came and left last, in SMS that are lost.
	unsaid, unsaidOut money.Poisha
}

// paid is a payment, or what somebody pretends to have paid.
type paid struct {
	sms   phone.SMS
	by    person
	cents int64 // that the taka are worth
	real  bool
	code  string // of the payer, so that it needs no report; "": it has none
	deal  *Call  // that it pays
}

// phones are the phones of the operator, people who pay to them and people who are paid from them.
// Nobody else uses Nagad, so that the ledger must have just what is on the SIMs.
type phones struct {
	*load
	sims   []*sim
	payers []person
	buyers chan person // who have not paid yet: each pays for one deal
	payees []person

	mu       sync.Mutex
	payments map[string]paid // by transaction ID
	payouts  map[string]sent // by transaction ID
	faults   map[string]int  // SMS by what happened to them
	entered  int             // balances
}

func newPhones(l *load, payers, buyers, payees []person) *phones {
	p := &phones{
		load: l, payers: payers, buyers: make(chan person, len(buyers)), payees: payees,
		payments: map[string]paid{}, payouts: map[string]sent{}, faults: map[string]int{},
	}
	for _, who := range buyers {
		p.buyers <- who
	}
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

// run has people pay and be paid at a fixed rate until until ends, whatever the state of the
// system, and waits until all SMS are forwarded and all payments reported, or ctx ends.
func (p *phones) run(ctx, until context.Context, perSecond float64, random *rand.Rand) {
	var group sync.WaitGroup
	group.Go(func() { p.tend(ctx, until) })
	every(until, perSecond, random, func(own *rand.Rand) {
		if own.IntN(payoutOneIn) == 0 {
			p.payOut(ctx, own)
		} else {
			p.pay(ctx, own)
		}
	})
	group.Wait()
}

// pay has somebody pay and report it, or pay with their code. Once in a while the SMS is lost, late
// or doubled, or somebody only pretends to have paid.
func (p *phones) pay(ctx context.Context, random *rand.Rand) {
	s := p.sims[random.IntN(len(p.sims))]
	switch n := random.IntN(2000); {
	case n < 6:
		p.forge(ctx, s, random)
		return
	case n < 16:
		p.steal(ctx, s, random)
		return
	}
	arrives, times := p.arrival(random)
	one := paid{by: p.payer(random), cents: minPayment + random.Int64N(maxPayment-minPayment), real: true}
	claimed := one.cents
	do := []func(){}
	switch n := random.IntN(100); {
	case n < 5:
		do = append(do, p.agree(ctx, &one, random))
	case n < 25:
		one.code = p.codeOf(ctx, one)
	case n < 35:
		claimed += one.cents / 20
	}
	one.sms = p.receive(s, one, times == 0)
	p.add(one)
	if reported := within(reportWithin, random); one.code == "" || random.IntN(4) == 0 {
		do = append(do, func() { pause(ctx, reported); p.report(ctx, one, claimed) })
	}
	for range times {
		do = append(do, func() { pause(ctx, arrives); p.forward(ctx, s, one.sms) })
	}
	atOnce(do...)
}

// arrival draws how late an SMS comes, and how often: 0 times if it is lost.
func (p *phones) arrival(random *rand.Rand) (after time.Duration, times int) {
	switch n := random.IntN(2000); {
	case n < 3:
		p.count("lost", 1)
		return 0, 0
	case n < 13:
		p.count("late", 1)
		return within(latest, random), 1
	case n < 73:
		p.count("reordered", 1)
		return within(reorderedBy, random), 1
	case n < 173:
		p.count("twice", 1)
		return 0, 2
	}
	return 0, 1
}

func within(most time.Duration, random *rand.Rand) time.Duration {
	return time.Duration(random.Int64N(int64(most)))
}

func (p *phones) payer(random *rand.Rand) person { return p.payers[random.IntN(len(p.payers))] }

// receive has somebody pay to the SIM, and returns the SMS.
func (p *phones) receive(s *sim, one paid, lost bool) phone.SMS {
	taka := money.Poisha(one.cents * takaPerDollar)
	return s.move(lost, taka, 0, func() phone.SMS { return s.Receive(wallet.Nagad, phoneNumber, taka, one.code, time.Now()) })
}

// move has taka come and leave, and notes what no SMS says.
func (s *sim) move(lost bool, comes, leaves money.Poisha, do func() phone.SMS) phone.SMS {
	s.mu.Lock()
	defer s.mu.Unlock()
	if lost {
		s.doubts.Add(1)
		s.unsaid += comes
		s.unsaidOut += leaves
	} else {
		s.unsaid, s.unsaidOut = 0, 0
	}
	return do()
}

// forge has the phone receive SMS of somebody who does not know the balance of the SIM.
func (p *phones) forge(ctx context.Context, s *sim, random *rand.Rand) {
	p.count("forged", forgedAtOnce)
	s.doubts.Add(1)
	var do []func()
	for range forgedAtOnce {
		one := paid{by: p.payer(random), cents: maxPayment, sms: guess(s, phoneNumber, maxPayment*takaPerDollar, false, random)}
		p.add(one)
		do = append(do, func() { p.report(ctx, one, maxPayment) }, func() { p.forward(ctx, s, one.sms) })
	}
	atOnce(do...)
	s.doubts.Add(1) // the balance may have been entered meanwhile
}

// guess returns an SMS of somebody who does not know the balance of the SIM.
func guess(s *sim, party string, taka money.Poisha, out bool, random *rand.Rand) phone.SMS {
	sms := s.Forge(wallet.Nagad, party, taka, time.Now())
	balance := money.Poisha(random.Int64N(mostGuessed))
	sms.Text = phone.Text(wallet.Nagad, sms.TransactionID, party, taka, 0, balance, "", time.Now(), out)
	return sms
}

// steal has somebody who knows the balance of the SIM, but not the key of the phone, call the api.
func (p *phones) steal(ctx context.Context, s *sim, random *rand.Rand) {
	p.count("with another key", 1)
	thief := &sim{Phone: phone.New(s.Name, "another-key-of-the-torture", s.Balance(wallet.Nagad))}
	one := paid{by: p.payer(random), cents: minPayment + random.Int64N(maxPayment-minPayment)}
	one.sms = p.receive(thief, one, false)
	p.add(one)
	atOnce(func() { p.report(ctx, one, one.cents) }, func() { p.forward(ctx, thief, one.sms) })
}

func (p *phones) count(what string, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults[what] += n
}

// add notes who has paid, or pretends so.
func (p *phones) add(one paid) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.payments[one.sms.TransactionID] = one
}

// report has the payer report the payment.
func (p *phones) report(ctx context.Context, one paid, claimed int64) {
	body := one.purpose()
	maps.Copy(body, fields{"amount": money.Cents(claimed), "transactionId": one.sms.TransactionID, "paymentMethod": wallet.Nagad})
	p.do(ctx, post(one.by, "/auth/deposit", body), Call{Kind: Deposit, Buyer: one.by.id, Cents: claimed})
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

// conclude has people do what is left to them once nothing is under way: admins enter the balance
// of all SIMs, payers with a code report the payments that no SMS proves, admins credit these and
// book such payouts by hand. It adds what is wrong to the report.
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
		s.unsaid, s.unsaidOut = 0, 0
	}
	r.report.violate(r.phones.behind(accounts)...)
	for _, a := range accounts {
		if a.Broken {
			r.report.violate(a.Phone + " does not work though its balance is entered")
		}
	}
	for _, do := range []func(context.Context) error{
		r.reportUnheeded, r.settle, r.creditUnproven, r.bookUnproven, r.comeBack, r.settle,
		r.compare, r.judgeDeals, r.judgePayouts, r.judgeCheckouts,
	} {
		if err := do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// creditUnproven has admins credit the payments that no SMS proves.
func (r *run) creditUnproven(ctx context.Context) error {
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
	return nil
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
	has := map[uuid.UUID]int64{}
	for _, who := range r.phones.payers {
		has[who.id] = firstDeposit
	}
	for _, one := range r.phones.payments {
		if one.real && one.deal == nil {
			has[one.by.id] += one.cents
		}
	}
	if err := r.compareWallets(ctx, has); err != nil {
		return err
	}
	onSIMs := r.phones.unbooked()
	for _, s := range r.phones.sims {
		onSIMs += s.Balance(wallet.Nagad) - simFunds
	}
	books, err := readNagad(ctx, r.owner)
	if err == nil && books != int64(onSIMs) {
		r.report.violate(fmt.Sprintf("the ledger has %d poisha of Nagad, the SIMs have %d with what left them for no withdrawal", books, onSIMs))
	}
	return err
}

// compareWallets says which users have not the cents in their wallet that they should.
func (r *run) compareWallets(ctx context.Context, should map[uuid.UUID]int64) error {
	owns, err := listOwned(ctx, r.owner, slices.Collect(maps.Keys(should)))
	for user, want := range should {
		if has := owns[user]; err == nil && has != want {
			r.report.violate(fmt.Sprintf("%s has %d cents, and should have %d", user, has, want))
		}
	}
	return err
}

// behind says which accounts that work do not have the balance of the SIM but for the SMS that were
// lost last.
func (p *phones) behind(accounts []simAccount) (violations []string) {
	for _, a := range accounts {
		i := slices.IndexFunc(p.sims, func(s *sim) bool { return s.Name == a.Phone })
		has := p.sims[i].Balance(wallet.Nagad)
		least, most := has-p.sims[i].unsaid, has+p.sims[i].unsaidOut
		if !a.Broken && (a.Balance < least || a.Balance > most) {
			violations = append(violations, fmt.Sprintf("%s works with a balance of %s, its SIM has %s", a.Phone, a.Balance, has))
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
