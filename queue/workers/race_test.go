package workers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertest"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/accounts"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
	"amanat/internal/testing/soak"
	"amanat/queue/jobs"
)

func TestRequestPay_concurrent(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	buyer, seller, admin := f.user("nusrat"), f.user("tanvir"), f.admin("admin")
	f.fund(buyer, admin, 500_00)
	d := f.deal(buyer, seller, 120_00)

	var mu sync.Mutex
	ids := map[uuid.UUID]int{}
	var group sync.WaitGroup
	for i := range 20 {
		var key *idempotency.Key // some requests share one, and some have none
		if i%2 == 0 {
			key = &idempotency.Key{UserID: &buyer, Value: fmt.Sprintf("click-%d", i/4)}
		}
		group.Go(func() {
			op, err := f.deals.RequestPay(t.Context(), buyer, d.ID, deals.AnyTerms, key)
			if err == nil {
				op, err = f.waiter.Wait(t.Context(), op)
			}
			if err != nil || op.Status != operations.Done {
				t.Errorf("pay: %v, %s", err, op.Status)
			}
			mu.Lock()
			defer mu.Unlock()
			ids[op.ID]++
		})
	}
	group.Wait()
	require.Len(t, ids, 1, "all receive one operation")
	require.Equal(t, 1, f.count(`select count(*) from ledger.transfers where kind = 'deal_pay'`))
	require.EqualValues(t, 380_00, f.balance(buyer))
	f.reconciled()
}

func TestRequestWithdraw_idempotency_key(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, admin := f.user("tanvir"), f.admin("admin")
	f.fund(user, admin, 500_00)
	order := wallet.Order{Amount: 100_00, PhoneNumber: "01712345678", Method: wallet.Bkash}
	key := &idempotency.Key{UserID: &user, Value: "k-1", Hash: [32]byte{1}}

	var mu sync.Mutex
	ids := map[uuid.UUID]int{}
	var group sync.WaitGroup
	for range 10 {
		group.Go(func() {
			op, err := f.wallet.RequestWithdraw(ctx, user, order, key)
			if err != nil {
				t.Errorf("withdraw: %v", err)
			}
			mu.Lock()
			defer mu.Unlock()
			ids[op.ID]++
		})
	}
	group.Wait()
	require.Len(t, ids, 1)
	other := &idempotency.Key{UserID: &user, Value: "k-1", Hash: [32]byte{2}}
	_, err := f.wallet.RequestWithdraw(ctx, user, order, other)
	require.Equal(t, fault.IdempotencyMismatch, fault.CodeOf(err))
	_, err = f.wallet.RequestWithdraw(ctx, user, wallet.Order{Amount: 900_00, PhoneNumber: "01712345678", Method: wallet.Bkash},
		&idempotency.Key{UserID: &user, Value: "k-2"})
	require.Equal(t, fault.InsufficientBalance, fault.CodeOf(err))
	f.settled(f.wallet.RequestWithdraw(ctx, user, order, &idempotency.Key{UserID: &user, Value: "k-2"}))
	require.EqualValues(t, 300_00, f.balance(user), "a refused request does not use up its key")
	require.Equal(t, 2, f.count(`select count(*) from withdrawals`))
	f.reconciled()
}

// Deposits, payments and withdrawals of one wallet run concurrently. The balance is never negative
// (the database would refuse that), and no cent is lost.
func TestWallet_concurrent_operations(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, seller, admin := f.user("nusrat"), f.user("tanvir"), f.admin("admin")
	f.fund(user, admin, 100_00)

	rounds := soak.Rounds(5, 15)
	var mu sync.Mutex
	done := map[string]money.Cents{}
	wait := func(what string, amount money.Cents, op operations.Operation, err error) {
		if err == nil {
			op, err = f.waiter.Wait(ctx, op)
		}
		if err == nil {
			err = op.Err()
		}
		switch {
		case err == nil && op.Status == operations.Done:
			mu.Lock()
			defer mu.Unlock()
			done[what] += amount
		case what == "out" && fault.CodeOf(err) == fault.Conflict: // too many are pending
		case fault.CodeOf(err) != fault.InsufficientBalance:
			t.Errorf("%s: %v (%s)", what, err, op.Status)
		}
	}
	var group sync.WaitGroup
	for range rounds {
		deposit, deal := f.report(user, 10_00), f.deal(user, seller, 25_00)
		group.Go(func() {
			op, err := f.approve(admin, deposit, 10_00, "")
			wait("in", 10_00, op, err)
		})
		group.Go(func() {
			op, err := f.deals.RequestPay(ctx, user, deal.ID, deals.AnyTerms, nil)
			wait("paid", 25_00, op, err)
		})
		group.Go(func() {
			op, err := f.wallet.RequestWithdraw(ctx, user, wallet.Order{Amount: 15_00, PhoneNumber: "01712345678", Method: wallet.Nagad}, nil)
			wait("out", 15_00, op, err)
		})
	}
	group.Wait()
	require.Equal(t, money.Cents(rounds)*10_00, done["in"])
	require.Equal(t, 100_00+done["in"]-done["paid"]-done["out"], f.balance(user))
	require.Equal(t, int(done["paid"]/25_00), f.count(`select count(*) from deals where status = 'Active'`))
	require.Equal(t, int(done["out"]/15_00), f.count(`select count(*) from withdrawals`))
	require.LessOrEqual(t, int(done["out"]/15_00), bounds.MaxPending)
	require.Zero(t, f.count(`select count(*) from operations where status = 'pending'`))
	f.reconciled()
}

