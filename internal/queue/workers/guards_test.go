package workers

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/wallet"
	"amanat/internal/money/operations"
	"amanat/internal/platform/fault"
	"amanat/internal/queue/jobs"
)

// locksHeld waits until somebody in the test's database waits for a lock that another transaction holds.
func (b *bench) locksHeld() {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		return b.count(`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`) > 0
	}, 10*time.Second, 5*time.Millisecond)
}

// holding starts a transaction of the owner that changes a row, runs do while the change is not committed, waits until somebody waits for the
// row, and commits.
func (b *bench) holding(sql string, args []any, do func()) {
	b.t.Helper()
	tx, err := b.db.Owner().Begin(b.t.Context())
	require.NoError(b.t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(b.t.Context())) }()
	_, err = tx.Exec(b.t.Context(), sql, args...)
	require.NoError(b.t, err)
	do()
	b.locksHeld()
	require.NoError(b.t, tx.Commit(b.t.Context()))
}

// A payment that waits for the deal's row sees what it has waited for: here, that the deal was declined.
func TestAPaymentDoesNotReviveADealThatWasDeclinedMeanwhile(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	d := b.deal(b.buyer, b.seller, price)
	before := b.balance(b.buyer)
	resume := b.pause()
	op, err := b.deals.RequestPay(t.Context(), b.buyer, d.ID, nil)
	require.NoError(t, err)
	b.holding(`update deals set removed_at = created_at, next_action = null, next_action_at = null where id = $1`, []any{d.ID}, resume)
	op, err = b.waiter.Wait(t.Context(), op)
	require.NoError(t, err)
	require.Equal(t, operations.Rejected, op.Status)
	require.Equal(t, before, b.balance(b.buyer))
	require.Equal(t, 1, b.count(`select count(*) from deals where id = $1 and status = 'Pending' and removed_at is not null`, d.ID))
}

// So does a change that moves no money: a deal that was closed meanwhile stays closed.
func TestAChangeWaitsForTheDeal(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	refused := make(chan error, 1)
	b.holding(`
		update deals set status = 'Cancelled', closed_at = created_at, close_reason = 'admin', next_action = null, next_action_at = null
		 where id = $1`, []any{b.id}, func() {
		go func() {
			_, err := b.deals.Deliver(t.Context(), b.seller, b.id)
			refused <- err
		}()
	})
	require.Equal(t, fault.Conflict, fault.CodeOf(<-refused))
	require.Equal(t, deals.Cancelled, b.now().Status)
}

