package workers

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/money/operations"
	"amanat/queue/jobs"
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

// The worker computes again what the api has computed, and the database refuses most of it.
func TestSettler_believes_no_amounts(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	ctx := t.Context()
	refused := func(name, sql string, args ...any) {
		t.Helper()
		_, err := f.db.API().Exec(ctx, sql, args...)
		require.ErrorContains(t, err, "violates check constraint", name)
	}
	const offer = `
		insert into dispute_offers (id, dispute_id, made_by, buyer_gets, seller_gets, fee, created_at) values ($1, $2, $3, $4, $5, $6, now())`
	refused("an offer without a fee", offer, uuid.New(), f.dispute, f.seller, 0, 100_00, 0)
	refused("a decision without a fee", `
		insert into dispute_decisions (id, dispute_id, final, decided_by, buyer_gets, seller_gets, fee, reason, decided_at, due_at)
		values ($1, $2, false, $3, 0, 10000, 0, 'None.', now(), now())`, uuid.New(), f.dispute, f.admin)
	refused("a deal without a fee", `
		insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, inspection_days, created_at, due_at)
		values ($1, $2, $3, $3, 10000, 0, 'x', 1, 1, now(), now())`, uuid.New(), f.buyer, f.seller)
	unpaid := f.deal(f.buyer, f.seller, 100_00)
	refused("terms without a fee", `
		insert into deal_counteroffers (id, deal_id, made_by, price, fee, description, delivery_days, inspection_days, created_at)
		values ($1, $2, $3, 5000, 0, 'x', 1, 1, now())`, uuid.New(), unpaid.ID, f.seller)

	for _, parts := range [][3]int{{10_00, 9_80, 20}, {100_00, 98_00, 2_00}, {200_00, 0, 0}} {
		id := uuid.New()
		_, err := f.db.API().Exec(ctx, offer, id, f.dispute, f.seller, parts[0], parts[1], parts[2])
		require.NoError(t, err)
		f.refusedWith(f.insertedByTheAPI(jobs.KindDealSettle, operations.Deal(f.id), actor.User(f.buyer),
			`{"by": "offer", "of": "`+id.String()+`"}`), fault.Invalid, "This request cannot be carried out.")
		_, err = f.db.Owner().Exec(ctx, `delete from dispute_offers where id = $1`, id)
		require.NoError(t, err)
	}
	_, err := f.db.Owner().Exec(ctx, `alter table deals drop constraint deals_fee_of_price`)
	require.NoError(t, err)
	_, err = f.db.Owner().Exec(ctx, `update deals set fee = 0 where id = $1`, unpaid.ID)
	require.NoError(t, err)
	f.refusedWith(f.insertedByTheAPI(jobs.KindDealPay, operations.Deal(unpaid.ID), actor.User(f.buyer), `{"terms": 1}`),
		fault.Invalid, "This request cannot be carried out.")
	_, err = f.db.Owner().Exec(ctx, `update deals set fee = 200 where id = $1`, unpaid.ID)
	require.NoError(t, err)
	f.reconciled()
}

// A rate that was not in force within an hour of the request is refused: 122.40 taka a dollar are
// 122 for a withdrawal and 123 for a deposit. Nor is the amount believed.
func TestSettler_believes_no_rates(t *testing.T) {
	t.Parallel()
	f := newWithdrawalFixture(t)
	ctx := t.Context()
	hold := func(rate int) operations.Operation {
		return f.insertedByTheAPI(jobs.KindWithdrawalHold, operations.Withdrawal(uuid.New()), actor.User(f.owner),
			fmt.Sprintf(`{"amount": 10.00, "phoneNumber": "01712345678", "method": "Bkash", "rate": %d, "newBrowser": false}`, rate))
	}
	for _, rate := range []int{100_000, 123, 0, -122} {
		f.refusedWith(hold(rate), fault.RateChanged, "The exchange rate has changed.")
	}
	f.refusedWith(f.insertedByTheAPI(jobs.KindWithdrawalHold, operations.Withdrawal(uuid.New()), actor.User(f.owner),
		`{"amount": 0.01, "phoneNumber": "01712345678", "method": "Bkash", "rate": 122, "newBrowser": false}`),
		fault.Invalid, "The minimum withdrawal is $1.00.")
	require.NoError(t, f.wallet.SetRate(ctx, actor.Operator(), 130_00, false))
	f.clock.Advance(59 * time.Minute)
	f.settled(hold(122), nil)
	f.settled(hold(130), nil)
	f.clock.Advance(2 * time.Minute)
	f.refusedWith(hold(122), fault.RateChanged, "The exchange rate has changed.")
	f.settled(hold(130), nil)

	for rate, refused := range map[int]bool{1: true, 129: true, 123: true, 130: false} {
		id := uuid.New()
		_, err := f.db.API().Exec(ctx, `
			insert into deposits (id, user_id, payment_method, transaction_id, claimed_amount, amount, rate, converted_amount, created_at)
			values ($1, $2, 'Bkash', $5, 1000, 1000, $3, 1000 * $3::bigint, $4)`, id, f.owner, rate, f.clock.Now(), fmt.Sprintf("RATE%06d", rate))
		require.NoError(t, err)
		op := f.insertedByTheAPI(jobs.KindDepositApprove, operations.Deposit(id), actor.User(f.boss), `{"amount": 10.00, "reason": ""}`)
		if refused {
			f.refusedWith(op, fault.RateChanged, "The exchange rate has changed.")
		} else {
			f.settled(op, nil)
		}
	}
	f.reconciled()
}
