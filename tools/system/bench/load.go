package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"amanat/internal/app/actor"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/ledger"
)

// recorder collects the durations of calls.
type recorder struct {
	mu   sync.Mutex
	took []time.Duration
}

func (r *recorder) add(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.took = append(r.took, d)
}

func (r *recorder) sample(elapsed time.Duration) Sample {
	slices.Sort(r.took)
	return Sample{
		Calls: len(r.took), PerSecond: float64(len(r.took)) / elapsed.Seconds(), P50: percentile(r.took, 0.50), P99: percentile(r.took, 0.99),
	}
}

// percentile returns a percentile of sorted durations by nearest rank, or 0 if there are none.
func percentile(sorted []time.Duration, p float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(p*float64(len(sorted))))]
}

// closedLoop calls do for duration from each of n clients, which start the next call when the last
// has returned.
func closedLoop(ctx context.Context, n int, duration time.Duration, do func(ctx context.Context, client int) error) (Sample, error) {
	return pacedLoop(ctx, n, math.Inf(1), duration, do)
}

// pacedLoop calls do at a fixed rate for duration from n clients. The rate is not reached if all of
// them are busy when a call is due. Latencies count from the start of a call.
func pacedLoop(
	ctx context.Context, n int, perSecond float64, duration time.Duration, do func(ctx context.Context, client int) error,
) (Sample, error) {
	var r recorder
	var taken atomic.Int64
	start := time.Now()
	end := start.Add(duration)
	group, ctx := errgroup.WithContext(ctx)
	for client := range n {
		group.Go(func() error {
			for {
				due := start.Add(time.Duration(float64(taken.Add(1)-1) / perSecond * float64(time.Second)))
				if !due.Before(end) {
					return nil
				}
				if err := waitUntil(ctx, due); err != nil {
					return err
				}
				began := time.Now()
				if !began.Before(end) {
					return nil
				}
				if err := do(ctx, client); err != nil {
					return err
				}
				r.add(time.Since(began))
			}
		})
	}
	err := group.Wait()
	return r.sample(time.Since(start)), err
}

// openLoop starts do at a fixed rate for duration, but at least once, whether or not earlier calls
// have returned. Latencies count from when a call was due, so a stall shows in all calls due during
// it.
func openLoop(
	ctx context.Context, perSecond float64, duration time.Duration, do func(ctx context.Context, client int) error,
) (Sample, error) {
	var r recorder
	start := time.Now()
	calls := max(1, int(perSecond*duration.Seconds()))
	group, ctx := errgroup.WithContext(ctx)
	for i := range calls {
		due := start.Add(time.Duration(float64(i) / perSecond * float64(time.Second)))
		if waitUntil(ctx, due) != nil {
			return Sample{}, group.Wait()
		}
		group.Go(func() error {
			err := do(ctx, i)
			r.add(time.Since(due))
			return err
		})
	}
	err := group.Wait()
	return r.sample(time.Since(start)), err
}

// waitUntil waits until the time has come. It fails only if ctx ends.
func waitUntil(ctx context.Context, due time.Time) error {
	left := time.Until(due)
	if left <= 0 {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(left):
		return nil
	}
}

const loginPassword = "of-the-bench"

// signUp creates a user with a password for each client.
func (e *environment) signUp(ctx context.Context) error {
	for n := range e.options.Clients {
		person := credentials(n)
		person["email"] = person["username"] + "@amanat.test"
		if err := e.authenticate(ctx, "/api/auth/signup", person, http.StatusCreated); err != nil {
			return err
		}
	}
	return nil
}

// logIn measures logins with the correct password, each of which computes an argon2 hash.
func (e *environment) logIn(ctx context.Context) (Sample, error) {
	return closedLoop(ctx, e.options.Clients, e.options.Duration, e.logInOnce)
}

func (e *environment) logInOnce(ctx context.Context, client int) error {
	return e.authenticate(ctx, "/api/auth/login", credentials(client), http.StatusOK)
}

// stormRate is the number of logins per second during which payments are measured.
const stormRate = 50

