package workers

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/deals"
	"amanat/internal/fault"
	"amanat/internal/money"
	"amanat/internal/operations"
)

const (
	day   = 24 * time.Hour
	price = money.Cents(100_00)
)

// clockBench is a paid deal between two users, and the clock worked by hand.
type clockBench struct {
	*bench
	sweeper       *deals.Service // on the workers' role
	buyer, seller uuid.UUID
	admin         uuid.UUID
	id            uuid.UUID
}

func newClockBench(t *testing.T) *clockBench {
	t.Helper()
	b := &clockBench{bench: newBench(t)}
	b.start()
	b.buyer, b.seller, b.admin = b.user("nusrat"), b.user("tanvir"), b.bench.admin("admin")
	b.fund(b.buyer, b.admin, 1000_00)
	onWorker := *b.deals
	onWorker.DB = b.db.Worker()
	money := *b.ops
	money.DB = b.db.Worker()
	onWorker.Operations = &money
	b.sweeper = &onWorker
	b.id = b.paid()
	return b
}

// paid returns a deal due in seven days.
func (b *clockBench) paid() uuid.UUID {
	b.t.Helper()
	d := b.deal(b.buyer, b.seller, price)
	b.settled(b.deals.RequestPay(b.t.Context(), b.buyer, d.ID, nil))
	return d.ID
}

// sweep lets the clock act, as often as it likes, and waits for the money it moves.
func (b *clockBench) sweep() {
	b.t.Helper()
	for range 2 {
		_, err := b.sweeper.Sweep(b.t.Context())
		require.NoError(b.t, err)
		require.Eventually(b.t, func() bool { return b.count(`select count(*) from operations where status = 'pending'`) == 0 },
			10*time.Second, 5*time.Millisecond)
	}
}

func (b *clockBench) after(step time.Duration) {
	b.t.Helper()
	b.clock.Advance(step)
	b.sweep()
}

func (b *clockBench) now() deals.Deal {
	b.t.Helper()
	d, err := b.deals.GetAny(b.t.Context(), b.admin, b.id)
	require.NoError(b.t, err)
	return d.Deal
}

func (b *clockBench) do(detail deals.Detail, err error) deals.Deal {
	b.t.Helper()
	require.NoError(b.t, err)
	return detail.Deal
}

func (b *clockBench) ends(status deals.Status, reason deals.Reason, buyer, seller money.Cents) {
	b.t.Helper()
	d := b.now()
	require.Equal(b.t, status, d.Status)
	require.Equal(b.t, reason, d.CloseReason)
	require.Empty(b.t, d.NextAction)
	require.Equal(b.t, buyer, b.balance(b.buyer), "buyer's wallet")
	require.Equal(b.t, seller, b.balance(b.seller), "seller's wallet")
	b.reconciled()
}

func (b *clockBench) cancel(actor uuid.UUID) deals.Cancellation {
	b.t.Helper()
	c, err := b.deals.Cancel(b.t.Context(), actor, b.id, nil)
	require.NoError(b.t, err)
	if c.Operation != nil {
		b.settled(*c.Operation, nil)
	}
	return c
}

func TestTheClockCompletesWhatNobodyTouches(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	d := b.do(b.deals.Deliver(t.Context(), b.seller, b.id))
	require.Equal(t, deals.ActionComplete, d.NextAction)
	require.Equal(t, d.DeliveredAt.Add(3*day), *d.NextActionAt)
	b.after(2*day + time.Minute)
	require.Equal(t, deals.Delivered, b.now().Status)
	require.Equal(t, 2, b.count(`select count(*) from notifications where kind = 'deal_completes_soon'`), "both are warned once")
	b.after(day)
	b.ends(deals.Completed, deals.ReasonCompleted, 900_00, 98_00)
	require.Equal(t, 1, b.count(`select count(*) from ledger.transfers where kind = 'deal_complete' and actor_id is null`))
}

func TestTheClockRefundsWhatIsNeverDelivered(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	b.after(7*day + time.Minute)
	require.Equal(t, deals.Late, b.now().Status)
	require.Equal(t, 1, b.count(`select count(*) from deals where status = 'Late'`), "and it is written down")
	require.Equal(t, 2, b.count(`select count(*) from notifications where kind = 'deal_late'`))
	b.after(13 * day)
	require.Equal(t, deals.Late, b.now().Status)
	b.after(day)
	b.ends(deals.Cancelled, deals.ReasonOverdue, 1000_00, 0)
}

