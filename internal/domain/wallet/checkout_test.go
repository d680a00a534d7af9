package wallet_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/bkash"
	"amanat/internal/devtools/phone"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/checkout"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/queue/jobs"
)

// checkouts is a fixture whose worker can use the checkout of a simulated bKash.
type checkouts struct {
	phoned
	bkash *bkash.Server
}

func newCheckouts(t *testing.T) checkouts {
	t.Helper()
	f := checkouts{phoned: phoned{fixture: newFixture(t)}}
	simulated, stop, err := bkash.Listen(t.Context(), f.clock.Now)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, stop()) })
	f.bkash = simulated
	var account checkout.BkashAccount
	require.NoError(t, account.UnmarshalText([]byte(f.bkash.Setting())))
	f.settler.Provider, f.settler.PublicURL = checkout.NewBkash(account), "https://amanat.example"
	f.sweep(t)
	return f
}

func (f checkouts) sweep(t *testing.T) {
	t.Helper()
	_, err := f.settler.SweepCheckouts(t.Context())
	require.NoError(t, err)
}

// start has the owner ask for a page to pay the amount, and a worker get it.
func (f checkouts) start(t *testing.T, amount money.Cents) wallet.Checkout {
	t.Helper()
	c, err := f.StartCheckout(t.Context(), f.owner, wallet.Report{Amount: amount}, nil)
	require.NoError(t, err)
	require.Equal(t, wallet.CheckoutStarting, c.State)
	_ = f.advance(t) // the checkout says what came of it
	return f.read(t, c)
}

func (f checkouts) read(t *testing.T, c wallet.Checkout) wallet.Checkout {
	t.Helper()
	now, err := f.OwnCheckout(t.Context(), f.owner, c.ID)
	require.NoError(t, err)
	return now
}

func invoice(c wallet.Checkout) string { return strings.ReplaceAll(c.ID.String(), "-", "") }

// returns has the owner come back from the page of bKash.
func (f checkouts) returns(t *testing.T, c wallet.Checkout, with wallet.Returned) error {
	t.Helper()
	_, err := f.ReturnFromCheckout(t.Context(), f.owner, c.ID, with)
	require.NoError(t, err)
	return f.advance(t)
}

// advance runs the jobs of checkouts once, and what follows from them. It returns the error of the
// last one that failed.
func (f checkouts) advance(t *testing.T) error {
	t.Helper()
	var failed error
	type job struct {
		ID       uuid.UUID
		Returned string
	}
	waiting, err := postgres.Query[job]("test.checkouts", `
		delete from river.river_job where kind = 'checkout'
		returning (args->>'checkout_id')::uuid as id, coalesce(args->>'returned', '') as returned`).
		Many(t.Context(), f.db.Owner(), nil)
	require.NoError(t, err)
	for _, j := range waiting {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second) // a call that hangs
		if err := f.settler.AdvanceCheckout(ctx, j.ID, wallet.Returned(j.Returned)); err != nil {
			failed = err
		}
		cancel()
	}
	f.work(t)
	return failed
}

func (f checkouts) pending(t *testing.T, c wallet.Checkout) wallet.WorklistDeposit {
	t.Helper()
	d, err := f.GetDeposit(t.Context(), c.ID)
	require.NoError(t, err)
	return d
}

