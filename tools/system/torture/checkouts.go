package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"amanat/internal/devtools/bkash"
	"amanat/internal/domain/wallet"
	"amanat/internal/money"
)

const (
	shopperCount  = 20
	payments      = 20 // to phones for each checkout
	lookEvery     = 300 * time.Millisecond
	tokenRace     = 8 // checkouts at once when there is no token
	mostTokens    = 2 // calls in an hour
	maintenanceOf = 3 * time.Second
)

// visit is what a payer does on the page of bKash, and what goes wrong there.
type visit struct {
	often int
	press string // "": nothing
	fault bkash.Fault
	back  wallet.Returned // with which the payer comes back; "": they do not
}

var visits = []visit{
	{40, "success", bkash.None, wallet.ReturnedSuccess},
	{12, "closed", bkash.None, ""},
	{8, "cancel", bkash.None, wallet.ReturnedCancelled},
	{4, "failure", bkash.None, wallet.ReturnedFailure},
	{6, "", bkash.None, wallet.ReturnedSuccess},
	{8, "success", bkash.HangsAfter, wallet.ReturnedSuccess},
	{5, "success", bkash.HangsBefore, wallet.ReturnedSuccess},
	{6, "success", bkash.Already, wallet.ReturnedSuccess},
	{6, "success", bkash.InProgress, wallet.ReturnedSuccess},
	{3, "success", bkash.Insufficient, wallet.ReturnedSuccess},
	{2, "success", bkash.OtherAmount, wallet.ReturnedSuccess},
}

// checkouts are people who pay on the page of bKash.
type checkouts struct {
	*load
	bkash    *bkash.Server
	pages    *http.Client
	shoppers []person

	mu    sync.Mutex
	begun map[uuid.UUID]person // by checkout
}

func newCheckouts(l *load, server *bkash.Server, shoppers []person) *checkouts {
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &checkouts{
		load: l, bkash: server, pages: &http.Client{Timeout: answerTimeout, CheckRedirect: stay}, shoppers: shoppers,
		begun: map[uuid.UUID]person{},
	}
}

// takeToken has many people need a token at once, before anything goes wrong: there are two in an
// hour, and one that is lost in between ends all checkouts for that long.
func (c *checkouts) takeToken(ctx context.Context, random *rand.Rand) {
	var do []func()
	for range tokenRace {
		own := rand.New(rand.NewPCG(random.Uint64(), random.Uint64()))
		do = append(do, func() { c.shop(ctx, own) })
	}
	atOnce(do...)
}

// shop has somebody begin a checkout and do one of the things that people do then.
func (c *checkouts) shop(ctx context.Context, random *rand.Rand) {
	n := random.IntN(100)
	for _, v := range visits {
		if n -= v.often; n < 0 {
			c.visit(ctx, v, random)
			return
		}
	}
}

// visit has somebody begin a checkout, go to its page and come back, once in a while twice.
func (c *checkouts) visit(ctx context.Context, v visit, random *rand.Rand) {
	who, cents, times := c.shoppers[random.IntN(len(c.shoppers))], minPayment+random.Int64N(maxPayment-minPayment), 1+random.IntN(5)/4
	begun, a := c.do(ctx, post(who, "/checkouts", fields{"amount": money.Cents(cents)}), Call{Kind: Deposit, Buyer: who.id, Cents: cents})
	id := a.id("")
	if begun.Outcome != OK {
		return
	}
	c.mu.Lock()
	c.begun[id] = who
	c.mu.Unlock()
	var is struct{ State, URL string }
	for is.State == "" || is.State == string(wallet.CheckoutStarting) {
		if !pause(ctx, lookEvery) {
			return
		}
		looked := c.attempt(ctx, get(who, "/checkouts/"+id.String()), "", false)
		_ = json.Unmarshal(looked.body, &is) // without an answer, it is asked for again
	}
	if is.State != string(wallet.CheckoutOpen) || v.press != "" && !c.press(ctx, is.URL, v) || v.back == "" {
		return
	}
	back := func() { c.comeBack(ctx, who, id, v.back) }
	atOnce([]func(){back, back}[:times]...)
}