// enqueued requests a payment while no worker runs and returns its job as a worker would have
// fetched it.
func (f *fixture) enqueued(buyer, dealID uuid.UUID) (operations.Operation, *river.Job[jobs.Settle]) {
	f.t.Helper()
	op, err := f.deals.RequestPay(f.t.Context(), buyer, dealID, deals.AnyTerms, nil)
	require.NoError(f.t, err)
	return op, f.fetched(op)
}

// fetched returns the waiting job of a payment as a worker would have fetched it.
func (f *fixture) fetched(op operations.Operation) *river.Job[jobs.Settle] {
	f.t.Helper()
	var id int64
	require.NoError(f.t, f.db.Owner().QueryRow(f.t.Context(), `
		update river.river_job set state = 'running', attempt = 1, attempted_at = now(), attempted_by = array['test']
		 where kind = 'deal_pay' and state = 'available' and args @> jsonb_build_object('operation_id', $1::uuid) returning id`,
		op.ID).Scan(&id))
	row, err := f.client.JobGet(f.t.Context(), id)
	require.NoError(f.t, err)
	return &river.Job[jobs.Settle]{JobRow: row, Args: jobs.Settle{Operation: jobs.KindDealPay, OperationID: op.ID}}
}

// paySettler settles payments with groups of its own.
type paySettler struct {
	groups *groups
	kind   operationKind
}

func (s *paySettler) Work(ctx context.Context, job *river.Job[jobs.Settle]) error {
	return s.groups.settler(s.kind).Work(ctx, job)
}

func (f *fixture) paySettler() *paySettler {
	return f.paySettlerIn(newGroups(f.services()))
}

func (f *fixture) services() Services {
	return Services{DB: f.db.Worker(), Operations: f.ops, Log: slog.New(slog.DiscardHandler)}
}

func (f *fixture) paySettlerIn(g *groups) *paySettler {
	deal := &deals.Settler{Service: f.deals, Rewards: f.rewards}
	return &paySettler{g, operationKind{settle: deal.SettlePay, rule: deals.PayRule(), queueLock: deal.QueueLock}}
}

// withFunds returns a new user with money, without a worker having run.
func (f *fixture) withFunds(name string, amount money.Cents) uuid.UUID {
	f.t.Helper()
	id := f.user(name)
	f.db.Fund(id, int64(amount))
	return id
}

// A job may run twice at the same time, after a rescue that was too early, and again after it has
// settled its operation, if the worker dies before River has completed it.
func TestSettler_same_job_again(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller := f.withFunds("nusrat", 500_00), f.user("tanvir")
	// Each worker has groups of its own, as in a process of its own.
	workers := []*paySettler{f.paySettler(), f.paySettler()}
	ctx := rivertest.WorkContext(t.Context(), f.client)
	for range 10 {
		d := f.deal(buyer, seller, 10_00)
		op, job := f.enqueued(buyer, d.ID)
		var failures [2]error
		var group sync.WaitGroup
		for i, worker := range workers {
			group.Go(func() { failures[i] = worker.Work(ctx, job) })
		}
		group.Wait()
		require.NoError(t, errors.Join(failures[:]...))
		require.NoError(t, workers[0].Work(ctx, job))
		after, err := operations.GetOwn(t.Context(), f.db.API(), buyer, op.ID)
		require.NoError(t, err)
		require.Equal(t, operations.Done, after.Status)
	}
	require.EqualValues(t, 400_00, f.balance(buyer))
	require.Equal(t, 10, f.count(`select count(*) from ledger.transfers where kind = 'deal_pay'`))
}