func TestCheckout_credits(t *testing.T) {
	t.Parallel()
	f := newCheckouts(t)
	takes, err := f.TakesCheckouts(t.Context())
	require.NoError(t, err)
	require.True(t, takes)
	c := f.start(t, 500_00) // above AUTO_CREDIT_MAX
	require.Equal(t, wallet.CheckoutOpen, c.State)
	require.Contains(t, *c.URL, "/pay/")
	require.Equal(t, "61500.00", f.bkash.Payment(invoice(c)).Amount)

	require.NoError(t, f.returns(t, c, wallet.ReturnedSuccess), "made up: nobody has agreed")
	require.Equal(t, wallet.CheckoutDeclined, f.read(t, c).Failure)
	require.Zero(t, f.balance(t))

	c = f.start(t, 500_00)
	f.bkash.Agree(invoice(c))
	require.NoError(t, f.returns(t, c, wallet.ReturnedSuccess))
	require.Equal(t, wallet.CheckoutPaid, f.read(t, c).State)
	require.Equal(t, money.Cents(500_00), f.balance(t))
	d := f.pending(t, c)
	require.Equal(t, wallet.DepositCompleted, d.Status)
	require.Equal(t, f.bkash.Payment(invoice(c)).TrxID, d.TransactionID)
	text, _ := f.told(t)
	require.Equal(t, "Your deposit of $500.00 is in your balance.", text)
	require.Zero(t, f.count(t, `river.river_job where kind = 'admin_notice'`))

	require.NoError(t, f.returns(t, c, wallet.ReturnedSuccess))
	f.clock.Advance(10 * time.Minute)
	f.sweep(t)
	require.NoError(t, f.advance(t))
	paid := f.bkash.Payment(invoice(c))
	require.Equal(t, 1, paid.Executions)
	require.Zero(t, paid.Queries, "after a clear success")
	require.Equal(t, money.Cents(500_00), f.balance(t))
	require.Equal(t, 1, f.bkash.TokenCalls())
	f.reconciled(t)
}

// However an execution ends, bKash is asked for it once, and what it books is credited once.
func TestCheckout_deal(t *testing.T) {
	t.Parallel()
	f := newCheckouts(t)
	deal := f.deal(t)
	c, err := f.StartCheckout(t.Context(), f.owner, wallet.Report{Amount: 10_00, DealID: &deal, Terms: 3}, nil)
	require.NoError(t, err)
	require.NoError(t, f.advance(t))
	f.bkash.Agree(invoice(c))
	require.NoError(t, f.returns(t, c, wallet.ReturnedSuccess))
	p, found, err := f.settler.DealToPay(t.Context(), c.ID)
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, wallet.DealPayment{DepositID: c.ID, UserID: f.owner, DealID: deal, Terms: 3}, p)
	require.Equal(t, 1, f.count(t, `river.river_job where kind = 'deal_payment' and args->>'deposit_id' = $1`, c.ID.String()))
}

// What is paid on the page of bKash comes to an account that has no SMS.
func TestCheckout_drift(t *testing.T) {
	t.Parallel()
	f := newCheckouts(t)
	f.phone = phone.New("shop", phoneKey, 10_000_00)
	f.deliver(t, f.forward(f.pays(500_00)))
	f.anchor(t, f.phone.Balance(wallet.Bkash))
	c := f.start(t, 10_00)
	f.bkash.Agree(invoice(c))
	require.NoError(t, f.returns(t, c, wallet.ReturnedSuccess))
	require.Equal(t, money.Cents(10_00), f.balance(t))
	require.Equal(t, asAtFirst(wallet.Drift{}), f.drift(t))
}

func TestCheckout_faults(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		fault  bkash.Fault
		state  wallet.CheckoutState // after a minute
		credit money.Cents
	}{
		"no answer, paid":     {bkash.HangsAfter, wallet.CheckoutPaid, 50_00},
		"no answer, not paid": {bkash.HangsBefore, wallet.CheckoutExecuting, 0},
		"completed already":   {bkash.Already, wallet.CheckoutPaid, 50_00},
		"in progress":         {bkash.InProgress, wallet.CheckoutPaid, 50_00},
		"too little":          {bkash.Insufficient, wallet.CheckoutFailed, 0},
		"maintenance":         {bkash.Maintenance, wallet.CheckoutExecuting, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newCheckouts(t)
			c := f.start(t, 50_00)
			f.bkash.Agree(invoice(c))
			f.bkash.Break(tc.fault)
			err := f.returns(t, c, wallet.ReturnedSuccess)
			require.Equal(t, tc.fault == bkash.Insufficient, err == nil, "%v", err)
			require.Zero(t, f.balance(t))

			// The job is run again, the payer comes back again and cancels, and the sweep looks.
			require.NoError(t, f.returnsLater(t, c), tc.fault)
			require.Equal(t, tc.state, f.read(t, c).State)
			require.Equal(t, tc.credit, f.balance(t))
			require.LessOrEqual(t, f.bkash.Payment(invoice(c)).Executions, 1)

			f.clock.Advance(25 * time.Hour)
			f.sweep(t)
			require.NoError(t, f.advance(t))
			require.Contains(t, []wallet.CheckoutState{wallet.CheckoutPaid, wallet.CheckoutFailed}, f.read(t, c).State)
			require.Equal(t, tc.credit, f.balance(t))
			require.LessOrEqual(t, f.bkash.Payment(invoice(c)).Executions, 1)
			f.reconciled(t)
		})
	}
}