// While money is on its way nothing else changes the subject, and the clock leaves it alone.
func TestNothingElseHappensWhileAnOperationIsPending(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	busy := func(what string, err error) {
		t.Helper()
		require.Equal(t, operations.ErrBusy().Error(), errorText(err), what)
	}
	detail := func(_ deals.Detail, err error) error { return err }
	unpaid := b.deal(b.buyer, b.seller, price)
	b.fund(b.buyer, b.admin, price)
	b.clock.Advance(8 * day) // what is unpaid is due to be removed
	claimed := b.report(b.buyer, 20_00)
	waits := b.pause()

	paying, err := b.deals.RequestPay(ctx, b.buyer, unpaid.ID, nil)
	require.NoError(t, err)
	_, err = b.deals.Remove(ctx, b.buyer, unpaid.ID, nil)
	busy("remove", err)
	_, err = b.deals.Remove(ctx, b.seller, unpaid.ID, nil)
	busy("decline", err)
	_, err = b.sweeper.Sweep(ctx)
	require.NoError(t, err)
	require.Zero(t, b.count(`select count(*) from deals where id = $1 and removed_at is not null`, unpaid.ID), "the clock waits")

	completing, err := b.deals.RequestForceComplete(ctx, b.admin, b.id, nil)
	require.NoError(t, err)
	busy("deliver", detail(b.deals.Deliver(ctx, b.seller, b.id)))
	_, err = b.deals.Cancel(ctx, b.buyer, b.id, nil)
	busy("cancel", err)

	approving, err := b.approve(b.admin, claimed, 20_00, "")
	require.NoError(t, err)
	_, err = b.wallet.RejectDeposit(ctx, b.admin, claimed.ID, "Not ours.")
	busy("reject a deposit", err)
	_, err = b.approve(b.admin, claimed, 19_00, "19 came.")
	busy("approve another amount", err)

	waits()
	for _, op := range []operations.Operation{paying, completing, approving} {
		b.settled(op, nil)
	}
	b.reconciled()
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestNoChangeOfADeliveryWhileAnOperationIsPending(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	b.do(b.deals.Deliver(ctx, b.seller, b.id))
	resume := b.pause()
	op, err := b.deals.RequestForceComplete(ctx, b.admin, b.id, nil)
	require.NoError(t, err)
	_, err = b.deals.ResetDelivery(ctx, b.buyer, b.id)
	require.Equal(t, operations.ErrBusy().Error(), errorText(err))
	_, err = b.deals.Cancel(ctx, b.buyer, b.id, nil) // a delivered deal's is a request, not an operation
	require.Equal(t, operations.ErrBusy().Error(), errorText(err))
	resume()
	b.settled(op, nil)
	require.Equal(t, deals.Completed, b.now().Status)
}

// A request that the buyer can still decline must not go to the admins while its deal is being closed.
func TestTheClockEscalatesNothingWhileAnOperationIsPending(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	b.do(b.deals.Deliver(ctx, b.seller, b.id))
	b.cancel(b.buyer)
	b.clock.Advance(3*day + time.Minute)
	resume := b.pause()
	op, err := b.deals.RequestForceCancel(ctx, b.admin, b.id, nil)
	require.NoError(t, err)
	for range 2 {
		_, err = b.sweeper.Sweep(ctx)
		require.NoError(t, err)
	}
	require.Zero(t, b.count(`select count(*) from deals where escalated_at is not null`))
	resume()
	b.settled(op, nil)
}

// What the clock has asked for is settled only if it is still time: the deal may have been frozen or its date moved.
func TestTheClockAsksAgainBeforeMoneyMoves(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"frozen":    `update deals set frozen_at = next_action_at where id = $1`,
		"postponed": `update deals set next_action_at = next_action_at + interval '10 days' where id = $1`,
	} {
		for ending, prepare := range map[string]func(b *clockBench){
			"completion": func(b *clockBench) { b.do(b.deals.Deliver(t.Context(), b.seller, b.id)) },
			"refund":     func(*clockBench) {},
			"unanswered": func(b *clockBench) { b.cancel(b.buyer) },
		} {
			t.Run(ending+", "+name, func(t *testing.T) {
				t.Parallel()
				b := newClockBench(t)
				prepare(b)
				resume := b.pause()
				// Both were warned a day before.
				due := *b.now().NextActionAt
				b.clock.Advance(due.Sub(b.clock.Now()) - day)
				_, err := b.sweeper.Sweep(t.Context())
				require.NoError(t, err)
				b.clock.Advance(day + time.Minute)
				_, err = b.sweeper.Sweep(t.Context())
				require.NoError(t, err)
				require.Equal(t, 1, b.count(`select count(*) from operations where status = 'pending' and actor_id is null`))
				_, err = b.db.Owner().Exec(t.Context(), change, b.id)
				require.NoError(t, err)
				resume()
				require.Eventually(t, func() bool {
					return b.count(`select count(*) from operations where status = 'rejected' and actor_id is null`) == 1
				}, 10*time.Second, 10*time.Millisecond)
				require.True(t, b.now().Status.Open())
				b.reconciled()
			})
		}
	}
}

