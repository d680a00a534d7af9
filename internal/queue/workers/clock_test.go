package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/platform/fault"
)

const (
	day   = 24 * time.Hour
	price = money.Cents(100_00)
)

// clockBench is a paid deal between two users, and the clock worked by hand.
type clockBench struct {
	*bench
	sweeper       *deals.Settler // on the workers' role
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
	b.sweeper = &deals.Settler{Service: &onWorker, Rewards: b.rewards}
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

// sweep lets the clock act until it has nothing more to do, also where a worker's own clock holds what it skips, and waits for the money it
// moves.
func (b *clockBench) sweep() {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		now := b.clock.Now()
		if _, err := b.sweeper.Sweep(b.t.Context()); err != nil {
			b.t.Errorf("sweep: %v", err)
			return true
		}
		return b.count(`select count(*) from operations where status = 'pending'`) == 0 && b.count(`
			select count(*) from deals
			 where next_action_at <= $1 and frozen_at is null and removed_at is null or status = 'Active' and due_at < $1
			    or next_action_at <= $1 + interval '1 day' and frozen_at is null and removed_at is null and warned_at is null`, now) == 0
	}, 20*time.Second, 5*time.Millisecond)
}

// after lets time pass as it does while workers run: the clock acts at every time at which it has something to do or to warn of.
func (b *clockBench) after(step time.Duration) {
	b.t.Helper()
	b.sweep()
	for left := step; left > 0; {
		next, found, err := b.sweeper.NextStop(b.t.Context())
		require.NoError(b.t, err)
		part := left
		if found {
			part = min(left, max(0, next.Sub(b.clock.Now()))+time.Millisecond)
		}
		b.clock.Advance(part)
		b.sweep()
		left -= part
	}
}

// outage lets time pass while nobody works.
func (b *clockBench) outage(step time.Duration) {
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
	b.after(6 * day)
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
			require.Equal(t, 1, b.count(`
				select count(*) from river.river_job
				 where kind = 'admin_notice' and args->>'notice_kind' = 'admin_escalated' and args->>'link' = '/admin/deals?tab=decide'`))
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
	_, link := b.told(b.buyer)
	require.Equal(t, "/deal", link, "there is no page of the deal any more")
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

// Whatever changes a deal between its time and the next sweep, both hear that it is late.
func TestLatenessIsToldWhoeverSeesItFirst(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	b.clock.Advance(7*day + 30*time.Second)
	b.cancel(b.buyer)
	b.sweep()
	require.Equal(t, deals.Late, b.now().Status)
	require.Equal(t, 2, b.count(`select count(*) from notifications where kind = 'deal_late'`))
	require.Equal(t, 1, b.count(`select count(*) from deal_events where kind = 'line_late'`))
}

// The delivery overtakes the buyer's leaving. Whoever asks again with the same key hears that, not that a request was sent.
func TestARefusedLeavingIsToldAgain(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	b.clock.Advance(8*day + time.Hour)
	key := &idempotency.Key{UserID: &b.buyer, Value: "leave"}
	resume := b.pause()
	asked, err := b.deals.Cancel(ctx, b.buyer, b.id, key)
	require.NoError(t, err)
	_, err = b.db.Owner().Exec(ctx, `
		update deals set status = 'Delivered', delivered = true, delivered_at = $1, first_delivered_at = $1 where id = $2`, b.clock.Now(), b.id)
	require.NoError(t, err)
	resume()
	for range 2 {
		require.NotNil(t, asked.Operation)
		op, err := b.waiter.Wait(ctx, *asked.Operation)
		require.NoError(t, err)
		require.ErrorContains(t, op.Err(), "You cannot leave this deal yet.")
		asked, err = b.deals.Cancel(ctx, b.buyer, b.id, key)
		require.NoError(t, err)
	}
	require.False(t, b.now().CancellationRequested)
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
