package workers

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river/rivertype"
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
		{"balance_adjust", operations.Correction(uuid.New()), actor.System(), `{}`, fault.Invalid, odd},
		{"balance_adjust", operations.Correction(uuid.New()), actor.User(stranger), `{}`, fault.Forbidden, admins},
		{"balance_adjust", operations.Correction(uuid.New()), actor.User(admin), `{"amount": 1}`, fault.Invalid, odd},
		{"balance_adjust", operations.Correction(uuid.New()), actor.User(admin), `{}`, fault.NotFound, ""},
		{"balance_adjust", "correction", actor.User(admin), `{}`, fault.Invalid, odd},
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
	_, err := f.client.Insert(ctx, jobs.Settle{Operation: jobs.KindDepositApprove, OperationID: op.ID}, nil)
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

// locksHeld waits until a connection to the test's database is blocked on a lock.
func (f *fixture) locksHeld() {
	f.t.Helper()
	require.Eventually(f.t, func() bool {
		return f.count(`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`) > 0
	}, 10*time.Second, 5*time.Millisecond)
}

// holding changes a row in a transaction, calls do before the commit, waits until another
// transaction is blocked on a lock, and commits.
func (f *fixture) holding(sql string, args []any, do func()) {
	f.t.Helper()
	tx, err := f.db.Owner().Begin(f.t.Context())
	require.NoError(f.t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(f.t.Context())) }()
	_, err = tx.Exec(f.t.Context(), sql, args...)
	require.NoError(f.t, err)
	do()
	f.locksHeld()
	require.NoError(f.t, tx.Commit(f.t.Context()))
}

// A payment that waits for the lock of the deal sees the change it waited for: the deal is
// declined.
func TestSettlePay_deal_declined_meanwhile(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	d := f.deal(f.buyer, f.seller, price)
	before := f.balance(f.buyer)
	resume := f.pause()
	op, err := f.deals.RequestPay(t.Context(), f.buyer, d.ID, deals.AnyTerms, nil)
	require.NoError(t, err)
	f.holding(`update deals set removed_at = created_at, next_action = null, next_action_at = null where id = $1`, []any{d.ID}, resume)
	op, err = f.waiter.Wait(t.Context(), op)
	require.NoError(t, err)
	require.Equal(t, operations.Rejected, op.Status)
	require.Equal(t, before, f.balance(f.buyer))
	require.Equal(t, 1, f.count(`select count(*) from deals where id = $1 and status = 'Pending' and removed_at is not null`, d.ID))
}

// A change that moves no money waits too: a deal that was closed meanwhile stays closed.
func TestDeliver_waits_for_closing(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	refused := make(chan error, 1)
	f.holding(`
		update deals set status = 'Cancelled', closed_at = created_at, close_reason = 'admin', next_action = null, next_action_at = null
		 where id = $1`, []any{f.id}, func() {
		go func() {
			_, err := f.deals.Deliver(t.Context(), f.seller, f.id, deals.Words{})
			refused <- err
		}()
	})
	require.Equal(t, fault.Conflict, fault.CodeOf(<-refused))
	require.Equal(t, deals.Cancelled, f.now().Status)
}

// While an operation is pending nothing else changes its subject, and the sweep skips it.
func TestErrBusy_pending_operation(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	busy := func(what string, err error) {
		t.Helper()
		require.Equal(t, operations.ErrBusy().Error(), errorText(err), what)
	}
	detail := func(_ deals.Detail, err error) error { return err }
	unpaid := f.deal(f.buyer, f.seller, price)
	f.fund(f.buyer, f.admin, price)
	f.clock.Advance(8 * day) // the unpaid deal is due to be removed
	claimed := f.report(f.buyer, 20_00)
	waits := f.pause()

	paying, err := f.deals.RequestPay(ctx, f.buyer, unpaid.ID, deals.AnyTerms, nil)
	require.NoError(t, err)
	_, err = f.deals.Remove(ctx, f.buyer, unpaid.ID, nil)
	busy("remove", err)
	_, err = f.deals.Remove(ctx, f.seller, unpaid.ID, nil)
	busy("decline", err)
	_, err = f.sweeper.Sweep(ctx)
	require.NoError(t, err)
	require.Zero(t, f.count(`select count(*) from deals where id = $1 and removed_at is not null`, unpaid.ID), "the clock waits")

	completing, err := f.deals.RequestForceComplete(ctx, f.admin, f.id, nil)
	require.NoError(t, err)
	busy("deliver", detail(f.deals.Deliver(ctx, f.seller, f.id, deals.Words{})))
	_, err = f.deals.Cancel(ctx, f.buyer, f.id, nil)
	busy("cancel", err)

	approving, err := f.approve(f.admin, claimed, 20_00, "")
	require.NoError(t, err)
	_, err = f.wallet.RejectDeposit(ctx, f.admin, claimed.ID, wallet.Rejection{Reason: "Not ours."})
	busy("reject a deposit", err)
	_, err = f.approve(f.admin, claimed, 19_00, "19 came.")
	busy("approve another amount", err)

	waits()
	for _, op := range []operations.Operation{paying, completing, approving} {
		f.settled(op, nil)
	}
	f.reconciled()
}