// payDuringLogins measures payments at a fixed rate while users log in at stormRate, or as fast as
// the machine can if that is less.
func (e *environment) payDuringLogins(ctx context.Context, perSecond float64) (payments, logins Sample, err error) {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		payments, err = e.pay(ctx, perSecond)
		return err
	})
	group.Go(func() (err error) {
		logins, err = pacedLoop(ctx, e.options.Clients, stormRate, e.options.Duration, e.logInOnce)
		return err
	})
	err = group.Wait()
	return payments, logins, err
}

func credentials(client int) map[string]string {
	return map[string]string{"username": "login" + strconv.Itoa(client), "password": loginPassword}
}

func (e *environment) authenticate(ctx context.Context, path string, body map[string]string, expected int) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	status, answer, err := e.call(ctx, http.DefaultClient, request{method: http.MethodPost, path: path, body: encoded})
	if err == nil && status != expected {
		err = fmt.Errorf("%s: %d %s", path, status, answer)
	}
	return err
}

const (
	callTimeout = 30 * time.Second
	pollPause   = 20 * time.Millisecond
	sessionName = "amanat" // name of the session cookie without HTTPS
	idempotency = "Idempotency-Key"
	// An open loop may have this many calls in flight for each client of the closed loop.
	connsAClient = 10
)

var errNoDeals = errors.New("all prepared deals are paid: this machine is faster than expected, prepare more")

// payment is a deal to pay and its buyer.
type payment struct {
	deal  uuid.UUID
	buyer int // index into the sessions
}

// warmUp returns for how long payments are made before the first measurement, at most three
// seconds: PostgreSQL plans the statements of each connection several times before it keeps a plan.
func (e *environment) warmUp() time.Duration { return min(e.options.Duration, 3*time.Second) }

// warmUpPayments pays deals without measuring.
func (e *environment) warmUpPayments(ctx context.Context) error {
	if e.warm {
		return nil
	}
	e.warm = true
	duration := e.options.Duration
	defer func() { e.options.Duration = duration }()
	e.options.Duration = e.warmUp()
	if _, err := e.pay(ctx, 0); err != nil {
		return err
	}
	return e.waitIdle(ctx)
}

// pay measures payments over HTTP, each from its POST to the final 200: in a closed loop, or at a
// fixed rate if perSecond is positive.
func (e *environment) pay(ctx context.Context, perSecond float64) (Sample, error) {
	client := e.newClient()
	defer client.CloseIdleConnections()
	var taken atomic.Int64
	payNext := func(ctx context.Context, _ int) error {
		n := int(taken.Add(1)) - 1
		if n >= len(e.unpaid) {
			return errNoDeals
		}
		return e.payDeal(ctx, client, e.unpaid[n])
	}
	sample, err := e.load(ctx, perSecond, payNext)
	e.unpaid = e.unpaid[min(len(e.unpaid), int(taken.Load())):]
	return sample, err
}

// newClient returns a client that keeps a connection for each call in flight.
func (e *environment) newClient() *http.Client {
	return &http.Client{Timeout: callTimeout, Transport: &http.Transport{MaxIdleConnsPerHost: connsAClient * e.options.Clients}}
}

// load calls do in a closed loop, or at a fixed rate if perSecond is positive.
func (e *environment) load(ctx context.Context, perSecond float64, do func(ctx context.Context, client int) error) (Sample, error) {
	if perSecond > 0 {
		return openLoop(ctx, perSecond, e.options.Duration, do)
	}
	return closedLoop(ctx, e.options.Clients, e.options.Duration, do)
}

// operation is the api's representation of a payment in progress.
type operation struct {
	ID     string `json:"_id"`
	Status string `json:"status"`
}