// returnsLater has everything happen that may happen within minutes after the first return.
func (f checkouts) returnsLater(t *testing.T, c wallet.Checkout) error {
	t.Helper()
	f.bkash.Break(bkash.None)
	if err := f.returns(t, c, wallet.ReturnedSuccess); err != nil {
		return err
	}
	if err := f.returns(t, c, wallet.ReturnedCancelled); err != nil {
		return err
	}
	f.clock.Advance(3 * time.Minute)
	f.sweep(t)
	return f.advance(t)
}

// A worker that dies between the commit and the answer leaves the checkout executing.
func TestCheckout_killed(t *testing.T) {
	t.Parallel()
	f := newCheckouts(t)
	c := f.start(t, 50_00)
	f.bkash.Agree(invoice(c))
	f.exec(t, `update checkouts set state = 'executing'`, nil)
	require.NoError(t, f.returns(t, c, wallet.ReturnedSuccess))
	require.Zero(t, f.bkash.Payment(invoice(c)).Executions, "it may have been called")
	require.Equal(t, wallet.CheckoutExecuting, f.read(t, c).State)

	f.clock.Advance(25 * time.Hour)
	f.bkash.Break(bkash.Maintenance)
	f.sweep(t)
	require.Error(t, f.advance(t))
	require.Equal(t, wallet.CheckoutExecuting, f.read(t, c).State, "only an answer of bKash ends it")
}

// The payer comes back twice at the same moment.
func TestCheckout_executed_once(t *testing.T) {
	t.Parallel()
	f := newCheckouts(t)
	c := f.start(t, 50_00)
	f.bkash.Agree(invoice(c))
	blocking, err := f.db.Owner().Begin(t.Context())
	require.NoError(t, err)
	_, err = blocking.Exec(t.Context(), `select from users where id = $1 for update`, f.owner)
	require.NoError(t, err)
	ended := make(chan error)
	for range 2 {
		go func() { ended <- f.settler.AdvanceCheckout(t.Context(), c.ID, wallet.ReturnedSuccess) }()
	}
	require.Eventually(t, func() bool {
		return f.count(t, `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`) == 2
	}, 10*time.Second, 10*time.Millisecond, "both have read that it may be executed")
	require.NoError(t, blocking.Rollback(t.Context()))
	require.NoError(t, errors.Join(<-ended, <-ended))
	f.work(t)
	require.Equal(t, 1, f.bkash.Payment(invoice(c)).Executions)
	require.Equal(t, money.Cents(50_00), f.balance(t))
}

