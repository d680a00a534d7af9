package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
)

// Options configure a run.
type Options struct {
	Programs string        // folder with api, worker and amanat, built with the tag failpoints
	Duration time.Duration // of the load and the faults
	Seed     uint64        // of both
	Clients  int           // people who act at the same time
	Wallets  int
	Payments float64 // a second to the phones
	History  string  // file that the calls are written to if there is a violation
	Keep     bool    // the folder with the logs
	Log      io.Writer
}

func (o Options) logf(format string, args ...any) {
	_, _ = fmt.Fprintf(o.Log, format+"\n", args...)
}

// ErrViolations says that the product has broken a promise. The report says which.
var ErrViolations = errors.New("the product has broken its promises")

const (
	// How long nothing may get done at the end while something is under way. A process whose clock
	// is ahead may have planned a retry that only one whose clock is behind is left to carry out.
	settleWait = 2*mostWrong + 2*time.Minute
	settleTick = 100 * time.Millisecond
	// For what people do after that.
	concludeWait = 2 * settleWait
)

// run is a run in progress.
type run struct {
	*system
	load      *load
	phones    *phones
	checkouts *checkouts
	books     auditor
	audience  audience
	report    Report
}

// torture makes a run and returns its report. It fails with ErrViolations if there are violations,
// and with other errors if there was no run. It leaves no process behind.
func torture(ctx context.Context, o Options) (report Report, err error) {
	o.logf("seed %d, %s, %d clients, %d wallets", o.Seed, o.Duration, o.Clients, o.Wallets)
	s, err := openSystem(ctx, o)
	if err != nil {
		return Report{}, err
	}
	if o.Keep {
		o.logf("logs: %s", s.dir)
	}
	r := &run{system: s}
	err = r.run(ctx)
	if closeErr := s.close(); closeErr != nil {
		err = errors.Join(err, closeErr)
	}
	if err == nil && len(r.report.Violations) > 0 {
		err = errors.Join(ErrViolations, r.save())
	}
	return r.report, err
}

func (r *run) run(ctx context.Context) error {
	o := r.options
	random := rand.New(rand.NewPCG(o.Seed, 0))
	if err := r.prepare(ctx, random); err != nil {
		return err
	}
	watching, stopWatching := context.WithCancel(ctx)
	defer stopWatching()
	var watchers sync.WaitGroup
	watchers.Go(func() { r.books.watch(watching, r.owner) })

	until, stop := context.WithTimeout(ctx, o.Duration)
	defer stop()
	settling, giveUp := context.WithTimeout(ctx, o.Duration+settleWait)
	defer giveUp()
	var faults *done
	var group sync.WaitGroup
	group.Go(func() { faults = r.injectFaults(ctx, until, o.Duration, random) })
	group.Go(func() { r.phones.run(settling, until, o.Payments, rand.New(rand.NewPCG(o.Seed, 2))) })
	began := time.Now()
	group.Go(func() {
		every(until, o.Payments/payments, rand.New(rand.NewPCG(o.Seed, 3)), func(own *rand.Rand) { r.checkouts.shop(settling, own) })
	})
	r.load.run(settling, until, o.Clients, rand.New(rand.NewPCG(o.Seed, 1)))
	group.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	r.report.Elapsed = time.Since(began)
	r.report.faults(faults)
	r.report.Skewed = r.skewed.Load()
	o.logf("everything is repaired, and all calls are answered after %s", r.report.Elapsed.Round(time.Second))
	err := r.settle(ctx)
	if err == nil {
		concluding, end := context.WithTimeout(ctx, concludeWait)
		defer end()
		err = r.conclude(concluding)
	}
	stopWatching()
	watchers.Wait()
	if err != nil {
		return err
	}
	return r.judge(ctx)
}

// every calls do at a fixed rate until until ends, whatever the state of the system, and waits for
// all calls.
func every(until context.Context, perSecond float64, random *rand.Rand, do func(own *rand.Rand)) {
	var group sync.WaitGroup
	ticker := time.NewTicker(time.Duration(float64(time.Second) / perSecond))
	defer ticker.Stop()
	for until.Err() == nil {
		own := rand.New(rand.NewPCG(random.Uint64(), random.Uint64()))
		group.Go(func() { do(own) })
		select {
		case <-ticker.C:
		case <-until.Done():
		}
	}
	group.Wait()
}