// Neither do the steps of disputes, counter-offers and corrections.
func TestErrBusy_disputes_terms_corrections(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	ctx := t.Context()
	room := func(_ deals.DisputeDetail, err error) error { return err }
	detail := func(_ deals.Detail, err error) error { return err }
	undisputed, unpaid := f.paid(), f.deal(f.buyer, f.seller, price).ID
	terms := deals.Terms{Price: 90_00, Description: "A channel", DeliveryDays: 7, InspectionDays: 3}
	proposal := f.proposed(actor.User(f.admin), f.buyer, 5_00)
	offered, open := f.offer(f.buyer, 40_00), f.dispute
	dispute := func(decided, appealed bool) (deal, id uuid.UUID) {
		f.id = f.paid()
		f.open()
		if decided {
			f.decide(f.admin, 0)
		}
		if appealed {
			require.NoError(t, room(f.deals.AppealDispute(ctx, f.buyer, f.dispute, "No.", nil)))
		}
		return f.id, f.dispute
	}
	first := f.id
	decidedDeal, decided := dispute(true, false)
	appealedDeal, appealed := dispute(true, true)
	countered := f.deal(f.buyer, f.seller, price)
	counter, err := f.deals.MakeCounteroffer(ctx, f.seller, countered.ID, terms, "", nil)
	require.NoError(t, err)

	resume := f.pause()
	for _, id := range []uuid.UUID{first, undisputed, decidedDeal, appealedDeal} {
		f.insertedByTheAPI(jobs.KindDealComplete, operations.Deal(id), actor.User(f.buyer), `{"by": "buyer"}`)
	}
	for _, id := range []uuid.UUID{unpaid, countered.ID} {
		f.insertedByTheAPI(jobs.KindDealPay, operations.Deal(id), actor.User(f.buyer), `{}`)
	}
	_, err = f.wallet.ConfirmCorrection(ctx, f.second, proposal.ID, nil)
	require.NoError(t, err)
	for what, change := range map[string]func() error{
		"open a dispute": func() error {
			return room(f.deals.OpenDispute(ctx, f.buyer, undisputed, deals.DisputeOther, words("It is broken."), nil))
		},
		"close a dispute":   func() error { return room(f.deals.CloseDispute(ctx, f.buyer, open)) },
		"make an offer":     func() error { return room(f.deals.MakeOffer(ctx, f.seller, open, 1, nil)) },
		"withdraw an offer": func() error { return room(f.deals.WithdrawOffer(ctx, f.buyer, open, offered)) },
		"decide":            func() error { return room(f.deals.DecideDispute(ctx, f.admin, open, ruling(0), nil)) },
		"appeal":            func() error { return room(f.deals.AppealDispute(ctx, f.buyer, decided, "No.", nil)) },
		"accept a decision": func() error { _, err := f.deals.AcceptDecision(ctx, f.buyer, decided, nil); return err },
		"decide an appeal": func() error {
			_, err := f.deals.DecideDisputeAppeal(ctx, f.second, appealed, ruling(0), nil)
			return err
		},
		"make other terms": func() error { return detail(f.deals.MakeCounteroffer(ctx, f.seller, unpaid, terms, "", nil)) },
		"accept other terms": func() error {
			return detail(f.deals.AcceptCounteroffer(ctx, f.buyer, countered.ID, counter.Counteroffer.ID))
		},
		"decline other terms": func() error {
			return detail(f.deals.DeclineCounteroffer(ctx, f.buyer, countered.ID, counter.Counteroffer.ID))
		},
		"withdraw other terms": func() error {
			return detail(f.deals.WithdrawCounteroffer(ctx, f.seller, countered.ID, counter.Counteroffer.ID))
		},
		"reject a correction":   func() error { _, err := f.wallet.RejectCorrection(ctx, f.second, proposal.ID, "No."); return err },
		"withdraw a correction": func() error { _, err := f.wallet.WithdrawCorrection(ctx, f.admin, proposal.ID); return err },
	} {
		require.Equal(t, operations.ErrBusy().Error(), errorText(change()), what)
	}
	require.Equal(t, 1, f.count(`select count(*) from dispute_decisions where dispute_id = $1`, appealed))
	resume()
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// A second job of a settled operation completes without an effect.
func TestSettler_already_settled(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	var op uuid.UUID
	require.NoError(t, f.db.Owner().QueryRow(t.Context(), `select id from operations where kind = 'deal_pay'`).Scan(&op))
	require.Eventually(t, func() bool { // the admins are notified of the deposit
		return f.count(`select count(*) from river.river_job where kind = 'admin_notice' and state <> 'completed'`) == 0
	}, 10*time.Second, 20*time.Millisecond)
	before := f.books()
	job := f.work(dealPayJob(op))
	require.Equal(t, rivertype.JobStateCompleted, job.State)
	require.Empty(t, job.Errors)
	require.Equal(t, before, f.books())
}

func dealPayJob(op uuid.UUID) jobs.Settle {
	return jobs.Settle{Operation: jobs.KindDealPay, OperationID: op}
}