// press has the payer press a button on the page.
func (c *checkouts) press(ctx context.Context, page string, v visit) bool {
	form := url.Values{"status": {v.press}, "fault": {string(v.fault)}}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, page, strings.NewReader(form.Encode()))
	if err != nil {
		return false
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := c.pages.Do(r)
	return err == nil && answer.Body.Close() == nil
}

func (c *checkouts) comeBack(ctx context.Context, who person, id uuid.UUID, with wallet.Returned) {
	c.call(ctx, post(who, "/checkouts/"+id.String()+"/return", fields{"status": with}), &Call{})
}

// payment returns what bKash knows of a checkout.
func (c *checkouts) payment(id uuid.UUID) bkash.Payment {
	return c.bkash.Payment(strings.ReplaceAll(id.String(), "-", ""))
}

// comeBack has those come back who have closed the tab, and those whose payment is not clear yet.
func (r *run) comeBack(ctx context.Context) error {
	rows, err := listCheckouts(ctx, r.owner)
	if err != nil {
		return err
	}
	paid, known := 0, 0
	var back []func()
	for _, row := range rows {
		p := r.checkouts.payment(row.ID)
		if p.Paid {
			paid++
		}
		if row.Deposit != "" {
			known++
		}
		if unclear := row.State == string(wallet.CheckoutOpen) && p.Agreed; unclear || row.State == string(wallet.CheckoutExecuting) {
			back = append(back, func() { r.checkouts.comeBack(ctx, r.checkouts.begun[row.ID], row.ID, wallet.ReturnedSuccess) })
		}
	}
	atOnce(back...)
	r.report.part("checkouts", "%d begun, %d paid, %d of them known, %d come back at the end; %d calls for a token",
		len(rows), paid, known, len(back), r.checkouts.bkash.TokenCalls())
	return nil
}

// judgeCheckouts checks what has become of all checkouts.
func (r *run) judgeCheckouts(ctx context.Context) error {
	rows, err := listCheckouts(ctx, r.owner)
	if err != nil {
		return err
	}
	c := r.checkouts
	if n := c.bkash.TokenCalls(); n > mostTokens {
		r.report.violate(fmt.Sprintf("bKash was called %d times for a token", n))
	}
	has := map[uuid.UUID]int64{}
	known := map[uuid.UUID]bool{}
	for _, row := range rows {
		p := c.payment(row.ID)
		known[row.ID] = true
		if problem := row.problem(p); problem != "" {
			r.report.violate(fmt.Sprintf("checkout %s: %s: %+v %+v", row.ID, problem, row, p))
		}
		if p.Paid && row.asked(p) {
			has[row.UserID] += row.Amount
		}
	}
	for id := range c.begun {
		if !known[id] {
			r.report.violate(fmt.Sprintf("checkout %s is lost", id))
		}
	}
	return r.compareWallets(ctx, has)
}

// asked reports whether bKash has taken the amount that it was asked for.
func (row checkoutRow) asked(p bkash.Payment) bool {
	return p.Amount == fmt.Sprintf("%d.%02d", row.Amount*takaPerDollar/100, row.Amount*takaPerDollar%100)
}

// problem says what is wrong with a checkout that bKash knows so.
func (row checkoutRow) problem(p bkash.Payment) string {
	credited := row.Deposit == string(wallet.DepositCompleted)
	switch {
	case p.Executions > 1:
		return "executed more than once"
	case !p.Paid && (row.Deposit != "" || row.State == string(wallet.CheckoutPaid)):
		return "credited though nobody has paid"
	case !p.Paid && p.Agreed && p.Executions == 0 && row.State == string(wallet.CheckoutOpen):
		return "not executed though its payer has come back"
	case !p.Paid:
		return ""
	case row.State != string(wallet.CheckoutPaid) || row.Deposit == "":
		return "paid, and nobody knows"
	case credited != row.asked(p):
		return "credited otherwise than paid"
	case credited && row.Credits != 1:
		return "credited more than once"
	}
	return ""
}