// prepare creates the people, with sockets and money.
func (r *run) prepare(ctx context.Context, random *rand.Rand) error {
	o := r.options
	var people, admins, payers, payees, shoppers, buyers []person
	for _, g := range []struct {
		to   *[]person
		name string
		n    int
	}{
		{&people, "trader", o.Wallets},
		{&admins, "boss", adminCount},
		{&payers, "payer", payerCount},
		{&payees, "payee", payeeCount},
		{&shoppers, "shopper", shopperCount},
		{&buyers, "buyer", int(o.Payments * o.Duration.Seconds() / buyerOneIn)},
	} {
		var err error
		if *g.to, err = r.insertPeople(ctx, g.name, g.name == "boss", g.n); err != nil {
			return err
		}
	}
	r.load = &load{client: newClient(r.sites(), o.Clients), people: people, admins: admins}
	r.phones = newPhones(r.load, payers, buyers, payees)
	r.checkouts = newCheckouts(r.load, r.bkash, shoppers)
	r.audience = openAudience(ctx, slices.Concat(payers, payees, shoppers, people), r.sites())
	for _, g := range []struct {
		who   []person
		funds int64
	}{{people, startFunds}, {payers, firstDeposit}, {payees, payeeFunds}} {
		for _, who := range g.who {
			r.load.deposit(ctx, who, g.funds, random)
		}
	}
	r.checkouts.takeToken(ctx, random)
	r.report.describe(ctx, r)
	return ctx.Err()
}

// settle waits until no operation is pending and no job is left that moves money or leads to it,
// however many there are, as long as they become fewer.
func (r *run) settle(ctx context.Context) error {
	var fewest int64 = math.MaxInt64
	progress := time.Now()
	for {
		left, err := countUnsettled(ctx, r.owner)
		switch {
		case err == nil && left == 0:
			return nil
		case err == nil && left < fewest:
			fewest, progress = left, time.Now()
		case time.Since(progress) > settleWait:
			jobs, listErr := listUnsettled(ctx, r.owner)
			r.report.violate(fmt.Sprintf("%d operations and jobs are not settled, and in %s they have not become fewer: %s",
				left, settleWait, strings.Join(jobs, "; ")))
			return errors.Join(err, listErr)
		}
		if !pause(ctx, settleTick) {
			return ctx.Err()
		}
	}
}

// judge reads everything for the last time and checks it.
func (r *run) judge(ctx context.Context) error {
	for _, who := range r.load.people {
		r.load.readWallet(ctx, who)
	}
	if err := r.readEndings(ctx); err != nil {
		return err
	}
	gaps, err := countGaps(ctx, r.owner)
	if err != nil {
		return err
	}
	if gaps > 0 {
		r.report.violate(fmt.Sprintf("%d events have another number than their place in the log", gaps))
	}
	connects, lost, err := r.audience.close(ctx, r.owner)
	if err != nil {
		return err
	}
	r.report.Connects = connects
	r.report.violate(lost...)
	r.report.violate(r.books.violations...)
	r.report.Books = Reads{r.books.reads, r.books.failed}
	if err := stopAll(append(r.apis, r.workers...)); err != nil {
		return err
	}
	if err := r.inspect(ctx); err != nil {
		return err
	}
	r.report.check(r.load.history.Calls())
	return nil
}

// readEndings adds a last read of every deal to the history.
func (r *run) readEndings(ctx context.Context) error {
	began := time.Since(r.load.start)
	endings, err := listEndings(ctx, r.owner)
	if err != nil {
		return err
	}
	ended := time.Since(r.load.start)
	for _, e := range endings {
		r.load.history.add(Call{
			Kind: ReadDeal, Subject: e.ID, Invoked: began, Returned: ended, Outcome: OK, Saw: &Sight{Status: e.Status, Requested: e.Requested},
		})
	}
	return nil
}

// inspect has the operator's tool check the books and the chain, and amcheck the files.
func (r *run) inspect(ctx context.Context) error {
	worker := r.url(r.observing, postgres.WorkerRole, workerPassword)
	for _, command := range []string{"reconcile", "verify-chain"} {
		if out, err := r.amanat(ctx, worker, command); err != nil {
			r.report.violate(err.Error())
		} else {
			r.options.logf("amanat %s: %s", command, lastLine(out))
		}
	}
	indexes, wrong, err := checkFiles(ctx, r.owner)
	if err != nil {
		r.report.violate("amcheck: " + err.Error())
	}
	r.report.Indexes = indexes
	r.report.violate(wrong...)
	return ctx.Err()
}

