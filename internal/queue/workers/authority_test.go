package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/wallet"
	"amanat/internal/money/operations"
	"amanat/internal/platform/actor"
	"amanat/internal/platform/fault"
	"amanat/internal/queue/jobs"
)

// insertedByTheAPI inserts an operation and its job directly, as anyone with the API's database
// login could.
func (f *fixture) insertedByTheAPI(kind, subject string, who actor.Actor, params string) operations.Operation {
	f.t.Helper()
	ctx := f.t.Context()
	op := operations.Operation{ID: uuid.New(), Kind: kind, Subject: subject, Actor: who, Status: operations.Pending}
	_, err := f.db.API().Exec(ctx, `
		insert into operations (id, kind, subject, actor_id, params, created_at) values ($1, $2, $3, $4, $5, $6)`,
		op.ID, kind, subject, who, params, f.clock.Now())
	require.NoError(f.t, err)
	if args, err := jobs.ForOperation(kind, op.ID); err == nil {
		_, err = f.client.Insert(ctx, args, nil)
		require.NoError(f.t, err)
	}
	return op
}

// refusedWith waits for an operation, which must be rejected.
func (f *fixture) refusedWith(op operations.Operation, code fault.Code, message string) {
	f.t.Helper()
	op, err := f.waiter.Wait(f.t.Context(), op)
	require.NoError(f.t, err)
	require.Equal(f.t, operations.Rejected, op.Status, "%s %s", op.Kind, op.Params)
	require.Equal(f.t, code, fault.CodeOf(op.Err()), "%s %s", op.Kind, op.Params)
	require.ErrorContains(f.t, op.Err(), message, "%s %s", op.Kind, op.Params)
}

// An admin may lose the role between the request and its settlement (docs/rules.md#money-calls).
// The operation is then refused.
func TestSettler_actor_lost_admin_role(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	buyer, seller, admin := f.user("nusrat"), f.user("tanvir"), f.admin("admin")
	f.fund(buyer, admin, 100_00)
	d, other := f.deal(buyer, seller, 20_00), f.deal(buyer, seller, 30_00)
	f.settled(f.deals.RequestPay(ctx, buyer, d.ID, deals.AnyTerms, nil))
	f.settled(f.deals.RequestPay(ctx, buyer, other.ID, deals.AnyTerms, nil))
	sent, rejected := f.withdrawal(buyer, 10_00), f.withdrawal(buyer, 10_00)
	f.confirm(buyer, sent)
	deposit := f.report(buyer, 5_00)
	before := f.balance(buyer)

	resume := f.pause()
	var asked []operations.Operation
	ask := func(op operations.Operation, err error) {
		t.Helper()
		require.NoError(t, err)
		asked = append(asked, op)
	}
	ask(f.approve(admin, deposit, 5_00, "Only this came."))
	ask(f.wallet.RequestSend(ctx, admin, sent, wallet.Payout{Amount: 10_00}, nil))
	ask(f.wallet.RequestReject(ctx, admin, rejected, "", nil))
	ask(f.deals.RequestForceComplete(ctx, admin, d.ID, nil))
	ask(f.deals.RequestForceCancel(ctx, admin, other.ID, nil))
	_, err := f.db.Owner().Exec(ctx, `update users set is_admin = false where id = $1`, admin)
	require.NoError(t, err)
	resume()
	for _, op := range asked {
		f.refusedWith(op, fault.Forbidden, "Only admins may do this.")
	}
	require.Equal(t, before, f.balance(buyer))
	require.Zero(t, f.balance(seller))
	f.reconciled()
}

// Anyone with the API's database login can insert any operation. One that no API call would create
// is refused.
func TestSettler_refuses_forged_operations(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	buyer, seller, stranger, admin := f.user("nusrat"), f.user("tanvir"), f.user("mallory"), f.admin("admin")
	f.fund(buyer, admin, 100_00)
	d := f.deal(buyer, seller, 20_00)
	f.settled(f.deals.RequestPay(ctx, buyer, d.ID, deals.AnyTerms, nil))
	deposit := f.report(stranger, 1_00)
	withdrawal := f.withdrawal(buyer, 10_00)
	const odd, admins = "This request cannot be carried out.", "Only admins may do this."
	onDeal, onDeposit, onWithdrawal := operations.Deal(d.ID), operations.Deposit(deposit.ID), operations.Withdrawal(withdrawal)
	const posted = `select count(*) from ledger.transfers`
	before := f.count(posted)
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
		{"deal_settle", onDeal, actor.User(stranger), `{}`, fault.Invalid, odd},
		{"deal_settle", onDeal, actor.User(stranger), `{"by": "appeal", "of": "` + uuid.NewString() + `"}`, fault.Forbidden, admins},
		{"deal_settle", onDeal, actor.User(stranger), `{"by": "clock", "of": "` + uuid.NewString() + `"}`, fault.Invalid, odd},
		{"deal_settle", onDeal, actor.System(), `{"by": "offer", "of": "` + uuid.NewString() + `"}`, fault.Invalid, odd},
		{"deal_settle", onDeal, actor.User(buyer), `{"by": "offer", "of": "` + uuid.NewString() + `"}`, fault.NotFound, "Offer not found."},
		{"deal_settle", onDeal, actor.User(buyer), `{"by": "offer", "of": "` + uuid.NewString() + `", "buyerGets": 1}`, fault.Invalid, odd},
		{"referral_credit", operations.Reward(uuid.New()), actor.User(stranger), `{}`, fault.Invalid, odd},
	} {
		f.refusedWith(f.insertedByTheAPI(c.kind, c.subject, c.actor, c.params), c.code, c.message)
	}
	require.Equal(t, before, f.count(posted))
	f.reconciled()
}

// A job settles only operations of its own kind. An operation that no job settles blocks nothing.
func TestSettler_job_of_another_kind(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	admin, user := f.admin("admin"), f.user("nusrat")
	deposit := f.report(user, 5_00)
	op := f.insertedByTheAPI("mint", operations.Deposit(deposit.ID), actor.User(admin), `{"amount": 5.00, "reason": ""}`)
	_, err := f.client.Insert(ctx, jobs.DepositApprove{Money: jobs.Money{OperationID: op.ID}}, nil)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		return f.count(`select count(*) from river.river_job where kind = 'deposit_approve' and state = 'completed'`) == 1
	}, 10*time.Second, 10*time.Millisecond)
	require.Zero(t, f.balance(user))

	f.sweep()
	f.refusedWith(op, fault.Invalid, "This request cannot be carried out.")
	f.settled(f.approve(admin, deposit, 5_00, "Only this came."))
	require.EqualValues(t, 5_00, f.balance(user))
}