// payDeal pays one deal and returns when the payment is done. If the api answers 202, payDeal polls
// the operation.
func (e *environment) payDeal(ctx context.Context, client *http.Client, p payment) error {
	session := e.sessions[p.buyer]
	status, body, err := e.call(ctx, client, request{
		method: http.MethodPost, path: "/api/deals/pay/" + p.deal.String(), session: session,
	})
	if err != nil {
		return err
	}
	switch status {
	case http.StatusOK:
		return nil
	case http.StatusAccepted:
		var underway struct{ Operation operation }
		if err := json.Unmarshal(body, &underway); err != nil {
			return err
		}
		return e.awaitPaid(ctx, client, underway.Operation, session)
	}
	return fmt.Errorf("deal %s: %d %s", p.deal, status, body)
}

// awaitPaid polls the operation until it is done. It fails if the operation is rejected.
func (e *environment) awaitPaid(ctx context.Context, client *http.Client, op operation, session string) error {
	for op.Status == "pending" {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollPause):
		}
		status, body, err := e.call(ctx, client, request{
			method: http.MethodGet, path: "/api/operations/" + op.ID, session: session,
		})
		if err != nil {
			return err
		}
		if status != http.StatusOK {
			return fmt.Errorf("operation %s: %d %s", op.ID, status, body)
		}
		if err := json.Unmarshal(body, &op); err != nil {
			return err
		}
	}
	if op.Status != "done" {
		return fmt.Errorf("operation %s is %s", op.ID, op.Status)
	}
	return nil
}

// request is a call such as a browser makes.
type request struct {
	method, path string
	session      string // "": signed out
	body         []byte
}

func (e *environment) call(ctx context.Context, client *http.Client, r request) (status int, body []byte, err error) {
	return r.sendTo(ctx, e.site, client)
}

func (r request) sendTo(ctx context.Context, site string, client *http.Client) (status int, body []byte, err error) {
	call, err := http.NewRequestWithContext(ctx, r.method, site+r.path, bytes.NewReader(r.body))
	if err != nil {
		return 0, nil, err
	}
	if r.session != "" {
		call.Header.Set("Cookie", sessionName+"="+r.session)
	}
	if r.method == http.MethodPost {
		call.Header.Set(idempotency, uuid.NewString())
	}
	response, err := client.Do(call)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err = io.ReadAll(response.Body)
	return response.StatusCode, body, err
}

const (
	walletCount  = 1000
	postedAmount = money.Cents(100)
	postedFee    = money.Cents(2)
)

type legsOf func(from, to uuid.UUID) []ledger.Leg

func spreadLegs(from, to uuid.UUID) []ledger.Leg {
	return []ledger.Leg{ledger.Move(ledger.Wallet(from), ledger.Wallet(to), postedAmount)}
}

func feeLegs(from, to uuid.UUID) []ledger.Leg {
	return []ledger.Leg{
		ledger.Move(ledger.Wallet(from), ledger.Wallet(to), postedAmount-postedFee),
		ledger.Move(ledger.Wallet(from), ledger.Fees(), postedFee),
	}
}

// post measures transfers between alternating wallets, one per transaction.
func (e *environment) post(ctx context.Context, legs legsOf) (Sample, error) {
	e.posted++
	var next atomic.Int64
	return closedLoop(ctx, e.options.Clients, e.options.Duration, func(ctx context.Context, _ int) error {
		n := next.Add(1)
		// Never the same wallet, because 6n+1 is odd.
		from, to := e.wallets[n%walletCount], e.wallets[(n*7+1)%walletCount]
		return e.postTransfer(ctx, e.ledger, fmt.Sprintf("bench:%d:%d", e.posted, n), legs(from, to))
	})
}

// fillWallet posts a balance that cannot be spent during a run. The money comes from the exchange
// account, as that of deposits does.
func (e *environment) fillWallet(ctx context.Context, worker *pgxpool.Pool, owner uuid.UUID) error {
	legs := []ledger.Leg{ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(owner), money.MaxPrice)}
	return e.postTransfer(ctx, worker, "bench:fill:"+owner.String(), legs)
}

func (e *environment) postTransfer(ctx context.Context, worker *pgxpool.Pool, key string, legs []ledger.Leg) error {
	return postgres.WithTx(ctx, worker, func(tx *postgres.Tx) error {
		return ledger.Post(ctx, tx, ledger.Transfer{Key: key, Kind: "bench", Legs: legs, At: time.Now()})
	})
}