// save writes the history of the calls.
func (r *run) save() error {
	file, err := os.Create(r.options.History)
	if err != nil {
		return err
	}
	r.options.logf("history: %s, seed %d", r.options.History, r.options.Seed)
	return errors.Join(r.load.history.Write(file), file.Close())
}

// checkHistory checks the calls in a file that a run has written, and prints what is wrong with
// them.
func checkHistory(path string, out io.Writer) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	history, err := ReadHistory(file)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var report Report
	report.check(history.Calls())
	for _, violation := range report.Violations {
		_, _ = fmt.Fprintf(out, "VIOLATION %s\n", violation)
	}
	if len(report.Violations) > 0 {
		return ErrViolations
	}
	_, _ = fmt.Fprintf(out, "%d deals and %d wallets are in order\n", report.Deals, report.Wallet)
	return nil
}

// Report says what happened in a run.
type Report struct {
	Seed     uint64
	Duration time.Duration
	Elapsed  time.Duration // until all calls were answered
	Clients  int
	Wallets  int
	Cores    int
	Server   string // PostgreSQL's version and whether it writes to disk

	Calls      map[Outcome]int // by what became of them at last
	Money      int             // calls among them that move money, or prepare it
	Unanswered int             // attempts whose outcome was unknown, and which were repeated
	Retried    int             // calls with such attempts
	Slowest    time.Duration   // from the first attempt of a call that moves money to its final answer
	SlowestOf  Kind

	Faults map[string]int
	Kills  int
	Skewed int64 // processes started with a wrong clock

	Payments Payments
	Parts    []row // figures of the other ways in which money comes and leaves
	Books    Reads
	Connects int // of sockets
	Deals    int // whose histories were checked
	Wallet   int // the same
	Indexes  int64

	Violations []string
}

// Reads counts readings of the books.
type Reads struct{ Done, Failed int }

func (r *Report) violate(violations ...string) { r.Violations = append(r.Violations, violations...) }

// part adds a line to the table.
func (r *Report) part(what, format string, args ...any) {
	r.Parts = append(r.Parts, row{what, fmt.Sprintf(format, args...)})
}

func (r *Report) describe(ctx context.Context, run *run) {
	o := run.options
	r.Seed, r.Duration, r.Clients, r.Wallets, r.Cores = o.Seed, o.Duration, o.Clients, o.Wallets, runtime.NumCPU()
	r.Server, _ = serverVersion(ctx, run.owner) // it is only shown
}

func (r *Report) faults(d *done) {
	r.Faults, r.Kills = d.count, d.kills
	for _, problem := range d.problems {
		r.violate("not repaired: " + problem)
	}
}

// check checks the history of the calls and counts them.
func (r *Report) check(calls []Call) {
	r.count(calls)
	r.violate(checkSettled(calls)...)
	deals, wrongDeals := checkDeals(calls)
	wallets, wrongWallets := checkWallets(calls)
	r.Deals, r.Wallet = deals, wallets
	r.violate(append(wrongDeals, wrongWallets...)...)
}

func (r *Report) count(calls []Call) {
	r.Calls = map[Outcome]int{}
	for _, c := range calls {
		if c.Attempts == 0 { // a read at the end, which no client made
			continue
		}
		r.Calls[c.Outcome]++
		r.Unanswered += c.Unanswered
		if c.Unanswered > 0 {
			r.Retried++
		}
		if c.Kind.reads() {
			continue
		}
		r.Money++
		if took := c.Returned - c.Invoked; c.Outcome == OK && took > r.Slowest {
			r.Slowest, r.SlowestOf = took, c.Kind
		}
	}
}

func (r *Report) total() (n int) {
	for _, count := range r.Calls {
		n += count
	}
	return n
}

// row is a line of the table.
type row struct{ what, figure string }