func TestAnUnansweredRequestCountsAsAccepted(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	require.Nil(t, b.cancel(b.buyer).Operation)
	require.True(t, b.now().CancellationRequested)
	b.after(72*time.Hour - time.Minute)
	require.Equal(t, deals.Active, b.now().Status)
	b.after(time.Minute)
	b.ends(deals.Cancelled, deals.ReasonUnanswered, 998_00, 0)
}

func TestAnUnansweredRequestPastTheExitCostsNothing(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	b.clock.Advance(6 * day)
	b.cancel(b.buyer) // answered until day 9, the exit is on day 8
	b.after(3 * day)
	b.ends(deals.Cancelled, deals.ReasonUnanswered, 1000_00, 0)
}

func TestWhatWasOnceDeliveredIsNeverDecidedByTheClock(t *testing.T) {
	t.Parallel()
	for name, undo := range map[string]func(b *clockBench) time.Duration{
		"request": func(b *clockBench) time.Duration { b.cancel(b.buyer); return 72 * time.Hour },
		"reset": func(b *clockBench) time.Duration {
			b.do(b.deals.ResetDelivery(b.t.Context(), b.buyer, b.id))
			return 7 * day
		},
		"declined": func(b *clockBench) time.Duration {
			b.cancel(b.buyer)
			b.do(b.deals.DeclineCancellation(b.t.Context(), b.seller, b.id))
			return 7 * day
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newClockBench(t)
			b.do(b.deals.Deliver(t.Context(), b.seller, b.id))
			wait := undo(b)
			require.False(t, b.now().Delivered, "a delivery that was taken back stands no more")
			b.after(wait - time.Minute)
			require.Nil(t, b.now().EscalatedAt)
			b.after(time.Minute)
			require.NotNil(t, b.now().EscalatedAt)
			b.after(100 * day)
			require.True(t, b.now().Status.Open(), "an admin decides")
			require.Equal(t, 1, b.count(`select count(*) from river.river_job where kind = 'admin_notice' and args->>'notice_kind' = 'admin_escalated'`))
			b.settled(b.deals.RequestForceCancel(t.Context(), b.admin, b.id, nil))
			b.ends(deals.Cancelled, deals.ReasonAdmin, 1000_00, 0)
			require.Equal(t, 1, b.count(`select count(*) from audit_log where action = 'deal.cancel'`))
		})
	}
}

func TestAnUnpaidDealIsRemoved(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	d := b.deal(b.buyer, b.seller, price)
	b.after(7*day + time.Minute)
	_, err := b.deals.Get(t.Context(), b.buyer, d.ID)
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	_, err = b.deals.RequestPay(t.Context(), b.buyer, d.ID, nil)
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	require.Equal(t, 2, b.count(`select count(*) from notifications where kind = 'deal_expired'`))
}

func TestTheBuyerMayLeaveALateDeal(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	b.clock.Advance(7*day + 23*time.Hour)
	require.Nil(t, b.cancel(b.buyer).Operation, "a request still")
	b.clock.Advance(2 * time.Hour)
	require.NotNil(t, b.cancel(b.buyer).Operation, "free to go, also with a request open")
	b.ends(deals.CancelledByBuyer, deals.ReasonExit, 1000_00, 0)
	require.NotNil(t, b.cancel(b.buyer).Operation, "told again what he did")
}

func TestWhoPaysLateHasADayBeforeItCounts(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	d := b.deal(b.buyer, b.seller, price)
	b.clock.Advance(7*day - time.Hour)
	b.settled(b.deals.RequestPay(t.Context(), b.buyer, d.ID, nil))
	b.id = d.ID
	b.clock.Advance(47 * time.Hour)
	require.Nil(t, b.cancel(b.buyer).Operation)
	b.clock.Advance(time.Hour + time.Minute)
	require.NotNil(t, b.cancel(b.buyer).Operation)
}