// An admin decides on other people's money only.
func TestAnAdminDoesNotDecideOnTheirOwnDeal(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	_, err := b.db.Owner().Exec(ctx, `update users set is_admin = true where id in ($1, $2)`, b.buyer, b.seller)
	require.NoError(t, err)
	for _, party := range []uuid.UUID{b.buyer, b.seller} {
		_, err := b.deals.RequestForceComplete(ctx, party, b.id, nil)
		b.refused(fault.Forbidden, "You cannot decide on your own deal.", err)
		_, err = b.deals.RequestForceCancel(ctx, party, b.id, nil)
		b.refused(fault.Forbidden, "You cannot decide on your own deal.", err)
	}
	require.Equal(t, deals.Active, b.now().Status)
	require.Zero(t, b.count(`select count(*) from operations where kind <> 'deposit_approve' and kind <> 'deal_pay'`))
}

// Jobs that ended without settling their operation are none: the sweep gives the operation a new one.
func TestTheSweepRevivesWhatWasGivenUp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	buyer, seller := b.withFunds("nusrat", 500_00), b.user("tanvir")
	states := []rivertype.JobState{rivertype.JobStateCancelled, rivertype.JobStateDiscarded, rivertype.JobStateCompleted}
	for _, state := range states {
		_, job := b.enqueued(buyer, b.deal(buyer, seller, 10_00).ID)
		_, err := b.db.Owner().Exec(t.Context(), `update river.river_job set state = @state, finalized_at = now() where id = @id`,
			pgx.NamedArgs{"state": state, "id": job.ID})
		require.NoError(t, err)
	}
	b.clock.Advance(16 * time.Second)
	sweeper := &operations.Service{DB: b.db.Worker(), Clock: b.clock, Enqueuer: b.ops.Enqueuer}
	revived, err := sweeper.Sweep(t.Context())
	require.NoError(t, err)
	require.Equal(t, len(states), revived)
	b.start()
	require.Eventually(t, func() bool { return b.balance(buyer) == 470_00 }, 10*time.Second, 10*time.Millisecond)
	b.reconciled()
}

// A second job of an operation that is settled has nothing to do, and ends.
func TestASettledOperationIsNotSettledAgain(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	var op uuid.UUID
	require.NoError(t, b.db.Owner().QueryRow(t.Context(), `select id from operations where kind = 'deal_pay'`).Scan(&op))
	before := b.books()
	job := b.work(dealPayJob(op))
	require.Equal(t, rivertype.JobStateCompleted, job.State)
	require.Empty(t, job.Errors)
	require.Equal(t, before, b.books())
}

func TestNobodyDealsWithADisabledPerson(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	buyer, seller := b.user("nusrat"), b.user("tanvir")
	_, err := b.db.Owner().Exec(t.Context(), `update users set disabled_at = now() where id = $1`, seller)
	require.NoError(t, err)
	_, err = b.deals.Create(t.Context(), buyer,
		deals.Draft{BuyerID: &buyer, SellerID: &seller, Price: price, Description: "A channel", DeliveryDays: 7}, nil)
	require.Equal(t, fault.Invalid, fault.CodeOf(err))
	require.ErrorContains(t, err, "Select a user.")
}

// A rejected report frees the number for whoever has sent the money.
func TestARejectedDepositFreesItsNumber(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	first, admin := b.user("nusrat"), b.admin("admin")
	report := wallet.Report{Amount: 20_00, TransactionID: "9bx7k2m1qk", Method: wallet.Bkash}
	d, err := b.wallet.ReportDeposit(ctx, first, report, nil)
	require.NoError(t, err)
	_, err = b.wallet.ReportDeposit(ctx, first, report, nil)
	require.Equal(t, fault.Duplicate, fault.CodeOf(err))
	_, err = b.wallet.RejectDeposit(ctx, admin, d.ID, "Nothing came.")
	require.NoError(t, err)
	_, err = b.wallet.ReportDeposit(ctx, first, report, nil)
	require.NoError(t, err)
}

func dealPayJob(op uuid.UUID) jobs.DealPay { return jobs.DealPay{Money: jobs.Money{OperationID: op}} }