// postDeposit posts an approved deposit (see insertDeposits) that cannot be spent during a run.
func postDeposit(ctx context.Context, worker *pgxpool.Pool, depositID, owner, by uuid.UUID) error {
	bkash, err := ledger.Mobile("Bkash")
	if err != nil {
		return err
	}
	return postgres.WithTx(ctx, worker, func(tx *postgres.Tx) error {
		return ledger.Post(ctx, tx, ledger.Transfer{
			Key: ledger.DepositApprove.Key(depositID), Kind: "deposit_approve", Actor: actor.User(by), At: time.Now(),
			Legs: []ledger.Leg{
				ledger.MoveBDT(bkash, ledger.ExchangeBDT(), money.Poisha(money.MaxPrice)),
				ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(owner), money.MaxPrice),
			},
		})
	})
}

// pendingMessages are the messages on their way, by text, with a channel that is closed on
// delivery.
type pendingMessages struct {
	mu      sync.Mutex
	waiting map[string]chan struct{}
}

func (p *pendingMessages) add(text string) <-chan struct{} {
	delivered := make(chan struct{})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting[text] = delivered
	return delivered
}

var (
	newMessage = []byte(`"type":"newMessage"`)
	textMark   = []byte(`"text":"`)
)

// deliver closes the channel of the message in a frame.
func (p *pendingMessages) deliver(frame []byte) {
	if !bytes.Contains(frame, newMessage) {
		return
	}
	_, rest, _ := bytes.Cut(frame, textMark)
	text, _, _ := bytes.Cut(rest, []byte(`"`))
	p.mu.Lock()
	defer p.mu.Unlock()
	if delivered := p.waiting[string(text)]; delivered != nil {
		delete(p.waiting, string(text))
		close(delivered)
	}
}

// chat measures messages from their POST at one node to the receiver's frame at the other: in a
// closed loop, or at a fixed rate if perSecond is positive.
func (e *environment) chat(ctx context.Context, perSecond float64) (Sample, error) {
	underway := &pendingMessages{waiting: map[string]chan struct{}{}}
	sockets, err := openSockets(ctx, e.sites[1:], e.listeners.sessions[:len(e.listeners.conversations)], underway.deliver)
	if err != nil {
		return Sample{}, err
	}
	client := e.newClient()
	defer client.CloseIdleConnections()
	var taken atomic.Int64
	sendNext := func(ctx context.Context, _ int) error {
		return e.send(ctx, client, underway, int(taken.Add(1))%len(e.listeners.conversations))
	}
	sample, err := e.load(ctx, perSecond, sendNext)
	return sample, errors.Join(err, closeSockets(sockets))
}

// send posts one message as a buyer and waits until its receiver's socket has the frame.
func (e *environment) send(ctx context.Context, client *http.Client, underway *pendingMessages, pair int) error {
	text := uuid.NewString()
	body, err := json.Marshal(map[string]string{"conversationId": e.listeners.conversations[pair].String(), "text": text})
	if err != nil {
		return err
	}
	delivered := underway.add(text)
	status, answer, err := e.call(ctx, client, request{
		method: http.MethodPost, path: "/api/messages", session: e.sessions[pair], body: body,
	})
	if err != nil {
		return err
	}
	if status != http.StatusCreated {
		return fmt.Errorf("message: %d %s", status, answer)
	}
	select {
	case <-delivered:
		return nil
	case <-time.After(deliveryTimeout):
		return fmt.Errorf("message %s was not heard", text)
	}
}