func TestSupportStopsTheClock(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	d := b.do(b.deals.Deliver(ctx, b.seller, b.id))
	due := *d.NextActionAt
	b.clock.Advance(2 * day) // one day is left
	require.NoError(t, b.deals.RequestSupport(ctx, b.buyer, b.id, "The channel is not mine yet.", nil))
	require.Equal(t, fault.Conflict, fault.CodeOf(b.deals.RequestSupport(ctx, b.buyer, b.id, "Hello?", nil)))
	require.NoError(t, b.deals.RequestSupport(ctx, b.seller, b.id, "He has it.", nil))
	b.after(10 * day)
	require.Equal(t, deals.Delivered, b.now().Status, "frozen")
	require.True(t, b.now().Frozen())

	requests, total, err := b.deals.ListSupport(ctx, deals.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 2, total)
	require.NoError(t, b.deals.CloseSupport(ctx, b.admin, requests[0].ID))
	require.True(t, b.now().Frozen(), "the other's is still open")
	require.NoError(t, b.deals.CloseSupport(ctx, b.admin, requests[1].ID))
	require.Equal(t, fault.AlreadyHandled, fault.CodeOf(b.deals.CloseSupport(ctx, b.admin, requests[1].ID)))
	d = b.now()
	require.False(t, d.Frozen())
	require.WithinDuration(t, due.Add(10*day), *d.NextActionAt, time.Minute, "later by the time it stood still")
	b.after(day + time.Minute)
	b.ends(deals.Completed, deals.ReasonCompleted, 900_00, 98_00)
}

func TestAfterSupportAtLeastADayIsLeft(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	b.do(b.deals.Deliver(ctx, b.seller, b.id))
	b.clock.Advance(3*day - time.Minute)
	require.NoError(t, b.deals.RequestSupport(ctx, b.buyer, b.id, "Wait.", nil))
	b.clock.Advance(time.Hour)
	requests, _, err := b.deals.ListSupport(ctx, deals.Page{Limit: 1})
	require.NoError(t, err)
	require.NoError(t, b.deals.CloseSupport(ctx, b.admin, requests[0].ID))
	require.WithinDuration(t, b.clock.Now().Add(day), *b.now().NextActionAt, time.Minute)
}

func TestPartiesMayEndAFrozenDeal(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	require.NoError(t, b.deals.RequestSupport(t.Context(), b.seller, b.id, "He is silent.", nil))
	b.after(8*day + time.Minute)
	require.Equal(t, deals.Late, b.now().Status, "becoming late moves no money")
	require.NotNil(t, b.cancel(b.buyer).Operation)
	b.ends(deals.CancelledByBuyer, deals.ReasonExit, 1000_00, 0)
}

func TestThreeRequestsAreEnough(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	for range 2 {
		b.cancel(b.buyer)
		b.cancel(b.buyer) // again is the same
		b.do(b.deals.DeclineCancellation(ctx, b.seller, b.id))
	}
	b.do(b.deals.Deliver(ctx, b.seller, b.id))
	b.do(b.deals.ResetDelivery(ctx, b.buyer, b.id))
	b.do(b.deals.ResetDelivery(ctx, b.buyer, b.id)) // again is the same
	_, err := b.deals.Cancel(ctx, b.buyer, b.id, nil)
	require.Equal(t, fault.Conflict, fault.CodeOf(err))
	require.ErrorContains(t, err, "Please open a support request")
	b.do(b.deals.Deliver(ctx, b.seller, b.id))
	_, err = b.deals.ResetDelivery(ctx, b.buyer, b.id)
	require.ErrorContains(t, err, "Please open a support request")
}

