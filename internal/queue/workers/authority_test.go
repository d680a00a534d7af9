package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/wallet"
	"amanat/internal/money/operations"
	"amanat/internal/platform/actor"
	"amanat/internal/platform/fault"
	"amanat/internal/queue/jobs"
)

// insertedByTheAPI is an operation as whoever has the api's login could write it by hand, with its job.
func (b *bench) insertedByTheAPI(kind, subject string, who actor.Actor, params string) operations.Operation {
	b.t.Helper()
	ctx := b.t.Context()
	op := operations.Operation{ID: uuid.New(), Kind: kind, Subject: subject, Actor: who, Status: operations.Pending}
	_, err := b.db.API().Exec(ctx, `insert into operations (id, kind, subject, actor_id, params, created_at) values ($1, $2, $3, $4, $5, $6)`,
		op.ID, kind, subject, who, params, b.clock.Now())
	require.NoError(b.t, err)
	if args, err := jobs.ForOperation(kind, op.ID); err == nil {
		_, err = b.client.Insert(ctx, args, nil)
		require.NoError(b.t, err)
	}
	return op
}

// refusedWith waits for an operation that must be rejected.
func (b *bench) refusedWith(op operations.Operation, code fault.Code, message string) {
	b.t.Helper()
	op, err := b.waiter.Wait(b.t.Context(), op)
	require.NoError(b.t, err)
	require.Equal(b.t, operations.Rejected, op.Status, "%s %s", op.Kind, op.Params)
	require.Equal(b.t, code, fault.CodeOf(op.Err()), "%s %s", op.Kind, op.Params)
	require.ErrorContains(b.t, op.Err(), message, "%s %s", op.Kind, op.Params)
}

// Between the asking and the settling an admin may lose the rights (docs/rules.md#money-calls): nothing is done on the word of somebody who has none.
func TestWhoIsNoAdminAnyMoreDecidesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	ctx := t.Context()
	buyer, seller, admin := b.user("nusrat"), b.user("tanvir"), b.admin("admin")
	b.fund(buyer, admin, 100_00)
	d, other := b.deal(buyer, seller, 20_00), b.deal(buyer, seller, 30_00)
	b.settled(b.deals.RequestPay(ctx, buyer, d.ID, nil))
	b.settled(b.deals.RequestPay(ctx, buyer, other.ID, nil))
	sent, rejected := b.withdrawal(buyer, 10_00), b.withdrawal(buyer, 10_00)
	b.confirm(buyer, sent)
	deposit := b.report(buyer, 5_00)
	before := b.balance(buyer)

	resume := b.pause()
	var asked []operations.Operation
	ask := func(op operations.Operation, err error) {
		t.Helper()
		require.NoError(t, err)
		asked = append(asked, op)
	}
	ask(b.approve(admin, deposit, 5_00, "Only this came."))
	ask(b.wallet.RequestSend(ctx, admin, sent, wallet.Payout{Amount: 10_00}, nil))
	ask(b.wallet.RequestReject(ctx, admin, rejected, "", nil))
	ask(b.deals.RequestForceComplete(ctx, admin, d.ID, nil))
	ask(b.deals.RequestForceCancel(ctx, admin, other.ID, nil))
	_, err := b.db.Owner().Exec(ctx, `update users set is_admin = false where id = $1`, admin)
	require.NoError(t, err)
	resume()
	for _, op := range asked {
		b.refusedWith(op, fault.Forbidden, "Only admins may do this.")
	}
	require.Equal(t, before, b.balance(buyer))
	require.Zero(t, b.balance(seller))
	b.reconciled()
}

