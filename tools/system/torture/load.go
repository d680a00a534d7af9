package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/tools/system/listener"
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
	var reported struct {
		Deposit struct{ ConvertedAmount json.Number }
	}
	if json.Unmarshal(a.body, &reported) != nil {
		return
	}
	approval := fields{"amount": money.Cents(cents), "userId": who.id, "receivedTaka": reported.Deposit.ConvertedAmount}
	l.do(ctx, post(l.admin(random), "/admin/deposit/approve/"+report.Subject.String(), approval),
		Call{Kind: Approve, Subject: report.Subject, Buyer: who.id, Cents: cents})
}

// withdraw asks for a payout, which an admin sends or rejects, or its owner cancels, or two of them
// at once.
func (l *load) withdraw(ctx context.Context, random *rand.Rand) {
	who := l.one(random)
	cents := minPrice + random.Int64N(maxWithdrawal-minPrice)
	hold := l.hold(ctx, who, cents, "Bkash", phoneNumber)
	if hold.Outcome != OK {
		return
	}
	path, record := hold.Subject.String(), Call{Subject: hold.Subject, Buyer: who.id, Cents: cents}
	end := func(kind Kind) func() {
		record.Kind = kind
		done := record
		return func() {
			r := post(l.admin(random), "/admin/withdrawals/"+path+"/send", fields{
				"amount": money.Cents(cents), "transactionId": strings.ToUpper(uuid.NewString()[24:]),
			})
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

// hold asks for a payout.
func (l *load) hold(ctx context.Context, who person, cents int64, method, number string) Call {
	hold := Call{Kind: Withdraw, Buyer: who.id, Cents: cents}
	a := l.call(ctx, post(who, "/withdraw", fields{"amount": money.Cents(cents), "phonenumber": number, "paymentMethod": method}), &hold)
	hold.Subject = a.id("withdrawal")
	l.history.add(hold)
	return hold
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
	a := l.call(ctx, post(l.admins[first], "/admin/corrections", fields{
		"userId": who.id, "direction": direction, "amount": money.Cents(cents), "reason": "A check of the books.",
	}), &proposal)
	proposal.Subject = a.id("correction")
	l.history.add(proposal)
	if proposal.Outcome != OK {
		return
	}
	l.do(ctx, post(l.admins[second], "/admin/corrections/"+proposal.Subject.String()+"/confirm", nil),
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

const (
	answerTimeout = 10 * time.Second
	waiting       = 8                     // people for each one who acts
	minPause      = 20 * time.Millisecond // between two attempts
	maxPause      = 15 * time.Second
	sessionCookie = "amanat" // without HTTPS
)

// person is a user with a session.
type person struct {
	id      uuid.UUID
	session string
}

// client makes calls and records them.
type client struct {
	http    *http.Client
	sites   []string
	turn    atomic.Int64
	history *History
	start   time.Time
	acting  chan struct{} // as large as the number of people who act at the same time
}

func newClient(sites []string, acting int) *client {
	return &client{
		http:    &http.Client{Timeout: answerTimeout, Transport: &http.Transport{MaxIdleConnsPerHost: waiting * acting}},
		acting:  make(chan struct{}, acting),
		sites:   sites,
		history: &History{},
		start:   time.Now(),
	}
}

// request is what a call sends.
type request struct {
	by     person
	method string
	path   string // below /api
	body   any
	once   bool // it has no idempotency key, so that it is not repeated
}

// fields is the body of a request.
type fields map[string]any

func post(by person, path string, body fields) request {
	if body == nil {
		body = fields{}
	}
	return request{by: by, method: http.MethodPost, path: path, body: body}
}

func get(by person, path string) request { return request{by: by, method: http.MethodGet, path: path} }

// answer is a response, or none with status 0.
type answer struct {
	status int
	body   []byte
}

// final reports whether the outcome is known: the call has had its effect, or is refused. An
// operation that is accepted is still under way, and a server that is busy may have done it.
func (a answer) final() bool {
	switch a.status {
	case 0, http.StatusAccepted, http.StatusRequestTimeout, http.StatusTooManyRequests:
		return false
	}
	return a.status < http.StatusInternalServerError
}

// id returns the id in the body, or that of the object in one of its fields.
func (a answer) id(within string) uuid.UUID {
	var object struct {
		ID uuid.UUID `json:"_id"`
	}
	body := a.body
	if within != "" {
		var whole map[string]json.RawMessage
		if json.Unmarshal(body, &whole) != nil {
			return uuid.UUID{}
		}
		body = whole[within]
	}
	_ = json.Unmarshal(body, &object) // no id: the call that uses it is refused, which is a violation
	return object.ID
}

// call makes a request, and repeats it with the same key at one api after the other until its
// outcome is known or ctx ends. It fills in the record, which the caller adds to the history.
func (c *client) call(ctx context.Context, r request, record *Call) answer {
	key := uuid.NewString()
	record.Actor = r.by.id
	record.Invoked = time.Since(c.start)
	var a answer
	for {
		began := time.Since(c.start)
		a = c.attempt(ctx, r, key, record.Attempts == 0)
		record.Attempts++
		record.Status = a.status
		if record.Kind.reads() { // the reads before this one have seen nothing
			record.Invoked = began
		}
		if a.final() {
			record.concludeWith(a)
			break
		}
		record.Unanswered++
		record.Outcome = Unknown
		if a.status == http.StatusAccepted {
			record.Pending = began
		}
		if r.once || !pause(ctx, backOff(record.Attempts)) {
			break
		}
	}
	record.Returned = time.Since(c.start)
	return a
}

// concludeWith fills in what a final answer says.
func (c *Call) concludeWith(a answer) {
	if a.status < http.StatusMultipleChoices {
		c.Outcome = OK
		return
	}
	c.Outcome = Refused
	var failure struct {
		Code, Reason string
		Shortfall    *money.Cents
	}
	if json.Unmarshal(a.body, &failure) == nil {
		c.Code, c.Reason = failure.Code, failure.Reason
		if failure.Shortfall != nil {
			c.Shortfall = int64(*failure.Shortfall)
		}
	}
}

// attempt makes the request once. People who wait for the outcome of an earlier attempt do not
// count among those who act.
func (c *client) attempt(ctx context.Context, r request, key string, first bool) answer {
	if first {
		c.acting <- struct{}{}
		defer func() { <-c.acting }()
	}
	var body io.Reader
	if r.body != nil {
		encoded, err := json.Marshal(r.body)
		if err != nil {
			return answer{}
		}
		body = bytes.NewReader(encoded)
	}
	call, err := http.NewRequestWithContext(ctx, r.method, c.site()+"/api"+r.path, body)
	if err != nil {
		return answer{}
	}
	call.Header.Set("Cookie", sessionCookie+"="+r.by.session)
	if body != nil {
		call.Header.Set("Content-Type", "application/json")
	}
	if r.method != http.MethodGet && !r.once {
		call.Header.Set("Idempotency-Key", key)
	}
	response, err := c.http.Do(call)
	if err != nil {
		return answer{}
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil { // the answer was cut off
		return answer{}
	}
	return answer{response.StatusCode, content}
}

// site returns one api after the other.
func (c *client) site() string { return c.sites[int(c.turn.Add(1))%len(c.sites)] }

// backOff returns how long to wait after some attempts. Many people wait while a server is down,
// and must not keep it from coming back.
func backOff(attempts int) time.Duration {
	most := min(minPause<<min(attempts, 10), maxPause)
	return most/2 + rand.N(most/2)
}

// pause waits, and returns false if ctx ends.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

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
	made, ok := l.create(ctx, t.buyer, t.seller, minPrice+random.Int64N(maxPrice-minPrice))
	if t.deal = made; !ok || !t.pay() {
		return
	}
	t.end()
	t.read(t.buyer)
}

// create makes a deal. It returns what the records of its calls have in common.
func (l *load) create(ctx context.Context, buyer, seller person, price int64) (deal Call, ok bool) {
	made := Call{Kind: Create, Buyer: buyer.id, Seller: seller.id, Cents: price}
	a := l.call(ctx, post(seller, "/deals/create", fields{
		"price": money.Cents(price), "description": "A channel", "deliveryDuration": deliveryDays, "buyerId": buyer.id, "sellerId": seller.id,
	}), &made)
	made.Subject = a.id("")
	l.history.add(made)
	return Call{Subject: made.Subject, Buyer: buyer.id, Seller: seller.id, Cents: price}, made.Outcome == OK
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

const (
	booksEvery   = 100 * time.Millisecond
	entriesEvery = 100 // readings of the books
	readTimeout  = 10 * time.Second
	catchUp      = 30 * time.Second        // for sockets to receive what they missed
	publicOrigin = "http://localhost:8080" // the default of PUBLIC_URL
	mostShown    = 20
)

// auditor reads the books all the time.
type auditor struct {
	reads, failed int // failed: while there was no database
	violations    []string
}

// watch reads the books in snapshots until ctx ends.
func (a *auditor) watch(ctx context.Context, db postgres.Beginner) {
	ticker := time.NewTicker(booksEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			a.look(ctx, db, a.reads%entriesEvery == 0)
		}
	}
}

func (a *auditor) look(ctx context.Context, db postgres.Beginner, whole bool) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	var balances, entries books
	err := postgres.Snapshot(ctx, db, func(tx *postgres.Tx) (err error) {
		if balances, err = readBooks(ctx, tx); err != nil || !whole {
			return err
		}
		entries, err = readEntries(ctx, tx)
		return err
	})
	if err != nil {
		a.failed++
		return
	}
	a.reads++
	if len(a.violations) < mostShown {
		a.violations = append(a.violations, append(balances.violations("balances"), entries.violations("entries")...)...)
	}
}

// violations says what is wrong with the books.
func (b books) violations(of string) (list []string) {
	for _, rule := range []struct {
		is   int64
		text string
	}{
		{b.USD, "the USD do not add up to zero, but to %d cents"},
		{b.BDT, "the BDT do not add up to zero, but to %d poisha"},
		{b.Negative, "%d accounts are below zero"},
		{b.Wrong, "%d accounts have another balance than their entries say"},
	} {
		if rule.is != 0 {
			list = append(list, of+": "+fmt.Sprintf(rule.text, rule.is))
		}
	}
	return list
}

// audience is a socket for each user.
type audience map[uuid.UUID]*listener.Listener

func openAudience(ctx context.Context, people []person, sites []string) audience {
	sockets := audience{}
	for _, who := range people {
		sockets[who.id] = listener.Open(ctx, listener.Options{
			Site: func() string { return sites[rand.IntN(len(sites))] }, Origin: publicOrigin, Session: who.session,
		})
	}
	return sockets
}

// close waits until all sockets have received the last event of their user, and returns what they
// missed.
func (a audience) close(ctx context.Context, q postgres.Querier) (connects int, violations []string, err error) {
	last, err := listPositions(ctx, q)
	if err != nil {
		return 0, nil, err
	}
	for deadline := time.Now().Add(catchUp); !a.heard(last) && time.Now().Before(deadline); {
		if !pause(ctx, booksEvery) {
			break
		}
	}
	violations = a.behind(last)
	var mu sync.Mutex
	var group sync.WaitGroup
	for user, socket := range a {
		group.Go(func() {
			report := socket.Close()
			mu.Lock()
			defer mu.Unlock()
			connects += report.Connects
			violations = append(violations, socketViolations(user, report)...)
		})
	}
	group.Wait()
	return connects, violations, nil
}

func (a audience) heard(last []position) bool { return len(a.behind(last)) == 0 }

// behind says which sockets have not received the last event of their user.
func (a audience) behind(last []position) (violations []string) {
	for _, p := range last {
		if socket := a[p.UserID]; socket != nil && socket.Position() != p.Seq {
			violations = append(violations, fmt.Sprintf("events of %s: the socket is at %d of %d", p.UserID, socket.Position(), p.Seq))
		}
	}
	return violations
}

// socketViolations says what a socket has lost or heard twice.
func socketViolations(user uuid.UUID, r listener.Report) (violations []string) {
	for what, n := range map[string]int{"lost": r.Gaps, "repeated": r.Doubles, "given up": r.Unrecovered} {
		if n > 0 {
			violations = append(violations, fmt.Sprintf("events of %s: %d %s", user, n, what))
		}
	}
	return violations
}