// An hour without workers, many clocks due; then three workers at once, twice. Everything happens once.
func TestAfterAnOutageEveryClockActsOnce(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	ids := []uuid.UUID{b.id}
	for range 7 {
		ids = append(ids, b.paid())
	}
	var delivered []uuid.UUID
	for _, id := range ids[:4] {
		b.do(b.deals.Deliver(ctx, b.seller, id))
		delivered = append(delivered, id)
	}
	unpaid := b.deal(b.buyer, b.seller, price)
	b.clock.Advance(7*day - 30*time.Minute)
	b.clock.Advance(time.Hour) // nobody worked
	for range 2 {
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				if _, err := b.sweeper.Sweep(ctx); err != nil {
					t.Errorf("sweep: %v", err)
				}
			})
		}
		group.Wait()
	}
	require.Eventually(t, func() bool { return b.count(`select count(*) from operations where status = 'pending'`) == 0 },
		20*time.Second, 5*time.Millisecond)
	require.Equal(t, len(delivered), b.count(`select count(*) from deals where status = 'Completed'`))
	require.Equal(t, len(ids)-len(delivered), b.count(`select count(*) from deals where status = 'Late'`))
	require.Equal(t, 1, b.count(`select count(*) from deals where id = $1 and removed_at is not null`, unpaid.ID))
	require.Equal(t, len(delivered), b.count(`select count(*) from ledger.transfers where kind = 'deal_complete'`))
	require.Equal(t, 2*(len(ids)-len(delivered)), b.count(`select count(*) from notifications where kind = 'deal_late'`))
	require.Equal(t, 2, b.count(`select count(*) from notifications where kind = 'deal_expired'`))
	b.reconciled()
}

// Everybody who can end a deal tries at once: one does, the others are told clearly.
func TestOnlyOneClosesADeal(t *testing.T) {
	t.Parallel()
	const rounds = 200
	b := newClockBench(t)
	ctx := t.Context()
	ids := []uuid.UUID{b.id}
	b.fund(b.buyer, b.admin, rounds*price)
	for range rounds - 1 {
		ids = append(ids, b.paid())
	}
	b.clock.Advance(8*day + time.Minute)
	for _, id := range ids { // a request is open and the buyer may leave
		_, err := b.db.Owner().Exec(ctx, `
			update deals set cancellation_requested = true, cancellation_asked_at = $2, next_action = 'refund_unanswered', next_action_at = $2
			 where id = $1`, id, b.clock.Now())
		require.NoError(t, err)
	}
	closed := map[deals.Reason]int{}
	for _, id := range ids {
		b.id = id
		attempts := []func() (operations.Operation, error){
			func() (operations.Operation, error) { return b.deals.RequestComplete(ctx, b.buyer, id, nil) },
			func() (operations.Operation, error) { return b.deals.RequestAcceptCancellation(ctx, b.seller, id, nil) },
			func() (operations.Operation, error) { return cancelOperation(b.deals.Cancel(ctx, b.seller, id, nil)) },
			func() (operations.Operation, error) { return cancelOperation(b.deals.Cancel(ctx, b.buyer, id, nil)) },
			func() (operations.Operation, error) { return b.deals.RequestForceComplete(ctx, b.admin, id, nil) },
			func() (operations.Operation, error) { return b.deals.RequestForceCancel(ctx, b.admin, id, nil) },
			func() (operations.Operation, error) {
				_, err := b.sweeper.Sweep(ctx)
				return operations.Operation{Status: operations.Rejected}, err
			},
		}
		var mu sync.Mutex
		winners := map[uuid.UUID]bool{}
		var group sync.WaitGroup
		for _, attempt := range attempts {
			group.Go(func() {
				op, err := attempt()
				if err == nil && op.Status == operations.Pending {
					op, err = b.waiter.Wait(ctx, op)
				}
				if err == nil && op.Status == operations.Rejected && op.ErrorCode != nil {
					err = op.Err()
				}
				if err != nil && fault.CodeOf(err) != fault.Conflict {
					t.Errorf("neither done nor a conflict: %v", err)
				}
				if err == nil && op.Status == operations.Done {
					mu.Lock()
					defer mu.Unlock()
					winners[op.ID] = true
				}
			})
		}
		group.Wait()
		require.Eventually(t, func() bool { return !b.now().Status.Open() }, 10*time.Second, time.Millisecond)
		require.LessOrEqual(t, len(winners), 1)
		closed[b.now().CloseReason]++
	}
	require.Equal(t, rounds, b.count(`select count(*) from ledger.transfers where key like 'deal:%:close'`))
	t.Logf("closed by: %v", closed)
	b.reconciled()
}

func cancelOperation(c deals.Cancellation, err error) (operations.Operation, error) {
	if c.Operation == nil {
		return operations.Operation{Status: operations.Rejected}, err
	}
	return *c.Operation, err
}
