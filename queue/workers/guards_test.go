package workers

import (
	"context"
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
	_, err = f.wallet.ConfirmAdjustment(ctx, f.second, proposal.ID, nil)
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
		"reject a correction":   func() error { _, err := f.wallet.RejectAdjustment(ctx, f.second, proposal.ID, "No."); return err },
		"withdraw a correction": func() error { _, err := f.wallet.WithdrawAdjustment(ctx, f.admin, proposal.ID); return err },
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

// An unanswered request is not escalated to the admins while its deal is being closed.
func TestSweep_no_escalation_while_operation_pending(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	f.do(f.deals.Deliver(ctx, f.seller, f.id, deals.Words{}))
	f.cancel(f.buyer)
	f.clock.Advance(3*day + time.Minute)
	resume := f.pause()
	op, err := f.deals.RequestForceCancel(ctx, f.admin, f.id, nil)
	require.NoError(t, err)
	for range 2 {
		_, err = f.sweeper.Sweep(ctx)
		require.NoError(t, err)
	}
	require.Zero(t, f.count(`select count(*) from deals where escalated_at is not null`))
	resume()
	f.settled(op, nil)
}

// A refund of the sweep settles only if it is still due: the deal may have been frozen or its
// deadline moved meanwhile.
func TestSettler_sweep_operation_no_longer_due(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"frozen":    `update deals set frozen_at = next_action_at, suspended_at = next_action_at where id = $1`,
		"postponed": `update deals set next_action_at = next_action_at + interval '10 days' where id = $1`,
	} {
		for ending, prepare := range map[string]func(f *clockFixture){
			"refund":     func(*clockFixture) {},
			"unanswered": func(f *clockFixture) { f.cancel(f.buyer) },
		} {
			t.Run(ending+", "+name, func(t *testing.T) {
				t.Parallel()
				f := newClockFixture(t)
				prepare(f)
				resume := f.pause()
				// Both parties are warned a day before.
				due := *f.now().NextActionAt
				f.clock.Advance(due.Sub(f.clock.Now()) - day)
				_, err := f.sweeper.Sweep(t.Context())
				require.NoError(t, err)
				f.clock.Advance(day + time.Minute)
				_, err = f.sweeper.Sweep(t.Context())
				require.NoError(t, err)
				require.Equal(t, 1, f.count(`select count(*) from operations where status = 'pending' and actor_id is null`))
				_, err = f.db.Owner().Exec(t.Context(), change, f.id)
				require.NoError(t, err)
				resume()
				require.Eventually(t, func() bool {
					return f.count(`select count(*) from operations where status = 'rejected' and actor_id is null`) == 1
				}, 10*time.Second, 10*time.Millisecond)
				require.True(t, f.now().Status.Open())
				f.reconciled()
			})
		}
	}
}

// A second job of a settled operation completes without an effect.
func TestSettler_already_settled(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	var op uuid.UUID
	require.NoError(t, f.db.Owner().QueryRow(t.Context(), `select id from operations where kind = 'deal_pay'`).Scan(&op))
	before := f.books()
	job := f.work(dealPayJob(op))
	require.Equal(t, rivertype.JobStateCompleted, job.State)
	require.Empty(t, job.Errors)
	require.Equal(t, before, f.books())
}

func dealPayJob(op uuid.UUID) jobs.DealPay { return jobs.DealPay{Money: jobs.Money{OperationID: op}} }
