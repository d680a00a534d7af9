package workers

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/wallet"
	"amanat/internal/money/operations"
	"amanat/internal/platform/fault"
	"amanat/internal/queue/jobs"
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
		"frozen":    `update deals set frozen_at = next_action_at where id = $1`,
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