// Everything that a refused or failed attempt wrote is rolled back.
func TestSettler_failed_attempt(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller := f.withFunds("nusrat", 500_00), f.user("tanvir")
	d := f.deal(buyer, seller, 10_00)
	op, job := f.enqueued(buyer, d.ID)
	ctx := rivertest.WorkContext(t.Context(), f.client)
	before := f.books()

	broken := f.paySettler()
	settle := broken.kind.settle
	infrastructure := errors.New("the network is gone")
	broken.kind.settle = func(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
		if _, err := settle(ctx, tx, op); err != nil {
			return nil, err
		}
		return nil, infrastructure
	}
	require.ErrorIs(t, broken.Work(ctx, job), infrastructure)
	require.Equal(t, before, f.books())
	pending, err := operations.GetOwn(t.Context(), f.db.API(), buyer, op.ID)
	require.NoError(t, err)
	require.Equal(t, operations.Pending, pending.Status)

	broken.kind.settle = func(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
		if _, err := settle(ctx, tx, op); err != nil {
			return nil, err
		}
		return nil, fault.New(fault.Conflict, "too_late", "too late")
	}
	require.NoError(t, broken.Work(ctx, job), "a refusal is an outcome, so River completes the job")
	require.Equal(t, before, f.books())
	rejected, err := operations.GetOwn(t.Context(), f.db.API(), buyer, op.ID)
	require.NoError(t, err)
	require.ErrorContains(t, rejected.Err(), "too late")
}

// A buyer pays while the seller proposes another price. Either the deal is paid as the buyer has
// read it, or the payment is refused and the counter-offer is open.
func TestMakeCounteroffer_while_paying(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	buyer, seller, admin := f.user("nusrat"), f.user("tanvir"), f.admin("admin")
	f.fund(buyer, admin, 5000_00)
	outcomes := map[string]int{}
	spent := money.Cents(0)
	for range soak.Rounds(4, 200) {
		d := f.deal(buyer, seller, 1_00)
		dearer := deals.Terms{Price: 2_00, Description: d.Description, DeliveryDays: d.DeliveryDays, InspectionDays: d.InspectionDays}
		var payErr, counterErr error
		var countered deals.Detail
		var race sync.WaitGroup
		race.Go(func() {
			op, err := f.deals.RequestPay(ctx, buyer, d.ID, 1, nil)
			if err == nil {
				op, err = f.waiter.Wait(ctx, op)
			}
			if err == nil {
				err = op.Err()
			}
			payErr = err
		})
		race.Go(func() { countered, counterErr = f.deals.MakeCounteroffer(ctx, seller, d.ID, dearer, "", nil) })
		race.Wait()

		got, err := f.deals.Get(ctx, buyer, d.ID)
		require.NoError(t, err)
		if payErr == nil {
			require.Equal(t, fault.Conflict, fault.CodeOf(counterErr), "%v", counterErr)
			require.Equal(t, deals.Active, got.Status)
			require.Nil(t, got.CounterofferBy)
			spent += 1_00
			outcomes["paid"]++
			continue
		}
		require.NoError(t, counterErr)
		require.Equal(t, "counteroffer_open", fault.As(payErr).Reason)
		require.Equal(t, deals.Pending, got.Status)
		_, err = f.deals.AcceptCounteroffer(ctx, buyer, d.ID, countered.Counteroffer.ID)
		require.NoError(t, err)
		_, err = f.deals.RequestPay(ctx, buyer, d.ID, 1, nil)
		require.Equal(t, "terms_changed", fault.As(err).Reason)
		f.settled(f.deals.RequestPay(ctx, buyer, d.ID, 2, nil))
		spent += 2_00
		outcomes["countered"]++
	}
	require.GreaterOrEqual(t, len(outcomes), soak.Rounds(1, 2), "%v: they did not race", outcomes)
	require.Equal(t, 5000_00-spent, f.balance(buyer))
	f.reconciled()
}