// The payer has agreed and closed the tab: the sweep finds that out. Whom nobody hears of again is
// asked about ever more rarely, and given up after a day.
func TestSweepCheckouts(t *testing.T) {
	t.Parallel()
	f := newCheckouts(t)
	closed, left := f.start(t, 50_00), f.start(t, 20_00)
	f.bkash.Agree(invoice(closed))
	f.sweep(t)
	require.NoError(t, f.advance(t))
	require.Zero(t, f.balance(t), "the payer may still come back")
	f.clock.Advance(3 * time.Minute)
	f.sweep(t)
	require.NoError(t, f.advance(t))
	require.Equal(t, money.Cents(50_00), f.balance(t))
	require.Equal(t, wallet.CheckoutOpen, f.read(t, left).State)

	looked := 0
	for range 24 * 60 {
		f.clock.Advance(time.Minute)
		f.sweep(t)
		if f.count(t, `river.river_job where kind = 'checkout'`) > 0 {
			looked++
			f.exec(t, `delete from river.river_job where kind = 'checkout'`, nil)
			f.exec(t, `update checkouts set looked_at = @now where state = 'open'`, postgres.Args{"now": f.clock.Now()})
		}
	}
	require.Less(t, looked, 100)
	require.Equal(t, wallet.CheckoutExpired, f.read(t, left).Failure)
}

// What differs from what was asked for is an admin's, who sees what bKash says.
func TestCheckout_for_admins(t *testing.T) {
	t.Parallel()
	f := newCheckouts(t)
	c := f.start(t, 50_00)
	f.bkash.Agree(invoice(c))
	f.bkash.Break(bkash.OtherAmount)
	require.NoError(t, f.returns(t, c, wallet.ReturnedSuccess))
	d := f.pending(t, c)
	require.Equal(t, wallet.DepositPending, d.Status)
	require.Equal(t, wallet.Evidence{State: wallet.PaymentPaid, Amount: 1_00, Party: bkash.Payer, At: d.Evidence.At}, *d.Evidence)
	require.Equal(t, 1, f.count(t, `river.river_job where kind = 'admin_notice'`))
	require.Zero(t, f.balance(t))
	f.reconciled(t)

	f.exec(t, `update checkouts set paid_amount = converted_amount - 1`, nil) // a poisha less than asked for
	require.NoError(t, f.settler.MatchDeposit(t.Context(), c.ID))
	f.work(t)
	require.Equal(t, wallet.DepositPending, f.pending(t, c).Status)
}

// Another user reports the payment before the payer comes back, so an admin decides.
func TestCheckout_disputed(t *testing.T) {
	t.Parallel()
	f := newCheckouts(t)
	c := f.start(t, 50_00)
	f.bkash.Agree(invoice(c))
	f.bkash.Break(bkash.HangsAfter)
	require.Error(t, f.returns(t, c, wallet.ReturnedSuccess))
	stolen := f.report(t, f.second, f.bkash.Payment(invoice(c)).TrxID, 50_00)
	require.NoError(t, f.returns(t, c, wallet.ReturnedSuccess))
	f.work(t)
	require.Equal(t, wallet.DepositPending, f.status(t, stolen))
	require.True(t, f.pending(t, c).Disputed)
	require.Zero(t, f.balance(t))
}

// A payer who reports the payment by hand while its outcome is unknown has one deposit.
func TestCheckout_reported_by_hand(t *testing.T) {
	t.Parallel()
	f := newCheckouts(t)
	c := f.start(t, 50_00)
	f.bkash.Agree(invoice(c))
	f.bkash.Break(bkash.HangsAfter)
	require.Error(t, f.returns(t, c, wallet.ReturnedSuccess))
	d := f.report(t, f.owner, f.bkash.Payment(invoice(c)).TrxID, 50_00)
	require.NoError(t, f.returns(t, c, wallet.ReturnedSuccess))
	require.Equal(t, wallet.DepositCompleted, f.status(t, d))
	require.Equal(t, money.Cents(50_00), f.balance(t))
	require.Equal(t, 1, f.count(t, `deposits`))
	f.reconciled(t)
}

// No money is taken from whoever could not be credited.
func TestCheckout_stopped_user(t *testing.T) {
	t.Parallel()
	f := newCheckouts(t)
	c := f.start(t, 50_00)
	f.bkash.Agree(invoice(c))
	f.exec(t, `update users set disabled_at = now() where id = @id`, postgres.Args{"id": f.owner})
	require.NoError(t, f.returns(t, c, wallet.ReturnedSuccess))
	require.Equal(t, wallet.CheckoutFailed, f.read(t, c).State)
	require.Zero(t, f.bkash.Payment(invoice(c)).Executions)
}