// Whoever has the api's login may write any operation there is. None that a call of ours would not make is carried out.
func TestWhatNoCallMakesIsRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	ctx := t.Context()
	buyer, seller, stranger, admin := b.user("nusrat"), b.user("tanvir"), b.user("mallory"), b.admin("admin")
	b.fund(buyer, admin, 100_00)
	d := b.deal(buyer, seller, 20_00)
	b.settled(b.deals.RequestPay(ctx, buyer, d.ID, nil))
	deposit := b.report(stranger, 1_00)
	withdrawal := b.withdrawal(buyer, 10_00)
	const odd, admins = "This request cannot be carried out.", "Only admins may do this."
	onDeal, onDeposit, onWithdrawal := operations.Deal(d.ID), operations.Deposit(deposit.ID), operations.Withdrawal(withdrawal)
	const posted = `select count(*) from ledger.transfers`
	before := b.count(posted)
	for _, c := range []struct {
		kind, subject string
		actor         actor.Actor
		params        string
		code          fault.Code
		message       string
	}{
		{"deposit_approve", onDeposit, actor.User(buyer), `{"amount": 1000000.00, "reason": ""}`, fault.Forbidden, admins},
		{"deposit_approve", onDeposit, actor.System(), `{"amount": 1000000.00, "reason": ""}`, fault.Invalid, odd},
		{"deposit_approve", onDeposit, actor.User(admin), `{"amount": "much"}`, fault.Invalid, odd},
		{"deposit_approve", onDeposit, actor.User(admin), `[]`, fault.Invalid, odd},
		{"deposit_approve", "deposit", actor.User(admin), `{"amount": 1.00, "reason": ""}`, fault.Invalid, odd},
		{"withdrawal_send", onWithdrawal, actor.User(stranger), `{}`, fault.Forbidden, admins},
		{"withdrawal_reject", onWithdrawal, actor.User(stranger), `{}`, fault.Forbidden, admins},
		{"withdrawal_hold", operations.Withdrawal(uuid.New()), actor.System(), `{"amount": 1.00}`, fault.Invalid, odd},
		{"deal_complete", onDeal, actor.User(stranger), `{}`, fault.Invalid, odd},
		{"deal_complete", onDeal, actor.User(stranger), `{"by": "friend"}`, fault.Invalid, odd},
		{"deal_complete", onDeal, actor.User(stranger), `{"by": "admin"}`, fault.Forbidden, admins},
		{"deal_complete", onDeal, actor.User(stranger), `{"by": "clock"}`, fault.Invalid, odd},
		{"deal_complete", onDeal, actor.System(), `{"by": "buyer"}`, fault.Invalid, odd},
		{"deal_complete", onDeal, actor.User(buyer), `{"by": "buyer", "to": "mallory"}`, fault.Invalid, odd},
		{"deal_refund", onDeal, actor.User(stranger), `{"reason": "completed"}`, fault.Invalid, odd},
		{"deal_refund", onDeal, actor.User(stranger), `{"reason": "whatever"}`, fault.Invalid, odd},
		{"deal_refund", onDeal, actor.User(stranger), `{"reason": "admin"}`, fault.Forbidden, admins},
		{"deal_refund", onDeal, actor.User(stranger), `{"reason": "overdue"}`, fault.Invalid, odd},
		{"referral_credit", operations.Reward(uuid.New()), actor.User(stranger), `{}`, fault.Invalid, odd},
	} {
		b.refusedWith(b.insertedByTheAPI(c.kind, c.subject, c.actor, c.params), c.code, c.message)
	}
	require.Equal(t, before, b.count(posted))
	b.reconciled()
}

// A job settles operations of its own kind alone, and what no job settles blocks nothing.
func TestAJobOfAnotherKindHasNoEffect(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	ctx := t.Context()
	admin, user := b.admin("admin"), b.user("nusrat")
	deposit := b.report(user, 5_00)
	op := b.insertedByTheAPI("mint", operations.Deposit(deposit.ID), actor.User(admin), `{"amount": 5.00, "reason": ""}`)
	_, err := b.client.Insert(ctx, jobs.DepositApprove{Money: jobs.Money{OperationID: op.ID}}, nil)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		return b.count(`select count(*) from river.river_job where kind = 'deposit_approve' and state = 'completed'`) == 1
	}, 10*time.Second, 10*time.Millisecond)
	require.Zero(t, b.balance(user))
	require.Equal(t, 1, b.count(`select count(*) from operations where status = 'pending'`))

	b.clock.Advance(16 * time.Second)
	sweeper := *b.ops
	sweeper.DB = b.db.Worker()
	_, err = sweeper.Sweep(ctx)
	require.NoError(t, err)
	b.refusedWith(op, fault.Invalid, "This request cannot be carried out.")
	b.settled(b.approve(admin, deposit, 5_00, "Only this came."))
	require.EqualValues(t, 5_00, b.balance(user))
}