func (r *Report) rows() []row {
	rows := []row{
		{"seed", fmt.Sprint(r.Seed)},
		{"load and faults", fmt.Sprintf("%s, %d clients, %d wallets, %d cores", r.Duration, r.Clients, r.Wallets, r.Cores)},
		{"PostgreSQL", r.Server},
		{"operations", fmt.Sprintf("%d, %d of them on money; %.0f a second", r.total(), r.Money, float64(r.total())/r.Elapsed.Seconds())},
		{"ok / refused / unknown at the end", fmt.Sprintf("%d / %d / %d", r.Calls[OK], r.Calls[Refused], r.Calls[Unknown])},
		{"attempts with an unknown outcome", fmt.Sprintf("%d, of %d operations", r.Unanswered, r.Retried)},
		{"slowest operation on money", fmt.Sprintf("%s (%s)", r.Slowest.Round(time.Millisecond), r.SlowestOf)},
		{"kills (SIGKILL)", fmt.Sprint(r.Kills)},
		{"processes started with a wrong clock", fmt.Sprint(r.Skewed)},
	}
	for _, name := range slices.Sorted(maps.Keys(r.Faults)) {
		rows = append(rows, row{name, fmt.Sprint(r.Faults[name])})
	}
	for _, name := range slices.Sorted(maps.Keys(r.Payments.Faults)) {
		rows = append(rows, row{"SMS " + name, fmt.Sprint(r.Payments.Faults[name])})
	}
	rows = append(rows,
		row{"payments to phones", fmt.Sprintf("%d, %d of them credited by SMS, the others by admins", r.Payments.Made, r.Payments.Automatic)},
		row{"balances of SIMs that an admin entered", fmt.Sprint(r.Payments.Entered)},
	)
	rows = append(rows, r.Parts...)
	return append(rows,
		row{"histories checked", fmt.Sprintf("%d deals, %d wallets", r.Deals, r.Wallet)},
		row{"readings of the books", fmt.Sprintf("%d, and %d while there was no database", r.Books.Done, r.Books.Failed)},
		row{"connections of the sockets", fmt.Sprint(r.Connects)},
		row{"B-trees checked by amcheck", fmt.Sprint(r.Indexes)},
		row{"violations", fmt.Sprint(len(r.Violations))},
	)
}