func TestCheckout_ends_unpaid(t *testing.T) {
	t.Parallel()
	f := newCheckouts(t)
	for with, why := range map[wallet.Returned]wallet.CheckoutFailure{
		wallet.ReturnedCancelled: wallet.CheckoutCancelled, wallet.ReturnedFailure: wallet.CheckoutDeclined,
	} {
		c := f.start(t, 50_00)
		_, err := f.ReturnFromCheckout(t.Context(), f.second, c.ID, with)
		require.Equal(t, fault.NotFound, fault.CodeOf(err), "another's")
		require.NoError(t, f.returns(t, c, with))
		require.Equal(t, why, f.read(t, c).Failure)
		require.NoError(t, f.returns(t, c, wallet.ReturnedSuccess))
		require.Zero(t, f.bkash.Payment(invoice(c)).Executions)
	}
}

// A hint only has bKash asked, once at a time, and about unfinished checkouts.
func TestHintCheckout(t *testing.T) {
	t.Parallel()
	f := newCheckouts(t)
	c := f.start(t, 50_00)
	for _, nonsense := range []string{"", "x", uuid.NewString(), strings.Repeat("9", 4000)} {
		require.NoError(t, f.HintCheckout(t.Context(), nonsense))
	}
	require.Zero(t, f.count(t, `river.river_job where kind = 'checkout'`))
	for range 3 {
		require.NoError(t, f.HintCheckout(t.Context(), invoice(c)))
	}
	require.Equal(t, 1, f.count(t, `river.river_job where kind = 'checkout'`))
	require.NoError(t, f.advance(t))
	require.Equal(t, wallet.CheckoutOpen, f.read(t, c).State)
	require.Zero(t, f.balance(t))
}

// More than two calls for a token in an hour would block the account. They are counted however they
// end; meanwhile nobody is offered a checkout.
func TestProviderToken(t *testing.T) {
	t.Parallel()
	f := newCheckouts(t)
	try := func() wallet.CheckoutState {
		f.clock.Advance(2 * time.Minute)
		f.sweep(t)
		f.exec(t, `delete from river.river_job`, nil) // of the earlier ones
		c := f.start(t, 10_00)
		if c.State == wallet.CheckoutStarting { // another worker may be asking for a token
			f.clock.Advance(10 * time.Second)
			require.Error(t, f.settler.AdvanceCheckout(t.Context(), c.ID, ""))
		}
		return f.read(t, c).State
	}
	open := f.start(t, 10_00)
	for calls := range 2 {
		require.Equal(t, wallet.CheckoutOpen, try())
		require.Equal(t, calls+1, f.bkash.TokenCalls())
		f.bkash.Break(bkash.TokenRefused)
		require.Equal(t, wallet.CheckoutFailed, try())
	}
	takes, err := f.TakesCheckouts(t.Context())
	require.NoError(t, err)
	require.False(t, takes)
	require.Error(t, f.returns(t, open, wallet.ReturnedSuccess))
	require.Equal(t, 2, f.bkash.TokenCalls(), "not even for a payer who comes back")
	f.clock.Advance(time.Hour)
	require.Equal(t, wallet.CheckoutOpen, try())
	f.clock.Advance(54 * time.Minute)
	require.Equal(t, wallet.CheckoutOpen, try(), "the token is renewed in time")
	require.Equal(t, 4, f.bkash.TokenCalls())
}

