package torture

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"

	"github.com/google/uuid"

	"amanat/internal/money"
)

// What people do, in cents.
const (
	startFunds    = 5_000_00
	maxPrice      = 60_00
	minPrice      = 1_00
	maxDeposit    = 900_00
	maxWithdrawal = 20_00
	maxCorrection = 5_00
	phoneNumber   = "01712345678"
)

// load is people who trade without a pause.
type load struct {
	*client
	people []person
	admins []person
}

// run trades until until ends, n people at the same time and many more who wait for an outcome.
// What is under way then is finished, and its outcome asked for until ctx ends.
func (l *load) run(ctx, until context.Context, n int, random *rand.Rand) {
	var group sync.WaitGroup
	for range waiting * n {
		own := rand.New(rand.NewPCG(random.Uint64(), random.Uint64()))
		group.Go(func() {
			for until.Err() == nil {
				l.act(ctx, own)
			}
		})
	}
	group.Wait()
}

// act does one of the things that people do.
func (l *load) act(ctx context.Context, random *rand.Rand) {
	switch n := random.IntN(100); {
	case n < 42:
		l.trade(ctx, random)
	case n < 48:
		l.deposit(ctx, l.one(random), minPrice+random.Int64N(maxDeposit-minPrice), random)
	case n < 56:
		l.withdraw(ctx, random)
	case n < 58:
		l.correct(ctx, random)
	default:
		l.readWallet(ctx, l.one(random))
	}
}

func (l *load) one(random *rand.Rand) person   { return l.people[random.IntN(len(l.people))] }
func (l *load) admin(random *rand.Rand) person { return l.admins[random.IntN(len(l.admins))] }

// do makes a call about the record's subject and adds it to the history.
func (l *load) do(ctx context.Context, r request, record Call) (Call, answer) {
	a := l.call(ctx, r, &record)
	l.history.add(record)
	return record, a
}

// deposit reports a payment and has an admin credit it.
func (l *load) deposit(ctx context.Context, who person, cents int64, random *rand.Rand) {
	report := Call{Kind: Deposit, Buyer: who.id, Cents: cents}
	a := l.call(ctx, post(who, "/auth/deposit", fields{
		"amount": money.Cents(cents), "transactionId": strings.ToUpper(uuid.NewString()[24:]), "paymentMethod": "Bkash",
	}), &report)
	report.Subject = a.id("deposit")
	l.history.add(report)
	if report.Outcome != OK {
		return
	}
	l.do(ctx, post(l.admin(random), "/admin/deposit/approve/"+report.Subject.String(), fields{"amount": money.Cents(cents), "userId": who.id}),
		Call{Kind: Approve, Subject: report.Subject, Buyer: who.id, Cents: cents})
}

// withdraw asks for a payout, which an admin sends or rejects, or its owner cancels, or two of them
// at once.
func (l *load) withdraw(ctx context.Context, random *rand.Rand) {
	who := l.one(random)
	cents := minPrice + random.Int64N(maxWithdrawal-minPrice)
	hold := Call{Kind: Withdraw, Buyer: who.id, Cents: cents}
	a := l.call(ctx, post(who, "/withdraw", fields{"amount": money.Cents(cents), "phonenumber": phoneNumber, "paymentMethod": "Nagad"}), &hold)
	hold.Subject = a.id("withdrawal")
	l.history.add(hold)
	if hold.Outcome != OK {
		return
	}
	path, record := hold.Subject.String(), Call{Subject: hold.Subject, Buyer: who.id, Cents: cents}
	end := func(kind Kind) func() {
		record.Kind = kind
		done := record
		return func() {
			r := post(l.admin(random), "/admin/withdrawals/"+path+"/send", fields{"amount": money.Cents(cents), "transactionId": "PAYOUT01"})
			switch kind {
			default: // Send
			case Reject:
				r = post(r.by, "/admin/withdrawals/"+path+"/reject", fields{"reason": "The number is wrong."})
			case Cancel:
				r = post(who, "/withdraw/"+path+"/cancel", nil)
			}
			l.do(ctx, r, done)
		}
	}
	switch random.IntN(5) {
	case 0, 1:
		end(Send)()
	case 2:
		end(Reject)()
	case 3:
		end(Cancel)()
	default:
		atOnce(end(Cancel), end(Send))
	}
}

// correct has one admin propose a correction of a balance and another confirm it.
func (l *load) correct(ctx context.Context, random *rand.Rand) {
	who, first := l.one(random), random.IntN(len(l.admins))
	second := (first + 1 + random.IntN(len(l.admins)-1)) % len(l.admins)
	cents, direction := 1+random.Int64N(maxCorrection), "credit"
	sign := int64(1)
	if random.IntN(2) == 0 {
		direction, sign = "debit", -1
	}
	proposal := Call{Kind: Propose, Buyer: who.id, Cents: cents}
	a := l.call(ctx, post(l.admins[first], "/admin/adjustments", fields{
		"userId": who.id, "direction": direction, "amount": money.Cents(cents), "reason": "A check of the books.",
	}), &proposal)
	proposal.Subject = a.id("adjustment")
	l.history.add(proposal)
	if proposal.Outcome != OK {
		return
	}
	l.do(ctx, post(l.admins[second], "/admin/adjustments/"+proposal.Subject.String()+"/confirm", nil),
		Call{Kind: Adjust, Subject: proposal.Subject, Buyer: who.id, Cents: sign * cents})
}

func (l *load) readWallet(ctx context.Context, who person) {
	record := Call{Kind: ReadWallet, Subject: who.id, Buyer: who.id}
	a := l.call(ctx, get(who, "/wallet"), &record)
	var has struct{ Wallet, InEscrow, PendingWithdrawal money.Cents }
	if record.Outcome == OK && json.Unmarshal(a.body, &has) == nil {
		record.Saw = &Sight{Wallet: Wallet{int64(has.Wallet), int64(has.InEscrow), int64(has.PendingWithdrawal)}}
	}
	l.history.add(record)
}

// atOnce runs the functions at the same time and waits for them.
func atOnce(do ...func()) {
	var group sync.WaitGroup
	for _, one := range do {
		group.Go(one)
	}
	group.Wait()
}

// absent reports whether the answer says that there is no such thing.
func (a answer) absent() bool { return a.status == http.StatusNotFound }