// Print prints the report as a table in Markdown, and the violations.
func (r *Report) Print(w io.Writer) error {
	var text strings.Builder
	text.WriteString("| what | figure |\n|---|---|\n")
	for _, line := range r.rows() {
		_, _ = fmt.Fprintf(&text, "| %s | %s |\n", line.what, line.figure)
	}
	for i, violation := range r.Violations {
		if i == mostShown {
			_, _ = fmt.Fprintf(&text, "\nand %d more\n", len(r.Violations)-i)
			break
		}
		_, _ = fmt.Fprintf(&text, "\nVIOLATION %s\n", violation)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// long is a run in which every fault happens at least once.
const long = time.Minute

// plan returns the faults of a lane in a random order, each as often as fits the length of the run.
func plan(lane []fault, length time.Duration, random *rand.Rand) (order []fault) {
	for _, f := range lane {
		times := int(float64(f.often)*length.Seconds()/full.Seconds() + 0.5)
		if length >= long {
			times = max(times, 1)
		}
		for range times {
			order = append(order, f)
		}
	}
	random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

// done counts the faults that have happened.
type done struct {
	mu       sync.Mutex
	count    map[string]int
	kills    int
	problems []string // faults that could not be repaired, which end their lane
}

func (d *done) add(f fault, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil {
		d.problems = append(d.problems, fmt.Sprintf("%s: %v", f.name, err))
		return
	}
	d.count[f.name]++
	if f.kills {
		d.kills++
	}
}

// injectFaults makes the faults of all lanes happen, spread over the length of the run, and returns
// when the last one is repaired. No fault begins once until has ended; ctx ends those under way.
func (s *system) injectFaults(ctx, until context.Context, length time.Duration, random *rand.Rand) *done {
	d := &done{count: map[string]int{}}
	start := time.Now()
	var group sync.WaitGroup
	for _, faults := range lanes() {
		n := &nemesis{system: s, random: rand.New(rand.NewPCG(random.Uint64(), random.Uint64()))}
		order := plan(faults(n), length, n.random)
		group.Go(func() {
			for i, f := range order {
				due := start.Add(length * time.Duration(i) / time.Duration(len(order)))
				if !pause(until, time.Until(due)) {
					return
				}
				began := time.Now()
				err := f.do(ctx)
				d.add(f, err)
				s.options.logf("%6.1f s  %s, repaired after %s", time.Since(start).Seconds(), f.name, time.Since(began).Round(time.Millisecond))
				if err != nil {
					s.options.logf("          %v", err)
					return
				}
			}
		})
	}
	group.Wait()
	return d
}

// Kind is what a call asks for.
type Kind string

// Kinds of calls. Those up to Adjust move money or make what moves it; the others only read.
const (
	Create        Kind = "deal_create"
	Remove        Kind = "deal_remove"
	Pay           Kind = "deal_pay"
	Deliver       Kind = "deal_deliver"
	Complete      Kind = "deal_complete"
	SellerCancel  Kind = "deal_cancel"
	AskCancel     Kind = "deal_ask_cancel"
	AcceptCancel  Kind = "deal_accept_cancel"
	ForceComplete Kind = "deal_force_complete"
	ForceCancel   Kind = "deal_force_cancel"
	Dispute       Kind = "dispute_open"
	Offer         Kind = "dispute_offer"
	Settle        Kind = "dispute_settle"
	Deposit       Kind = "deposit"
	Approve       Kind = "deposit_approve"
	Withdraw      Kind = "withdraw"
	Send          Kind = "withdrawal_send"
	Reject        Kind = "withdrawal_reject"
	Cancel        Kind = "withdrawal_cancel"
	Propose       Kind = "correction_propose"
	Adjust        Kind = "correction_confirm"
	ReadDeal      Kind = "read_deal"
	ReadWallet    Kind = "read_wallet"
)

func (k Kind) reads() bool { return k == ReadDeal || k == ReadWallet }

// Outcome is what a client knows about a call.
type Outcome string

// Outcomes.
const (
	OK      Outcome = "ok"
	Refused Outcome = "refused" // it has had no effect
	Unknown Outcome = "unknown" // it may have had its effect, or may have it later
)

// Call is a call with all its attempts, which have the same idempotency key.
type Call struct {
	Kind    Kind      `json:"kind"`
	Subject uuid.UUID `json:"subject"` // the deal, deposit, withdrawal, correction or owner of the wallet
	Actor   uuid.UUID `json:"actor"`

	// Of calls about deals. Other calls have the owner of the wallet as Buyer.
	Buyer  uuid.UUID `json:"buyer"`
	Seller uuid.UUID `json:"seller"`
	Cents  int64     `json:"cents,omitempty"` // price or amount
	Part   int64     `json:"part,omitempty"`  // what a settled dispute gives back to the buyer

	Invoked    time.Duration `json:"invoked"`           // since the start of the run
	Pending    time.Duration `json:"pending,omitempty"` // it had had no effect yet by then
	Returned   time.Duration `json:"returned"`
	Attempts   int           `json:"attempts"`
	Unanswered int           `json:"unanswered,omitempty"` // attempts without a final answer

	Outcome   Outcome `json:"outcome"`
	Status    int     `json:"status,omitempty"`
	Code      string  `json:"code,omitempty"`
	Reason    string  `json:"reason,omitempty"`
	Shortfall int64   `json:"shortfall,omitempty"` // cents

	Saw *Sight `json:"saw,omitempty"` // what a read has returned
}

// from returns when the effect of the call, or its refusal, was at the earliest.
func (c Call) from() time.Duration { return max(c.Invoked, c.Pending) }

// Sight is the answer to a read.
type Sight struct {
	Status    string `json:"status,omitempty"` // of a deal; removed if there is none
	Requested bool   `json:"requested,omitempty"`
	Wallet    Wallet `json:"wallet"`
}

// Wallet is what a user has, in cents.
type Wallet struct {
	Free   int64 `json:"free"`
	Escrow int64 `json:"escrow"` // price of the open deals that they pay for
	Held   int64 `json:"held"`   // for withdrawals
}

func (w Wallet) plus(other Wallet) Wallet {
	return Wallet{w.Free + other.Free, w.Escrow + other.Escrow, w.Held + other.Held}
}

// History is all calls of a run. It is safe for concurrent use.
type History struct {
	mu    sync.Mutex
	calls []Call
}

func (h *History) add(c Call) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls = append(h.calls, c)
}

// Calls returns the calls in the order in which they began.
func (h *History) Calls() []Call {
	h.mu.Lock()
	defer h.mu.Unlock()
	calls := slices.Clone(h.calls)
	slices.SortFunc(calls, func(a, b Call) int { return int(a.Invoked - b.Invoked) })
	return calls
}

// Write writes the calls as JSON, one a line.
func (h *History) Write(w io.Writer) error {
	buffered := bufio.NewWriter(w)
	encoder := json.NewEncoder(buffered)
	for _, call := range h.Calls() {
		if err := encoder.Encode(call); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

// ReadHistory reads what Write has written.
func ReadHistory(r io.Reader) (*History, error) {
	h := &History{}
	for decoder := json.NewDecoder(r); ; {
		var call Call
		err := decoder.Decode(&call)
		if errors.Is(err, io.EOF) {
			return h, nil
		}
		if err != nil {
			return nil, err
		}
		h.add(call)
	}
}