func TestStartCheckout_refused(t *testing.T) {
	t.Parallel()
	f := newCheckouts(t)
	start := func(r wallet.Report) error {
		_, err := f.StartCheckout(t.Context(), f.owner, r, nil)
		return err
	}
	require.Contains(t, fault.As(start(wallet.Report{Amount: -1})).Fields, "amount")
	require.Contains(t, fault.As(start(wallet.Report{Amount: 1_000_000_01})).Fields, "amount")
	other := money.Poisha(1)
	require.Equal(t, fault.RateChanged, fault.CodeOf(start(wallet.Report{Amount: 10_00, Taka: &other})))
	require.Equal(t, wallet.CheckoutUnavailable, f.start(t, 1_000_000_00).Failure, "too much for bKash")
	require.Equal(t, wallet.CheckoutOpen, f.start(t, 10_00).State, "others can still pay")
	f.bkash.Break(bkash.Maintenance)
	f.start(t, 10_00)
	require.Equal(t, fault.Unavailable, fault.CodeOf(start(wallet.Report{Amount: 10_00})), "it is down")
	f.bkash.Break(bkash.None)
	f.clock.Advance(10 * time.Minute)
	require.Equal(t, fault.Unavailable, fault.CodeOf(start(wallet.Report{Amount: 10_00})), "no worker uses it")
}

// With the api's login alone, nothing is credited: it can neither say that a checkout is paid, nor
// have one made at a rate of its own.
func TestCheckout_by_the_api_alone(t *testing.T) {
	t.Parallel()
	f := newCheckouts(t)
	c := f.start(t, 50_00)
	for _, sql := range []string{
		`update checkouts set state = 'paid', transaction_id = 'ABCD123456', paid_amount = 615000, payer = '', paid_at = now()`,
		`insert into checkouts (id, user_id, payment_method, amount, rate, converted_amount, created_at, state)
		 values (gen_random_uuid(), '` + f.owner.String() + `', 'Bkash', 1, 123, 123, now(), 'open')`,
		`select token from checkout_providers`, `update checkout_providers set down_until = null`,
	} {
		_, err := f.db.API().Exec(t.Context(), sql)
		require.ErrorContains(t, err, "permission denied", sql)
	}
	id := uuid.Must(uuid.NewV7())
	_, err := f.db.API().Exec(t.Context(), `
		insert into checkouts (id, user_id, payment_method, amount, rate, converted_amount, created_at)
		values ($1, $2, 'Bkash', 100000, 1, 100000, $3)`, id, f.owner, f.clock.Now())
	require.NoError(t, err)
	require.NoError(t, f.settler.AdvanceCheckout(t.Context(), id, ""))
	require.Equal(t, wallet.CheckoutUnavailable, f.read(t, wallet.Checkout{ID: id}).Failure)

	// A credit by the system of a deposit that names the checkout.
	d := f.report(t, f.owner, "ABCD123456", 50_00)
	op := f.request(t, operations.Request{
		Kind: jobs.KindDepositApprove, Subject: operations.Deposit(d.ID), Params: map[string]any{"amount": 50.00, "reason": "", "payment": c.ID},
	})
	require.Equal(t, fault.Conflict, fault.CodeOf(f.worker.Settle(t, op.ID).Err()))
	require.Zero(t, f.balance(t))
}

// late is a provider whose refusal of a token comes when another worker has a new one.
type late struct {
	wallet.Provider
	meanwhile func()
}

func (p late) Lookup(ctx context.Context, token, ref string) (checkout.Outcome, error) {
	p.meanwhile()
	return p.Provider.Lookup(ctx, token, ref)
}

func TestCheckout_refused_token_of_another_worker(t *testing.T) {
	t.Parallel()
	f := newCheckouts(t)
	c := f.start(t, 50_00)
	f.bkash.Break(bkash.TokenRefused)
	f.settler.Provider = late{f.settler.Provider, func() { f.exec(t, `update checkout_providers set token = 'new'`, nil) }}
	require.ErrorIs(t, f.settler.AdvanceCheckout(t.Context(), c.ID, ""), checkout.ErrToken)
	require.Equal(t, 1, f.count(t, `checkout_providers where token = 'new' and token_until is not null`))
}