// The api cannot give a paid deal other terms, and the worker none.
func TestApplyCounteroffer_guards(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	buyer, seller, admin := f.user("nusrat"), f.user("tanvir"), f.admin("admin")
	f.fund(buyer, admin, 100_00)
	d := f.deal(buyer, seller, 10_00)
	f.settled(f.deals.RequestPay(ctx, buyer, d.ID, deals.AnyTerms, nil))
	var id uuid.UUID
	require.NoError(t, f.db.API().QueryRow(ctx, `
		insert into deal_counteroffers (id, deal_id, made_by, price, fee, description, delivery_days, inspection_days, created_at)
		values (gen_random_uuid(), $1, $2, 1, 0, 'x', 1, 1, now()) returning id`, d.ID, seller).Scan(&id))
	var applied bool
	require.NoError(t, f.db.API().QueryRow(ctx, `select deal_apply_counteroffer($1, now())`, id).Scan(&applied))
	require.False(t, applied)
	got, err := f.deals.Get(ctx, buyer, d.ID)
	require.NoError(t, err)
	require.EqualValues(t, 10_00, got.Price)
	_, err = f.db.Worker().Exec(ctx, `select deal_apply_counteroffer(gen_random_uuid(), now())`)
	require.ErrorContains(t, err, "permission denied")
}

// people returns the accounts service with the database role of the owner, as the operator's
// command line uses it.
func (f *fixture) people() *accounts.Service {
	return accounts.New(accounts.Options{DB: f.db.Owner(), Clock: f.clock, Deals: f.deals})
}

func (f *clockFixture) enable(user uuid.UUID) {
	f.t.Helper()
	require.NoError(f.t, f.people().EnableUser(f.t.Context(), f.admin, user))
}

func (f *clockFixture) refused(code fault.Code, text string, err error) {
	f.t.Helper()
	require.Equal(f.t, code, fault.CodeOf(err))
	require.ErrorContains(f.t, err, text)
}

// A payment settles while a party is being disabled. The deal is then either suspended or unpaid.
func TestSettlePay_DisableUser_concurrent(t *testing.T) {
	t.Parallel()
	rounds := soak.Rounds(4, 60)
	f := &clockFixture{fixture: newFixture(t)}
	ctx := t.Context()
	f.buyer, f.seller, f.admin = f.withFunds("nusrat", money.Cents(rounds)*price), f.user("tanvir"), f.fixture.admin("admin")
	worker, people := f.paySettler(), f.people()
	working := rivertest.WorkContext(ctx, f.client)
	for round := range rounds {
		d := f.deal(f.buyer, f.seller, price)
		op, job := f.enqueued(f.buyer, d.ID)
		party := []uuid.UUID{f.seller, f.buyer}[round%2]
		var group sync.WaitGroup
		for _, act := range []func() error{
			func() error { return worker.Work(working, job) },
			func() error { return people.DisableUser(ctx, f.admin, party, "fraud") },
		} {
			group.Go(func() {
				if err := act(); err != nil {
					t.Errorf("round %d: %v", round, err)
				}
			})
		}
		group.Wait()
		op, err := operations.GetOwn(ctx, f.db.API(), f.buyer, op.ID)
		require.NoError(t, err)
		detail, err := f.deals.GetAny(ctx, f.admin, d.ID)
		require.NoError(t, err)
		require.Equal(t, op.Status == operations.Done, detail.Status.Open())
		require.Equal(t, detail.Status.Open(), detail.SuspendedAt != nil, "round %d: a %s deal", round, detail.Status)
		f.enable(party)
	}
	won := soak.Rounds(0, 1) // by each of the two
	require.GreaterOrEqual(t, f.count(`select count(*) from operations where kind = 'deal_pay' and status = 'done'`), won)
	require.GreaterOrEqual(t, f.count(`select count(*) from operations where kind = 'deal_pay' and status = 'rejected'`), won)
}

// A buyer who is released just before the sweep has locked the deal is not handed to the admins.
func TestSweep_buyer_released_meanwhile(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	f.do(f.deals.Deliver(ctx, f.seller, f.id, deals.Words{}))
	_, err := f.people().HoldWithdrawals(ctx, "nusrat")
	require.NoError(t, err)
	f.after(3*day - time.Minute)
	f.clock.Advance(2 * time.Minute)
	var group sync.WaitGroup
	// The deal can be read, not locked.
	f.holding(`lock table deals in exclusive mode; update users set withdrawals_held_at = null where username = 'nusrat'`, nil, func() {
		group.Go(func() {
			if _, err := f.sweeper.Sweep(ctx); err != nil {
				t.Error(err)
			}
		})
	})
	group.Wait()
	require.Nil(t, f.now().EscalatedAt)
	f.sweep()
	f.ends(deals.Completed, deals.ReasonCompleted, 900_00, 98_00)
}