// insertBare measures the least that a service can do for a request that it must not lose: HTTP,
// one INSERT and its commit. Latencies of payments at the same rate are compared with it. The
// server runs in this process, with a table of its own in pgbench's database.
func (e *environment) insertBare(ctx context.Context, perSecond float64) (sample Sample, err error) {
	pool, err := postgres.Connect(ctx, e.server.URL(tpcbDatabase), postgres.Options{MaxConns: int32(e.options.Clients)})
	if err != nil {
		return Sample{}, err
	}
	defer pool.Close()
	if err := createBaseline(ctx, pool); err != nil {
		return Sample{}, err
	}
	site, stop, err := serveBaseline(ctx, pool)
	if err != nil {
		return Sample{}, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	client := e.newClient()
	defer client.CloseIdleConnections()
	return e.load(ctx, perSecond, func(ctx context.Context, _ int) error {
		r := request{method: http.MethodPost, path: "/", session: e.sessions[0], body: []byte(uuid.NewString())}
		status, answer, err := r.sendTo(ctx, site, client)
		if err == nil && status != http.StatusOK {
			err = fmt.Errorf("baseline: %d %s", status, answer)
		}
		return err
	})
}

// serveBaseline starts a server that inserts the body of each request and then answers. stop closes
// it and returns why it ended if that was earlier.
func serveBaseline(ctx context.Context, pool *pgxpool.Pool) (site string, stop func() error, err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{ReadHeaderTimeout: callTimeout, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = insertBaseline(r.Context(), pool, string(body))
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	stop = func() error {
		err := server.Close()
		if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
			err = errors.Join(err, served)
		}
		return err
	}
	return "http://" + listener.Addr().String(), stop, nil
}

const pgbenchThreads = 2

// tpcb runs pgbench's default transaction. Without pgbench it returns a zero Sample. Its cost is
// that of PostgreSQL and pgbench; the other processes are idle.
func (e *environment) tpcb(ctx context.Context) (Sample, error) {
	if e.options.PGBench == "" {
		return Sample{}, nil
	}
	var own time.Duration // pgbench's CPU time
	sample, err := e.metered(ctx, func(ctx context.Context) (Sample, error) {
		report, used, err := e.pgbench(ctx, "-M", "prepared", "-c", strconv.Itoa(e.options.Clients), "-j", strconv.Itoa(pgbenchThreads),
			"-T", strconv.Itoa(max(1, int(e.options.Duration.Seconds()))), "--no-vacuum")
		if err != nil {
			return Sample{}, err
		}
		own = used
		return parseReport(report)
	})
	if sample.Cost.CPU != (CPU{}) {
		sample.Cost.CPU = CPU{Postgres: sample.Cost.CPU.Postgres, Client: millis(own) / float64(sample.Calls)}
	}
	return sample, err
}

func (e *environment) preparePgbench(ctx context.Context) error {
	if e.options.PGBench == "" {
		return nil
	}
	_, _, err := e.pgbench(ctx, "-i", "-q", "-s", strconv.Itoa(e.options.Scale))
	return err
}

// pgbench returns what pgbench reports, and the CPU time that it used itself.
func (e *environment) pgbench(ctx context.Context, args ...string) (report string, used time.Duration, err error) {
	args = append(args, e.server.URL(tpcbDatabase))
	cmd := exec.CommandContext(ctx, e.options.PGBench, args...) //nolint:gosec // the caller's choice
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", 0, fmt.Errorf("pgbench %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

var (
	reportedRate    = regexp.MustCompile(`(?m)^tps = ([0-9.]+) `)
	reportedCalls   = regexp.MustCompile(`(?m)^number of transactions actually processed: ([0-9]+)`)
	reportedLatency = regexp.MustCompile(`(?m)^latency average = ([0-9.]+) ms`)
)

// parseReport reads the number of transactions, their rate, and the mean latency, which takes the
// place of the median because pgbench does not report one.
func parseReport(report string) (Sample, error) {
	var numbers [3]float64
	for i, pattern := range []*regexp.Regexp{reportedCalls, reportedRate, reportedLatency} {
		found := pattern.FindStringSubmatch(report)
		if found == nil {
			return Sample{}, fmt.Errorf("pgbench reports no %s:\n%s", pattern, report)
		}
		var err error
		if numbers[i], err = strconv.ParseFloat(found[1], 64); err != nil {
			return Sample{}, err
		}
	}
	return Sample{
		Calls: int(numbers[0]), PerSecond: numbers[1], P50: time.Duration(numbers[2] * float64(time.Millisecond)),
	}, nil
}
