package workers

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertest"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/wallet"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
	"amanat/internal/queue/jobs"
)

func TestTwentyPaysAtOnceAreOne(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	buyer, seller, admin := b.user("nusrat"), b.user("tanvir"), b.admin("admin")
	b.fund(buyer, admin, 500_00)
	d := b.deal(buyer, seller, 120_00)

	var mu sync.Mutex
	ids := map[uuid.UUID]int{}
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			op, err := b.deals.RequestPay(t.Context(), buyer, d.ID, nil)
			if err == nil {
				op, err = b.waiter.Wait(t.Context(), op)
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
	require.Len(t, ids, 1, "all are told of one operation")
	require.Equal(t, 1, b.count(`select count(*) from ledger.transfers where kind = 'deal_pay'`))
	require.EqualValues(t, 380_00, b.balance(buyer))
	b.reconciled()
}

func TestTheSameKeyIsTheSameRequest(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	ctx := t.Context()
	user, admin := b.user("tanvir"), b.admin("admin")
	b.fund(user, admin, 500_00)
	order := wallet.Order{Amount: 100_00, PhoneNumber: "01712345678", Method: wallet.Bkash}
	key := &idempotency.Key{UserID: &user, Value: "k-1", Hash: [32]byte{1}}

	var mu sync.Mutex
	ids := map[uuid.UUID]int{}
	var group sync.WaitGroup
	for range 10 {
		group.Go(func() {
			op, err := b.wallet.RequestWithdraw(ctx, user, order, key)
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
	_, err := b.wallet.RequestWithdraw(ctx, user, order, other)
	require.Equal(t, fault.IdempotencyMismatch, fault.CodeOf(err))
	_, err = b.wallet.RequestWithdraw(ctx, user, wallet.Order{Amount: 900_00, PhoneNumber: "01712345678", Method: wallet.Bkash},
		&idempotency.Key{UserID: &user, Value: "k-2"})
	require.Equal(t, fault.InsufficientBalance, fault.CodeOf(err))
	b.settled(b.wallet.RequestWithdraw(ctx, user, order, &idempotency.Key{UserID: &user, Value: "k-2"}))
	require.EqualValues(t, 300_00, b.balance(user), "a refused request does not burn its key")
	require.Equal(t, 2, b.count(`select count(*) from withdrawals`))
	b.reconciled()
}

// Deposits, payments and withdrawals of one wallet, all at once: it is never below zero (the database would refuse) and no cent is lost.
func TestOneWalletUnderFire(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	ctx := t.Context()
	user, seller, admin := b.user("nusrat"), b.user("tanvir"), b.admin("admin")
	b.fund(user, admin, 100_00)

	const rounds = 15
	var mu sync.Mutex
	done := map[string]money.Cents{}
	wait := func(what string, amount money.Cents, op operations.Operation, err error) {
		if err == nil {
			op, err = b.waiter.Wait(ctx, op)
		}
		if err == nil {
			err = op.Err()
		}
		switch {
		case err == nil && op.Status == operations.Done:
			mu.Lock()
			defer mu.Unlock()
			done[what] += amount
		case what == "out" && fault.CodeOf(err) == fault.Conflict: // enough are pending
		case fault.CodeOf(err) != fault.InsufficientBalance:
			t.Errorf("%s: %v (%s)", what, err, op.Status)
		}
	}
	var group sync.WaitGroup
	for range rounds {
		deposit, deal := b.report(user, 10_00), b.deal(user, seller, 25_00)
		group.Go(func() {
			op, err := b.approve(admin, deposit, 10_00, "")
			wait("in", 10_00, op, err)
		})
		group.Go(func() {
			op, err := b.deals.RequestPay(ctx, user, deal.ID, nil)
			wait("paid", 25_00, op, err)
		})
		group.Go(func() {
			op, err := b.wallet.RequestWithdraw(ctx, user, wallet.Order{Amount: 15_00, PhoneNumber: "01712345678", Method: wallet.Nagad}, nil)
			wait("out", 15_00, op, err)
		})
	}
	group.Wait()
	require.EqualValues(t, rounds*10_00, done["in"])
	require.Equal(t, 100_00+done["in"]-done["paid"]-done["out"], b.balance(user))
	require.Equal(t, int(done["paid"]/25_00), b.count(`select count(*) from deals where status = 'Active'`))
	require.Equal(t, int(done["out"]/15_00), b.count(`select count(*) from withdrawals`))
	require.LessOrEqual(t, int(done["out"]/15_00), bounds.MaxPendingWithdrawals)
	require.Zero(t, b.count(`select count(*) from operations where status = 'pending'`))
	b.reconciled()
}

// enqueued asks for a payment while no worker runs and returns its job as a worker would have fetched it.
func (b *bench) enqueued(buyer, dealID uuid.UUID) (operations.Operation, *river.Job[jobs.DealPay]) {
	b.t.Helper()
	op, err := b.deals.RequestPay(b.t.Context(), buyer, dealID, nil)
	require.NoError(b.t, err)
	var id int64
	require.NoError(b.t, b.db.Owner().QueryRow(b.t.Context(), `
		update river.river_job set state = 'running', attempt = 1, attempted_at = now(), attempted_by = array['test']
		 where kind = 'deal_pay' and args @> jsonb_build_object('operation_id', $1::uuid) returning id`, op.ID).Scan(&id))
	row, err := b.client.JobGet(b.t.Context(), id)
	require.NoError(b.t, err)
	return op, &river.Job[jobs.DealPay]{JobRow: row, Args: jobs.DealPay{Money: jobs.Money{OperationID: op.ID}}}
}

func (b *bench) paySettler() *settler[jobs.DealPay] {
	services := Services{DB: b.db.Worker(), Operations: b.ops}
	return &settler[jobs.DealPay]{services: services, settle: (&deals.Settler{Service: b.deals, Rewards: b.rewards}).SettlePay, rule: deals.PayRule()}
}

// withFunds gives a buyer money without a worker having run.
func (b *bench) withFunds(name string, amount money.Cents) uuid.UUID {
	b.t.Helper()
	id := b.user(name)
	b.db.Fund(id, int64(amount))
	return id
}

func TestTheSameJobTwiceAtOncePostsOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	buyer, seller := b.withFunds("nusrat", 500_00), b.user("tanvir")
	worker := b.paySettler()
	ctx := rivertest.WorkContext(t.Context(), b.client)
	for range 10 {
		d := b.deal(buyer, seller, 10_00)
		op, job := b.enqueued(buyer, d.ID)
		var failures [2]error
		var group sync.WaitGroup
		for i := range failures {
			group.Go(func() { failures[i] = worker.Work(ctx, job) })
		}
		group.Wait()
		require.NotEqual(t, failures[0] == nil, failures[1] == nil, "one does the work: %v, %v", failures[0], failures[1])
		require.ErrorIs(t, errors.Join(failures[0], failures[1]), errNotOurs)
		after, err := b.ops.Get(t.Context(), b.db.API(), buyer, op.ID)
		require.NoError(t, err)
		require.Equal(t, operations.Done, after.Status)
	}
	require.EqualValues(t, 400_00, b.balance(buyer))
	require.Equal(t, 10, b.count(`select count(*) from ledger.transfers where kind = 'deal_pay'`))
}

// A worker that was thought dead wakes up after its job was rescued and given to another: it must not touch anything.
func TestARescuedAttemptIsFencedOff(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	buyer, seller := b.withFunds("nusrat", 500_00), b.user("tanvir")
	d := b.deal(buyer, seller, 10_00)
	_, job := b.enqueued(buyer, d.ID)
	_, err := b.db.Owner().Exec(t.Context(), `update river.river_job set attempt = 2 where id = $1`, job.ID)
	require.NoError(t, err)
	before := b.books()
	require.ErrorIs(t, b.paySettler().Work(rivertest.WorkContext(t.Context(), b.client), job), errNotOurs)
	require.Equal(t, before, b.books())
}

// Whatever an attempt wrote before it was refused or failed is gone.
func TestAFailedAttemptLeavesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	buyer, seller := b.withFunds("nusrat", 500_00), b.user("tanvir")
	d := b.deal(buyer, seller, 10_00)
	op, job := b.enqueued(buyer, d.ID)
	ctx := rivertest.WorkContext(t.Context(), b.client)
	before := b.books()

	broken := b.paySettler()
	settle := broken.settle
	infrastructure := errors.New("the network is gone")
	broken.settle = func(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
		if _, err := settle(ctx, tx, op); err != nil {
			return nil, err
		}
		return nil, infrastructure
	}
	require.ErrorIs(t, broken.Work(ctx, job), infrastructure)
	require.Equal(t, before, b.books())
	pending, err := b.ops.Get(t.Context(), b.db.API(), buyer, op.ID)
	require.NoError(t, err)
	require.Equal(t, operations.Pending, pending.Status)

	broken.settle = func(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
		if _, err := settle(ctx, tx, op); err != nil {
			return nil, err
		}
		return nil, fault.New(fault.Conflict, "too late")
	}
	require.NoError(t, broken.Work(ctx, job), "a refusal is a completed job")
	require.Equal(t, before, b.books())
	rejected, err := b.ops.Get(t.Context(), b.db.API(), buyer, op.ID)
	require.NoError(t, err)
	require.ErrorContains(t, rejected.Err(), "too late")
	row, err := b.client.JobGet(t.Context(), job.ID)
	require.NoError(t, err)
	require.Equal(t, rivertype.JobStateCompleted, row.State)
}
